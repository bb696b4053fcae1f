"""Annotation desk of one annotator: the current pair, the leased and loaded next ones, and the handling of verdicts."""

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

SHORTEST_LOOK = 0.4  # seconds; an earlier verdict was meant for the pair before
LEASE_SECONDS = 15 * 60  # after a longer absence the pairs go to others; a verdict on the current one still counts
_AHEAD = 8  # pairs that are leased at a time
_REFILL_AT = 4  # of them left, more are leased


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
    """Return the next pairs for an annotator, best first.

    Only judgments of the pool's pairs are read, and of others that wait for a second opinion.

    Args:
        store: store of the judgments.
        pool: pool of pairs.
        source: marketplace that they are of.
        annotator: name of the annotator.
        settings: settings of the queue.
        limit: maximum number of pairs.
        category: category key of projects; all where empty.
        languages: two-letter codes of the annotator's languages; all where empty.
        without: pairs to leave out.

    Raises:
        JobMatchError: the store cannot be used, the policy is unknown, or needs a second model and there is none.
    """
    judged = store.judged_pairs(annotator, pool.pairs)
    if settings.most_others:
        waiting = store.second_opinions(annotator, PairKind.PROJECT_FREELANCER, source, settings.most_others)
        judged += [each for each in waiting if each.pair not in pool.row_of]
    return proposals(pool, judged, annotator, settings, limit, category=category, languages=languages, without=without)


Propose = Callable[[Sequence[Pair]], list[Proposal]]  # all but those pairs
Read = Callable[[Pair], "Sides | None"]


@dataclass(frozen=True, slots=True)
class Sides:
    """The displayed records of a pair, and the words that both sides share."""

    project: Project
    freelancer: Freelancer
    skills: tuple[SkillMatch, ...]
    project_words: SharedWords
    freelancer_words: SharedWords


@dataclass(slots=True)
class Task:
    """A pair to judge.

    Attributes:
        proposal: the pair, and the reason it is shown.
        sides: displayed records.
        leased: time of the last attempt to lease it, in seconds of the monotonic clock.
        number: number that changes whenever a pair is displayed, for the keys of its widgets.
        before: the annotator's current judgment of it, if any.
        reasons, note: reasons picked and text typed so far.
        shown: time when it was displayed, in seconds of the monotonic clock.
    """

    proposal: Proposal
    sides: Sides
    leased: float
    number: int = 0
    before: Judgment | None = None
    reasons: tuple[str, ...] = ()
    note: str = ""
    shown: float = 0.0

    @property
    def just_shown(self) -> bool:
        """True if nobody can have read it yet. The browser draws it later than this time, never sooner."""
        return time.monotonic() - self.shown < SHORTEST_LOOK


@dataclass(frozen=True, slots=True)
class _Refill:
    """Pairs that are leased and read, and those behind them."""

    tasks: list[Task]
    waiting: list[Proposal]


