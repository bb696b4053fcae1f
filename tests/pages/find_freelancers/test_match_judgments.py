"""Verdicts on matched freelancers on the page 'Find freelancers'."""

from pathlib import Path

import pytest

from db.label_store import LabelStore
from jobmatch_core.entities import PairKind, Provenance, Verdict
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.labelling.judging import judged
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from tests.pages.find_freelancers.conftest import Open, bars, cards
from tests.pages.observed import stored_judgments, texts


def test_who_was_found_is_judged_from_the_list(
    page: Open, market: MarketplaceStore, home: Path, cookies: dict[str, str]
) -> None:
    """A verdict is stored with its provenance, kept apart from others' verdicts, changed and withdrawn."""
    cookies["jobmatch_annotator"] = "Ann"
    app = page()
    assert not (home / "jobmatch.db").exists()
    app.button(key="find_judge_2_negative").click().run()
    assert not app.exception
    [kept] = stored_judgments(home)
    assert (kept.pair.kind, kept.pair.source, kept.pair.left) == (PairKind.PROJECT_FREELANCER, "demo", "p000001")
    assert (kept.verdict, kept.annotator) == (Verdict.NEGATIVE, "Ann")
    assert (kept.provenance.policy, kept.provenance.rank) == ("find-freelancers", 2)
    assert kept.provenance.model.startswith("untrained-jobmatch-titles-")
    assert f"{kept.provenance.score:.2f}" in bars(app)[1]
    app.button(key="find_judge_2_unsure").click().run()
    assert [each.verdict for each in stored_judgments(home)] == [Verdict.UNSURE]
    for _ in range(2):
        app.button(key="find_judge_2_undo").click().run()
    assert stored_judgments(home) == []
    assert "find_judge_2_undo" not in [button.key for button in app.button]


@pytest.mark.thorough
def test_the_name_is_asked_for_with_the_first_verdict(
    page: Open, market: MarketplaceStore, home: Path, cookies: dict[str, str]
) -> None:
    """The page opens without a field for a name; the first verdict asks for it, and it can then be changed."""
    cookies.clear()
    app = page()
    assert not [field for field in app.text_input if str(field.key).startswith("annotator")]
    app.button(key="find_judge_1_positive").click().run()
    app.text_input(key="annotator_form_field").set_value("Ann")
    app.button(key="annotator_form_go").click().run()
    assert [each.annotator for each in stored_judgments(home)] == ["Ann"]
    app.text_input(key="annotator_field").set_value("Bob").run()
    app.button(key="find_judge_2_negative").click().run()
    assert not app.exception
    assert [each.annotator for each in stored_judgments(home)] == ["Ann", "Bob"]


def test_what_was_judged_before_is_shown(page: Open, market: MarketplaceStore, home: Path) -> None:
    """Verdicts given by others on any page are shown, with their names escaped."""
    app = page()
    app.button(key="find_judge_1_positive").click().run()
    [mine] = stored_judgments(home)
    with LabelStore.open(home / "jobmatch.db") as store:
        store.record(judged(mine.pair, Verdict.NEGATIVE, "<b>Bob</b>", Provenance("elsewhere")))
    app.run()
    assert "Earlier verdicts: " in texts(app)
    assert "lacks skills] :small[<b>Bob</b>]" in texts(app)
    app.selectbox(key="find_project").set_value("p000002").run()
    assert "Earlier verdicts: " not in texts(app)


def test_a_project_of_ones_own_is_not_judged(page: Open, market: MarketplaceStore) -> None:
    """The page explains that nobody else could look up the project."""
    app = page(source="own")
    assert "your own project is not stored in one" in texts(app)
    assert not any(str(button.key).startswith("find_judge") for button in app.button)


def test_a_verdict_that_cannot_be_kept_is_held(
    page: Open, market: MarketplaceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page shows the reason; the list, the verdict and its undo remain."""

    def failing(self: LabelStore, judgments: object) -> int:
        raise LabelStoreError("The label store cannot be written, the disk is full: make room.")

    monkeypatch.setattr(LabelStore, "record_each", failing)
    app = page()
    app.button(key="find_judge_1_positive").click().run()
    assert not app.exception
    assert "**1 judgment is not saved yet.** The label store cannot be written" in texts(app)
    assert cards(app) == 10
    assert "find_judge_1_undo" in [button.key for button in app.button]
