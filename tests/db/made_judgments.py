"""Made-up pairs and judgments, with nothing to be said but what a test is about."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from uuid import uuid4

from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict

NOON = datetime(2026, 1, 31, 12, 0, 0, 123456, tzinfo=UTC)
_SECONDS = count()


def make_pair(right: str = "freelancer", *, left: str = "project", source: str = "demo") -> Pair:
    """Return a pair of a project and a freelancer."""
    return Pair(PairKind.PROJECT_FREELANCER, source, left, right)


def make_judgment(
    verdict: Verdict | None = Verdict.POSITIVE, annotator: str = "Ann", pair: Pair | None = None, **fields: Any
) -> Judgment:
    """Return a judgment with an id of its own, a second later than the one made before."""
    made = {
        "id": str(uuid4()),
        "at": NOON + timedelta(seconds=next(_SECONDS)),
        "provenance": Provenance("random"),
        **fields,
    }
    return Judgment(pair=pair or make_pair(), verdict=verdict, annotator=annotator, **made)


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        """Return the time."""
        return self.now

    def wait(self, seconds: float) -> None:
        """Let time go by."""
        self.now += timedelta(seconds=seconds)