@dataclass
class Desk:
    """The desk of one annotator in one tab, for one queue.

    Attributes:
        store: store of the judgments.
        annotator: name of the annotator.
        source: name of the marketplace.
        propose: returns the pairs of the queue, best first; called again at the end of the queue.
        read: returns the records of a pair; None if they no longer exist, then the pair is skipped.
        chosen: true if the pairs were chosen by hand: then they are shown to this annotator, whoever has judged or
            leased them.
        judgments: number of people who are to judge each pair.
        task: the current pair; None if the queue is empty.
        judged: number of verdicts at this desk, minus withdrawn ones.
        own: the annotator's current verdicts on pairs of the marketplace.
    """

    store: LabelStore
    annotator: str
    source: str
    propose: Propose
    read: Read
    chosen: bool = False
    judgments: int = 1
    task: Task | None = None
    judged: int = 0
    own: OwnVerdicts = field(default_factory=lambda: OwnVerdicts(()))
    _ready: deque[Task] = field(default_factory=deque)
    _waiting: list[Proposal] = field(default_factory=list)
    _refilling: "Background[_Refill] | None" = None
    _shown: int = 0

    @property
    def left(self) -> int:
        """Number of pairs in the queue, including the current one; others may take some of them."""
        return len(self._waiting) + len(self._in_hand())

    def open(self) -> "Desk":
        """Read the annotator's judgments, and display the first pair.

        Raises:
            JobMatchError: the store cannot be used, or the pairs cannot be queued or read.
        """
        self.own = OwnVerdicts(self.store.timed_verdicts(self.annotator, PairKind.PROJECT_FREELANCER, self.source))
        self.advance()
        return self

    def close(self) -> None:
        """Give back the pairs that are leased, also those that are being loaded.

        Raises:
            JobMatchError: the store cannot be used, or the pairs cannot be queued or read.
        """
        try:
            self._collect(wait=True)
        finally:
            if not self.chosen:
                self.store.release(self.annotator, self._in_hand())

    def judge(self, number: int, verdict: Verdict) -> Judgment | None:
        """Store a verdict on the task of a number and go on to the next.

        A second click on the same does nothing, and neither does one on a pair that was just shown.

        Returns:
            The annotator's earlier judgment of the pair, for example in another tab; the newer verdict counts.

        Raises:
            JobMatchError: the verdict cannot be stored, then the pair stays; or the next one cannot be loaded.
        """
        task = self.task
        if task is None or task.number != number or task.just_shown:
            return None
        pair = task.proposal.pair
        before = next(iter(self._judgments(pairs=(pair,))), None)
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
        """Withdraw the annotator's last verdict here, and display its pair again.

        Returns:
            The withdrawn judgment; None if there is none.

        Raises:
            JobMatchError: the store or the marketplace cannot be used.
        """
        last = next(iter(self._judgments(limit=1)), None)
        if last is None:
            return None
        self.store.take_back(self.annotator, last.id)
        self._replace(last, next(iter(self._judgments(pairs=(last.pair,))), None))  # by their earlier judgment, if any
        self.judged = max(self.judged - 1, 0)
        sides = self.read(last.pair)
        if sides is not None:
            if self.task is not None:
                self._ready.appendleft(self.task)
            proposal = Proposal(last.pair, last.provenance)
            self._show(Task(proposal, sides, time.monotonic(), reasons=last.reasons, note=last.note))
            self._lease([proposal], 1)  # it is shown even where somebody else has it by now: it is the annotator's own
        return last

    def advance(self) -> None:
        """Display the next pair, unless one is displayed; pairs judged in another tab meanwhile are skipped.

        Raises:
            JobMatchError: the store cannot be used, or the pairs cannot be queued or read.
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

    def _show(self, task: Task) -> None:
        self._shown += 1
        task.number, task.shown = self._shown, time.monotonic()
        task.before = next(iter(self._judgments(pairs=(task.proposal.pair,))), None) if self.chosen else None
        self.task = task

    def _refill(self) -> None:
        """Begin to lease and read more, unless that is under way; the thread changes nothing of the desk's."""
        if self._refilling is None:
            in_hand, waiting = self._in_hand(), self._waiting
            self._refilling = Background(lambda progress: self._more(in_hand, waiting))

    def _collect(self, *, wait: bool = False) -> None:
        """Take what the thread has brought, if it is there or must be."""
        if self._refilling is not None and (self._refilling.wait(LEASE_SECONDS if wait else 0)):
            refilling, self._refilling = self._refilling, None
            refill = refilling.result()
            in_hand = set(self._in_hand())  # what was taken back meanwhile may have been proposed again
            self._ready += (task for task in refill.tasks if task.proposal.pair not in in_hand)
            self._waiting = refill.waiting

    def _drop_lost(self) -> None:
        """Let go of what the annotator judged elsewhere meanwhile, and of what others took after a lease ran out."""
        if self.chosen or not self._ready:
            return
        self._renew(time.monotonic())
        done = {each.pair for each in self._judgments(pairs=tuple(task.proposal.pair for task in self._ready))}
        self._ready = deque(task for task in self._ready if task.proposal.pair not in done)

    def _renew(self, now: float) -> None:
        """Lease again what waits and whose lease ran out, and let go of what others have by now."""
        late = [task.proposal for task in self._ready if now - task.leased >= LEASE_SECONDS]
        if not late:
            return
        held = self._lease(late, len(late))
        self._ready = deque(task for task in self._ready if task.proposal in held or task.proposal not in late)
        for task in self._ready:
            if task.proposal in held:
                task.leased = now

    def _more(self, in_hand: Sequence[Pair], waiting: list[Proposal]) -> _Refill:
        """Return more of the queue, which is ordered anew where it has been gone through."""
        return self._first_of(waiting) or self._first_of(self.propose(in_hand)) or _Refill([], [])

    def _first_of(self, waiting: list[Proposal]) -> _Refill | None:
        now = time.monotonic()  # before the store leases them: a lease may seem to run out too early, never too late
        while leased := self._lease(waiting, _AHEAD):
            waiting = waiting[waiting.index(leased[-1]) + 1 :]
            tasks = [Task(each, sides, now) for each in leased if (sides := self.read(each.pair)) is not None]
            if tasks:
                return _Refill(tasks, waiting)
        return None

    def _lease(self, wanted: Sequence[Proposal], count: int) -> list[Proposal]:
        """Return the first of some proposals that the annotator may have, in their order."""
        if self.chosen:
            return list(wanted[:count])
        leased: list[Proposal] = []
        for blind, run in groupby(wanted, key=lambda proposal: proposal.blind):
            of_pair = {proposal.pair: proposal for proposal in run}
            pairs = self.store.lease(
                of_pair,
                self.annotator,
                for_seconds=LEASE_SECONDS,
                count=count - len(leased),
                annotators_per_pair=max(self.judgments, 2 if blind else 1),
            )
            leased += [of_pair[pair] for pair in pairs]
            if len(leased) >= count:
                break
        return leased

    def _in_hand(self) -> list[Pair]:
        tasks = [*([self.task] if self.task else []), *self._ready]
        return [task.proposal.pair for task in tasks]

    def _judgments(self, *, pairs: tuple[Pair, ...] | None = None, limit: int | None = None) -> list[Judgment]:
        """Return the annotator's judgments of the marketplace that count, the last recorded first."""
        kind = PairKind.PROJECT_FREELANCER
        wanted = JudgmentFilter(kind, self.source, self.annotator, pairs=pairs, adjudicates=False)
        return self.store.current(wanted, limit=limit)


def _timed(judgment: Judgment) -> TimedVerdict:
    assert judgment.verdict is not None  # noqa: S101  # current judgments have one
    return TimedVerdict(judgment.verdict, judgment.at, judgment.seconds)


def _seconds(task: Task) -> float | None:
    """Return how long a pair was looked at; None where the annotator seems to have been away meanwhile."""
    seconds = time.monotonic() - task.shown
    return seconds if seconds <= SITTING_GAP.total_seconds() else None
