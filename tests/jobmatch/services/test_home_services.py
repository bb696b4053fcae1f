"""The services that the pages and the API of a process share."""

from pathlib import Path

import pytest

from jobmatch.services.home_services import home_services


def test_a_process_has_one_set_of_services(
    own_linker_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One per home; all of them work on that home."""
    first = home_services()
    assert home_services() is first
    assert first.linking.settings.home == own_linker_home
    monkeypatch.setenv("JOBMATCH_HOME", str(tmp_path / "other"))
    assert home_services().linking.settings.home == tmp_path / "other"
