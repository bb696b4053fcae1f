"""Lists on the page 'Link titles': pasted and uploaded, decided row by row and together."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch_core.linking import Linker
from jobmatch_core.linking.review import Review
from pages.link_titles import review_table
from tests.pages.link_titles.made_lists import kept_rows, select, statuses
from tests.pages.observed import headline, left_to_check, link_list, stored_judgments, table, texts, words


def test_pasted_titles_are_linked_with_the_uncertain_on_top(app: AppTest) -> None:
    """Empty lines are ignored; the least certain row comes first, with the reason to check it."""
    link_list(app, "nurse", "accounts of a cook", "Koch", "")
    assert not app.exception
    rows = table(app)
    assert list(rows[0]) == ["Row", "Title", "Rows", "Occupation", "Probability", "Status"]
    assert (rows[0]["Row"], rows[0]["Title"]) == (2, "accounts of a cook")
    assert (rows[0]["Occupation"], rows[0]["Status"]) == ("? cook", "unknown word")
    assert {row["Title"]: row["Occupation"] for row in rows}["Koch"] == "cook"
    assert "0 of 3 decided" in headline(app)
    assert left_to_check(app) == "**1 left to check**"


def test_the_column_of_rows_is_there_where_titles_repeat(app: AppTest) -> None:
    """Without repeated titles each title is one row, and the column is left out."""
    link_list(app, "nurse", "Koch")
    assert shown_columns(app) == ["Row", "Title", "Occupation", "Probability", "Status"]
    app.button(key="new_list").click().run()
    link_list(app, "nurse", "Koch", "nurse")
    assert shown_columns(app) == ["Row", "Rows", "Title", "Occupation", "Probability", "Status"]


def shown_columns(app: AppTest) -> list[str]:
    """Return the columns that the table shows."""
    return list(app.dataframe(key="many_table").proto.column_order)


def test_less_is_left_with_every_decision(app: AppTest) -> None:
    """Only titles to check are counted: no sure links, and no rows without a title."""
    link_list(app, "Student", "accounts of a cook", "nurse", "Koch", "Student")
    assert left_to_check(app) == "**3 left to check**"
    app.button(key="none_of_these").click().run()
    assert left_to_check(app) == "**1 left to check**"
    app.button(key="accept").click().run()
    assert left_to_check(app) == "**Nothing is left to check**"
    app.button(key="accept").click().run()
    assert left_to_check(app) == "**Nothing is left to check**"
    for _ in range(3):
        app.button(key="undo").click().run()
    assert left_to_check(app) == "**3 left to check**"


def test_that_none_fits_holds_for_next_months_list(app: AppTest, cookies: dict[str, str], home: Path) -> None:
    """The title comes decided, in sight, and can be cleared; a different decision then holds for the list after it."""
    cookies["jobmatch_annotator"] = "Ann"
    link_list(app, "accounts of a cook", "Koch")
    app.button(key="none_of_these").click().run()
    app.button(key="new_list").click().run()

    link_list(app, "Accounts of a cook (m/w/d)", "accounts of a cook", "Koch")
    assert left_to_check(app) == "**Nothing is left to check**"
    earlier = {"Accounts of a cook (m/w/d)": "none of these", "accounts of a cook": "none of these"}
    assert statuses(app) == {"Koch": "sure"} | earlier
    assert "2 of 3 decided" in headline(app)
    assert {row["decision"] for row in kept_rows(app)[:2]} == {"none"}
    assert {row["decided_by"] for row in kept_rows(app)[:2]} == {"Ann"}
    assert "2 rows use your earlier decisions" in texts(app)
    app.session_state["many_filter"] = True
    app.run()
    app.toggle(key="many_earlier").set_value(True).run()
    assert statuses(app) == earlier
    select(app, list(statuses(app)).index("accounts of a cook"))
    assert "no occupation: decided by Ann on" in texts(app)
    app.button(key="clear_decision").click().run()
    assert left_to_check(app) == "**1 left to check**"
    assert stored_judgments(home) == []
    app.button(key="undo").click().run()
    assert left_to_check(app) == "**Nothing is left to check**"
    assert len(stored_judgments(home)) > 1
    app.button(key="pick_1").click().run()
    assert [each.verdict for each in stored_judgments(home)] == ["positive"]
    app.button(key="new_list").click().run()

    link_list(app, "accounts of a cook", "Koch")
    assert statuses(app) == {"accounts of a cook": "sure", "Koch": "sure"}


def test_a_decision_is_kept_and_taken_back(app: AppTest) -> None:
    """Decisions change the status; undo withdraws one at a time."""
    link_list(app, "nurse", "Koch")
    first = table(app)[0]["Title"]
    assert app.button(key="undo").disabled
    app.button(key="accept").click().run()
    assert {row["Title"]: row["Status"] for row in table(app)}[first] == "accepted"
    app.button(key="none_of_these").click().run()
    assert [row["Status"] for row in table(app)].count("none of these") == 1
    app.button(key="undo").click().run()
    app.button(key="undo").click().run()
    assert not {"accepted", "none of these"} & {row["Status"] for row in table(app)}
    assert app.button(key="undo").disabled


def test_all_above_a_probability_are_accepted(app: AppTest) -> None:
    """The slider's button accepts the rows above the probability and leaves the others."""
    link_list(app, "nurse", "Koch", "accounts of a cook")
    app.slider(key="accept_from").set_value(0.5).run()
    app.button(key="accept_many").click().run()
    assert [row["Status"] for row in table(app)] == ["unknown word", "accepted", "accepted"]
    assert app.button(key="accept_many").label == "Nothing to accept"


