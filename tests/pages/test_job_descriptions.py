"""The page 'Job descriptions': examples, own texts, sentences left out, sections, empty states, error messages."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from jobmatch_core.descriptions import posting_models
from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import Verdict
from pages.job_descriptions import heads
from tests.pages.conftest import ROOT, TINY_ID
from tests.pages.observed import stored_judgments, texts
from tests.pages.posting_form import paste, rows

EVIL = "**bold** <b>x</b> [z](http://a.org) :red[r] bakes bread."
Open = Callable[..., AppTest]


@pytest.fixture
def page(app: AppTest, cookies: dict[str, str]) -> Open:
    """Open the page, with parameters in the address."""

    def opened(annotator: str = "me", **parameters: str) -> AppTest:
        cookies["jobmatch_annotator"] = annotator
        app.switch_page("pages/job_descriptions/job_descriptions.py")
        app.query_params.update({"taxonomy": TINY_ID} | parameters)
        return app.run()

    return opened


def edit(app: AppTest, title: str, text: str) -> AppTest:
    """Enter a posting into the form and press 'Read the posting'."""
    app.text_input(key="describe_title").set_value(title)
    return paste(app, text)


def leave_out(app: AppTest, *places: int) -> AppTest:
    """Leave sentences out, as clicks on them do."""
    app.session_state["describe_out"] = list(places)
    return app.run()


def test_it_opens_on_an_example(page: Open) -> None:
    """The page shows an empty form, and the answer for an example; nothing for data scientists is open."""
    app = page()
    assert not app.exception
    assert "What this job is" in texts(app)
    assert "The model looks at the sentences that decide." in texts(app)
    assert {row["role"] for row in rows(app)} == {"◆ requirement", "▶ task", "✚ offer", "○ other"}
    assert [app.text_area(key="describe_text").value, "synthetic example" in texts(app)] == ["", True]
    assert [button.key for button in app.button if button.key == "describe_clear"] == []
    assert app.segmented_control(key="describe_section").value is None
    app.run()
    assert app.query_params["posting"] == "care-worker"
    assert [each.value for each in app.error] == []


@pytest.mark.first_case
@pytest.mark.parametrize("section", ["truth", "models", "postings", "download"])
def test_every_section(page: Open, section: str) -> None:
    """Each section opens from the address and writes it."""
    app = page(section=section, posting="boulanger", show="fr")
    assert not app.exception
    assert app.query_params["section"] == section
    said = {
        "truth": "Each sentence was left out once",
        "models": "Mean over sentences",
        "postings": "Similarity of the descriptions",
        "download": "PNG",
    }
    assert said[section] in texts(app)


def test_a_sentence_is_taken_out_and_put_back(page: Open) -> None:
    """The answer changes at once; data scientists see the distance of the vector."""
    app = page(posting="care-worker", section="truth")
    app.button(key="describe_take_top").click().run()
    assert not app.exception
    assert "The answer is without **1 sentence**." in texts(app)
    assert "the vector moves by" in texts(app)
    assert [row["out"] for row in rows(app)].count(True) == 1
    leave_out(app, 0, 3)
    assert "these 2 sentences" in texts(app)
    app.button(key="describe_put_back").click().run()
    assert not any(row["out"] for row in rows(app))
    assert "the vector moves by" not in texts(app)
    assert "describe_put_back" not in [button.key for button in app.button]


def test_what_is_shaded(page: Open) -> None:
    """What decides at first, then where the model looks; each bar says its number to screen readers."""
    app = page()
    assert all(str(row["value"]).startswith("effect 0.") for row in rows(app))
    app.segmented_control(key="describe_shade").set_value("attention").run()
    assert all(str(row["value"]).startswith("attention 0.") for row in rows(app))


def test_the_form_is_folded_once_there_is_an_answer(page: Open) -> None:
    """A pasted text folds the form, an example unfolds it, and a copy of an example can be edited at once."""
    app = page()
    app.button(key="describe_read").click().run()
    assert [each.value for each in app.toast] == ["Paste the text of a posting first."]
    assert app.query_params["posting"] == "care-worker"
    assert list(app.expander) == [more(app)]
    edit(app, "Baker", "You bake bread.\nYou sell it.")
    assert [each.label for each in app.expander] == ["Edit this posting, or paste another one", more(app).label]
    app.button(key="describe_example_associate").click().run()
    assert not app.exception
    assert list(app.expander) == [more(app)]
    assert app.text_area(key="describe_text").value == ""
    app.button(key="describe_copy").click().run()
    assert app.query_params["posting"] == "own"
    assert app.text_input(key="describe_title").value == "Associate"
    assert app.text_area(key="describe_text").value
    app.button(key="describe_clear").click().run()
    assert not app.exception
    assert app.text_area(key="describe_text").value == ""
    assert "Paste a posting, or select an example." in texts(app)


def more(app: AppTest) -> Any:
    """Return the folded occupations."""
    return next(each for each in app.expander if each.label.endswith("less likely"))


def test_an_answer_is_judged_and_taken_back(page: Open, home: Path) -> None:
    """Judgments go into the same store as on 'Link titles', where the title is then known."""
    app = page(annotator="Ann")
    edit(app, "Waiter", "You serve guests.\nYou take orders.")
    assert not (home / "jobmatch.db").exists()
    app.button(key="describe_judge_1_positive").click().run()
    assert not app.exception
    [kept] = stored_judgments(home)
    assert (kept.pair.source, kept.pair.left, kept.pair.right) == (TINY_ID, "Waiter", "waiter")
    assert (kept.verdict, kept.annotator, kept.provenance.policy) == (Verdict.POSITIVE, "Ann", "job-descriptions")
    assert kept.provenance.rank == 1
    assert "descriptions jobmatch-jdan" in kept.provenance.model
    app.button(key="describe_judge_1_undo").click().run()
    assert not app.exception
    assert "describe_judge_1_undo" not in [button.key for button in app.button]
    assert [each.verdict for each in stored_judgments(home)] == []


@pytest.mark.thorough
def test_the_answer_to_a_title_that_says_nothing_is_judged_with_its_text(page: Open, home: Path) -> None:
    """A judgment with a vague title applies to that text only, not to other postings with the same or no title."""
    app = page()
    edit(app, "Associate", "You bake bread.\nYou sell it.")
    app.button(key="describe_judge_1_positive").click().run()
    assert [each.pair.left for each in stored_judgments(home)] == ["Associate You bake bread. You sell it."]
    edit(app, "Associate", "You drive trucks.\nYou load them.")
    assert "describe_judge_1_undo" not in [button.key for button in app.button]
    edit(app, "", "You drive trucks.\nYou load them.")
    app.button(key="describe_judge_1_negative").click().run()
    assert stored_judgments(home)[-1].pair.left == "You drive trucks. You load them."


def test_editing_runs_again(page: Open) -> None:
    """Another text gives another answer, and no sentence stays left out."""
    app = page()
    assert "truck" not in texts(app)
    leave_out(app, 1)
    edit(app, "Associate", "You drive trucks.\nYou need a driving licence.\nWe pay well.")
    assert not app.exception
    assert not any(row["out"] for row in rows(app))
    assert "truck" in texts(app).partition("Similar titles")[2]


def test_another_posting_of_a_company_has_another_title(page: Open) -> None:
    """A new posting with mostly shared text clears the title; a reworded first line keeps it."""
    about = "\n".join(["We are a friendly company in Leeds.", "We pay well and care for each other.", "Write to us."])
    app = page(posting="own")
    edit(app, "Waiter", f"Waiter in our garden\n{about}")
    paste(app, f"Our garden needs a waiter\n{about}")
    assert app.text_input(key="describe_title").value == "Waiter"
    paste(app, f"Lorry driver\n{about}")
    assert app.text_input(key="describe_title").value == ""


def test_a_pasted_text_brings_its_title(page: Open) -> None:
    """Only an edited text keeps the earlier title; a title typed before pasting belongs to the pasted text."""
    app = page(posting="care-worker")
    app.button(key="describe_copy").click().run()
    title, text = app.text_input(key="describe_title").value, app.text_area(key="describe_text").value
    paste(app, f"{text[:-1]}!")
    assert app.text_input(key="describe_title").value == title
    paste(app, "Waiter\n\nYou serve guests in our garden.\nYou take orders.")
    assert app.text_input(key="describe_title").value == ""
    assert "**Waiter**" in texts(app)
    assert rows(app)[0]["text"] == "You serve guests in our garden."
    edit(app, "Baker", "<p>You bake bread.</p><ul><li>You sell it.</li></ul>")
    assert "**Baker**" in texts(app)
    assert [row["text"] for row in rows(app)] == ["You bake bread.", "You sell it."]
    paste(app, "You drive trucks through all of Europe.\nYou load them.")
    assert "**Posting without a title**" in texts(app)


def test_empty_and_one_sentence(page: Open) -> None:
    """An empty posting and one with a single sentence have their own messages."""
    app = page(posting="own")
    assert not app.exception
    assert "Paste a posting, or select an example." in texts(app)
    edit(app, "Baker", "")
    assert "only the title is used" in texts(app)
    edit(app, "Baker", "You bake bread.")
    assert not app.exception
    assert "This posting has only one sentence" in texts(app)


def test_texts_stay_texts(page: Open) -> None:
    """Postings are never read as Markdown or HTML."""
    app = page()
    edit(app, EVIL, f"{EVIL}\nYou knead dough.\nApply by Friday.")
    assert not app.exception
    for each in [*app.markdown, *app.caption]:
        assert "<b>x</b>" not in each.value
        assert "](http://a.org)" not in each.value


def test_layer_and_head(page: Open) -> None:
    """Another layer or head changes the correlation."""
    app = page(section="truth")
    before = correlation(app)
    app.selectbox(key="describe_layer").set_value("layer 1").run()
    app.selectbox(key="describe_head").set_value("head 2").run()
    assert not app.exception
    assert correlation(app) != before


def test_all_heads_to_choose_from(page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell for each head with its correlation; a click chooses its layer and head, which are then outlined."""
    app = page(section="truth")
    [cells] = [
        trace
        for chart in app.get("plotly_chart")
        for trace in json.loads(chart.proto.spec)["data"]
        if trace.get("marker", {}).get("symbol") == "square"
    ]
    assert len({tuple(cell) for cell in cells["customdata"]}) == len(cells["text"]) == 4 * 8
    assert set(cells["marker"]["line"]["width"]) == {0}
    state = {"describe_heads": Mock(selection=Mock(points=[{"customdata": [2, 5]}]))}
    monkeypatch.setattr(st, "session_state", state)
    heads._choose()
    assert (state["describe_layer"], state["describe_head"]) == ("layer 3", "head 6")


