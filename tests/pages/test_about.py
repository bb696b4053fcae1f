"""The page 'About and help': versions, keys, attributions."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from jobmatch_core import __version__


def test_version_attributions_and_keys_are_shown(app: AppTest, home: Path) -> None:
    """The page shows the escaped attribution of each installed taxonomy, and the data folder."""
    app.run()
    app.switch_page("pages/about/about.py").run()
    assert not app.exception
    assert [title.value for title in app.title] == ["About and help"]
    shown = "\n".join(each.value for each in app.markdown)
    assert f"jobmatch {__version__}" in shown
    assert "Tiny 1" in shown
    assert "International Labour Organization" in shown
    assert "`U`" in shown
    assert app.code[0].value == str(home.resolve())
