"""Words for occupations that several pages share."""

import pytest

from pages.shared.occupation_view import probability_number


@pytest.mark.parametrize(
    ("probability", "number"),
    [(1.0, "1.00"), (0.874, "0.87"), (0.005, "0.01"), (0.0049, "under 0.01"), (0.0, "under 0.01")],
)
def test_a_small_probability_does_not_read_as_none(probability: float, number: str) -> None:
    """Two decimals, or that it is less than they can say."""
    assert probability_number(probability) == number
