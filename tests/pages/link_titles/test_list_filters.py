"""Filters of a list: chips of statuses, facets with counts, and decisions on all titles of a filter."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.link_titles.made_lists import kept_rows, keys, select, statuses
from tests.pages.observed import link_list, table, texts


@pytest.fixture(autouse=True)
def open_filters(app: AppTest) -> None:
    """'Filter' is open: its facets are drawn, and counted, only then."""
    app.session_state["many_filter"] = True


def facet(app: AppTest, key: str) -> list[str]:
    """Return the options of a facet."""
    return list(app.multiselect(key=key).options)


def chips(app: AppTest) -> list[str]:
    """Return what is set in the facets, as the buttons that remove it say."""
    return [each.label.replace("\\", "") for each in app.button if str(each.key).startswith("remove_")]


def others(app: AppTest) -> list[str]:
    """Return the major groups from the sixth on, of titles that nothing is known about."""
    return [each for each in facet(app, "many_majors") if each > "6"]


def test_the_reasons_to_check_can_be_worked_through(app: AppTest) -> None:
    """The filter lists the reasons of the list with counts, also after the last title of a reason is decided."""
    link_list(app, "គ្រូ", "គិលានុបដ្ឋាក", "Student", "nurse")
    assert facet(app, "many_reasons") == ["no names in Khmer · 2", "not a job · 1"]
    app.multiselect(key="many_reasons").set_value(["not a job"]).run()
    assert [(row["Title"], row["Status"]) for row in table(app)] == [("Student", "not a job")]
    app.button(key="none_of_these").click().run()
    assert not app.exception
    assert "No rows match this filter" in texts(app)
    assert facet(app, "many_reasons") == ["no names in Khmer · 2", "not a job"]
    app.multiselect(key="many_reasons").set_value(["no names in Khmer"]).run()
    assert [row["Occupation"] for row in table(app)] == ["nothing found", "nothing found"]
    assert facet(app, "many_reasons") == ["no names in Khmer"]


def test_the_last_decision_of_a_filter_can_be_undone(app: AppTest) -> None:
    """Although its title has left the table."""
    link_list(app, "Student", "nurse")
    app.multiselect(key="many_reasons").set_value(["not a job"]).run()
    app.button(key="none_of_these").click().run()
    assert not app.dataframe
    app.button(key="undo").click().run()
    assert [row["Title"] for row in table(app)] == ["Student"]


def test_the_table_can_be_filtered_and_searched(app: AppTest) -> None:
    """Filters by status and text apply, also to an empty result."""
    link_list(app, "nurse", "Koch", "accounts of a cook")
    app.pills(key="many_status").set_value(["to check"]).run()
    assert len(table(app)) == 1
    app.pills(key="many_status").set_value([]).run()
    app.text_input(key="many_search").set_value("koch").run()
    assert [row["Title"] for row in table(app)] == ["Koch"]
    app.text_input(key="many_search").set_value("zzz").run()
    assert "No rows match this filter" in texts(app)


def test_the_table_is_filtered_by_language_and_group(app: AppTest) -> None:
    """Filters offer values of the list with counts; changing one clears the selection."""
    link_list(app, "nurse", "Koch", "infirmier")
    assert facet(app, "many_languages") == ["German · 1", "English · 1", "French · 1"]
    assert facet(app, "many_majors") == ["2 Professionals · 2", "5 Service and sales workers · 1"]
    assert facet(app, "many_units") == ["2221 Nursing professionals · 2", "5120 Cooks · 1"]
    select(app, 1, 2)
    app.multiselect(key="many_languages").set_value(["de"]).run()
    assert [row["Title"] for row in table(app)] == ["Koch"]
    assert "titles selected" not in texts(app)
    app.multiselect(key="many_languages").set_value([]).run()
    app.multiselect(key="many_majors").set_value(["5"]).run()
    assert [row["Title"] for row in table(app)] == ["Koch"]


def test_filters_narrow_each_other(app: AppTest) -> None:
    """A facet counts what passes the others; all together lead to the rows that pass each."""
    link_list(app, "nurse", "infirmier", "Koch", "accounts of a cook", "Vibe xkcd")
    app.multiselect(key="many_majors").set_value(["5"]).run()
    assert facet(app, "many_languages") == ["German · 1", "English · 1"]
    assert facet(app, "many_majors") == ["2 Professionals · 2", "5 Service and sales workers", *others(app)]
    app.multiselect(key="many_languages").set_value(["en"]).run()
    assert app.multiselect(key="many_majors").value == ["5"]
    assert [row["Title"] for row in table(app)] == ["accounts of a cook"]
    app.slider(key="many_probability").set_value((0.9, 1.0)).run()
    assert "No rows match this filter" in texts(app)
    assert chips(app) == [
        "Language of the matched name: English",
        "ISCO-08 major group: 5 Service and sales workers",
        "Probability: 0.90 to 1.00",
    ]
    app.button(key="remove_language_en").click().run()
    assert [row["Title"] for row in table(app)] == ["Koch"]
    app.button(key="remove_probability").click().run()
    assert len(table(app)) == 2
    app.button(key="remove_major group_5").click().run()
    assert (len(table(app)), chips(app)) == (5, [])


def test_unknown_words_are_a_filter(app: AppTest) -> None:
    """Each word of a title that no name has, with the number of titles with it."""
    link_list(app, "accounts of a cook", "a cook of accounts", "nurse")
    assert facet(app, "many_words") == ["a · 2", "accounts · 2", "of · 2"]
    app.multiselect(key="many_words").set_value(["accounts"]).run()
    assert {row["Title"] for row in table(app)} == {"accounts of a cook", "a cook of accounts"}
    assert chips(app) == ["Unknown word: accounts"]
    app.button(key="accept").click().run()
    assert len(table(app)) == 1
    app.button(key="remove_unknown word_accounts").click().run()
    assert len(table(app)) == 3


def test_a_label_with_an_earlier_count_is_still_its_value(app: AppTest) -> None:
    """A browser sends labels, perhaps before it knows that a decision has changed their counts."""
    link_list(app, "accounts of a cook", "a cook of accounts", "Student")
    app.multiselect(key="many_reasons").set_value(["unknown word"]).run()
    app.button(key="accept").click().run()
    app.session_state["many_reasons"] = ["unknown word · 2", "not a job · 1"]
    app.run()
    assert app.multiselect(key="many_reasons").value == ["unknown word", "not a job"]
    assert {row["Status"] for row in table(app)} == {"unknown word", "not a job"}
    assert chips(app) == ["Reason to check: unknown word", "Reason to check: not a job"]


def test_many_values_of_a_facet_have_one_chip(app: AppTest) -> None:
    """It says how many, and removes them all."""
    link_list(app, "accounts of a dev cook", "nurse", "Koch")
    app.multiselect(key="many_words").set_value(["accounts", "of", "a"]).run()
    assert len(chips(app)) == 3
    app.multiselect(key="many_words").set_value(["accounts", "of", "a", "dev"]).run()
    assert chips(app) == ["Unknown word: 4 chosen"]
    app.button(key="remove_unknown word").click().run()
    assert (len(table(app)), chips(app)) == (3, [])


def test_all_titles_of_a_filter_are_decided_on_together(app: AppTest) -> None:
    """Once ten of them were seen."""
    link_list(app, *(f"nurse {number}" for number in range(12)), "Koch")
    assert "decide_together" not in keys(app)
    app.text_input(key="many_search").set_value("NURSE ").run()
    for number in range(1, 10):
        assert app.button(key="decide_together").disabled
        assert app.button(key="decide_together").label == "Decide on all 12 together"
        assert app.button(key="decide_together").help.endswith(f"once you have seen 10 of them: so far {number}.")
        select(app, number)
    assert not app.button(key="decide_together").disabled, "the tenth is shown"
    app.button(key="decide_together").click().run()
    assert "**12 titles selected**" in texts(app)
    app.button(key="accept").click().run()
    assert statuses(app) == {f"nurse {number}": "accepted" for number in range(12)}
    assert not app.button(key="undo").disabled
    app.button(key="undo").click().run()
    assert [row["decision"] for row in kept_rows(app)] == [None] * 13


def test_fewer_than_ten_titles_of_a_filter_are_all_seen_first(app: AppTest) -> None:
    """Another filter begins anew, and one title alone is not offered."""
    link_list(app, "nurse", "staff nurse", "Koch", "Köchin")
    app.multiselect(key="many_majors").set_value(["2"]).run()
    assert app.button(key="decide_together").disabled
    assert not select(app, 1).button(key="decide_together").disabled
    app.multiselect(key="many_majors").set_value(["5"]).run()
    assert app.button(key="decide_together").disabled
    app.text_input(key="many_search").set_value("Köchin").run()
    assert len(table(app)) == 1
    assert "decide_together" not in keys(app)


@pytest.mark.first_case
@pytest.mark.parametrize("way", ["new", "shelf", "relink"])
def test_filters_do_not_carry_over_to_another_list(app: AppTest, way: str) -> None:
    """Filters and seen titles do not carry over, whichever way leads to the other list."""
    link_list(app, "nurse", "Koch")
    first = "".join(app.query_params["list"])
    app.button(key="new_list").click().run()
    link_list(app, "Student", "accounts of a cook", "cook", "nurse helper")
    app.multiselect(key="many_reasons").set_value(["not a job"]).run()
    app.multiselect(key="many_languages").set_value(["fr"]).run()
    app.pills(key="many_status").set_value(["to check"]).run()
    app.text_input(key="many_search").set_value("Student").run()
    app.slider(key="many_probability").set_value((0.0, 0.5)).run()
    assert len(chips(app)) == 3
    assert len(table(app)) == 1
    if way == "relink":
        app.slider(key="precision").set_value(0.95).run()
        app.button(key="relink").click().run()
    else:
        app.button(key="new_list").click().run()
    if way == "new":
        link_list(app, "nurse", "Koch")
    elif way == "shelf":
        app.button(key=f"open_{first}").click().run()
    assert not app.exception
    assert len(table(app)) == (4 if way == "relink" else 2)
    assert (app.pills(key="many_status").value, app.text_input(key="many_search").value) == ([], "")
    assert not any(each.value for each in app.multiselect if each.key in ("many_reasons", "many_languages"))
    assert app.slider(key="many_probability").value == (0.0, 1.0)
    assert chips(app) == []
