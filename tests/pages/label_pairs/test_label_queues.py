"""Queues on the page 'Label pairs': policies, blind second opinions, quotas, an annotator's own queue."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from db.history import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.entities import Pair, PairKind, Provenance, Verdict
from jobmatch_core.labelling.own_candidates import Proposal
from jobmatch_core.labelling.queues import POLICIES, Policy
from jobmatch_core.marketplace.marketplace import RecordBlock
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.quotas import NO_QUOTAS, Quotas
from jobmatch_core.settings import Settings
from pages.shared import label_market
from tests import made_marketplace
from tests.pages.conftest import ROOT
from tests.pages.label_pairs.conftest import Open, judgment, press, seen
from tests.pages.label_pairs.test_label_pairs import _left
from tests.pages.observed import texts


@pytest.mark.first_case
@pytest.mark.parametrize("policy", [policy for policy in POLICIES if policy not in ("models-disagree",)])
def test_every_queue_gives_pairs_or_says_why_not(page: Open, store: LabelStore, policy: str) -> None:
    """The name of the queue is stored with each judgment."""
    app = page(queue=policy, annotator="Ann")
    assert not app.exception
    if policy == "second-opinion":
        assert "This queue is empty." in texts(app)
        assert "nobody else has judged" in texts(app)
        app.button(key="label_go_uncertain").click().run()
        policy = "uncertain"
    press(app, Verdict.NEGATIVE)
    assert [each.provenance.policy for each in store.judgments()] == [policy]


def test_a_queue_is_one_entry(page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page offers it, and says why it is empty."""
    policy = Policy("Nothing", "No pairs.", lambda *_: np.empty(0, dtype=np.intp), "It never has pairs.")
    monkeypatch.setitem(POLICIES, "nothing", policy)
    app = page(queue="nothing")
    assert not app.exception
    assert app.selectbox(key="label_queue").value == "nothing"
    assert "It never has pairs." in texts(app)


def test_models_disagree_needs_a_second_model(page: Open) -> None:
    """The page says so, and a button goes on with another queue."""
    app = page(queue="models-disagree")
    assert not app.exception
    assert "compares two models" in texts(app)
    app.button(key="label_go_uncertain").click().run()
    assert app.selectbox(key="label_queue").value == "uncertain"
    assert "Must have, " in texts(app)


def test_a_second_opinion_is_blind(page: Open, store: LabelStore) -> None:
    """Neither score nor earlier verdict is shown, and the judgment records that."""
    freelancer = MarketplaceStore.open(Settings(Path(store._database.path or "").parent)).load("demo").freelancers[0].id
    store.record(judgment(Verdict.NEGATIVE, "Bob", freelancer, note="secret"))
    app = page(queue="second-opinion", annotator="Ann")
    app.slider(key="label_share").set_value(100).run()
    assert "Second opinion: somebody else has judged this pair" in texts(app)
    assert "similarity" not in texts(app)
    assert "secret" not in texts(app)
    assert seen(app) == ("p000001", freelancer)
    press(app, Verdict.POSITIVE)
    [mine] = store.judgments(JudgmentFilter(annotator="Ann"))
    assert mine.provenance == Provenance("second-opinion")


def test_two_people_are_shown_different_pairs(page: Open, cookies: dict[str, str]) -> None:
    """Changing the name releases the lease and shows another pair."""
    app = page(annotator="Ann")
    first = seen(app)
    other = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    cookies["jobmatch_annotator"] = "Bob"
    other.run()
    other.switch_page("pages/label_pairs/label_pairs.py").run()
    assert seen(other) != first
    app.text_input(key="annotator_field").set_value("Eva").run()
    assert seen(app) == first
    assert "annotator" not in app.query_params


def test_all_done(page: Open, store: LabelStore) -> None:
    """A finished queue says so, offers the next step, and still allows undo."""
    app = page(project="p000001", freelancer=_freelancers(store)[0])
    assert "Why this pair: chosen" in texts(app)
    app = press(app, Verdict.POSITIVE)
    assert "You have gone through the chosen pair." in texts(app)
    assert store.judgments()[0].provenance == Provenance("chosen")
    app.button(key="label_undo").click().run()
    assert "Why this pair: chosen" in texts(app)
    app = press(app, Verdict.NEGATIVE)
    app.button(key="label_no_given").click().run()
    assert "Why this pair" not in texts(app), "the queue is the chosen one"
    assert "project" not in app.query_params


