"""Statistics of a label store: judgments by kind, annotator and policy, and the labels resolved from them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median

from jobmatch_core.entities import Judgment, PairKind, Verdict
from jobmatch_core.labelling.current import current_judgments
from jobmatch_core.labelling.disputes import disputes
from jobmatch_core.labelling.labels import LABELLED, labels_of


@dataclass(frozen=True, slots=True)
class KindStats:
    """Statistics of one kind of pair.

    Attributes:
        kind: kind of the pairs.
        recorded: number of judgments, including withdrawn ones and withdrawals.
        counting: number of current judgments.
        pairs: number of judged pairs.
        positive, negative: numbers of pairs with such a label.
        unlabelled: number of pairs without a label: annotators disagree, are unsure, or skipped them.
        disputed: number of pairs to adjudicate.
    """

    kind: PairKind
    recorded: int
    counting: int
    pairs: int
    positive: int
    negative: int
    unlabelled: int
    disputed: int


@dataclass(frozen=True, slots=True)
class Share:
    """The current judgments of one annotator, or one policy.

    Attributes:
        name: name of the annotator or the policy.
        positive, negative, unsure, skip: numbers of such verdicts.
        seconds: median time of the measured ones, None without any.
        last: UTC date of the last of them.
    """

    name: str
    positive: int
    negative: int
    unsure: int
    skip: int
    seconds: float | None
    last: date


@dataclass(frozen=True, slots=True)
class LabelStats:
    """Statistics of a label store by kind of pair, by annotator, by queue or page; the most first."""

    kinds: tuple[KindStats, ...]
    annotators: tuple[Share, ...]
    policies: tuple[Share, ...]


def label_stats(judgments: Iterable[Judgment]) -> LabelStats:
    """Count a store's whole history, in the order of recording."""
    recorded = list(judgments)
    counting = current_judgments(recorded)
    found = Counter(each.pair.kind for each in recorded)
    return LabelStats(
        kinds=tuple(_kind_stats(kind, n, [each for each in counting if each.pair.kind is kind])
                    for kind, n in found.most_common()),
        annotators=_shares(counting, lambda each: each.annotator),
        policies=_shares(counting, lambda each: each.provenance.policy),
    )  # fmt: skip


def _kind_stats(kind: PairKind, recorded: int, counting: Sequence[Judgment]) -> KindStats:
    found = labels_of(counting)
    positive = sum(label.positive for label in found.labels)
    return KindStats(
        kind=kind,
        recorded=recorded,
        counting=len(counting),
        pairs=sum(found.resolutions.values()),
        positive=positive,
        negative=len(found.labels) - positive,
        unlabelled=sum(n for resolution, n in found.resolutions.items() if resolution not in LABELLED),
        disputed=len(disputes(counting)),
    )


def _shares(judgments: Iterable[Judgment], name: Callable[[Judgment], str]) -> tuple[Share, ...]:
    by_name: dict[str, list[Judgment]] = {}
    for judgment in judgments:
        by_name.setdefault(name(judgment), []).append(judgment)
    return tuple(_share(each, by_name[each]) for each in sorted(by_name, key=lambda key: (-len(by_name[key]), key)))


def _share(name: str, judgments: Sequence[Judgment]) -> Share:
    verdicts = Counter(judgment.verdict for judgment in judgments)
    seconds = [judgment.seconds for judgment in judgments if judgment.seconds is not None]
    return Share(
        name,
        verdicts[Verdict.POSITIVE],
        verdicts[Verdict.NEGATIVE],
        verdicts[Verdict.UNSURE],
        verdicts[Verdict.SKIP],
        median(seconds) if seconds else None,
        max(judgment.at for judgment in judgments).date(),
    )
