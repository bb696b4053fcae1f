"""Whose pairs are whose: as many people a pair as asked for, in proportion to their shares, whoever else there is.

What of a pool one annotator is shown: by hand on a pool of six pairs.
"""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import Judgment, Provenance
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.candidates import code_of
from jobmatch_core.labelling.labels import judged_pairs
from jobmatch_core.labelling.own_candidates import Proposal, decision_boundary, is_own, own_candidates, proposals
from jobmatch_core.labelling.pair_pool import PairPool
from jobmatch_core.labelling.queues import DISAGREE, HARD_NEGATIVES, RANDOM, SECOND_OPINION, UNCERTAIN, QueueSettings
from jobmatch_core.quotas import NO_QUOTAS, Quotas
from tests.core.labelling.made_judgments import judgment, pair

CODES = np.array([code_of(str(number)) for number in range(10_000)], dtype=np.uint64)


@st.composite
def any_quotas(draw: st.DrawFn) -> Quotas:
    """Draw quotas of up to six people that share the whole."""
    judgments = draw(st.integers(1, 3))
    weights = draw(st.lists(st.integers(1, 9), min_size=judgments, max_size=6))
    while max(weights) * judgments > sum(weights):  # nobody judges a pair twice
        weights[weights.index(max(weights))] -= 1
    return Quotas(judgments, tuple((f"person {n}", w / sum(weights)) for n, w in enumerate(weights)))


@given(any_quotas(), st.integers(50, 400))
def test_each_pair_has_as_many_people_as_asked_for(quotas: Quotas, n_pairs: int) -> None:
    """Each person also gets their share of all judgments, to less than one judgment."""
    own = np.array([is_own(CODES[:n_pairs], quotas, name) for name, _ in quotas.shares])
    assert set(own.sum(axis=0).tolist()) == {quotas.judgments}
    for pairs, (_, share) in zip(own, quotas.shares, strict=True):
        assert abs(pairs.sum() - share * quotas.judgments * n_pairs) < 1


def test_what_nobody_has_a_share_of_is_anybodys() -> None:
    """A half of ann's, so of two judgments she has one, of each pair, anybody the other; without shares all."""
    quotas = Quotas(2, (("ann", 0.5),))
    assert is_own(CODES, quotas, "ann").all()
    assert is_own(CODES, quotas, "bob").all()
    assert not is_own(CODES, Quotas(1, (("ann", 1.0),)), "bob").any()
    assert is_own(CODES, NO_QUOTAS, "ann").all()


def test_everybody_meets_everybody() -> None:
    """Else the agreement of some two could never be measured; each two of five share about a tenth of all pairs."""
    quotas = Quotas(2, tuple((name, 0.2) for name in "abcde"))
    own = np.array([is_own(CODES, quotas, name) for name in "abcde"], dtype=np.int64)
    shared = (own @ own.T)[np.triu_indices(5, 1)]
    assert 800 < shared.min() <= shared.max() < 1200


def test_a_pair_stays_with_its_people() -> None:
    """In whatever order pairs and shares were given; where there are more pairs, nearly all stay with them."""
    quotas = Quotas(2, (("ann", 0.4), ("bob", 0.35), ("eva", 0.25)))
    turned = Quotas(2, quotas.shares[::-1])
    assert is_own(CODES[::-1], turned, "bob").tolist() == is_own(CODES, quotas, "bob")[::-1].tolist()
    assert (is_own(CODES[:5000], quotas, "bob") == is_own(CODES, quotas, "bob")[:5000]).mean() > 0.95
    assert is_own(CODES[:0], quotas, "bob").tolist() == []


PAIRS = tuple(pair(f"p{row // 2}", f"f{row}") for row in range(6))


def pool(**more: Any) -> PairPool:
    """Three projects with two freelancers each; the second of each was drawn."""
    fields: dict[str, Any] = {
        "pairs": PAIRS,
        "scores": np.array([0.9, 0.1, 0.8, 0.2, 0.7, 0.3]),
        "ranks": (1, None, 1, None, 1, None),
        "drawn": np.array([False, True] * 3),
        "left_categories": ("a", "a", "b", "b", "a", "a"),
        "right_categories": ("a", "a", "a", "b", "b", ""),
        "left_languages": ("de", "de", "en", "en", "pl", "pl"),
        "right_languages": ("en", "de", "en", "", "pl", "de"),
        "model": "model-1",
    }
    return PairPool(**fields | more)


def proposed(judgments: list[Judgment], policy: str, share: float = 0.0, **more: Any) -> list[Proposal]:
    """Ask for all that ann may judge."""
    judged = judged_pairs(judgments, "ann")
    return proposals(pool(), judged, "ann", QueueSettings(policy, share), 99, **more)


def pairs(found: list[Proposal]) -> list[str]:
    """Name the freelancers."""
    return [proposal.pair.right for proposal in found]


