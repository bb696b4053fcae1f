"""Chromium as it is installed."""

import pytest
from playwright.sync_api import ViewportSize

from jobmatch_core.errors import SettingsError
from lab.speed import chromium


def test_without_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install."""
    monkeypatch.setattr(chromium, "which", lambda name: None)
    window = ViewportSize(width=1280, height=900)
    with pytest.raises(SettingsError, match="apt install chromium"), chromium.open_page(window):
        pass
