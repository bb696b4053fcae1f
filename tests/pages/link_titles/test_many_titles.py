"""Lists on the page 'Link titles': pasted and uploaded, filtered, decided row by row and together."""

import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch.services.searching import SearchingService
from jobmatch_core.errors import ModelError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.review import Review
from tests.pages.observed import link_list, stored_judgments, table, texts, words


def picker(app: AppTest) -> Any:
    """Return the select box of occupations."""
    return next(each for each in app.selectbox if each.label == "Occupation")


def kept_rows(app: AppTest) -> list[dict[str, Any]]:
    """Return the rows of the open list as written to files."""
    return list(app.session_state["many_open"].review.to_rows())


def test_the_reasons_to_check_can_be_worked_through(app: AppTest) -> None:
    """The filter lists the reasons of the list, also after the last title of a reason is decided."""
    link_list(app, "គ្រូ", "គិលានុបដ្ឋាក", "Student", "nurse")
    assert app.multiselect(key="many_reasons").options == ["no names in Khmer", "not a job"]
    app.multiselect(key="many_reasons").set_value(["not a job"]).run()
    assert [(row["Title"], row["Reason"]) for row in table(app)] == [("Student", "not a job")]
    select(app, 0)
    app.button(key="none_of_these").click().run()
    assert not app.exception
    app.multiselect(key="many_reasons").set_value(["no names in Khmer"]).run()
    assert [row["Occupation"] for row in table(app)] == ["nothing found", "nothing found"]


def test_pasted_titles_are_linked_with_the_uncertain_on_top(app: AppTest) -> None:
    """Empty lines are ignored; the least certain row comes first."""
    link_list(app, "nurse", "accounts of a cook", "Koch", "")
    assert not app.exception
    rows = table(app)
    assert rows[0]["Title"] == "accounts of a cook"
    assert rows[0]["Status"] == "to check"
    assert {row["Title"]: row["Occupation"] for row in rows}["Koch"] == "cook"
    assert "**3 rows**" in texts(app)


def test_a_decision_is_kept_and_taken_back(app: AppTest) -> None:
    """Decisions change the status; undo withdraws one at a time."""
    link_list(app, "nurse", "Koch")
    first = table(app)[0]["Title"]
    app.button(key="accept").click().run()
    assert {row["Title"]: row["Status"] for row in table(app)}[first] == "accepted"
    app.button(key="none_of_these").click().run()
    assert [row["Status"] for row in table(app)].count("none of these") == 1
    app.button(key="undo").click().run()
    app.button(key="undo").click().run()
    assert not {"accepted", "none of these"} & {row["Status"] for row in table(app)}
    assert app.button(key="undo").disabled


def test_another_candidate_can_be_picked(app: AppTest) -> None:
    """Selecting another candidate changes the link."""
    link_list(app, "Kellner Koch Krankenpfleger")
    other = next(uri for uri in ("cook", "nurse") if uri != picker(app).value[1])
    picker(app).set_value(("occupation", other))
    app.button(key="accept").click().run()  # at once, before the page was drawn with the choice
    assert table(app)[0]["Status"] == "changed"
    assert kept_rows(app)[0]["decided_uri"] == other


def test_a_search_lists_each_occupation_once(app: AppTest) -> None:
    """Hits come first with ISCO codes, the best selected; candidates keep their probability."""
    link_list(app, "Kellner Koch")
    candidates = picker(app).options
    assert all(re.search(r" · ISCO \d{4} · [01]\.\d\d$", label) for label in candidates)
    app.text_input(key="other_0").set_value("Krankenschwester").run()
    assert not app.exception
    assert picker(app).value == ("occupation", "nurse")
    labels = picker(app).options
    assert labels[0].startswith("nurse · ISCO 2221")
    assert set(candidates) <= set(labels)
    names = [label.split(" · ")[0] for label in labels]
    assert len(set(names)) == len(names)
    app.text_input(key="other_0").set_value("serves guests").run()  # only its description says so
    assert picker(app).value == ("occupation", "waiter")
    assert set(candidates) <= set(picker(app).options)
    assert "Found as" not in texts(app)
    app.button(key="accept").click().run()
    assert [row["decided_uri"] for row in kept_rows(app)] == ["waiter"]


