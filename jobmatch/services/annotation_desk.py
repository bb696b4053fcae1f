"""One annotator's desk: the pair before them, those that wait leased and read, and what is done with a verdict.

The next pair is there before it is asked for: while one is looked at, a thread leases those behind it and reads their
records. A verdict then costs one write, and one look whether another tab was quicker. Draws nothing.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from uuid import uuid4

from db.filters import JudgmentFilter
from db.label_store import LabelStore
from jobmatch.services.background_call import Background
from jobmatch_core.entities import Freelancer, Judgment, Pair, PairKind, Project, Verdict
from jobmatch_core.labelling.annotator_progress import SITTING_GAP
from jobmatch_core.labelling.own_candidates import Proposal
from jobmatch_core.retrieval.matches import SkillMatch
from jobmatch_core.retrieval.shared_words import SharedWords

SHORTEST_LOOK = 0.4  # seconds; a verdict that comes sooner was meant for the pair before
LEASE_SECONDS = 15 * 60  # who is away for longer gets other pairs; a verdict on the one before them counts still
_AHEAD = 8  # pairs that are leased at a time
_REFILL_AT = 4  # of them left, more are leased

Propose = Callable[[Sequence[Pair]], list[Proposal]]  # all but those pairs
Read = Callable[[Pair], "Sides | None"]


@dataclass(frozen=True, slots=True)
class Sides:
    """What people see of a pair, and what of either side's texts the other side speaks of, too."""

    project: Project
    freelancer: Freelancer
    skills: tuple[SkillMatch, ...]
    project_words: SharedWords
    freelancer_words: SharedWords


@dataclass(slots=True)
class Task:
    """A pair to judge.

    Attributes:
        proposal: the pair, and why it is seen.
        sides: what is seen of it.
        leased: when it was last tried to lease it, in seconds of the monotonic clock.
        number: another one whenever a pair comes before the annotator, for the keys of its widgets.
        before: the annotator's judgment of it that counts, where there is one.
        reasons, note: what was picked and written so far.
        shown: when it came before the annotator, in seconds of the monotonic clock.
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
        """Whether nobody can have read it yet. The browser draws it later than it is shown here, never sooner."""
        return time.monotonic() - self.shown < SHORTEST_LOOK


@dataclass(frozen=True, slots=True)
class _Refill:
    """Pairs that are leased and read, and those behind them."""

    tasks: list[Task]
    waiting: list[Proposal]


@dataclass
class Desk:
    """Of one annotator in one tab, for one queue.

    Attributes:
        store: where judgments are kept.
        annotator: who judges.
        source: the marketplace.
        propose: gives the pairs of the queue, best first; asked again when they have been gone through.
        read: gives what is seen of a pair; None where its records are gone, then it is passed over.
        chosen: whether the pairs were chosen by hand: then they are shown to whoever chose them, whoever has judged
            them or has them before them.
        task: before the annotator; None where the queue is empty.
        judged: how many verdicts were given at this desk, less those taken back.
        own: the annotator's current judgments of the marketplace, oldest first.
    """

    store: LabelStore
    annotator: str
    source: str
    propose: Propose
    read: Read
    chosen: bool = False
    task: Task | None = None
    judged: int = 0
    own: list[Judgment] = field(default_factory=list)
    _ready: deque[Task] = field(default_factory=deque)
    _waiting: list[Proposal] = field(default_factory=list)
    _refilling: "Background[_Refill] | None" = None
    _shown: int = 0

    @property
    def left(self) -> int:
        """How many pairs the queue has, the one at hand included; others may take some of them."""
        return len(self._waiting) + len(self._in_hand())

    def open(self) -> "Desk":
        """Read what the annotator has judged, and put the first pair before them.

        Raises:
            JobMatchError: the store cannot be used, or the pairs cannot be queued or read.
        """
        self.own = self._judgments()[::-1]
        self.advance()
        return self

    def close(self) -> None:
        """Give back the pairs that are leased.

        Raises:
            LabelStoreError: the store cannot be used.
        """
        if not self.chosen:
            self.store.release(self.annotator, self._in_hand())

    def judge(self, number: int, verdict: Verdict) -> Judgment | None:
        """Keep a verdict on the task of a number and go on to the next.

        A second click on the same does nothing, and neither does one on a pair that was just shown.

        Returns:
            What the annotator had said of the pair before, in another tab say; the newer verdict counts.

        Raises:
            JobMatchError: it cannot be kept, then the pair stays at hand; or the next one cannot be had.
        """
        task = self.task
        if task is None or task.number != number or task.just_shown:
            return None
        pair = task.proposal.pair
        before = next(iter(self._judgments(pairs=(pair,))), None)
        judgment = Judgment(
            str(uuid4()), pair, verdict, self.annotator, datetime.now(UTC), task.proposal.provenance,
            task.reasons, task.note.strip(), _seconds(task),
        )  # fmt: skip
        self.store.record(judgment)
        self.own = [*(each for each in self.own if each.pair != pair), judgment]
        self.judged += 1
        self.task = None
        self.advance()
        return before

    def undo(self) -> Judgment | None:
        """Take back the annotator's last verdict here, and put its pair before them again.

        Returns:
            What was taken back; None where there is nothing.

        Raises:
            JobMatchError: the store or the marketplace cannot be used.
        """
        last = next(iter(self._judgments(limit=1)), None)
        if last is None:
            return None
        self.store.take_back(self.annotator, last.id)
        before = self._judgments(pairs=(last.pair,))  # what they had said before that, if anything
        self.own = [*(each for each in self.own if each.pair != last.pair), *before]
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
        """Put the next pair before the annotator, unless there is one; none that they judged in another tab meanwhile.

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
                of_pair, self.annotator, for_seconds=LEASE_SECONDS, count=count - len(leased),
                annotators_per_pair=2 if blind else 1,
            )  # fmt: skip
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


def _seconds(task: Task) -> float | None:
    """Return how long a pair was looked at; None where the annotator seems to have been away meanwhile."""
    seconds = time.monotonic() - task.shown
    return seconds if seconds <= SITTING_GAP.total_seconds() else None
