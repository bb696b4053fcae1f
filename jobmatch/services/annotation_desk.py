"""Annotation desk of one annotator: the current pair, the leased and loaded next pairs, and the verdicts."""

import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from uuid import uuid4

from db.history import JudgmentFilter
from db.label_store import LabelStore
from jobmatch.services.background_call import Background
from jobmatch_core.entities import Freelancer, Judgment, Pair, PairKind, Project, Verdict
from jobmatch_core.judgment_tallies import TimedVerdict
from jobmatch_core.labelling.own_candidates import Proposal, proposals
from jobmatch_core.labelling.pair_pool import PairPool
from jobmatch_core.labelling.queues import QueueSettings
from jobmatch_core.labelling.workload import SITTING_GAP, OwnVerdicts
from jobmatch_core.retrieval.match_reasons import SharedWords
from jobmatch_core.retrieval.matches import SkillMatch

SHORTEST_LOOK = 0.4  # seconds; an earlier verdict was meant for the previous pair
LEASE_SECONDS = 15 * 60  # then others may lease the pairs; a verdict on the current one still counts
_AHEAD = 8  # pairs leased at a time
Propose = Callable[[Sequence[Pair]], list[Proposal]]  # excluded pairs -> proposals
Read = Callable[[Pair], "Sides | None"]
_REFILL_AT = 4  # leased pairs; with fewer, more are leased


def next_pairs(
    store: LabelStore,
    pool: PairPool,
    source: str,
    annotator: str,
    settings: QueueSettings,
    limit: int,
    *,
    category: str = "",
    languages: Collection[str] = (),
    without: Collection[Pair] = (),
) -> list[Proposal]:
    """Return the next pairs of a marketplace for an annotator, best first: of the pool, or for a second opinion.

    *category* is that of the projects, '' for all; *languages* are those that the annotator reads, empty for all.

    Raises JobMatchError if the store cannot be used, or the policy is unknown or lacks its second model.
    """
    judged = store.judged_pairs(annotator, pool.pairs)
    if settings.most_others:
        waiting = store.second_opinions(annotator, PairKind.PROJECT_FREELANCER, source, settings.most_others)
        judged += [tally for tally in waiting if tally.pair not in pool.row_of]
    return proposals(pool, judged, annotator, settings, limit, category=category, languages=languages, without=without)


@dataclass(frozen=True, slots=True)
class Sides:
    """The displayed records of a pair, and the words that both sides share."""

    project: Project
    freelancer: Freelancer
    skills: tuple[SkillMatch, ...]
    project_words: SharedWords
    freelancer_words: SharedWords


@dataclass(slots=True)
class PairTask:
    """A pair to judge."""

    proposal: Proposal  # the pair and the reason for showing it
    sides: Sides  # displayed records
    leased: float  # time of the last attempt to lease it, in seconds of the monotonic clock
    number: int = 0  # differs for each display of a pair; part of its widgets' keys
    before: Judgment | None = None  # the annotator's current judgment of it, if any
    reasons: tuple[str, ...] = ()  # reasons picked so far
    note: str = ""  # text typed so far
    shown: float = 0.0  # time when it was displayed, in seconds of the monotonic clock

    @property
    def just_shown(self) -> bool:
        """True if nobody can have read the pair yet; the browser draws it no earlier than `shown`."""
        return time.monotonic() - self.shown < SHORTEST_LOOK


@dataclass(frozen=True, slots=True)
class _Refill:
    tasks: list[PairTask]  # leased and read
    waiting: list[Proposal]  # not leased yet


