"""Pairs on which annotators disagree, for somebody to settle."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from jobmatch_core.entities import Judgment, Pair, Verdict
from jobmatch_core.labelling.current import current_judgments
from jobmatch_core.labelling.verdict_table import CATEGORIES

# yes and no contradict each other; who is unsure is half way to either
_DISTANCE: dict[frozenset[Verdict | None], float] = {
    frozenset((Verdict.POSITIVE, Verdict.NEGATIVE)): 1.0,
    frozenset((Verdict.POSITIVE, Verdict.UNSURE)): 0.5,
    frozenset((Verdict.NEGATIVE, Verdict.UNSURE)): 0.5,
}


@dataclass(frozen=True, slots=True)
class Dispute:
    """A pair with different verdicts.

    Attributes:
        pair: what they disagree on.
        judgments: the current ones, in the order of recording.
        heat: how far apart two of these verdicts are on average, drawn with replacement: Rao's quadratic entropy
            (1982). 0.5 where half say yes and half no, 0.25 where half of them are unsure.
    """

    pair: Pair
    judgments: tuple[Judgment, ...]
    heat: float


def disputes(judgments: Iterable[Judgment]) -> list[Dispute]:
    """Return what is disputed and not yet adjudicated, the most disputed first.

    Of two that are equally disputed the one that more people have judged comes first, then the one that has waited
    longer.

    Args:
        judgments: the whole history, or what is current of it, in the order of recording.
    """
    said: dict[Pair, list[Judgment]] = {}
    settled: set[Pair] = set()
    for judgment in current_judgments(judgments):
        if judgment.adjudicates:
            settled.add(judgment.pair)
        elif judgment.verdict in CATEGORIES:
            said.setdefault(judgment.pair, []).append(judgment)
    found = [Dispute(pair, tuple(each), _heat(each)) for pair, each in said.items() if pair not in settled]
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
