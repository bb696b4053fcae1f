"""Quotas: possible and impossible ones."""

import pytest

from jobmatch_core.errors import LabellingError
from jobmatch_core.quotas import NO_QUOTAS, Quotas


def test_shares_by_name() -> None:
    """All judgments may be distributed; shares are optional."""
    quotas = Quotas(2, (("ann", 0.5), ("bob", 0.3), ("eva", 0.2)))
    assert (quotas.share("bob"), quotas.share("cid")) == (0.3, None)
    assert NO_QUOTAS.share("ann") is None
    assert Quotas(3, tuple((name, 1 / 3) for name in "abc")).share("a") == 1 / 3


@pytest.mark.parametrize(
    ("judgments", "shares", "why"),
    [
        (0, (), "1 to 20 judgments; 0 were"),
        (21, (), "21 were requested"),
        (2, (("ann", 0.6),), "at most 50%"),
        (1, (("ann", 0.0),), "more than 0%"),
        (1, (("ann", float("nan")),), "share of 'ann' is nan"),
        (1, (("ann", 0.6), ("bob", 0.5)), "add up to more than 100%"),
        (1, (("ann", 0.2), ("ann", 0.3)), "two shares"),
    ],
)
def test_what_cannot_be_reached(judgments: int, shares: tuple[tuple[str, float], ...], why: str) -> None:
    """The error has the reason: nobody judges a pair twice."""
    with pytest.raises(LabellingError, match=why):
        Quotas(judgments, shares)