def test_seniority_is_a_remark_and_a_filter(app: AppTest) -> None:
    """Seniority appears only for titles that state one."""
    app.run()
    app.text_input(key="title").set_value("Senior Koch").run()
    assert "Seniority: senior" in texts(app)
    link_list(app, "Senior Koch", "nurse", "Lead Kellner")
    for row in range(3):
        select(app, row)
        title = table(app)[row]["Title"]
        remark = {"Senior Koch": "senior", "Lead Kellner": "lead"}.get(str(title))
        assert re.findall(r"seniority: (\w+)", texts(app)) == ([remark] if remark else [])
    app.session_state["many_filter"] = True
    app.run()
    app.multiselect(key="many_seniorities").set_value(["lead"]).run()
    assert [row["Title"] for row in table(app)] == ["Lead Kellner"]


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
    assert "and 2 others with this title" in texts(app)
    app.button(key="accept").click().run()
    linked = list(app.session_state["many_open"].review.to_rows())
    assert [row["link_status"] for row in linked if row["title"] == "nurse"] == ["accepted"] * 3
    assert words(stored_judgments(home)) == [("nurse", "nurse", "positive")]


def test_names_of_a_linked_list_change_their_language(app: AppTest) -> None:
    """The list is not linked again, and decisions remain."""
    link_list(app, "nurse")
    app.button(key="accept").click().run()
    app.selectbox(key="show").set_value("fr").run()
    assert not app.exception
    assert [(row["Occupation"], row["Status"]) for row in table(app)] == [("infirmier", "accepted")]


def test_a_long_list_shows_its_first_rows(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says how many rows are shown; decided rows make room for others."""
    monkeypatch.setattr(review_table, "MOST_SHOWN", 2)
    link_list(app, "nurse", "Koch", "Kellner")
    assert len(table(app)) == 2
    assert "3 titles; the first 2 are shown" in texts(app)
    third = ({"nurse", "Koch", "Kellner"} - {row["Title"] for row in table(app)}).pop()
    app.button(key="accept").click().run()
    assert third in {row["Title"] for row in table(app)}


def test_what_is_shown_is_announced(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The title, what it is linked to, and how much is left, after each decision."""
    heard: list[str] = []
    monkeypatch.setattr("pages.shared.browser.announce", heard.append)
    link_list(app, "Student", "accounts of a cook")
    assert re.fullmatch(r"Student: .+, to check, probability 0\.\d\d\. 2 left to check\.", heard[-1])
    app.button(key="none_of_these").click().run()
    act = r"Student: none of these\. 1 left to check\. Next: "
    assert re.fullmatch(act + r"accounts of a cook: cook, to check, probability 0\.\d\d\.", heard[-1])
    app.button(key="accept").click().run()
    assert heard[-1].startswith("accounts of a cook: 5120 cook. 0 left to check. Next: ")
    app.button(key="skip").click().run()
    assert heard[-1].endswith("0 left to check.")
    assert "Next" not in heard[-1], "it was announced once"


def test_charts_are_drawn(app: AppTest) -> None:
    """The dialog holds three charts; the histogram of the filter is drawn when that is open."""
    link_list(app, "nurse", "Koch", "juggler")
    assert not app.get("plotly_chart")
    app.session_state["many_filter"] = True
    app.run()
    assert [each.key for each in app.get("plotly_chart")] == ["probability_chart"]
    app.button(key="charts").click().run()
    assert not app.exception
    assert [each.key for each in app.get("plotly_chart")] == [
        "probability_chart",
        "chart_probabilities",
        "chart_major_groups",
        "chart_languages",
    ]


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
    assert "was linked to Tiny 1, and ISCO-08 is selected." in texts(app)
    app.button(key="list_taxonomy").click().run()
    assert {row["Title"]: row["Occupation"] for row in table(app)}["nurse"] == "nurse"
    app.selectbox(key="taxonomy").set_value("isco-08").run()
    app.button(key="relink").click().run()
    assert {row["Title"]: row["Occupation"] for row in table(app)}["nurse"] == "Nursing professionals"


def test_the_button_counts_what_is_pasted(app: AppTest) -> None:
    """The button counts all pasted titles, also after a list was linked."""
    link_list(app, "nurse", "Koch")
    app.button(key="new_list").click().run()
    app.text_area(key="many_paste").set_value("\n".join(f"nurse {n}" for n in range(213))).run()
    assert app.button(key="many_link").label == "Link 213 titles"
