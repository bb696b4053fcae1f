"""The progress bar of a fresh server."""

import sys
from types import ModuleType

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import entry


def _page() -> None:
    import streamlit as st

    from pages.shared.entry import load_libraries

    load_libraries()
    st.write("loaded")


def test_names_each_library_that_it_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bar says what is loading and how far it is; libraries that are loaded already are not on it."""
    loaded: list[str] = []
    texts: list[str] = []
    monkeypatch.setattr(entry, "_LIBRARIES", {"one": "One", "sys": "loaded before", "two": "Two"})
    monkeypatch.setattr(entry.importlib, "import_module", lambda name: loaded.append(name) or ModuleType(name))
    bar = entry.st.delta_generator.DeltaGenerator.progress

    def spy(place: object, value: float, text: str | None = None, **more: object) -> object:
        texts.append(text or "")
        return bar(place, value, text, **more)

    monkeypatch.setattr(entry.st.delta_generator.DeltaGenerator, "progress", spy)
    page = AppTest.from_function(_page).run()
    assert not page.exception
    assert loaded == ["one", "two"]
    assert texts[1:] == ["Starting jobmatch: loading One (1 of 2)", "Starting jobmatch: loading Two (2 of 2)"]
    assert [block.value for block in page.markdown] == ["loaded"]


def test_draws_nothing_once_all_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second page has no bar."""
    monkeypatch.setattr(entry, "_LIBRARIES", {"sys": "Python"})
    assert "sys" in sys.modules
    page = AppTest.from_function(_page).run()
    assert [block.value for block in page.markdown] == ["loaded"]
