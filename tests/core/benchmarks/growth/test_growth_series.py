"""Sizes of series: each three times the one before, and a share of them."""

import pytest

from jobmatch_core.benchmarks.growth.growth_series import GrowthSetting, sizes_up_to
from jobmatch_core.errors import SettingsError


def test_sizes_grow_by_three() -> None:
    """81 is reached in five steps; what would be less than one is left out."""
    assert sizes_up_to(81) == (1, 3, 9, 27, 81)
    assert sizes_up_to(371_419, 4) == (13_756, 41_268, 123_806, 371_419)
    assert sizes_up_to(26, 4) == (2, 8, 26)


def test_a_share_of_the_sizes() -> None:
    """A hundredth of the largest, and thirds of that."""
    assert GrowthSetting(share=0.01).sizes(90_000, 3) == (100, 300, 900)


@pytest.mark.parametrize("share", [0, -0.5, 1.01, float("nan")])
def test_what_is_no_share(share: float) -> None:
    """It is above 0 and at most 1."""
    with pytest.raises(SettingsError, match=r"above 0 and at most 1, not"):
        GrowthSetting(share=share)


def test_one_size_is_no_growth() -> None:
    """A line needs two points."""
    with pytest.raises(SettingsError, match=r"up to a size of 2; give a larger --share"):
        GrowthSetting(share=0.001).sizes(2000)
