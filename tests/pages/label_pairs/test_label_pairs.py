"""The page 'Label pairs': a pair, its verdict, undo, reasons, notes, guidelines, and texts of others."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from db.label_store import LabelStore
from jobmatch.services import annotation_desk
from jobmatch.services.annotation_desk import Desk
from jobmatch_core.entities import Judgment, Provenance, Verdict
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.marketplace.marketplace import RecordBlock
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from pages.label_pairs import keys
from pages.label_pairs.judge_tab import formatted
from tests import made_marketplace
from tests.pages.conftest import ROOT
from tests.pages.find_freelancers.conftest import EVIL
from tests.pages.label_pairs.conftest import Open, press, progress, seen
from tests.pages.observed import texts


def test_opens_with_a_pair_to_judge(page: Open) -> None:
    """The view opens with the most uncertain pair, both sides, and the annotator."""
    app = page()
    assert not app.exception
    shown = texts(app)
    assert "Must have, " in shown
    assert "Why this pair" not in shown, "the name of the queue stands above"
    assert "similarity" not in shown
    verdicts = [each for each in app.button if each.key and re.fullmatch(r"label_\w+_1", each.key)]
    assert [each.proto.type for each in verdicts] == ["secondary"] * 4
    assert shown.count("synthetic") == 2
    assert progress(app).startswith("**0 of 50 today** · ")
    assert "left in this queue" in progress(app)
    app.run()
    assert app.query_params["marketplace"] == ["demo"] or app.query_params["marketplace"] == "demo"


def test_verdicts_are_kept_with_their_provenance(page: Open, store: LabelStore) -> None:
    """A verdict is stored with the pair, annotator, model, score and duration."""
    app = page(annotator="Ann")
    wanted = []
    for verdict in (Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.UNSURE, Verdict.SKIP):
        wanted.append((*seen(app), verdict))
        app.pills(key="label_reasons").set_value(["experience"])
        app = press(app, verdict)
        assert f"Last pair: {_word(verdict)}" in texts(app)
        assert app.pills(key="label_reasons").value == []
    kept = store.judgments()[::-1]
    assert [(each.pair.left, each.pair.right, each.verdict) for each in kept] == wanted
    assert {each.annotator for each in kept} == {"Ann"}
    assert {each.reasons for each in kept} == {("experience",)}
    for each in kept:
        assert each.provenance.policy == "uncertain"
        assert each.provenance.model.startswith("untrained-")
        assert each.provenance.score is not None
        assert each.seconds is not None
    assert progress(app).startswith("**3 of 50 today** · ")


def test_the_models_figures_come_after_the_verdict(page: Open) -> None:
    """The model's figures follow the verdict; reviewers see them at once, with a link to the ranking."""
    app = page(annotator="Ann")
    before = r"The model's similarity: 0\.\d\d, rank \d+ in its project \(untrained"
    assert not re.search(before, texts(app))
    app = press(app, Verdict.POSITIVE)
    assert re.search(r"Last pair: fits · similarity 0\.\d\d, rank \d+", texts(app))
    assert not re.search(before, texts(app))  # of the next pair nothing is known yet
    app.toggle(key="label_reviewing").set_value(True).run()
    assert re.search(before, texts(app))


