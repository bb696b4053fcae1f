from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Toggle

from db.label_store import LabelStore
from jobmatch_core.entities import (
    Candidate,
    Evidence,
    GroupOffer,
    Judgment,
    LinkResult,
    Pair,
    PairKind,
    Provenance,
    Verdict,
)
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.labelling.judging import judged
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.linking_model import LinkingModel, save_linking_model
from jobmatch_core.linking.review import Review
from jobmatch_core.model_store.registry import ModelKind, Registry
from jobmatch_core.settings import Settings
from tests.pages.conftest import TINY_ID


def texts(app: AppTest) -> str:
    """All that the page says, without the backslashes that keep Markdown out."""
    elements = [
        *app.markdown,
        *app.caption,
        *app.warning,
        *app.info,
        *app.error,
        *app.success,
        *app.title,
        *app.subheader,
    ]
    return "\n".join(str(element.value) for element in elements).replace("\\", "")


def link_list(app: AppTest, *titles: str) -> AppTest:
    """Paste titles and press Link."""
    app.query_params["view"] = "many"
    app.run()
    app.text_area(key="many_paste").set_value("\n".join(titles)).run()
    return app.button(key="many_link").click().run()


def table(app: AppTest) -> list[dict[str, object]]:
    """The rows of the table of links."""
    return app.dataframe(key="many_table").value.to_dict("records")


def test_opens_with_an_example_and_its_answer(app: AppTest) -> None:
    """The page is never a blank form."""
    app.run()
    assert not app.exception
    assert app.text_input(key="title").value == "Krankenschwester (m/w/d)"
    assert "**nurse**" in texts(app)
    assert "Matched “Krankenschwester”, German" in texts(app)
    assert "Ignored: (m/w/d)" in texts(app)


def test_shows_names_in_the_language_asked_for(app: AppTest) -> None:
    """The answer's names change language, and the address says so."""
    app.run()
    app.selectbox(key="show").set_value("fr").run()
    assert "**infirmier**" in texts(app)
    assert app.query_params["show"] == "fr"


def test_an_example_is_linked_by_a_click(app: AppTest) -> None:
    """The examples under the input work."""
    app.run()
    label = app.button(key="example_1").label
    app.button(key="example_1").click().run()
    assert app.text_input(key="title").value == label
    assert "Matched “" in texts(app)
    assert "No confident match" not in texts(app)


def test_groups_are_linked_to_where_asked_for(app: AppTest) -> None:
    """The first answer to the name of a group is then that group."""
    app.run()
    app.text_input(key="title").set_value("Health professionals").run()
    assert ":gray[Health professionals] :gray[ISCO 22]" not in texts(app)
    app.toggle(key="groups").set_value(True).run()
    assert not app.exception
    assert ":gray[1] **Health professionals** :gray[ISCO 22]" in texts(app)


def test_the_address_brings_a_view_back(app: AppTest) -> None:
    """Title and language come from the address."""
    app.query_params.update({"title": "Kellnerin", "show": "de"})
    app.run()
    assert "**Kellner**" in texts(app)


def test_a_click_with_a_late_address_changes_nothing_back(app: AppTest) -> None:
    """A quick click still carries the address of before; that is no wish to go back."""
    app.query_params["title"] = "Koch"
    app.run()
    app.text_input(key="title").set_value("Kellner").run()
    app.query_params["title"] = "Koch"
    app.run()
    assert app.text_input(key="title").value == "Kellner"
    app.query_params["title"] = "plombier"
    app.run()
    assert app.text_input(key="title").value == "plombier"


def test_an_unknown_taxonomy_in_the_address_is_named(app: AppTest) -> None:
    """An address for a taxonomy that is not here falls back, and says so."""
    app.query_params["taxonomy"] = "<b>none</b>"
    app.run()
    assert not app.exception
    assert "The taxonomy <b>none</b> is not installed here" in texts(app)
    assert app.selectbox(key="taxonomy").value == "isco-08"


def test_an_empty_title_asks_for_one(app: AppTest) -> None:
    """Spaces are no title."""
    app.run()
    app.text_input(key="title").set_value("   ").run()
    assert not app.exception
    assert "Type a job title above" in texts(app)


def test_a_title_in_another_script_finds_nothing(app: AppTest) -> None:
    """Where nothing resembles the title, the languages that would are named."""
    app.query_params["title"] = "ᚠᚢᚦᚨᚱᚲ"
    app.run()
    assert "**Nothing found** for “ᚠᚢᚦᚨᚱᚲ”: no names in Runic. This taxonomy has names in" in texts(app)


