"""The oracle answers by the hidden truth of a generated marketplace."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from jobmatch_core.entities import Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import MarketplaceError
from lab.speed.oracle import Oracle
from tests.made_marketplace import marketplace

AT = datetime(2026, 1, 5, tzinfo=UTC)


def test_the_oracle_knows_the_truth() -> None:
    """Even freelancers master their trade, and nothing else; the same pair gets the same id."""
    market = marketplace(2)
    pairs = [Pair(PairKind.PROJECT_FREELANCER, "tiny", "p-web-0", each) for each in ("f-web-0", "f-web-1", "f-data-0")]
    asked = [(pair, Provenance("random")) for pair in pairs]
    said = Oracle(market).judgments(asked, AT)
    assert [each.verdict for each in said] == [Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.NEGATIVE]
    assert [(each.at - AT).total_seconds() for each in said] == [0, 8, 16]
    assert [each.id for each in Oracle(market).judgments(asked[::-1], AT)] == [each.id for each in said[::-1]]
    assert len({each.id for each in said}) == 3
    with pytest.raises(MarketplaceError, match="no hidden truth"):
        Oracle(replace(market, truth=None))
