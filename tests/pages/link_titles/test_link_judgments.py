"""Judgments given on the page 'Link titles': accepted titles, undo, others' verdicts, a failing store."""

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from db.label_store import LabelStore
from jobmatch_core.entities import (
    Judgment,
    Pair,
    PairKind,
    Provenance,
    Verdict,
)
from jobmatch_core.judged_title import NO_OCCUPATION_URI
from jobmatch_core.labelling.judging import judged
from jobmatch_core.linking import open_linker
from jobmatch_core.linking.linking_model import LinkingModel, save_linking_model
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.settings import Settings
from tests.pages.conftest import TINY_ID
from tests.pages.link_titles.made_lists import statuses
from tests.pages.link_titles.test_uploads import upload
from tests.pages.observed import failing, headline, link_list, options, stored_judgments, table, texts, words


def by(annotator: str, verdict: Verdict, title: str, uri: str) -> Judgment:
    """A judgment of another annotator."""
    pair = Pair(PairKind.TITLE_OCCUPATION, "tiny-1", title, uri)
    return judged(pair, verdict, annotator, Provenance("elsewhere"))


def test_a_promoted_model_links_at_once(app: AppTest, home: Path, cookies: dict[str, str]) -> None:
    """A promoted model links at once, also with accepted titles; after a rollback the bundled one links again."""
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
    """The judgment holds its provenance; the title is then linked with the annotator's name, similar titles are not."""
    cookies["jobmatch_annotator"] = "Ann"
    app.query_params["title"] = "Vibemaster"
    app.run()
    assert "No confident match" in texts(app)
    assert not (home / "jobmatch.db").exists()
    app.button(key="judge_2_positive").click().run()
    assert not app.exception
    [kept] = stored_judgments(home)
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
    """The withdrawal is in the store, and the linker forgets the title."""
    app.query_params["title"] = "Vibemaster"
    app.run()
    app.button(key="judge_1_positive").click().run()
    assert "accepted by me on" in texts(app)
    app.button(key="judge_1_undo").click().run()
    assert not app.exception
    assert stored_judgments(home) == []
    assert "accepted by" not in texts(app)
    assert "No confident match" in texts(app)


def test_a_mind_is_changed(app: AppTest, home: Path) -> None:
    """The later verdict counts; withdrawing it restores the earlier one."""
    app.query_params["title"] = "nurse"
    app.run()
    app.button(key="judge_1_positive").click().run()
    app.button(key="judge_1_negative").click().run()
    assert words(stored_judgments(home)) == [("nurse", "nurse", "negative")]
    assert "Not offered for this title, because it was rejected:" in texts(app)
    app.button(key="reject_1_undo").click().run()
    assert words(stored_judgments(home)) == [("nurse", "nurse", "positive")]
    app.button(key="judge_1_undo").click().run()
    assert stored_judgments(home) == []


def test_another_occupation_is_picked(app: AppTest, home: Path) -> None:
    """A picked occupation is linked from then on, and its card has the undo."""
    app.query_params["title"] = "ᚠᚢᚦᚨᚱᚲ"
    app.session_state["pick_another"] = True
    app.run()
    app.text_input(key="pick_ᚠᚢᚦᚨᚱᚲ").set_value("pfleger").run()
    app.button(key="pick_right").click().run()
    assert not app.exception
    [kept] = stored_judgments(home)
    assert words([kept]) == [("ᚠᚢᚦᚨᚱᚲ", "nurse", "positive")]
    assert (kept.provenance.rank, kept.provenance.score) == (None, None)
    assert "Matched “ᚠᚢᚦᚨᚱᚲ”, a name of your own, accepted by me on" in texts(app)
    app.button(key="judge_1_undo").click().run()
    assert stored_judgments(home) == []
    assert "Nothing found" in texts(app)


def test_what_others_said_is_shown_and_a_disagreement_is_no_name(app: AppTest, home: Path) -> None:
    """Annotators' names are escaped, and a picked occupation with a disagreement is listed below the candidates."""
    with LabelStore.open(home / "jobmatch.db") as store:
        store.record_all(
            [by("**Bob** <b>", Verdict.NEGATIVE, "nurse", "nurse"), by("Carla", Verdict.POSITIVE, "nurse", "nurse")]
        )
    app.query_params["title"] = "nurse"
    app.run()
    assert "Earlier verdicts: " in texts(app)
    assert "right] :small[Carla]" in texts(app)
    assert r"\*\*Bob\*\* \<b\>" in "\n".join(str(each.value) for each in app.markdown)
    assert "accepted by" not in texts(app)
    app.button(key="judge_1_positive").click().run()
    assert "accepted by Carla and me on" in texts(app)