def test_the_reasons_to_check_can_be_worked_through(app: AppTest) -> None:
    """Those that the list has, in its filter and its table, also after the last title of one is decided on."""
    link_list(app, "พยาบาล", "อาชีพ", "Student", "nurse")
    assert app.multiselect(key="many_reasons").options == ["no names in Thai", "not a job"]
    app.multiselect(key="many_reasons").set_value(["not a job"]).run()
    assert [(row["Title"], row["Reason"]) for row in table(app)] == [("Student", "not a job")]
    select(app, 0)
    app.button(key="none_of_these").click().run()
    assert not app.exception
    app.multiselect(key="many_reasons").set_value(["no names in Thai"]).run()
    assert [row["Occupation"] for row in table(app)] == ["nothing found", "nothing found"]


def test_abstains_and_shows_its_guesses_as_guesses(app: AppTest) -> None:
    """No answer is better than a wrong one; guesses are not in bold."""
    app.query_params["title"] = "nurturing jugglery of accounts"
    app.run()
    assert not app.exception
    assert "No confident match" in texts(app)
    assert [link.proto.page for link in app.get("page_link")][:1] == ["search"]
    assert "Best guesses" in texts(app)
    assert "**nurse**" not in texts(app)


def test_names_and_titles_are_not_read_as_markdown(app: AppTest) -> None:
    """Text from files and people is escaped, and no HTML is allowed."""
    app.query_params["title"] = "**bold** <script>alert(1)</script> [link](http://example.org) :red[x]"
    app.run()
    assert not app.exception
    drawn = "\n".join(str(element.value) for element in app.markdown)
    assert r"\*\*bold\*\* \<script\>alert\(1\)" in drawn
    assert r"\[link\]\(http\:" in drawn
    assert ":red[" not in drawn
    assert not any(element.allow_html for element in app.markdown)


def test_details_open_with_description_and_all_names(app: AppTest) -> None:
    """The opened card tells all that is known."""
    app.session_state["details_1"] = True
    app.run()
    assert not app.exception
    assert "Cares for patients." in texts(app)
    assert "5 Service" not in texts(app)
    assert "2 Professionals › 22 Health professionals" in texts(app)
    assert "This taxonomy lists no skills" in texts(app)
    assert app.code[0].value == "nurse"
    names = app.dataframe[0].value
    assert {"Krankenpfleger", "Krankenschwester"} <= set(names["Name"])


def test_matching_only_some_languages(app: AppTest) -> None:
    """A German name does not match where only French names may."""
    app.query_params["title"] = "Krankenschwester"
    app.session_state["match_languages"] = ["fr"]
    app.run()
    assert "Matched “Krankenschwester”" not in texts(app)


def test_pasted_titles_are_linked_with_the_uncertain_on_top(app: AppTest) -> None:
    """Empty lines are left out; the row to check comes first."""
    link_list(app, "nurse", "nurturing jugglery of accounts", "Koch", "")
    assert not app.exception
    rows = table(app)
    assert rows[0]["Title"] == "nurturing jugglery of accounts"
    assert rows[0]["Status"] == "to check"
    assert {row["Title"]: row["Occupation"] for row in rows}["Koch"] == "cook"
    assert "**3 rows**" in texts(app)


def test_a_decision_is_kept_and_taken_back(app: AppTest) -> None:
    """Decisions change the status; undo takes back one at a time."""
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
    """Picking another candidate changes the link."""
    link_list(app, "Kellner Koch Krankenpfleger")
    picker = app.selectbox[-1]
    picker.set_value(1).run()
    app.button(key="accept").click().run()
    assert table(app)[0]["Status"] == "changed"


def test_an_occupation_that_was_not_proposed_can_be_searched(app: AppTest) -> None:
    """Where nothing was found, a person can still find the occupation by name."""
    link_list(app, "ᚠᚢᚦᚨᚱᚲ ᚷᚹ")
    app.text_input(key="other_0").set_value("pfleger").run()
    app.button(key="accept").click().run()
    assert not app.exception
    assert table(app)[0]["Status"] == "changed"
    assert next(iter(app.session_state["review"].to_rows()))["link_uri"] == "nurse"


