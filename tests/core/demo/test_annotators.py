"""Two made-up annotators: the pairs that they judge, their verdicts by the hidden truth, and their disagreements."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from jobmatch_core.demo.annotators import ANNOTATORS, POLICY, judgments, pairs_to_judge
from jobmatch_core.entities import Judgment, Verdict
from jobmatch_core.errors import MarketplaceError
from jobmatch_core.labelling.judging import REASONS
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_marketplace
from jobmatch_core.marketplace.marketplace import Marketplace
from tests.made_taxonomy import skilled_taxonomy

UNTIL = date(2026, 11, 27)
PAIRS = 200


@pytest.fixture(scope="module")
def market() -> Marketplace:
    """A small marketplace."""
    return demo_marketplace(skilled_taxonomy(), DemoSpec(projects=40, freelancers=200))


@pytest.fixture(scope="module")
def given(market: Marketplace) -> list[list[Judgment]]:
    """What each annotator said about the same pairs."""
    pairs = pairs_to_judge(market, PAIRS)
    return [judgments(market, pairs, annotator, UNTIL) for annotator in ANNOTATORS]


def test_pairs_are_distinct_and_of_the_marketplace(market: Marketplace) -> None:
    """As many as asked for, the same each time, and some that the history does not show."""
    pairs = pairs_to_judge(market, PAIRS)
    assert len(set(pairs)) == len(pairs) == PAIRS
    assert pairs_to_judge(market, PAIRS) == pairs
    assert all(pair.left in market.project_rows and pair.right in market.freelancer_rows for pair in pairs)
    shown = {(each.project, each.freelancer) for each in market.interactions}
    assert 0 < sum((pair.left, pair.right) in shown for pair in pairs) < PAIRS


def test_verdicts_follow_the_truth_and_differ(market: Marketplace, given: list[list[Judgment]]) -> None:
    """Both agree mostly, not always; what fits covers more of the needs than what does not."""
    robin, kim = given
    same = sum(one.verdict is other.verdict for one, other in zip(robin, kim, strict=True))
    assert 0.7 * PAIRS < same < PAIRS
    assert {judgment.verdict for judgment in robin + kim} == {Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.UNSURE}
    assert market.truth is not None
    coverage = market.truth.coverage()
    of = {
        verdict: [
            coverage[market.project_rows[judgment.pair.left], market.freelancer_rows[judgment.pair.right]]
            for judgment in robin + kim
            if judgment.verdict is verdict
        ]
        for verdict in (Verdict.POSITIVE, Verdict.NEGATIVE)
    }
    assert sum(of[Verdict.POSITIVE]) / len(of[Verdict.POSITIVE]) > 0.6
    assert sum(of[Verdict.NEGATIVE]) / len(of[Verdict.NEGATIVE]) < 0.4


def test_judgments_are_reproducible_marked_and_in_the_month(market: Marketplace, given: list[list[Judgment]]) -> None:
    """Ids are reproducible, too, so that recording them twice adds nothing; only negative judgments have reasons."""
    robin, kim = given
    assert judgments(market, [each.pair for each in robin], ANNOTATORS[0], UNTIL) == robin
    everything = robin + kim
    assert len({judgment.id for judgment in everything}) == 2 * PAIRS
    assert all(judgment.annotator.endswith("(demo)") for judgment in everything)
    assert {judgment.provenance.policy for judgment in everything} == {POLICY}
    assert all(
        datetime(2026, 10, 28, tzinfo=UTC) <= each.at <= datetime(2026, 11, 28, tzinfo=UTC) for each in everything
    )
    assert all(set(judgment.reasons) <= set(REASONS) for judgment in everything)
    assert all(judgment.verdict is Verdict.NEGATIVE for judgment in everything if judgment.reasons)


def test_only_a_generated_marketplace_can_be_judged(market: Marketplace) -> None:
    """Without a hidden truth there is nothing to judge by."""
    with pytest.raises(MarketplaceError, match="no hidden truth"):
        judgments(replace(market, truth=None), [], ANNOTATORS[0], UNTIL)