def test_a_search_without_its_model_is_the_linkers_alone(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The linker searches alone, and the page shows the reason."""

    def refuse(*source: object) -> None:
        raise ModelError("The search model in use, gone, cannot be used.")

    monkeypatch.setattr(SearchingService, "opening", refuse)
    link_list(app, "ᚠᚢᚦᚨᚱᚲ ᚷᚹ")
    app.text_input(key="other_0").set_value("Krankenschwester").run()
    assert "The search model in use, gone, cannot be used" in texts(app)
    assert picker(app).value == ("occupation", "nurse")


def test_ticked_titles_get_another_occupation_together(app: AppTest) -> None:
    """A candidate or a hit applies to all selected titles, in one step with one undo."""
    link_list(app, "Koch", "Kellner", "Krankenpfleger", "ᚠᚢᚦᚨᚱᚲ ᚷᚹ")
    before = table(app)
    select(app, 0, 1, 2)
    assert app.button(key="accept").label.startswith("These ")
    assert picker(app).value is None
    picker(app).set_value(("occupation", "cook")).run()
    assert app.button(key="accept").label == "All 3 are cook"
    [search] = [each for each in app.text_input if each.label == "Another occupation"]
    search.set_value("Friseurin").run()
    assert app.button(key="accept").label == "All 3 are hairdresser"
    app.button(key="accept").click().run()
    assert not app.exception
    decided = [row["decided_uri"] for row in kept_rows(app) if row["decided_uri"]]
    assert decided == ["barber"] * 3
    app.button(key="undo").click().run()
    assert table(app) == before
    select(app, *range(4))
    picker(app).set_value(("occupation", "cook"))
    app.button(key="accept").click().run()  # at once
    rows = {row["title"]: row for row in kept_rows(app)}
    assert {row["decided_uri"] for row in rows.values()} == {"cook"}
    assert (rows["Koch"]["decision"], rows["Kellner"]["decision"]) == ("accepted", "changed")


def test_an_occupation_that_was_not_proposed_can_be_searched(app: AppTest) -> None:
    """A title without candidates can be linked by a search."""
    link_list(app, "ᚠᚢᚦᚨᚱᚲ ᚷᚹ")
    app.text_input(key="other_0").set_value("pfleger").run()
    app.button(key="accept").click().run()
    assert not app.exception
    assert (table(app)[0]["Status"], table(app)[0]["Probability"]) == ("changed", None)
    [row] = kept_rows(app)
    assert (row["decision"], row["decided_uri"], row["decided_by"], row["link_uri"]) == ("changed", "nurse", "me", None)


def test_all_above_a_probability_are_accepted(app: AppTest) -> None:
    """The slider's button accepts the rows above the probability and leaves the others."""
    link_list(app, "nurse", "Koch", "accounts of a cook")
    app.slider(key="accept_from").set_value(0.5).run()
    app.button(key="accept_many").click().run()
    assert [row["Status"] for row in table(app)] == ["to check", "accepted", "accepted"]


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


def test_seniority_is_a_remark_a_column_and_a_filter(app: AppTest) -> None:
    """Seniority appears only for titles that state one."""
    app.run()
    app.text_input(key="title").set_value("Senior Koch").run()
    assert "Seniority: senior" in texts(app)
    link_list(app, "Senior Koch", "nurse", "Lead Kellner")
    assert {row["Title"]: row["Seniority"] for row in table(app)} == {
        "Senior Koch": "senior",
        "nurse": "",
        "Lead Kellner": "lead",
    }
    app.multiselect(key="many_seniorities").set_value(["lead"]).run()
    assert [row["Title"] for row in table(app)] == ["Lead Kellner"]


def select(app: AppTest, *rows: int) -> AppTest:
    """Select rows of the table of links."""
    app.session_state["many_table"] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}
    return app.run()


def statuses(app: AppTest) -> dict[object, object]:
    """Return the status of each title of the table."""
    return {row["Title"]: row["Status"] for row in table(app)}