def test_all_above_a_probability_are_accepted(app: AppTest) -> None:
    """The slider accepts the sure rows and leaves the rest."""
    link_list(app, "nurse", "Koch", "nurturing jugglery of accounts")
    app.slider(key="accept_from").set_value(0.5).run()
    app.button(key="accept_many").click().run()
    assert [row["Status"] for row in table(app)] == ["to check", "accepted", "accepted"]


def test_the_table_can_be_filtered_and_searched(app: AppTest) -> None:
    """By status, by letters, and down to nothing."""
    link_list(app, "nurse", "Koch", "nurturing jugglery of accounts")
    app.pills(key="many_status").set_value(["to check"]).run()
    assert len(table(app)) == 1
    app.pills(key="many_status").set_value([]).run()
    app.text_input(key="many_search").set_value("koch").run()
    assert [row["Title"] for row in table(app)] == ["Koch"]
    app.text_input(key="many_search").set_value("zzz").run()
    assert "No rows match this filter" in texts(app)


def test_seniority_is_a_remark_a_column_and_a_filter(app: AppTest) -> None:
    """Only where a title speaks of it."""
    app.run()
    app.text_input(key="title").set_value("Senior Koch").run()
    assert "Seniority: senior" in texts(app)
    link_list(app, "Senior Koch", "nurse", "Lead Kellner")
    assert {row["Title"]: row["Seniority"] for row in table(app)} == {
        "Senior Koch": "senior", "nurse": "", "Lead Kellner": "lead",
    }  # fmt: skip
    app.multiselect(key="many_seniorities").set_value(["lead"]).run()
    assert [row["Title"] for row in table(app)] == ["Lead Kellner"]


def select(app: AppTest, *rows: int) -> AppTest:
    """Select rows of the table of links."""
    app.session_state["many_table"] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}
    return app.run()


def statuses(app: AppTest) -> dict[object, object]:
    """Where each title of the table stands."""
    return {row["Title"]: row["Status"] for row in table(app)}


def test_several_rows_are_decided_at_once(app: AppTest, home: Path) -> None:
    """In one step, which undo takes back and says so; nothing stays selected."""
    link_list(app, "nurse", "Koch", "Kellner")
    select(app, 0, 2)
    chosen = {table(app)[row]["Title"] for row in (0, 2)}
    assert "**2 titles selected**" in texts(app)
    app.button(key="accept").click().run()
    assert not app.exception
    assert {title for title, status in statuses(app).items() if status == "accepted"} == chosen
    assert len(said(home)) == 2
    assert "titles selected" not in texts(app)
    app.button(key="undo").click().run()
    assert [toast.value for toast in app.toast] == ["Undone: the decision on 2 rows."]
    assert said(home) == []
    select(app, 0, 1, 2)
    app.button(key="none_of_these").click().run()
    assert set(statuses(app).values()) == {"none of these"}


def test_identical_titles_are_one_line_and_one_decision(app: AppTest, home: Path) -> None:
    """With a count; each row of the list gets the decision, and the title is judged once."""
    link_list(app, "nurse", "Koch", "nurse", "nurse", "مهندس", "👩‍🍳")
    rows = table(app)
    assert {row["Title"]: row["Rows"] for row in rows} == {"nurse": 3, "Koch": 1, "مهندس": 1, "👩‍🍳": 1}
    select(app, [row["Title"] for row in rows].index("nurse"))
    assert "and 2 more with this title" in texts(app)
    app.button(key="accept").click().run()
    linked = list(app.session_state["review"].to_rows())
    assert [row["link_status"] for row in linked if row["title"] == "nurse"] == ["accepted"] * 3
    assert words(said(home)) == [("nurse", "nurse", "positive")]


def test_the_table_is_filtered_by_language_and_group(app: AppTest) -> None:
    """Only what the list has is offered, with counts; a filter takes the selection away."""
    link_list(app, "nurse", "Koch", "infirmier")
    select(app, 1, 2)
    app.multiselect(key="many_languages").set_value(["de"]).run()
    assert [row["Title"] for row in table(app)] == ["Koch"]
    assert "titles selected" not in texts(app)
    app.multiselect(key="many_languages").set_value([]).run()
    app.multiselect(key="many_majors").set_value(["5"]).run()
    assert [row["Title"] for row in table(app)] == ["Koch"]


def test_names_of_a_linked_list_change_their_language(app: AppTest) -> None:
    """The list is not linked again, and decisions stay."""
    link_list(app, "nurse")
    app.button(key="accept").click().run()
    app.selectbox(key="show").set_value("fr").run()
    assert not app.exception
    assert [(row["Occupation"], row["Status"]) for row in table(app)] == [("infirmier", "accepted")]