def test_a_press_on_a_pair_that_was_just_shown_is_not_counted(
    page: Open, store: LabelStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message says so, and the pair stays."""
    app = page()
    pair = seen(app)
    monkeypatch.setattr(annotation_desk, "SHORTEST_LOOK", 3600.0)
    app = press(app, Verdict.POSITIVE)
    assert keys.TOO_SOON in texts(app)
    assert (store.count(), seen(app)) == (0, pair)


@pytest.mark.thorough
def test_only_pairs_in_languages_that_are_read(page: Open, cookies: dict[str, str], market: MarketplaceStore) -> None:
    """The languages come from the page or from the browser's cookie."""
    app = page()
    everything = _left(app)
    app.multiselect(key="label_languages").set_value(["de", "en"]).run()
    assert 0 < _left(app) < everything
    cookies["jobmatch_languages"] = "de%2Cen"
    other = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    other.run()
    other.switch_page("pages/label_pairs/label_pairs.py").run()
    assert other.multiselect(key="label_languages").value == ["de", "en"]
    records = market.load("demo")
    left, right = seen(other)
    assert records.projects[records.project_rows[left]].language in ("de", "en")
    assert records.freelancers[records.freelancer_rows[right]].language in ("de", "en")


def _left(app: AppTest) -> int:
    [count] = re.findall(r"([\d,]+) left in this queue", progress(app))
    return int(count.replace(",", ""))


def test_a_name_is_asked_for_before_the_first_pair(page: Open, cookies: dict[str, str], store: LabelStore) -> None:
    """A name in an old address is ignored, and no pair is leased before a name is given."""
    app = page("")
    app.query_params["annotator"] = "anna"
    app.run()
    assert not [each for each in app.button if each.key and each.key.startswith("label_positive")]
    app.text_input(key="annotator_form_field").set_value("Ann")
    app.button(key="annotator_form_go").click().run()
    press(app, Verdict.POSITIVE)
    assert [each.annotator for each in store.judgments()] == ["Ann"]
    assert "annotator" not in app.query_params


def _word(verdict: Verdict) -> str:
    return {"positive": "fits", "negative": "lacks skills", "unsure": "not sure", "skip": "skipped"}[verdict]


def test_undo_shows_the_pair_again(page: Open, store: LabelStore) -> None:
    """The pair returns with its reasons; no row is deleted."""
    app = page()
    pair = seen(app)
    app.pills(key="label_reasons").set_value(["field"])
    app = press(app, Verdict.POSITIVE)
    assert seen(app) != pair
    app.button(key="label_undo").click().run()
    assert "Undone: fits." in texts(app)
    assert seen(app) == pair
    assert app.pills(key="label_reasons").value == ["field"]
    assert store.current() == []
    assert store.count() == 2
    assert app.button(key="label_undo").disabled


def test_reasons_do_not_go_to_the_next_pair(page: Open, store: LabelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reasons are cleared even if the verdict is stored and the next pair is delayed."""
    app = page()
    app.pills(key="label_reasons").set_value(["field"])
    with monkeypatch.context() as patch:
        advance, calls = Desk.advance, list[Desk]()

        def failing_once(desk: Desk) -> None:
            calls.append(desk)
            if len(calls) == 1:
                raise LabelStoreError("The label store is locked.")
            advance(desk)

        patch.setattr(Desk, "advance", failing_once)
        app = press(app, Verdict.POSITIVE)
    assert app.pills(key="label_reasons").value == []
    assert [each.reasons for each in store.judgments()] == [("field",)]
    assert "Last pair: fits" in texts(app)
    assert "The label store is locked." in texts(app)


def test_reasons_stay_where_the_verdict_is_not_kept(page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failed verdict the pair and its reasons remain."""

    def failing(self: LabelStore, judgment: Judgment) -> bool:
        raise LabelStoreError("The label store is locked.")

    app = page()
    pair = seen(app)
    app.pills(key="label_reasons").set_value(["field"])
    with monkeypatch.context() as patch:
        patch.setattr(LabelStore, "record", failing)
        app = press(app, Verdict.POSITIVE)
    assert "The label store is locked." in texts(app)
    assert "Last pair: " not in texts(app)
    assert app.pills(key="label_reasons").value == ["field"]
    assert seen(app) == pair


def test_a_note_goes_with_the_verdict(page: Open, store: LabelStore) -> None:
    """The verdict keys are disabled while the note is written."""
    app = page()
    app.button(key="label_note").click().run()
    assert [each.disabled for each in app.button if each.key and each.key.startswith("label_positive")] == [True]
    app.text_input(key="label_note_text_1").set_value("ask her 1st")
    app.button(key="label_note_keep").click().run()
    assert "note: ask her 1st" in texts(app)
    press(app, Verdict.UNSURE)
    assert store.judgments()[0].note == "ask her 1st"


def test_a_note_that_is_too_long_is_not_lost(page: Open) -> None:
    """The dialog says so and keeps the text, until it is short enough."""
    app = page()
    app.button(key="label_note").click().run()
    app.text_input(key="label_note_text_1").set_value("=1 " * 2000)
    app.button(key="label_note_keep").click().run()
    assert "it has 5,999 characters, and at most 2,000 are stored" in texts(app)
    assert app.text_input(key="label_note_text_1").value == "=1 " * 2000
    app.text_input(key="label_note_text_1").set_value("=1")
    app.button(key="label_note_keep").click().run()
    assert "note: =1" in texts(app)


def test_the_goal_of_the_day(page: Open) -> None:
    """Reaching it is said; the queue goes on."""
    app = page()
    app.number_input(key="label_goal").set_value(2).run()
    app = press(app, Verdict.POSITIVE)
    assert "Goal reached" not in progress(app)
    app = press(app, Verdict.POSITIVE)
    assert "Goal reached: 2 of 2 today" in progress(app)
    assert "left in this queue" in progress(app)


def test_guidelines_are_read_and_changed(page: Open, store: LabelStore) -> None:
    """The built-in guidelines come first; a new version names its author, and earlier ones remain."""
    app = page(annotator="Ann")
    app.button(key="label_guidelines").click().run()
    assert "Nobody has written guidelines yet" in texts(app)
    app.segmented_control(key="label_guidelines_view").set_value("Edit").run()
    assert app.text_area(key="label_guidelines_text").value.startswith("# What to judge")
    app.text_area(key="label_guidelines_text").set_value("# Ours\n- be **kind** <b>x</b>")
    app.button(key="label_guidelines_save").click().run()
    written = store.guidelines()
    assert written is not None
    assert (written.author, written.text) == ("Ann", "# Ours\n- be **kind** <b>x</b>")
    app.button(key="label_guidelines").click().run()
    assert "By Ann, today" in texts(app)


def test_guidelines_show_what_is_not_theirs_letter_by_letter() -> None:
    """Headings, lists and bold words are formatted; pictures, links and HTML are shown literally."""
    shown = formatted("# Head\n\n1. one ![x](http://a.org/x.png)\n- **two** [y](http://a.org)\n> <b>z</b>\n  - in")
    lines = [line.rstrip() for line in shown.split("\n")]
    assert lines[0] == "## Head"
    assert lines[2].startswith("1. one \\!\\[x\\]\\(http")
    assert lines[3].startswith("- **two** \\[y\\]")
    assert lines[4] == "> \\<b\\>z\\<\\/b\\>"
    assert lines[5] == "  - in"


def test_texts_of_others_are_shown_letter_by_letter(page: Open, market: MarketplaceStore, store: LabelStore) -> None:
    """Names of projects, profiles, skills, annotators and imported policies are escaped."""
    projects, freelancers = made_marketplace.projects(1), made_marketplace.freelancers()
    block = RecordBlock(
        projects=[replace(each, title=EVIL, description=f"{EVIL}\n" * 30) for each in projects],
        freelancers=[
            replace(each, title=EVIL, description=f"עברית {EVIL}", category_name=EVIL) for each in freelancers
        ],
    )
    market.save("evil", [block], origin={})
    app = page(marketplace="evil", annotator="<b>A</b> **x**\x00")
    assert not app.exception
    for element in app.markdown:
        assert "<b>" not in element.value.replace("\\<b\\>", "")
        assert "](http" not in element.value
    press(app, Verdict.POSITIVE)
    [own] = store.judgments()
    store.record(replace(own, id=str(uuid4()), at=datetime.now(UTC), provenance=Provenance(_POLICY)))
    app.segmented_control(key="label_view").set_value("history").run()
    assert not app.exception
    assert sum("\\<b\\>p\\<" in each.label for each in app.expander) == 1
    assert not any("<b>p" in each.label or "](http" in each.label for each in app.expander)
    app.segmented_control(key="label_view").set_value("label").run()
    app.button(key="label_undo").click().run()
    [why] = [each.value for each in app.caption if "Why this pair" in each.value]
    assert "\\<b\\>p\\<" in why
    assert "](http" not in why


_POLICY = "<b>p</b> [z](http://a.org)"


def test_an_empty_marketplace(page: Open, market: MarketplaceStore) -> None:
    """The page says what is missing."""
    market.save("empty", [RecordBlock()], origin={})
    app = page(marketplace="empty")
    assert not app.exception
    assert "This marketplace has no pairs." in texts(app)


def test_a_store_that_cannot_be_used_says_so(page: Open, home: Path) -> None:
    """The error is in the page's box, and the page stays usable."""
    (home / "jobmatch.db").write_bytes(b"no database" * 1000)
    app = page()
    assert not app.exception
    assert "is not an SQLite database" in " ".join(each.value for each in app.error)


@pytest.mark.parametrize("view", ["label", "agreement", "history"])
def test_every_view_stands_alone(page: Open, view: str) -> None:
    """Unknown queues, categories, models and views in the address are ignored."""
    app = page(view=view, queue="no such", category="no such", model="no such", who="no such", verdict="no such")
    assert not app.exception