def correlation(app: AppTest) -> str:
    """Return the line below the sentences."""
    return next(each.value for each in app.caption if "Rank correlation" in each.value)


def test_a_model_without_attention(page: Open) -> None:
    """Sentences are shaded by effect, and the page says so."""
    app = page(model="mean")
    assert not app.exception
    assert "has no attention" in texts(app)


def test_an_address_with_nonsense(page: Open) -> None:
    """Unknown values in the address are ignored or reported."""
    app = page(posting="<b>", model="gone", section="x")
    assert not app.exception
    assert any("There is no model gone here" in each.value for each in app.warning)


def test_a_damaged_model_is_named(page: Open, home: Path) -> None:
    """The error message names the model and what to do."""
    folder = home / "models" / "mine"
    DescriptionModel(shipped_encoder(), "titles", "sentence-max").save(folder, {})
    (folder / "model.safetensors").write_bytes(b"x")
    app = page(model="mine")
    assert not app.exception
    assert any("train it again" in each.value for each in app.error)


def test_without_a_fitting_model_sentences_are_averaged(
    page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says so."""
    (tmp_path / "config.json").write_text(json.dumps({"backbone_name": "another"}), "utf-8")
    monkeypatch.setattr(posting_models, "shipped_folder", lambda: tmp_path)
    app = page()
    assert not app.exception
    assert "sentences are averaged" in texts(app)


@pytest.mark.thorough
def test_a_long_posting(page: Open) -> None:
    """Sentences are shown at once, and effects once they are computed."""
    app = page()
    edit(app, "Baker", "\n".join(f"You bake bread number {number}." for number in range(90)))
    assert not app.exception
    assert len(rows(app)) == 90
    for _ in range(600):
        if "still being computed" not in texts(app):
            break
        app.run()
    assert "Rank correlation" in texts(app)


def test_an_uploaded_text_stays(page: Open) -> None:
    """The text remains after other clicks; an example replaces it for good."""
    app = page()
    app.file_uploader(key="describe_upload").set_value(
        ("mine.txt", b"You bake bread.\nYou sell it.", "text/plain")
    ).run()
    assert not app.exception
    assert app.text_area(key="describe_text").value == "You bake bread.\nYou sell it."
    app.run()
    assert app.query_params["posting"] == "own"
    app.text_input(key="describe_title").set_value("Baker").run()
    assert app.text_area(key="describe_text").value == "You bake bread.\nYou sell it."
    app.button(key="describe_example_associate").click().run()
    assert app.text_area(key="describe_text").value == ""
    app.run()
    assert app.query_params["posting"] == "associate"


def test_a_posting_of_an_uploaded_table(page: Open) -> None:
    """The first posting is selected until another is chosen."""
    app = page()
    table = b"title,description\nBaker,You bake.\nMason,You build walls.\n"
    app.file_uploader(key="describe_upload").set_value(("mine.csv", table, "text/csv")).run()
    assert (app.text_input(key="describe_title").value, app.text_area(key="describe_text").value) == (
        "Baker",
        "You bake.",
    )
    app.selectbox(key="describe_row").select_index(1).run()
    assert app.text_area(key="describe_text").value == "You build walls."


def test_a_table_of_postings_below_a_heading(page: Open) -> None:
    """The header is detected and can be corrected."""
    app = page()
    table = b"Postings of May\n\ntitle;description\nBaker;You bake.\n"
    app.file_uploader(key="describe_upload").set_value(("mine.csv", table, "text/csv")).run()
    assert app.text_area(key="describe_text").value == "You bake."
    [row] = [each for each in app.number_input if each.label == "Header row"]
    assert row.value == 3


def test_a_pasted_posting_comes_back(page: Open, home: Path) -> None:
    """The address, which holds only an id, restores the text in another session; an unknown id is reported."""
    app = edit(page(), "Baker <b>", "You bake bread.\nYou sell it.")
    address = {name: "".join(app.query_params[name]) for name in app.query_params}
    assert address["posting"] == "own"
    assert "bread" not in "".join(address.values())
    again = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page(
        "pages/job_descriptions/job_descriptions.py"
    )
    again.query_params.update(address)
    again.run()
    assert not again.exception
    assert again.query_params["posting"] == "own"
    assert again.text_input(key="describe_title").value == "Baker <b>"
    assert again.text_area(key="describe_text").value == "You bake bread.\nYou sell it."
    again.button(key="describe_text_id_delete").click().run()
    again.button(key="describe_text_id_delete_confirmed").click().run()
    assert not again.exception
    assert again.text_area(key="describe_text").value == ""
    assert list((home / "texts" / "postings").iterdir()) == []
    app.query_params["text"] = "x" * 22
    app.run()
    assert "There is no such text here." in texts(app)
    assert "Paste a posting, or select an example." in texts(app)