def test_what_was_judged_or_skipped_is_not_shown_again() -> None:
    """By her; what she took back is, and what somebody else skipped."""
    taken_back = judgment("+", of=PAIRS[4])
    history = [
        judgment("+", of=PAIRS[0]),
        judgment("s", of=PAIRS[2]),
        taken_back,
        judgment(None, of=PAIRS[4], minute=1, undoes=taken_back.id),
        judgment("s", "bob", PAIRS[5]),
    ]
    assert sorted(pairs(proposed(history, UNCERTAIN))) == ["f1", "f3", "f4", "f5"]


def test_what_others_judged_is_for_a_second_opinion_only() -> None:
    """Blind: with neither model nor score nor rank."""
    history = [judgment("-", "bob", PAIRS[0])]
    assert "f0" not in pairs(proposed(history, UNCERTAIN))
    [second] = proposed(history, SECOND_OPINION, share=1.0)
    assert second == Proposal(PAIRS[0], Provenance(SECOND_OPINION))
    assert second.blind


def test_a_pair_from_elsewhere_gets_a_second_opinion() -> None:
    """Another model had found it for somebody else."""
    elsewhere = pair("p9", "f9")
    history = [judgment("-", "bob", elsewhere)]
    assert pairs(proposed(history, SECOND_OPINION, share=1.0)) == ["f9"]
    assert "f9" not in pairs(proposed(history, UNCERTAIN))
    assert pairs(proposed(history, SECOND_OPINION, share=1.0, category="a")) == []


def test_the_provenance_says_what_the_model_gave() -> None:
    """Its name, rank and score."""
    by_pair = {proposal.pair: proposal for proposal in proposed([], UNCERTAIN)}
    assert by_pair[PAIRS[2]].provenance == Provenance(UNCERTAIN, "model-1", 1, 0.8)
    assert by_pair[PAIRS[3]].provenance == Provenance(UNCERTAIN, "model-1", None, 0.2)
    assert not by_pair[PAIRS[2]].blind


def test_at_random_there_is_the_fair_sample_alone() -> None:
    """Whatever a model ranks high is left out."""
    assert sorted(pairs(proposed([], RANDOM))) == ["f1", "f3", "f5"]


def test_only_pairs_in_languages_that_are_read() -> None:
    """Both sides; a language that is not known is none of them."""
    assert pairs(proposed([], UNCERTAIN, languages=("de", "en"))) == ["f2", "f0", "f1"]
    assert pairs(proposed([], UNCERTAIN, languages=("pl",))) == ["f4"]
    assert len(pairs(proposed([], UNCERTAIN, languages=()))) == 6
    elsewhere = [judgment("+", "bob", pair("p9", "f9"))]
    assert pairs(proposed(elsewhere, SECOND_OPINION, share=1.0)) == ["f9"]
    assert pairs(proposed(elsewhere, SECOND_OPINION, share=1.0, languages=("de",))) == []


def test_hard_negatives_come_from_the_pool() -> None:
    """Those of different, known categories, the highest score first."""
    assert pairs(proposed([], HARD_NEGATIVES)) == ["f2", "f4"]


def test_a_category_and_what_is_not_wanted() -> None:
    """Only projects of that category; without what is at hand already."""
    assert sorted(pairs(proposed([], UNCERTAIN, category="b"))) == ["f2", "f3"]
    assert pairs(proposed([], UNCERTAIN, category="b", without=[PAIRS[2]])) == ["f3"]


def test_the_boundary_is_where_people_say_yes() -> None:
    """0.8 and 0.7 were said yes to, 0.3 no: half way between is 0.5; without judgments the middle of all scores."""
    history = [judgment("+", "bob", PAIRS[2]), judgment("+", "bob", PAIRS[4]), judgment("-", "bob", PAIRS[5])]
    settled = replace(judgment("-", "eva", PAIRS[4], minute=5), adjudicates=True)
    for boundary, judged in ((0.5, history), (0.5 * (0.3 + 0.7), []), (0.75, [*history, settled])):
        candidates, _ = own_candidates(pool(), judged_pairs(judged, "ann"), UNCERTAIN)
        assert candidates.boundary == pytest.approx(boundary)


def test_how_many_others_judged() -> None:
    """Each person once, skips not counted."""
    history = [judgment("+", "bob", PAIRS[0]), judgment("-", "bob", PAIRS[0], minute=1), judgment("?", "eva", PAIRS[0])]
    candidates, _ = own_candidates(pool(), judged_pairs([*history, judgment("s", "eva", PAIRS[1])], "ann"), UNCERTAIN)
    assert candidates.n_judgments.tolist() == [2, 0, 0, 0, 0, 0]


def test_models_disagree_needs_two() -> None:
    """Without a second model it says so; with one, what they rank most differently comes first."""
    with pytest.raises(LabellingError, match="there is only one"):
        proposed([], DISAGREE)
    both = pool(other_scores=np.array([0.9, 0.1, 0.1, 0.8, 0.7, 0.3]))
    first = proposals(both, [], "ann", QueueSettings(DISAGREE), 2)
    assert {proposal.pair for proposal in first[:1]} <= {PAIRS[2], PAIRS[3]}


