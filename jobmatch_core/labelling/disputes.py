"""Disputes: pairs on which annotators disagree, to be adjudicated."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from jobmatch_core.entities import Judgment, Pair, Verdict
from jobmatch_core.labelling.current import current_judgments
from jobmatch_core.labelling.verdict_table import CATEGORIES

# yes and no contradict each other; unsure is half way to either
_DISTANCE: dict[frozenset[Verdict | None], float] = {
    frozenset((Verdict.POSITIVE, Verdict.NEGATIVE)): 1.0,
    frozenset((Verdict.POSITIVE, Verdict.UNSURE)): 0.5,
    frozenset((Verdict.NEGATIVE, Verdict.UNSURE)): 0.5,
}


@dataclass(frozen=True, slots=True)
class Dispute:
    """A pair with different verdicts.

    Attributes:
        pair: the disputed pair.
        judgments: current judgments, in the order of recording.
        heat: mean distance of two of these verdicts drawn with replacement, 0 to 0.5: Rao's quadratic entropy (1982).
            0.5 for half yes and half no, 0.25 if half of them are unsure.
    """

    pair: Pair
    judgments: tuple[Judgment, ...]
    heat: float


def disputes(judgments: Iterable[Judgment]) -> list[Dispute]:
    """Return the disputes that are not yet adjudicated, the most disputed first.

    Of equally disputed ones the one with more judgments comes first, then the older one.

    Args:
        judgments: the whole history, or the current judgments, in the order of recording.
    """
    by_pair: dict[Pair, list[Judgment]] = {}
    settled: set[Pair] = set()
    for judgment in current_judgments(judgments):
        if judgment.adjudicates:
            settled.add(judgment.pair)
        elif judgment.verdict in CATEGORIES:
            by_pair.setdefault(judgment.pair, []).append(judgment)
    found = [Dispute(pair, tuple(each), _heat(each)) for pair, each in by_pair.items() if pair not in settled]
    return sorted(
        (dispute for dispute in found if dispute.heat),
        key=lambda dispute: (
            -dispute.heat,
            -len(dispute.judgments),
            max(each.at for each in dispute.judgments),
            repr(dispute.pair),
        ),
    )


def _heat(judgments: Sequence[Judgment]) -> float:
    verdicts = [judgment.verdict for judgment in judgments]
    distances = (_DISTANCE.get(frozenset(two), 0.0) for two in product(verdicts, repeat=2))
    return sum(distances) / len(judgments) ** 2
