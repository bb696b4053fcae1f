"""Growth of the label store over judgments: recording, the next pair, queues, statistics, agreement and snapshots.

Each pair of the history was judged by two of five annotators. The desk's pool has 8,000 other pairs, however long the
history is.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from uuid import UUID

from db.label_store import LabelStore
from jobmatch.services.annotation_desk import Desk, next_pairs
from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.labelling.agreement import agreement_report
from jobmatch_core.labelling.label_stats import label_stats
from jobmatch_core.labelling.own_candidates import Proposal
from jobmatch_core.labelling.queues import UNCERTAIN, QueueSettings
from jobmatch_core.labelling.snapshot import freeze_current
from jobmatch_core.labelling.workload import workloads
from lab.growth.growth_series import GrowthSetting, Series
from lab.speed.simulated_annotators import ANY_SIDES, simulated_pool

MOST, POOL = 1_000_000, 8000
_BLOCK, _MANY = 10_000, 1000  # judgments in a transaction: of the history, and measured
_ANNOTATORS = ("ann", "bob", "cem", "dora", "eva")
_KIND, _SOURCE = PairKind.PROJECT_FREELANCER, "simulated"
_QUEUE = 500
_VERDICTS = (Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.POSITIVE, Verdict.UNSURE)
_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def label_growth(setting: GrowthSetting) -> list[Series]:
    """Return what is measured; raises SettingsError where the share leaves too little."""
    steps = {
        "record one": LabelWork.record,
        "from a verdict to the next pair": LabelWork.next_pair,
        "order a queue": LabelWork.queue,
        "order a queue with second opinions": LabelWork.queue_with_second_opinions,
        "counts of a page": LabelWork.counts,
        "statistics": LabelWork.statistics,
        "agreement": LabelWork.agreement,
        "workload": LabelWork.workload,
        "map's labels": LabelWork.map_labels,
        "snapshot": LabelWork.snapshot,
        f"record {_MANY:,} at once": LabelWork.record_many,  # the last, for it makes the history longer
    }
    return [Series("judgments", "judgments", setting.sizes(MOST), _judged, steps)]


class LabelWork:
    """A label store with a history, and a desk at it."""

    def __init__(self, store: LabelStore, size: int, folder: Path) -> None:
        self._store, self._folder = store, folder
        self._pool, self._numbers = simulated_pool(POOL), count()
        for start in range(0, size, _BLOCK):
            self._store.record_all(self._drawn(min(_BLOCK, size - start)))
        self._desk = Desk(store, _ANNOTATORS[0], _SOURCE, self._proposed, lambda pair: ANY_SIDES).open()

    def close(self) -> None:
        """Give back the desk's leases."""
        self._desk.close()

    def record_many(self) -> None:
        """Record many judgments, as an import does."""
        self._store.record_all(self._drawn(_MANY))

    def record(self) -> None:
        """Record a judgment."""
        self._store.record_all(self._drawn(1))

    def next_pair(self) -> None:
        """Judge at the desk, as on 'Label pairs'."""
        task = self._desk.task
        assert task is not None  # noqa: S101  # the pool is larger than what is judged
        task.shown -= 1.0  # as if it had been read: a desk counts no verdict on what was just shown
        self._desk.judge(task.number, Verdict.POSITIVE)

    def queue(self) -> None:
        """Order the pairs of the pool anew for the annotator."""
        self._proposed(())

    def queue_with_second_opinions(self) -> None:
        """Order them where a fifth of all pairs is shown to a second person."""
        self._next_pairs(QueueSettings(UNCERTAIN, second_share=0.2))

    def counts(self) -> None:
        """Count verdicts as pages do."""
        self._store.counts()

    def statistics(self) -> None:
        """Compute the statistics of `jobmatch labels stats`."""
        label_stats(self._store.tallies())

    def agreement(self) -> None:
        """Measure the annotators' agreement, and find the disputes."""
        agreement_report(self._store.verdict_columns(_KIND), self._store.judgments_of, UTC)

    def workload(self) -> None:
        """Compute each annotator's workload."""
        workloads(self._store.verdict_columns(_KIND), _BEGIN)

    def map_labels(self) -> None:
        """Read the labels of a map."""
        self._store.voted_pairs(_KIND, _SOURCE)

    def snapshot(self) -> None:
        """Freeze the judgments."""
        with self._store.all_current() as current:
            freeze_current(current, self._folder / f"snapshot-{next(self._numbers)}", at=_BEGIN)

    def _proposed(self, without: Sequence[Pair]) -> list[Proposal]:
        return self._next_pairs(QueueSettings(UNCERTAIN), without)

    def _next_pairs(self, settings: QueueSettings, without: Sequence[Pair] = ()) -> list[Proposal]:
        return next_pairs(self._store, self._pool, _SOURCE, _ANNOTATORS[0], settings, _QUEUE, without=without)

    def _drawn(self, n: int) -> list[Judgment]:
        return [_judgment(next(self._numbers)) for _ in range(n)]


def _judgment(number: int) -> Judgment:
    pair = number // 2
    return Judgment(
        str(UUID(int=number)),
        Pair(_KIND, _SOURCE, f"earlier-{pair // 40}", f"f{pair}"),
        _VERDICTS[number % 7 % len(_VERDICTS)],
        _ANNOTATORS[number % len(_ANNOTATORS)],
        _BEGIN + timedelta(seconds=number),
        Provenance(UNCERTAIN, "simulated", 1, 0.5),
        seconds=5.0,
    )


@contextmanager
def _judged(size: int, folder: Path) -> Iterator[LabelWork]:
    with LabelStore.open(folder / "labels.db") as store:
        work = LabelWork(store, size, folder)
        yield work
        work.close()