def test_nothing_at_all() -> None:
    """An empty pool gives an empty queue."""
    empty = pool(
        pairs=(), scores=np.empty(0), ranks=(), drawn=np.empty(0, dtype=bool), left_categories=(), right_categories=()
    )
    assert proposals(empty, [], "ann", QueueSettings(UNCERTAIN), 5) == []


def test_verdicts_of_other_kinds_of_pairs_do_no_harm() -> None:
    """They are not in the pool, and have no boundary to give."""
    assert len(proposed([judgment("+", "bob", pair("x", "y"))], UNCERTAIN)) == 6


# steps of a hundredth: half way between two of them is another number
JUDGED = st.lists(st.tuples(st.integers(-100, 100).map(lambda n: n / 100), st.booleans()), min_size=1, max_size=30)


def youden(scores: np.ndarray, positive: np.ndarray, cut: float) -> float:
    """Return the share of positives above a cut less that of negatives."""
    return float((scores[positive] >= cut).mean() - (scores[~positive] >= cut).mean())


def test_by_hand() -> None:
    """Negatives at .1 and .2, positives at .4 and .6: they part half way between .2 and .4."""
    assert decision_boundary(np.array([0.4, 0.1, 0.6, 0.2]), [True, False, True, False]) == pytest.approx(0.3)


def test_classes_count_alike() -> None:
    """One negative at .5 weighs as much as nine positives, seven of which are above .5."""
    scores = np.array([0.5, 0.1, 0.1, *[0.9] * 7])
    assert decision_boundary(scores, [False] + [True] * 9) == pytest.approx(0.7)


def test_the_middle_of_equally_good_ones() -> None:
    """At .15, .35 and .55 J is a half each (by hand): the middle one."""
    scores = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    positive = [False, True, False, True, False, True]
    gains = [youden(scores, np.array(positive), cut) for cut in (0.15, 0.25, 0.35, 0.45, 0.55)]
    assert gains == pytest.approx([1 / 3, 0, 1 / 3, 0, 1 / 3])
    assert decision_boundary(scores, positive) == pytest.approx(0.35)


@pytest.mark.parametrize(
    ("scores", "positive"),
    [([], []), ([0.1, 0.2], [True, True]), ([0.1, 0.2], [False, False]), ([0.2, 0.2], [True, False])],
    ids=["nothing", "positives only", "negatives only", "one score"],
)
def test_not_known(scores: list[float], positive: list[bool]) -> None:
    """Nothing can be parted yet."""
    assert decision_boundary(np.array(scores), positive) is None


@given(JUDGED)
def test_none_is_better(judged: list[tuple[float, bool]]) -> None:
    """No cut between two scores has a higher J."""
    scores, positive = np.array([score for score, _ in judged]), np.array([yes for _, yes in judged])
    found = decision_boundary(scores, positive)
    if positive.all() or not positive.any() or len(set(scores)) == 1:
        assert found is None
        return
    assert found is not None
    assert scores.min() < found < scores.max()
    ordered = sorted(set(scores))
    cuts = [(low + high) / 2 for low, high in pairwise(ordered)]
    assert youden(scores, positive, found) == pytest.approx(max(youden(scores, positive, cut) for cut in cuts))


def of_share(judgments: list[Judgment], quotas: Quotas, name: str, *, own_share: bool, **more: Any) -> list[str]:
    """Return the freelancers of a queue that goes by quotas."""
    settings = QueueSettings(UNCERTAIN, quotas=quotas, own_share=own_share)
    return pairs(proposals(pool(), judged_pairs(judgments, name), name, settings, 99, **more))


def test_my_queue_ends_once_the_share_is_judged() -> None:
    """Half of six pairs are three: what she judged and has at hand counts, a skip does not; of a category its half."""
    quotas = Quotas(1, (("ann", 0.5), ("bob", 0.5)))
    assert len(of_share([], quotas, "ann", own_share=True)) == 3
    judged = [judgment("+", "ann", PAIRS[0]), judgment("s", "ann", PAIRS[1])]
    assert len(of_share(judged, quotas, "ann", own_share=True)) == 2
    assert len(of_share(judged, quotas, "ann", own_share=True, without=[PAIRS[2]])) == 1
    assert len(of_share([], quotas, "ann", own_share=True, category="b")) == 1
    assert of_share([], quotas, "eva", own_share=True) == []


def test_anyone_may_take_the_next() -> None:
    """All pairs come, those of the own share first; whoever falls short of own ones gets those of others."""
    quotas = Quotas(1, (("ann", 0.5), ("bob", 0.5)))
    everything = of_share([], quotas, "ann", own_share=False)
    assert len(everything) == 6
    assert everything[:3] == of_share([], quotas, "ann", own_share=True)
    assert sorted(of_share([], quotas, "bob", own_share=True)) == sorted(everything[3:])
    taken = [judgment("+", "bob", each) for each in PAIRS if each.right in everything[:3]]
    assert sorted(of_share(taken, quotas, "ann", own_share=True)) == sorted(everything[3:])
