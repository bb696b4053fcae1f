from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch_core.linking import Linker
from jobmatch_core.linking.review import Review


def texts(app: AppTest) -> str:
    """All that the page says, without the backslashes that keep Markdown out."""
    elements = [*app.markdown, *app.caption, *app.warning, *app.info, *app.error, *app.success, *app.title]
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
    assert "Not looked at: (m/w/d)" in texts(app)


def test_shows_names_in_the_language_asked_for(app: AppTest) -> None:
    """The answer's names change language, and the address says so."""
    app.run()
    app.selectbox(key="show").set_value("fr").run()
    assert "**infirmier**" in texts(app)
    assert app.query_params["show"] == "fr"


def test_an_example_is_linked_by_a_click(app: AppTest) -> None:
    """The examples under the input work."""
    app.run()
    app.button(key="example_1").click().run()
    assert app.text_input(key="title").value == "infirmière"
    assert "Matched “infirmière”, French" in texts(app)


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
    assert "Nothing found" in texts(app)
    assert "This taxonomy has names in" in texts(app)


def test_abstains_and_shows_its_guesses_as_guesses(app: AppTest) -> None:
    """No answer is better than a wrong one; guesses are not in bold."""
    app.query_params["title"] = "nurturing jugglery of accounts"
    app.run()
    assert not app.exception
    assert "No confident match" in texts(app)
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
    assert list(names["Name"])[:2] == ["Krankenpfleger", "Krankenschwester"]


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
    link_list(app, "看護師")
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
    assert "No row fits this filter" in texts(app)


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


def test_an_uploaded_table_keeps_its_columns(app: AppTest) -> None:
    """The title column is guessed, and the others stay in front of the links."""
    upload(app, "jobs.csv", b"id,Job title\n1,nurse\n2,Koch\n")
    column = next(box for box in app.selectbox if box.label == "The column of job titles")
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


def test_a_file_that_is_not_utf8_asks_for_its_encoding(app: AppTest) -> None:
    """The encoding can be chosen where decoding fails."""
    upload(app, "jobs.csv", "id;titre\n1;infirmière\n".encode("cp1252"))
    assert app.selectbox(key="many_encoding").value == "cp1252"
    column = next(box for box in app.selectbox if box.label == "The column of job titles")
    column.set_value("titre").run()
    app.button(key="many_link").click().run()
    assert table(app)[0]["Title"] == "infirmière"


def test_a_damaged_taxonomy_is_an_error_in_words(app: AppTest, home: Path) -> None:
    """Damage on disk is an error for the user, not a traceback."""
    table = home / "taxonomies" / "tiny-1" / "names.parquet"
    table.unlink()
    table.write_bytes(b"no table")
    app.run()
    assert not app.exception
    assert "damaged" in texts(app)
