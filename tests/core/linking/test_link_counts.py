"""Counts of a list of links."""

import pytest

from jobmatch_core.linking.link_counts import count_statuses


@pytest.mark.parametrize(
    ("counts", "percents"),
    [((1, 1, 1), [34, 33, 33]), ((2, 1, 0), [67, 33, 0]), ((0, 0, 0), [0, 0, 0]), ((996, 2, 2), [100, 0, 0])],
)
def test_shares_of_statuses_add_up(counts: tuple[int, ...], percents: list[int]) -> None:
    """The percentages sum to 100 despite rounding."""
    words = ("sure", "likely", "accepted")
    statuses = count_statuses((word for word, n in zip(words, counts, strict=True) for _ in range(n)), words)
    assert [status.word for status in statuses] == list(words)
    assert [(status.count, status.percent) for status in statuses] == [*zip(counts, percents, strict=True)]