def test_several_rows_are_decided_at_once(app: AppTest, home: Path) -> None:
    """One undo withdraws the decision and says so; the selection is cleared."""
    link_list(app, "nurse", "Koch", "Kellner")
    select(app, 0, 2)
    chosen = {table(app)[row]["Title"] for row in (0, 2)}
    assert "**2 titles selected**" in texts(app)
    app.button(key="accept").click().run()
    assert not app.exception
    assert {title for title, status in statuses(app).items() if status == "accepted"} == chosen
    assert len(stored_judgments(home)) == 2
    assert "titles selected" not in texts(app)
    app.button(key="undo").click().run()
    assert [toast.value for toast in app.toast] == ["Undone: the decision on 2 rows."]
    assert stored_judgments(home) == []
    select(app, 0, 1, 2)
    app.button(key="none_of_these").click().run()
    assert set(statuses(app).values()) == {"none of these"}


def test_identical_titles_are_one_line_and_one_decision(app: AppTest, home: Path) -> None:
    """Equal titles share a row with a count; each row of the list is decided, and the title is judged once."""
    link_list(app, "nurse", "Koch", "nurse", "nurse", "مهندس", "👩‍🍳")
    rows = table(app)
    assert {row["Title"]: row["Rows"] for row in rows} == {"nurse": 3, "Koch": 1, "مهندس": 1, "👩‍🍳": 1}
    select(app, [row["Title"] for row in rows].index("nurse"))
    assert "and 2 more with this title" in texts(app)
    app.button(key="accept").click().run()
    linked = list(app.session_state["many_open"].review.to_rows())
    assert [row["link_status"] for row in linked if row["title"] == "nurse"] == ["accepted"] * 3
    assert words(stored_judgments(home)) == [("nurse", "nurse", "positive")]


def test_the_table_is_filtered_by_language_and_group(app: AppTest) -> None:
    """Filters offer values of the list with counts; changing one clears the selection."""
    link_list(app, "nurse", "Koch", "infirmier")
    select(app, 1, 2)
    app.multiselect(key="many_languages").set_value(["de"]).run()
    assert [row["Title"] for row in table(app)] == ["Koch"]
    assert "titles selected" not in texts(app)
    app.multiselect(key="many_languages").set_value([]).run()
    app.multiselect(key="many_majors").set_value(["5"]).run()
    assert [row["Title"] for row in table(app)] == ["Koch"]


def test_names_of_a_linked_list_change_their_language(app: AppTest) -> None:
    """The list is not linked again, and decisions remain."""
    link_list(app, "nurse")
    app.button(key="accept").click().run()
    app.selectbox(key="show").set_value("fr").run()
    assert not app.exception
    assert [(row["Occupation"], row["Status"]) for row in table(app)] == [("infirmier", "accepted")]


def test_charts_are_drawn(app: AppTest) -> None:
    """The expander holds three charts."""
    app.session_state["charts"] = True
    link_list(app, "nurse", "Koch", "juggler")
    assert not app.exception
    assert len(app.get("plotly_chart")) == 3


def test_stop_keeps_what_is_done(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """After Stop the linked rows are shown, and the rest can be linked later."""

    def step_and_stop(self: Review, linker: Linker, n_titles: int) -> None:
        original(self, linker, 2)
        self.stop()

    original = Review.step
    monkeypatch.setattr(Review, "step", step_and_stop)
    link_list(app, "nurse", "Koch", "Kellner")
    assert "2 titles are linked, 1 are not" in texts(app)
    assert len(table(app)) == 2
    monkeypatch.setattr(Review, "step", original)
    app.button(key="resume").click().run()
    assert len(table(app)) == 3


def test_another_taxonomy_asks_before_linking_anew(app: AppTest) -> None:
    """Selecting another taxonomy keeps the links until the user links again."""
    link_list(app, "nurse", "Koch")
    app.selectbox(key="taxonomy").set_value("isco-08").run()
    assert "was linked to tiny-1" in texts(app)
    app.button(key="relink").click().run()
    assert {row["Title"]: row["Occupation"] for row in table(app)}["nurse"] == "Nursing professionals"


def test_the_button_counts_what_is_pasted(app: AppTest) -> None:
    """The button counts all pasted titles, also after a list was linked."""
    link_list(app, "nurse", "Koch")
    app.button(key="new_list").click().run()
    app.text_area(key="many_paste").set_value("\n".join(f"nurse {n}" for n in range(213))).run()
    assert app.button(key="many_link").label == "Link 213 titles"
