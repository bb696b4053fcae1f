"""The annotator: none, a name from the cookie, a typed name, one requested before a verdict."""

import pytest
from streamlit.testing.v1 import AppTest


def _script() -> None:
    import streamlit as st

    from pages.shared.annotator import annotator_name, annotator_popover, given_name, with_name

    def judge(verdict: str) -> None:
        st.session_state["judged"] = (verdict, given_name())

    drawn = annotator_popover()
    st.text(drawn)
    st.text(given_name())
    st.text(annotator_name())
    st.button("Judge", key="judge", on_click=with_name, args=(judge, "fits"))


def shown(app: AppTest) -> str:
    """Run the app and return the annotator; the drawn and the returned name are the same."""
    app.run()
    assert not app.exception
    drawn, given, stand_in = (element.value for element in app.text)
    assert drawn == given
    assert stand_in == (given or "this computer")
    return str(given)


@pytest.fixture(autouse=True)
def _nobody(cookies: dict[str, str]) -> None:
    """Remove the name from the browser."""
    cookies.clear()


def test_nobody_at_first_then_what_is_typed() -> None:
    """The typed name never enters the address."""
    app = AppTest.from_function(_script)
    assert shown(app) == ""
    app.text_input(key="annotator_field").set_value("  Ann  Müller ")
    assert shown(app) == "Ann Müller"
    assert "annotator" not in app.query_params
    app.text_input(key="annotator_field").set_value(" ")
    assert shown(app) == ""


def test_a_name_in_the_address_is_ignored_and_taken_out() -> None:
    """Opening a colleague's link does not change the annotator."""
    app = AppTest.from_function(_script)
    app.query_params["annotator"] = "anna"
    assert shown(app) == ""
    assert "annotator" not in app.query_params


@pytest.mark.parametrize(
    ("cookie", "kept"),
    [
        ("Ann%20M%C3%BCller", "Ann Müller"),
        ("a%00%0Ab%E2%80%A8c", "a b c"),
        ("x" * 300, "x" * 200),
        ("%ff", "\ufffd"),
        ("%3Cb%3E%3B%20Path", "<b>; Path"),
        ("", ""),
    ],
    ids=["plain", "controls", "long", "broken", "marks", "empty"],
)
def test_a_name_from_the_cookie(cookies: dict[str, str], cookie: str, kept: str) -> None:
    """The name is cleaned of characters that no database stores, and cut to the allowed length."""
    cookies["jobmatch_annotator"] = cookie
    assert shown(AppTest.from_function(_script)) == kept


def test_a_verdict_waits_for_a_name() -> None:
    """The first verdict asks for a name and is then stored; later ones do not ask. An empty name is not accepted."""
    app = AppTest.from_function(_script)
    app.run()
    app.button(key="judge").click().run()
    assert "judged" not in app.session_state
    app.text_input(key="annotator_form_field").set_value(" ")
    app.button(key="annotator_form_go").click().run()
    assert "judged" not in app.session_state
    app.text_input(key="annotator_form_field").set_value("Ann")
    app.button(key="annotator_form_go").click().run()
    assert app.session_state["judged"] == ("fits", "Ann")
    assert not [each for each in app.text_input if each.key == "annotator_form_field"]
    app.session_state["judged"] = None
    app.button(key="judge").click().run()
    assert app.session_state["judged"] == ("fits", "Ann")