@dataclass
class Desk:
    """The desk of one annotator in one tab, for one queue."""

    store: LabelStore  # store of the judgments
    annotator: str
    source: str  # name of the marketplace
    propose: Propose  # returns the pairs of the queue, best first; called again when the queue is empty
    read: Read  # returns the records of a pair; None for missing records, whose pair is skipped
    # true if the pairs were chosen by hand; they are shown even if others have judged or leased them
    chosen: bool = False
    judgments: int = 1  # number of annotators per pair
    task: PairTask | None = None  # the current pair; None if the queue is empty
    judged: int = 0  # number of verdicts at this desk, minus withdrawn ones
    # the annotator's current verdicts on pairs of the marketplace
    own: OwnVerdicts = field(default_factory=lambda: OwnVerdicts(()))
    _ready: deque[PairTask] = field(default_factory=deque)
    _waiting: list[Proposal] = field(default_factory=list)
    _refilling: Background[_Refill] | None = None
    _shown: int = 0

    @property
    def left(self) -> int:
        """Number of pairs in the queue, including the current one; others may lease some of them."""
        return len(self._waiting) + len(self._in_hand())

    def open(self) -> "Desk":
        """Read the annotator's judgments and display the first pair; raises as `advance`."""
        self.own = OwnVerdicts(self.store.timed_verdicts(self.annotator, PairKind.PROJECT_FREELANCER, self.source))
        self.advance()
        return self

    def close(self) -> None:
        """Release the leased pairs, also those that are being loaded; raises as `advance`."""
        try:
            self._collect(wait=True)
        finally:
            if not self.chosen:
                self.store.release(self.annotator, self._in_hand())

    def judge(self, number: int, verdict: Verdict) -> Judgment | None:
        """Store a verdict on the task with a number, display the next pair, and return the judgment that it replaces.

        A second click on the same task, or one on a pair that was just shown, has no effect.

        Raises JobMatchError if the verdict cannot be stored, or the next pair cannot be loaded.
        """
        task = self.task
        if task is None or task.number != number or task.just_shown:
            return None
        pair = task.proposal.pair
        before = self._judgment_of(pair)
        judgment = Judgment(
            str(uuid4()),
            pair,
            verdict,
            self.annotator,
            datetime.now(UTC),
            task.proposal.provenance,
            task.reasons,
            task.note.strip(),
            _seconds(task),
        )
        self.store.record(judgment)
        self._replace(before, judgment)
        self.judged += 1
        self.task = None
        self.advance()
        return before

    def undo(self) -> Judgment | None:
        """Withdraw and return the annotator's last verdict, if any, and display its pair again.

        Raises JobMatchError if the store or the marketplace cannot be used.
        """
        last = next(iter(self._judgments(limit=1)), None)
        if last is None:
            return None
        self.store.take_back(self.annotator, last.id)
        self._replace(last, self._judgment_of(last.pair))  # the earlier judgment counts again
        self.judged = max(self.judged - 1, 0)
        sides = self.read(last.pair)
        if sides is not None:
            if self.task is not None:
                self._ready.appendleft(self.task)
            proposal = Proposal(last.pair, last.provenance)
            self._show(PairTask(proposal, sides, time.monotonic(), reasons=last.reasons, note=last.note))
            self._lease([proposal], 1)  # shown even if somebody else has leased it
        return last

    def advance(self) -> None:
        """Display the next pair unless one is displayed; pairs judged in another tab are skipped.

        Raises JobMatchError if the store cannot be used, or the pairs cannot be queued or read.
        """
        self._collect()
        self._drop_lost()
        if self.task is None and not self._ready:
            self._refill()
            self._collect(wait=True)
        if self.task is None and self._ready:
            self._show(self._ready.popleft())
        if len(self._ready) < _REFILL_AT and self.task is not None:
            self._refill()

    def _replace(self, before: Judgment | None, now: Judgment | None) -> None:
        if before is not None:
            self.own.remove(_timed(before))
        if now is not None:
            self.own.add(_timed(now))

    def _show(self, task: PairTask) -> None:
        self._shown += 1
        task.number, task.shown = self._shown, time.monotonic()
        task.before = self._judgment_of(task.proposal.pair) if self.chosen else None
        self.task = task

    def _refill(self) -> None:
        # the thread does not change the desk
        if self._refilling is None:
            in_hand, waiting = self._in_hand(), self._waiting
            self._refilling = Background(
                # at the end of the queue it is ordered again
                lambda _progress: self._leased(waiting) or self._leased(self.propose(in_hand)) or _Refill([], [])
            )

    def _collect(self, *, wait: bool = False) -> None:
        if self._refilling is not None and self._refilling.wait(LEASE_SECONDS if wait else 0):
            refilling, self._refilling = self._refilling, None
            refill = refilling.result()
            in_hand = set(self._in_hand())  # pairs withdrawn meanwhile may have been proposed again
            self._ready += (task for task in refill.tasks if task.proposal.pair not in in_hand)
            self._waiting = refill.waiting

    def _drop_lost(self) -> None:
        # pairs judged in another tab, or taken by others after a lease ran out
        if self.chosen or not self._ready:
            return
        self._renew(time.monotonic())
        done = {judgment.pair for judgment in self._judgments(pairs=tuple(task.proposal.pair for task in self._ready))}
        self._ready = deque(task for task in self._ready if task.proposal.pair not in done)

    def _renew(self, now: float) -> None:
        """Renew leases that ran out, and drop pairs that others have leased."""
        late = [task.proposal for task in self._ready if now - task.leased >= LEASE_SECONDS]
        if not late:
            return
        held = self._lease(late, len(late))
        self._ready = deque(task for task in self._ready if task.proposal in held or task.proposal not in late)
        for task in self._ready:
            if task.proposal in held:
                task.leased = now

    def _leased(self, waiting: list[Proposal]) -> _Refill | None:
        now = time.monotonic()  # before the store leases them, so that a lease never seems to run out too late
        while leased := self._lease(waiting, _AHEAD):
            waiting = waiting[waiting.index(leased[-1]) + 1 :]
            tasks = [
                PairTask(proposal, sides, now) for proposal in leased if (sides := self.read(proposal.pair)) is not None
            ]
            if tasks:
                return _Refill(tasks, waiting)
        return None

    def _lease(self, candidates: Sequence[Proposal], count: int) -> list[Proposal]:
        if self.chosen:
            return list(candidates[:count])
        leased: list[Proposal] = []
        for blind, run in groupby(candidates, key=lambda proposal: proposal.blind):
            by_pair = {proposal.pair: proposal for proposal in run}
            pairs = self.store.lease(
                by_pair,
                self.annotator,
                for_seconds=LEASE_SECONDS,
                count=count - len(leased),
                annotators_per_pair=max(self.judgments, 2 if blind else 1),
            )
            leased += [by_pair[pair] for pair in pairs]
            if len(leased) >= count:
                break
        return leased

    def _in_hand(self) -> list[Pair]:
        tasks = [*([self.task] if self.task else []), *self._ready]
        return [task.proposal.pair for task in tasks]

    def _judgment_of(self, pair: Pair) -> Judgment | None:
        return next(iter(self._judgments(pairs=(pair,))), None)

    def _judgments(self, *, pairs: tuple[Pair, ...] | None = None, limit: int | None = None) -> list[Judgment]:
        kind = PairKind.PROJECT_FREELANCER
        selection = JudgmentFilter(kind, self.source, self.annotator, pairs=pairs, adjudicates=False)
        return self.store.current(selection, limit=limit)


def _timed(judgment: Judgment) -> TimedVerdict:
    assert judgment.verdict is not None  # noqa: S101  # current judgments have one
    return TimedVerdict(judgment.verdict, judgment.at, judgment.seconds)


def _seconds(task: PairTask) -> float | None:
    """Return how long a pair was looked at; None if the annotator was probably away."""
    seconds = time.monotonic() - task.shown
    return seconds if seconds <= SITTING_GAP.total_seconds() else None