@pytest.mark.thorough
def test_a_picked_occupation_that_others_contradict_is_shown_with_its_undo(app: AppTest, home: Path) -> None:
    """While annotators disagree, the title is not linked, but the verdicts are shown."""
    with LabelStore.open(home / "jobmatch.db") as store:
        store.record(by("Bob", Verdict.POSITIVE, "ᚠᚢᚦᚨᚱᚲ", "cook"))
    app.query_params["title"] = "ᚠᚢᚦᚨᚱᚲ"
    app.session_state["pick_another"] = True
    app.run()
    assert "accepted by Bob" in texts(app)
    app.text_input(key="pick_ᚠᚢᚦᚨᚱᚲ").set_value("pfleger").run()
    app.button(key="pick_right").click().run()
    assert "accepted by" not in texts(app)
    assert "Picked by you. Found as" in texts(app)
    app.button(key="judge_1_undo").click().run()
    assert "accepted by Bob" in texts(app)


def test_a_store_that_cannot_be_written_loses_nothing(
    app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page shows the reason, holds the verdict, and stores it once the store is writable."""
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
    assert words(stored_judgments(home)) == [("nurse", "nurse", "positive")]


def test_judgments_that_cannot_be_kept_can_be_dropped(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The annotator can discard unsaved judgments."""
    monkeypatch.setattr(LabelStore, "record_each", failing)
    app.query_params["title"] = "nurse"
    app.run()
    app.button(key="judge_1_positive").click().run()
    app.button(key="judging_drop").click().run()
    assert "not saved yet" not in texts(app)
    assert "judge_1_undo" not in [button.key for button in app.button]


def test_a_store_that_cannot_be_read_stops_no_linking(app: AppTest, home: Path) -> None:
    """The page says that accepted titles are not used."""
    (home / "jobmatch.db").write_bytes(b"no database at all, but long enough to be looked at" * 20)
    app.query_params["title"] = "nurse"
    app.run()
    assert not app.exception
    assert "Accepted titles are not used." in texts(app)
    assert "Earlier judgments cannot be shown." in texts(app)
    assert "not an SQLite database" in texts(app)
    assert "**nurse**" in texts(app)


def test_decisions_on_a_list_are_judgments(app: AppTest, home: Path, cookies: dict[str, str]) -> None:
    """Acceptances, rejections and their undos are judgments in the store."""
    cookies["jobmatch_annotator"] = "Ann"
    link_list(app, "accounts of a cook")
    n_candidates = len(app.session_state["many_open"].review.results[0].candidates)
    app.button(key="none_of_these").click().run()
    assert [each.verdict for each in stored_judgments(home)] == [*["negative"] * n_candidates, "positive"]
    assert {each.provenance.policy for each in stored_judgments(home)} == {"link-titles-list"}
    app.button(key="accept").click().run()
    [kept] = stored_judgments(home)
    assert (kept.verdict, kept.annotator, kept.provenance.rank) == ("positive", "Ann", 1)
    assert kept.provenance.origin == "looked-at"
    app.button(key="undo").click().run()
    assert [each.verdict for each in stored_judgments(home)] == [*["negative"] * n_candidates, "positive"]
    app.button(key="undo").click().run()
    assert stored_judgments(home) == []
    app.button(key="accept").click().run()
    assert words(stored_judgments(home)) == [(kept.pair.left, kept.pair.right, "positive")]
    assert "Earlier verdicts: " in texts(app)


def test_accepting_many_is_one_judgment_a_title_and_one_undo(app: AppTest, home: Path) -> None:
    """Their origin differs from that of single decisions."""
    link_list(app, "nurse", "Koch", "nurse", "accounts of a cook")
    app.slider(key="accept_from").set_value(0.5).run()
    app.button(key="accept_many").click().run()
    assert sorted(words(stored_judgments(home))) == [("Koch", "cook", "positive"), ("nurse", "nurse", "positive")]
    assert {each.provenance.policy for each in stored_judgments(home)} == {"link-titles-accept-many"}
    assert {each.provenance.origin for each in stored_judgments(home)} == {"bulk"}
    app.button(key="undo").click().run()
    assert stored_judgments(home) == []
    assert not {"accepted"} & {row["Status"] for row in table(app)}
    assert app.session_state["many_table"]["selection"]["rows"] == [0], "what is to check stays in sight"


@pytest.mark.thorough
def test_a_row_without_a_title_is_decided_without_a_judgment(app: AppTest, home: Path) -> None:
    """A blank row has nothing to judge and comes last."""
    upload(app, "jobs.csv", b"id,Job title\n1,\n2,nurse\n")
    app.button(key="many_link").click().run()
    assert headline(app) == "**Nothing is left to check** · 0 of 2 decided"
    assert statuses(app)[""] == "empty"
    app.button(key="accept").click().run()
    [judgment] = stored_judgments(home)
    app.button(key="none_of_these").click().run()
    assert not app.exception
    assert {row["Title"]: row["Status"] for row in table(app)}[""] == "none of these"
    assert stored_judgments(home) == [judgment]


def test_a_list_whose_decisions_cannot_be_kept_goes_on(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The decision stands on the page, which reports the unsaved judgments."""
    monkeypatch.setattr(LabelStore, "record_each", failing)
    link_list(app, "nurse", "Koch")
    app.button(key="accept").click().run()
    assert not app.exception
    assert "**1 judgment is not saved yet.**" in texts(app)
    assert "accepted" in {row["Status"] for row in table(app)}
    app.button(key="undo").click().run()
    assert "**2 judgments are not saved yet.**" in texts(app)


def test_that_no_occupation_fits_is_shown_and_taken_back(app: AppTest, home: Path) -> None:
    """On 'One title', where the title then has its best guesses again."""
    with LabelStore.open(home / "jobmatch.db") as store:
        store.record(by("me", Verdict.POSITIVE, "accounts of a cook", NO_OCCUPATION_URI))
    app.query_params["title"] = "accounts of a cook"
    app.run()
    assert "No occupation: decided by me on" in texts(app)
    assert "Best guesses" not in texts(app)
    app.button(key="judge_none_undo").click().run()
    assert "No confident match" in texts(app)
    assert "Best guesses" in texts(app)
    assert stored_judgments(home) == []


def test_a_new_list_knows_what_was_rejected_before(app: AppTest, home: Path) -> None:
    """A rejected occupation is not offered again; row and panel say so, and a switch selects such rows."""
    with LabelStore.open(home / "jobmatch.db") as store:
        store.record(by("Bob", Verdict.NEGATIVE, "nurse", "nurse"))
    link_list(app, "Nurse", "Koch", "Nurse")
    assert not app.exception
    rows = {row["Title"]: row for row in table(app)}
    assert rows["Nurse"]["Status"] == "rejected earlier"
    assert rows["Koch"]["Status"] == "sure"
    assert "2 rows use your earlier decisions · to check first" in texts(app)
    app.session_state["many_filter"] = True
    app.run()
    app.toggle(key="many_earlier").set_value(True).run()
    assert [row["Title"] for row in table(app)] == ["Nurse"]
    assert "remove_earlier" in [button.key for button in app.button]
    assert "rejected earlier: nurse (by Bob" in texts(app)
    assert "nurse" not in [label.split(" · ")[0] for label in options(app)]


@pytest.mark.thorough
def test_a_new_list_knows_titles_that_were_accepted_in_the_last(app: AppTest) -> None:
    """The panel names the accepted title as evidence."""
    link_list(app, "ᚠᚢᚦᚨᚱᚲ ᚷᚹ")
    app.text_input(key="other_0").set_value("pfleger").run()
    app.button(key="accept").click().run()
    app.button(key="new_list").click().run()
    link_list(app, "ᚠᚢᚦᚨᚱᚲ ᚷᚹ")
    [row] = table(app)
    assert (row["Occupation"], row["Status"]) == ("nurse", "sure")
    assert "Matched “ᚠᚢᚦᚨᚱᚲ ᚷᚹ”, a name of your own, accepted by me on" in texts(app)
