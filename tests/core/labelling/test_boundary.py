"""Where a model's yes begins."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.labelling.boundary import decision_boundary

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
