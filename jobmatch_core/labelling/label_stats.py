"""Statistics of a label store: judgments by kind, annotator and policy, and the labels resolved from them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from jobmatch_core.entities import PairKind, Verdict
from jobmatch_core.judgment_tallies import HistoryTallies, Work
from jobmatch_core.labelling.labels import label_of


@dataclass(frozen=True, slots=True)
class KindStats:
    """Statistics of one kind of pair."""

    kind: PairKind  # kind of the pairs
    recorded: int  # number of judgments, including withdrawn ones and withdrawals
    counting: int  # number of current judgments
    pairs: int  # number of judged pairs
    # positive, negative: numbers of pairs with such a label
    positive: int
    negative: int
    unlabelled: int  # number of pairs without a label: annotators disagree, are unsure, or skipped them
    disputed: int  # number of pairs to adjudicate


@dataclass(frozen=True, slots=True)
class Share:
    """The current judgments of one annotator, policy or origin."""

    name: str  # annotator, policy or origin
    # positive, negative, unsure, skip: numbers of such verdicts
    positive: int
    negative: int
    unsure: int
    skip: int
    seconds: float | None  # median of the measured times, or None
    last: date  # UTC date of the last one

    @property
    def judgments(self) -> int:
        """Total number."""
        return self.positive + self.negative + self.unsure + self.skip


@dataclass(frozen=True, slots=True)
class LabelStats:
    """Statistics by kind of pair, annotator, policy (queue or page), and origin; the largest first."""

    kinds: tuple[KindStats, ...]
    annotators: tuple[Share, ...]
    policies: tuple[Share, ...]
    origins: tuple[Share, ...]


def label_stats(tallies: HistoryTallies) -> LabelStats:
    """Summarise the whole history of a label store."""
    kinds = {*tallies.stale, *(alike.kind for alike in tallies.pairs)}
    stats = [_kind_stats(kind, tallies) for kind in kinds]
    return LabelStats(
        kinds=tuple(sorted(stats, key=lambda row: (-row.recorded, row.kind))),
        annotators=_shares(tallies.work, lambda work: work.annotator),
        policies=_shares(tallies.work, lambda work: work.policy),
        origins=_shares(tallies.work, lambda work: work.origin),
    )


def _kind_stats(kind: PairKind, tallies: HistoryTallies) -> KindStats:
    judged = [alike for alike in tallies.pairs if alike.kind is kind]
    counting = sum(alike.pairs * alike.votes.judgments for alike in judged)
    labels = Counter[bool | None]()
    for alike in judged:
        labels[label_of(alike.votes)] += alike.pairs
    return KindStats(
        kind=kind,
        recorded=counting + tallies.stale.get(kind, 0),
        counting=counting,
        pairs=labels.total(),
        positive=labels[True],
        negative=labels[False],
        unlabelled=labels[None],
        disputed=sum(alike.pairs for alike in judged if alike.votes.disputed),
    )


def _shares(works: Iterable[Work], key: Callable[[Work], str]) -> tuple[Share, ...]:
    by_name: dict[str, list[Work]] = defaultdict(list)
    for work in works:
        by_name[key(work)].append(work)
    shares = [_share(name, group) for name, group in by_name.items()]
    return tuple(sorted(shares, key=lambda share: (-share.judgments, share.name)))


def _share(name: str, works: Sequence[Work]) -> Share:
    verdicts = Counter[Verdict]()
    for work in works:
        verdicts.update(work.verdicts)
    seconds = np.concatenate([work.seconds for work in works])
    return Share(
        name,
        verdicts[Verdict.POSITIVE],
        verdicts[Verdict.NEGATIVE],
        verdicts[Verdict.UNSURE],
        verdicts[Verdict.SKIP],
        float(np.median(seconds)) if len(seconds) else None,
        max(work.last for work in works).date(),
    )
