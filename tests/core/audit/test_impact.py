"""Selection rates, impact ratios and exposure."""

import numpy as np
import pytest

from jobmatch_core.audit.impact import exposures, impact


def _ranked(*groups: int) -> np.ndarray:
    return np.array(groups, dtype=np.int8)


def test_rates_by_hand() -> None:
    """Among the first two of both rankings, 3 of 4 places go to the first group: 1.5 / 2 and 0.5 / 2 a ranking."""
    measured = impact([_ranked(0, 0, 1, 1), _ranked(0, 1, 1, 0)], (2, 2), 2)
    assert (measured.first_rate, measured.second_rate) == (0.75, 0.25)
    assert measured.second_to_first.value == measured.impact_ratio == pytest.approx(1 / 3)
    assert measured.adverse


def test_groups_of_other_sizes_and_members_of_neither() -> None:
    """One of four selected and one of eight selected; the others do not count."""
    measured = impact([_ranked(0, 1, -1, 0, 1)], (4, 8), 3)
    assert (measured.first_rate, measured.second_rate) == (0.25, 0.125)
    assert measured.impact_ratio == 0.5


def test_equal_treatment() -> None:
    """Over many random orders the interval of the ratio contains 1."""
    random = np.random.default_rng(1)
    orders = [random.permutation(np.repeat(_ranked(0, 1), 50)) for _ in range(200)]
    ratio = impact(orders, (50, 50), 10).second_to_first
    assert ratio.low < 1 < ratio.high


def test_nobody_selected_is_equal_treatment() -> None:
    """The rates are zero, and no ratio is infinite."""
    measured = impact([_ranked(-1, -1, 0, 1)], (1, 1), 2)
    assert (measured.impact_ratio, measured.second_to_first.value) == (1, 1)


def test_exposure_is_discounted_by_rank() -> None:
    """1 / log2(2) = 1 for the first rank, 1 / log2(4) = 0.5 for the third."""
    assert exposures(_ranked(0, -1, 1)) == (1, 0.5)


def test_no_ranking_is_refused() -> None:
    """There is nothing to divide."""
    with pytest.raises(ValueError, match="members of both"):
        impact([_ranked(0)], (1, 0), 1)
