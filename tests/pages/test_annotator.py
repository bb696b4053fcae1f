"""Who judges: a default, a name from the address, one that is typed; whatever is in it, nothing fails."""

import pytest
from streamlit.testing.v1 import AppTest


def _script() -> None:
    import streamlit as st

    from pages._annotator import annotator_name, annotator_popover

    drawn = annotator_popover()
    st.text(drawn)
    st.text(annotator_name())


def shown(app: AppTest) -> str:
    """Run it and return the name, which is the same where it is drawn and where it is asked for."""
    app.run()
    assert not app.exception
    drawn, asked = (element.value for element in app.text)
    assert drawn == asked
    return str(asked)


def test_me_at_first_then_what_is_typed() -> None:
    """It goes into the address, and out of it again."""
    app = AppTest.from_function(_script)
    assert shown(app) == "me"
    assert "annotator" not in app.query_params
    app.text_input(key="annotator_field").set_value("  Ann  Müller ")
    assert shown(app) == "Ann Müller"
    assert app.query_params["annotator"] in ("Ann Müller", ["Ann Müller"])
    app.text_input(key="annotator_field").set_value(" ")
    assert shown(app) == "me"
    assert "annotator" not in app.query_params


@pytest.mark.parametrize(
    ("name", "kept"),
    [("Ann", "Ann"), ("a\x00\nb\u2028c", "a b c"), ("x" * 300, "x" * 200), ("\u200f", "\u200f"), ("<b>", "<b>")],
    ids=["plain", "controls", "long", "direction", "HTML"],
)
def test_a_name_from_the_address(name: str, kept: str) -> None:
    """Without what no database keeps, and no longer than it may be."""
    app = AppTest.from_function(_script)
    app.query_params["annotator"] = name
    assert shown(app) == kept