def test_at_the_end_only_queues_with_pairs_are_offered(page: Open, market: MarketplaceStore, store: LabelStore) -> None:
    """The buttons say how many pairs each has; if none has any, the page says so."""
    projects, freelancers = made_marketplace.projects(1)[:1], made_marketplace.freelancers()[:2]
    market.save("two", [RecordBlock(projects=projects, freelancers=freelancers)], origin={})
    pairs = [Pair(PairKind.PROJECT_FREELANCER, "two", projects[0].id, each.id) for each in freelancers]
    store.record(replace(judgment(Verdict.POSITIVE, "Bob"), pair=pairs[0]))
    app = page(annotator="Ann", marketplace="two", queue="random")
    app.slider(key="label_share").set_value(0).run()
    press(app, Verdict.NEGATIVE)
    [button] = [each for each in app.button if each.key and each.key.startswith("label_go_")]
    assert (button.key, button.label) == ("label_go_second-opinion", "Continue with 'Second opinion', 1 pair")
    button.click().run()
    press(app, Verdict.NEGATIVE)
    assert "All done: you judged 1 pair of this queue." in texts(app)
    assert "No other queue of this marketplace has pairs for you now." in texts(app)
    assert not [each for each in app.button if each.key and each.key.startswith("label_go_")]


def _freelancers(store: LabelStore) -> list[str]:
    home = Path(store._database.path or "").parent
    return [each.id for each in MarketplaceStore.open(Settings(home)).load("demo").freelancers]


def test_pairs_from_another_page(page: Open, app: AppTest, store: LabelStore) -> None:
    """Pairs keep their provenance; the page shows an earlier verdict."""
    ids = _freelancers(store)
    store.record(judgment(Verdict.NEGATIVE, "Ann", ids[0]))
    proposals = [
        Proposal(judgment(Verdict.SKIP, "", each).pair, Provenance("find-freelancers", "m", rank, 0.5))
        for rank, each in enumerate(ids[:2], 1)
    ]
    app.session_state["label_given"] = label_market.Given("demo", tuple(proposals))
    app = page(annotator="Ann")
    assert "your earlier verdict: lacks skills" in texts(app)
    app = press(app, Verdict.POSITIVE)
    assert "Last pair: fits, before lacks skills" in texts(app)
    app = press(app, Verdict.POSITIVE)
    assert [each.provenance for each in store.current()] == [each.provenance for each in proposals[::-1]]


def test_quotas_are_set_on_the_page(page: Open, store: LabelStore) -> None:
    """Judgments per pair and shares are stored; impossible quotas are reported and change nothing."""
    app = page(view="agreement", annotator="Ann")
    app.number_input(key="label_quota_judgments").set_value(2)
    app.multiselect(key="label_quota_people").set_value(["Ann"]).run()
    app.number_input(key="label_quota_share_Ann").set_value(60.0)
    app.button(key="label_quota_save").click().run()
    assert "The share of 'Ann' is 60%." in texts(app)
    assert "at most 50%" in texts(app)
    assert store.quotas() == NO_QUOTAS
    app.number_input(key="label_quota_share_Ann").set_value(25.0)
    app.button(key="label_quota_save").click().run()
    assert store.quotas() == Quotas(2, (("Ann", 0.25),))
    assert "Set by Ann, today" in texts(app)
    store.set_quotas(Quotas(3), "Bob")  # elsewhere
    app.run()
    assert app.number_input(key="label_quota_judgments").value == 3
    assert app.multiselect(key="label_quota_people").value == []


def test_my_queue(page: Open, store: LabelStore) -> None:
    """'My queue' is offered to annotators with a share, ends after it, and leads on to the pairs of others."""
    app = page(annotator="Ann")
    assert "label_own_share" not in [each.key for each in app.toggle]
    everything = _left(app)
    store.set_quotas(Quotas(2, (("Ann", 0.5 / everything),)), "Eva")
    app.run()
    assert _left(app) == everything
    assert "Each pair is judged by 2 people" in texts(app)
    app.toggle(key="label_own_share").set_value(True).run()
    assert _left(app) == 1
    press(app, Verdict.POSITIVE)
    assert "Your share of this queue is judged" in texts(app)
    app.button(key="label_any_share").click().run()
    assert _left(app) == everything - 1


def test_the_second_of_two_judgments_is_blind(page: Open, store: LabelStore) -> None:
    """With two judgments per pair, pairs judged by others come first, without score and verdict."""
    store.set_quotas(Quotas(2), "Eva")
    freelancer = _freelancers(store)[0]
    store.record(judgment(Verdict.NEGATIVE, "Bob", freelancer, note="secret"))
    app = page(annotator="Ann")
    assert seen(app) == ("p000001", freelancer)
    assert "Second opinion: somebody else has judged this pair" in texts(app)
    assert "similarity" not in texts(app)
    assert "secret" not in texts(app)