def test_charts_are_drawn(app: AppTest) -> None:
    """Three charts stand behind the expander."""
    app.session_state["charts"] = True
    link_list(app, "nurse", "Koch", "juggler")
    assert not app.exception
    assert len(app.get("plotly_chart")) == 3


def test_stop_keeps_what_is_done(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """After Stop the linked rows are there, and the rest can be linked later."""

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
    """Choosing another taxonomy does not throw links away by itself."""
    link_list(app, "nurse", "Koch")
    app.selectbox(key="taxonomy").set_value("isco-08").run()
    assert "was linked to tiny-1" in texts(app)
    app.button(key="relink").click().run()
    assert {row["Title"]: row["Occupation"] for row in table(app)}["nurse"] == "Nursing professionals"


def upload(app: AppTest, name: str, content: bytes) -> AppTest:
    """Upload a file on the page's second way in."""
    app.query_params["view"] = "many"
    app.session_state["many_way"] = "Upload a file"
    app.run()
    return app.file_uploader(key="many_upload").set_value((name, content, "text/csv")).run()


def header_switch(app: AppTest) -> Toggle:
    """The switch that says whether an uploaded table has a header."""
    return next(toggle for toggle in app.toggle if "header" in toggle.label)


def test_an_uploaded_table_keeps_its_columns(app: AppTest) -> None:
    """The title column is guessed, and the others stay in front of the links."""
    upload(app, "jobs.csv", b"id,Job title\n1,nurse\n2,Koch\n")
    column = next(box for box in app.selectbox if box.label == "Column with job titles")
    assert column.value == "Job title"
    app.button(key="many_link").click().run()
    assert not app.exception
    rows = list(app.session_state["review"].to_rows())
    assert list(rows[0])[:3] == ["id", "Job title", "link_uri"]
    assert [row["link_uri"] for row in rows] == ["nurse", "cook"]


def test_a_broken_file_shows_what_is_wrong(app: AppTest) -> None:
    """The error box says what was expected."""
    upload(app, "jobs.xlsx", b"no workbook")
    assert not app.exception
    assert "this is not an Excel workbook" in texts(app)


def test_a_file_that_is_not_utf8_is_read_by_its_letters(app: AppTest) -> None:
    """The likeliest encoding is chosen, and others that fit can be."""
    upload(app, "jobs.csv", "id;titre\n1;infirmière\n".encode("cp1252"))
    assert not app.exception
    box = next(box for box in app.selectbox if box.label == "File encoding")
    assert box.value == "cp1252"
    assert app.dataframe[0].value["titre"][0] == "infirmière"
    box.set_value("cp1250").run()
    assert app.dataframe[0].value["titre"][0] == "infirmičre"
    next(box for box in app.selectbox if box.label == "File encoding").set_value("cp1252").run()
    app.button(key="many_link").click().run()
    assert table(app)[0]["Title"] == "infirmière"


def test_a_running_number_first_is_not_linked(app: AppTest) -> None:
    """The column is chosen by what stands in it, below a heading; five values of each column are shown."""
    upload(app, "jobs.csv", b"Staff 2024\n\nNr,Who,What they do\n1,Ann Smith,nurse\n2,Bob Jones,\n3,Eva Berg,cook\n")
    assert not app.exception
    assert next(box for box in app.selectbox if box.label == "Column with job titles").value == "What they do"
    shown = app.dataframe[0].value
    assert list(shown["Nr"]) == ["1", "2", "3", "", ""]
    assert list(shown["What they do"]) == ["nurse", "cook", "", "", ""]
    assert header_switch(app).label == "Row 3 is the header"
    assert app.button(key="many_link").label == "Link 2 titles"
    app.button(key="many_link").click().run()
    assert len(table(app)) == 3


def test_a_table_without_a_header_loses_no_title(app: AppTest) -> None:
    """The switch is guessed, and can be turned."""
    upload(app, "jobs.csv", b"nurse\ncook\nplumber\n")
    assert header_switch(app).value is False
    assert app.button(key="many_link").label == "Link 3 titles"
    header_switch(app).set_value(True).run()
    assert app.button(key="many_link").label == "Link 2 titles"


def test_numbers_are_linked_only_when_somebody_insists(app: AppTest) -> None:
    """No column is chosen by itself, and a column of numbers is named as such."""
    upload(app, "jobs.csv", b"id,pay\n1,20\n2,30\n")
    box = next(box for box in app.selectbox if box.label == "Column with job titles")
    assert box.value is None
    assert "many_link" not in [button.key for button in app.button]
    box.set_value("id").run()
    assert "id contains numbers, dates, codes or addresses" in texts(app)


def test_the_button_counts_what_is_pasted(app: AppTest) -> None:
    """All of it, also after a list was linked."""
    link_list(app, "nurse", "Koch")
    app.button(key="new_list").click().run()
    app.text_area(key="many_paste").set_value("\n".join(f"nurse {n}" for n in range(213))).run()
    assert app.button(key="many_link").label == "Link 213 titles"


def test_a_damaged_taxonomy_is_an_error_in_words(app: AppTest, home: Path) -> None:
    """Damage on disk is an error for the user, not a traceback."""
    table = home / "taxonomies" / "tiny-1" / "names.parquet"
    table.unlink()
    table.write_bytes(b"no table")
    app.run()
    assert not app.exception
    assert "damaged" in texts(app)


def said(home: Path) -> list[Judgment]:
    """What counts at the moment in the store, in the order of time."""
    with LabelStore.open(home / "jobmatch.db") as store:
        return store.current()[::-1]


def words(judgments: list[Judgment]) -> list[tuple[str, str, str | None]]:
    """The title, the occupation and the verdict of each."""
    return [(each.pair.left, each.pair.right, each.verdict) for each in judgments]


def by(annotator: str, verdict: Verdict, title: str, uri: str) -> Judgment:
    """A judgment that somebody else gave."""
    pair = Pair(PairKind.TITLE_OCCUPATION, "tiny-1", title, uri)
    return judged(pair, verdict, annotator, Provenance("elsewhere"))


def test_a_promoted_model_links_at_once(app: AppTest, home: Path, cookies: dict[str, str]) -> None:
    """Also where titles were accepted before, and again the one that comes with jobmatch after a roll back."""
    settings = Settings(home)
    linker = open_linker(TINY_ID, settings=settings)
    assert linker.index.encoder is not None
    never = LinkingModel(replace(linker.calibration, threshold=0.9999, unit_threshold=1.0, curve=(), unit_curve=()))
    save_linking_model(home / "models" / "never", never, linker.index.encoder.name, {})
    cookies["jobmatch_annotator"] = "Ann"
    app.query_params["title"] = "Vibemaster"
    app.run()
    app.button(key="judge_2_positive").click().run()
    assert "No confident match" not in texts(app)
    registry = Registry(settings)
    registry.promote(ModelKind.LINKING, "never", who="Ann")
    assert "No confident match" in texts(app.run())
    assert "precision" not in [slider.key for slider in app.slider], "weights without curves offer no precision"
    registry.promote(ModelKind.LINKING, "shipped", who="Ann")
    assert "No confident match" not in texts(app.run())


def test_a_title_is_accepted_and_known_at_once(app: AppTest, home: Path, cookies: dict[str, str]) -> None:
    """The judgment says what was shown; the title is then linked, says who accepted it, and near ones stay."""
    cookies["jobmatch_annotator"] = "Ann"
    app.query_params["title"] = "Vibemaster"
    app.run()
    assert "No confident match" in texts(app)
    assert not (home / "jobmatch.db").exists()
    app.button(key="judge_2_positive").click().run()
    assert not app.exception
    [kept] = said(home)
    assert (kept.pair.left, kept.pair.source, kept.verdict, kept.annotator) == (
        "Vibemaster",
        "tiny-1",
        "positive",
        "Ann",
    )
    assert (kept.provenance.policy, kept.provenance.rank) == ("link-titles", 2)
    assert kept.provenance.model.startswith("jobmatch lexical + jobmatch-titles-")
    assert kept.provenance.score is not None
    assert "No confident match" not in texts(app)
    assert "a name of your own, accepted by Ann on" in texts(app)
    assert app.button(key="judge_1_undo").label == "Undo"
    app.text_input(key="title").set_value("Vibemastr").run()
    assert "No confident match" in texts(app)
    assert "judge_1_undo" not in [button.key for button in app.button]


def test_an_acceptance_is_taken_back(app: AppTest, home: Path) -> None:
    """In the store, and in what the linker knows."""
    app.query_params["title"] = "Vibemaster"
    app.run()
    app.button(key="judge_1_positive").click().run()
    assert "accepted by me on" in texts(app)
    app.button(key="judge_1_undo").click().run()
    assert not app.exception
    assert said(home) == []
    assert "accepted by" not in texts(app)
    assert "No confident match" in texts(app)


def test_a_mind_is_changed(app: AppTest, home: Path) -> None:
    """The later verdict counts; taking it back makes the earlier one count again."""
    app.query_params["title"] = "nurse"
    app.run()
    app.button(key="judge_1_positive").click().run()
    app.button(key="judge_1_negative").click().run()
    assert words(said(home)) == [("nurse", "nurse", "negative")]
    app.button(key="judge_1_undo").click().run()
    assert words(said(home)) == [("nurse", "nurse", "positive")]
    app.button(key="judge_1_undo").click().run()
    assert said(home) == []


def test_another_occupation_is_picked(app: AppTest, home: Path) -> None:
    """One that was not proposed: it is linked to from then on, and its undo is on its card."""
    app.query_params["title"] = "ᚠᚢᚦᚨᚱᚲ"
    app.session_state["pick_another"] = True
    app.run()
    app.text_input(key="pick_ᚠᚢᚦᚨᚱᚲ").set_value("pfleger").run()
    app.button(key="pick_right").click().run()
    assert not app.exception
    [kept] = said(home)
    assert words([kept]) == [("ᚠᚢᚦᚨᚱᚲ", "nurse", "positive")]
    assert (kept.provenance.rank, kept.provenance.score) == (None, None)
    assert "Matched “ᚠᚢᚦᚨᚱᚲ”, a name of your own, accepted by me on" in texts(app)
    app.button(key="judge_1_undo").click().run()
    assert said(home) == []
    assert "Nothing found" in texts(app)


def test_what_others_said_is_shown_and_a_disagreement_is_no_name(app: AppTest, home: Path) -> None:
    """Names that look like Markdown stay as they are; what was picked against them is shown below."""
    with LabelStore.open(home / "jobmatch.db") as store:
        store.record_all([by("**Bob** <b>", Verdict.NEGATIVE, "nurse", "nurse"),
                          by("Carla", Verdict.POSITIVE, "nurse", "nurse")])  # fmt: skip
    app.query_params["title"] = "nurse"
    app.run()
    assert "Earlier verdicts: " in texts(app)
    assert "right] :small[Carla]" in texts(app)
    assert r"\*\*Bob\*\* \<b\>" in "\n".join(str(each.value) for each in app.markdown)
    assert "accepted by" not in texts(app)
    app.button(key="judge_1_positive").click().run()
    assert "accepted by Carla and me on" in texts(app)


def test_a_picked_occupation_that_others_contradict_is_shown_with_its_undo(app: AppTest, home: Path) -> None:
    """It is no name while they are at odds, and yet what was said is seen."""
    with LabelStore.open(home / "jobmatch.db") as store:
        store.record(by("Bob", Verdict.POSITIVE, "ᚠᚢᚦᚨᚱᚲ", "cook"))
    app.query_params["title"] = "ᚠᚢᚦᚨᚱᚲ"
    app.session_state["pick_another"] = True
    app.run()
    assert "accepted by Bob" in texts(app)
    app.text_input(key="pick_ᚠᚢᚦᚨᚱᚲ").set_value("pfleger").run()
    app.button(key="pick_right").click().run()
    assert "accepted by" not in texts(app)
    assert "Picked by you. Found by" in texts(app)
    app.button(key="judge_1_undo").click().run()
    assert "accepted by Bob" in texts(app)


def failing(self: LabelStore, judgments: object) -> int:
    """Keep nothing."""
    raise LabelStoreError("The label store cannot be written, the disk is full: make room.")


def test_a_store_that_cannot_be_written_loses_nothing(
    app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """It is said why, the verdict stays as it was given, and is kept when the store can be written again."""
    app.query_params["title"] = "nurse"
    app.run()
    with monkeypatch.context() as patch:
        patch.setattr(LabelStore, "record_each", failing)
        app.button(key="judge_1_positive").click().run()
        app.button(key="judge_2_negative").click().run()
        assert not app.exception
        assert "**2 judgments are not saved yet.**" in texts(app)
        assert "the disk is full: make room" in texts(app)
        assert "judge_1_undo" in [button.key for button in app.button]
        app.button(key="judge_2_undo").click().run()
        app.button(key="judging_again").click().run()
        assert "**3 judgments are not saved yet.**" in texts(app)
        assert "**nurse**" in texts(app)
    app.button(key="judging_again").click().run()
    assert "not saved yet" not in texts(app)
    assert words(said(home)) == [("nurse", "nurse", "positive")]


def test_judgments_that_cannot_be_kept_can_be_dropped(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """By whoever gave them."""
    monkeypatch.setattr(LabelStore, "record_each", failing)
    app.query_params["title"] = "nurse"
    app.run()
    app.button(key="judge_1_positive").click().run()
    app.button(key="judging_drop").click().run()
    assert "not saved yet" not in texts(app)
    assert "judge_1_undo" not in [button.key for button in app.button]


def test_a_store_that_cannot_be_read_stops_no_linking(app: AppTest, home: Path) -> None:
    """What is left out is said."""
    (home / "jobmatch.db").write_bytes(b"no database at all, but long enough to be looked at" * 20)
    app.query_params["title"] = "nurse"
    app.run()
    assert not app.exception
    assert "Accepted titles are not used." in texts(app)
    assert "Earlier judgments cannot be shown." in texts(app)
    assert "not a database" in texts(app)
    assert "**nurse**" in texts(app)


def test_decisions_on_a_list_are_judgments(app: AppTest, home: Path, cookies: dict[str, str]) -> None:
    """Accepted, none of these, and each undone in the store as on the page."""
    cookies["jobmatch_annotator"] = "Ann"
    link_list(app, "nurturing jugglery of accounts")
    n_candidates = len(app.session_state["review"].results[0].candidates)
    app.button(key="none_of_these").click().run()
    assert [each.verdict for each in said(home)] == ["negative"] * n_candidates
    assert {each.provenance.policy for each in said(home)} == {"link-titles-list"}
    app.button(key="accept").click().run()
    [kept] = said(home)
    assert (kept.verdict, kept.annotator, kept.provenance.rank) == ("positive", "Ann", 1)
    app.button(key="undo").click().run()
    assert [each.verdict for each in said(home)] == ["negative"] * n_candidates
    app.button(key="undo").click().run()
    assert said(home) == []
    app.button(key="accept").click().run()
    assert words(said(home)) == [(kept.pair.left, kept.pair.right, "positive")]
    assert "Earlier verdicts: " in texts(app)


def test_accepting_many_is_one_judgment_a_title_and_one_undo(app: AppTest, home: Path) -> None:
    """Said apart from links that were looked at one by one."""
    link_list(app, "nurse", "Koch", "nurse", "nurturing jugglery of accounts")
    app.slider(key="accept_from").set_value(0.5).run()
    app.button(key="accept_many").click().run()
    assert sorted(words(said(home))) == [("Koch", "cook", "positive"), ("nurse", "nurse", "positive")]
    assert {each.provenance.policy for each in said(home)} == {"link-titles-accept-many"}
    app.button(key="undo").click().run()
    assert said(home) == []
    assert not {"accepted"} & {row["Status"] for row in table(app)}


def test_a_row_without_a_title_is_decided_without_a_judgment(app: AppTest, home: Path) -> None:
    """There is nothing to judge."""
    upload(app, "jobs.csv", b"id,Job title\n1,nurse\n2,\n")
    app.button(key="many_link").click().run()
    assert table(app)[0]["Title"] == ""
    app.button(key="none_of_these").click().run()
    assert not app.exception
    assert {row["Title"]: row["Status"] for row in table(app)}[""] == "none of these"
    assert said(home) == []


def test_a_list_whose_decisions_cannot_be_kept_goes_on(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The decision stands on the page, and what is not kept is said."""
    monkeypatch.setattr(LabelStore, "record_each", failing)
    link_list(app, "nurse", "Koch")
    app.button(key="accept").click().run()
    assert not app.exception
    assert "**1 judgment is not saved yet.**" in texts(app)
    assert "accepted" in {row["Status"] for row in table(app)}
    app.button(key="undo").click().run()
    assert "**2 judgments are not saved yet.**" in texts(app)


def test_a_new_list_knows_titles_that_were_accepted_in_the_last(app: AppTest) -> None:
    """As evidence, in the table's 'why'."""
    link_list(app, "ᚠᚢᚦᚨᚱᚲ ᚷᚹ")
    app.text_input(key="other_0").set_value("pfleger").run()
    app.button(key="accept").click().run()
    app.button(key="new_list").click().run()
    link_list(app, "ᚠᚢᚦᚨᚱᚲ ᚷᚹ")
    [row] = table(app)
    assert (row["Occupation"], row["Status"]) == ("nurse", "sure")
    assert "a name of your own, accepted by me on" in str(row["Why"])


@pytest.fixture
def of_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """A linker that is sure of unit group 2512 for 'Entwickler', and of none of its occupations."""

    def link_all(self: Linker, titles: Sequence[str], **options: Any) -> list[LinkResult]:
        results = original(self, titles, **options)
        return [_of_group(result) if result.title == "Entwickler" else result for result in results]

    original = Linker.link_all
    monkeypatch.setattr(Linker, "link_all", link_all)


def _of_group(result: LinkResult) -> LinkResult:
    developer = Candidate("developer", "software developer", "2512", 0.4, Evidence("developer", "en", {}))
    waiter = Candidate("waiter", "waiter", "5131", 0.02, Evidence("waiter", "en", {}))
    group = GroupOffer("2512", "Software developers", 0.93)
    return replace(result, candidates=(developer, waiter), abstained=False, group=group)


@pytest.mark.usefixtures("of_group")
def test_a_unit_group_is_shown_as_an_answer(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its code and name first, then its occupations, then others as guesses; read aloud, too."""
    heard: list[str] = []
    monkeypatch.setattr("pages.link_titles.one_title.announce", heard.append)
    app.query_params["title"] = "Entwickler"
    app.run()
    assert not app.exception
    found = texts(app)
    assert "#### 2512 Software developers" in found
    assert "None of its occupations alone is sure enough; choose one below." in found
    assert "No confident match" not in found
    assert ":gray[1] **software developer**" in found
    assert ":gray[2] :gray[waiter]" in found
    assert found.index("software developer**") < found.index("Occupations of other unit groups:")
    assert heard[-1].startswith("Entwickler: unit group 2512 Software developers, probability 0.93.")


@pytest.mark.usefixtures("of_group")
def test_a_row_linked_to_a_unit_group_counts_as_linked(app: AppTest) -> None:
    """In the table, its filters and charts; choosing an occupation by hand makes it one."""
    app.session_state["charts"] = True
    link_list(app, "Entwickler", "nurse", "nurturing jugglery of accounts")
    row = {row["Title"]: row for row in table(app)}["Entwickler"]
    assert (row["Occupation"], row["ISCO"]) == ("2512 Software developers (unit group)", "2512")
    assert (row["Level"], row["Probability"], row["Status"]) == ("unit group", 0.93, "sure")
    assert "1 linked to a unit group" in texts(app)
    app.multiselect(key="many_reasons").set_value(["not sure enough"]).run()
    assert [row["Title"] for row in table(app)] == ["nurturing jugglery of accounts"]
    assert table(app)[0]["Reason"] == "not sure enough"
    app.multiselect(key="many_reasons").set_value([]).run()
    app.multiselect(key="many_levels").set_value(["unit group"]).run()
    assert [row["Title"] for row in table(app)] == ["Entwickler"]
    app.multiselect(key="many_levels").set_value([]).run()
    select(app, [row["Title"] for row in table(app)].index("Entwickler"))
    assert "Linked to 2512 Software developers (unit group)" in texts(app)
    app.button(key="accept").click().run()
    row = {row["Title"]: row for row in table(app)}["Entwickler"]
    assert (row["Occupation"], row["Level"], row["Status"]) == ("software developer", "occupation", "accepted")


def test_the_wished_precision_moves_the_threshold(app: AppTest) -> None:
    """For one title, with what it costs; a list keeps the one it was linked with until it is linked again."""
    link_list(app, "nurse", "nurse helper")
    costs = [caption.value for caption in app.caption if "titles like the held-out ones" in caption.value]
    app.slider(key="precision").set_value(0.98).run()
    assert not app.exception
    [cost] = [caption.value for caption in app.caption if "titles like the held-out ones" in caption.value]
    assert costs != [cost]
    assert "Linked with a wished precision of 0.90" in texts(app)
    app.button(key="relink").click().run()
    assert app.session_state["review"].options.precision == 0.98
    assert "Linked with a wished precision" not in texts(app)
    app.segmented_control(key="view").set_value("one").run()
    app.text_input(key="title").set_value("nurse helper").run()
    strict = "No confident match" in texts(app)
    app.slider(key="precision").set_value(0.80).run()
    assert (strict, "No confident match" in texts(app)) == (True, False)
