"""Lists as those see them who may not judge."""

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch.access.principal import Role
from tests.pages.link_titles.made_lists import keys, select
from tests.pages.observed import left_to_check, link_list, options, table, texts
from tests.pages.test_sign_in import become, server  # noqa: F401  # people sign in

ALWAYS = {"new_list", "charts", "sign_out"}


@pytest.fixture
def viewed(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """A list that a viewer has linked."""
    become(monkeypatch, Role.VIEWER)
    return link_list(app, "accounts of a cook", "nurse", "Koch")


def shown_options(app: AppTest) -> list[str]:
    """Return the options that stand in the panel as texts."""
    return [line.strip("*") for line in texts(app).split("\n") if line.startswith("**") and " · ISCO " in line]


def test_options_are_texts(viewed: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No button decides; those of a person who may judge have the same labels."""
    assert not viewed.exception
    assert keys(viewed) == ALWAYS
    assert left_to_check(viewed) == "**1 left to check**"
    assert "it needs the role 'annotator'" in texts(viewed)
    shown = shown_options(viewed)
    become(monkeypatch, Role.ANNOTATOR)
    viewed.run()
    assert [label for label in options(viewed) if " · ISCO " in label] == shown
    assert {"accept", "none_of_these", "group_enough", "undo", "accept_many"} <= keys(viewed)


def test_the_list_can_be_looked_through(viewed: AppTest) -> None:
    """With filters, a search in the taxonomy, and several titles selected."""
    viewed.session_state["many_filter"] = True
    viewed.run()
    viewed.multiselect(key="many_languages").set_value(["de"]).run()
    assert [row["Title"] for row in table(viewed)] == ["Koch"]
    assert keys(viewed) == ALWAYS | {"remove_language_de"}
    viewed.text_input(key="other_2").set_value("Krankenschwester").run()
    assert shown_options(viewed)[0].startswith("nurse · ISCO 2221")
    viewed.button(key="remove_language_de").click().run()
    select(viewed, 0, 1, 2)
    assert "**3 titles selected**" in texts(viewed)
    assert keys(viewed) == ALWAYS
    viewed.session_state["many_filter"] = True
    viewed.run()
    viewed.multiselect(key="many_reasons").set_value(["unknown word"]).run()
    viewed.text_input(key="many_search").set_value("zzz").run()
    assert "Select a row to see its occupations." in texts(viewed)
    assert "undo" not in keys(viewed)
