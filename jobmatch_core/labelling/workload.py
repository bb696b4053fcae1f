"""Workload: how much each annotator has judged, and at what pace; for those who share the work out."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

from jobmatch_core.entities import Judgment, Verdict
from jobmatch_core.labelling.annotator_progress import SITTING_GAP
from jobmatch_core.labelling.current import current_judgments

_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Workload:
    """An annotator's share of the work; withdrawn judgments and adjudications do not count.

    Attributes:
        annotator: name of the annotator.
        verdicts: number of verdicts but skips.
        skipped: number of skipped pairs.
        week: number of verdicts but skips of the last seven days.
        seconds: median time of a verdict; None where none was measured.
        per_hour: verdicts per hour of sitting, pauses of more than `SITTING_GAP` left out; None without two in a row.
        last: time of the last judgment.
    """

    annotator: str
    verdicts: int
    skipped: int
    week: int
    seconds: float | None
    per_hour: float | None
    last: datetime


def workloads(judgments: Iterable[Judgment], now: datetime) -> list[Workload]:
    """Return the workload of each annotator, the highest first.

    Args:
        judgments: the whole history, or the current judgments, in the order of recording.
        now: the present time.
    """
    own: dict[str, list[Judgment]] = defaultdict(list)
    for judgment in current_judgments(judgments):
        if not judgment.adjudicates:
            own[judgment.annotator].append(judgment)
    found = [_workload(annotator, given, now) for annotator, given in own.items()]
    return sorted(found, key=lambda each: (-each.verdicts, each.annotator))


def _workload(annotator: str, given: Sequence[Judgment], now: datetime) -> Workload:
    counted = [each for each in given if each.verdict is not Verdict.SKIP]
    measured = [each.seconds for each in counted if each.seconds is not None]
    return Workload(
        annotator,
        verdicts=len(counted),
        skipped=len(given) - len(counted),
        week=sum(now - each.at <= _WEEK for each in counted),
        seconds=median(measured) if measured else None,
        per_hour=_per_hour(sorted(each.at for each in counted)),
        last=max(each.at for each in given),
    )


def _per_hour(moments: Sequence[datetime]) -> float | None:
    steps = [later - earlier for earlier, later in pairwise(moments) if later - earlier <= SITTING_GAP]
    sat = sum(steps, timedelta())
    return len(steps) / (sat / timedelta(hours=1)) if sat else None
