"""What a label store holds: how many judgments of what, by whom, and what they come to."""

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
    """What there is of one kind of pair.

    Attributes:
        kind: of the pairs.
        recorded: judgments, with those that were taken back and the taking back itself.
        counting: those that count at the moment.
        pairs: how many were judged.
        positive, negative: how many of these have such a label.
        unlabelled: how many have none: people are at odds, unsure, or skipped them.
        disputed: how many are to be adjudicated.
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
    """The judgments of one annotator, or one policy, that count at the moment.

    Attributes:
        name: of the annotator or the policy.
        positive, negative, unsure, skip: how many say so.
        seconds: the median time of those of which it is known, None where it is of none.
        last: the day of UTC of the last of them.
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
    """What a label store holds: by kind of pair, by annotator, by queue or page; the most first."""

    kinds: tuple[KindStats, ...]
    annotators: tuple[Share, ...]
    policies: tuple[Share, ...]


def label_stats(judgments: Iterable[Judgment]) -> LabelStats:
    """Count a store's whole history, given in the order of recording."""
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
