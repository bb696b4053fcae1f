"""Texts that are too long are cut with a notice, instead of being dropped by the browser."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

PAGES = Path(__file__).parents[2] / "pages"


def one_field() -> None:
    """A page with one field of at most five characters."""
    import streamlit as st

    from pages.shared.text_limits import cut

    st.text_area("Text", key="text", on_change=cut, args=("text", 5))


def test_a_long_text_is_cut() -> None:
    """A text of the allowed length is kept as it is."""
    app = AppTest.from_function(one_field).run()
    app.text_area(key="text").set_value("12345").run()
    assert (app.text_area(key="text").value, len(app.toast)) == ("12345", 0)
    app.text_area(key="text").set_value("1234567").run()
    assert app.text_area(key="text").value == "12345"
    assert app.toast[0].value == "Only the first 5 of 7 characters were kept."


def test_no_field_has_a_limit_of_the_browser() -> None:
    """With one, a longer paste would vanish without a word."""
    assert [path.name for path in PAGES.rglob("*.py") if "max_chars" in path.read_text("utf-8")] == []
