"""Simulated annotators: several processes that judge one pool at their desks, to measure how the work is shared.

They draw pairs as the page 'Label pairs' does, and give every pair the same verdict at once.
"""

import multiprocessing
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from db.label_store import LabelStore
from jobmatch.services.annotation_desk import Desk, Sides, next_pairs
from jobmatch_core.entities import Freelancer, Pair, PairKind, Project, Verdict
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.own_candidates import Proposal
from jobmatch_core.labelling.pair_pool import PairPool
from jobmatch_core.labelling.queues import UNCERTAIN, QueueSettings
from jobmatch_core.quotas import Quotas
from jobmatch_core.retrieval.match_reasons import SharedWords

_SOURCE = "simulated"
_PAIRS_PER_PROJECT = 40
_LONGEST_QUEUE = 20_000
_PATIENCE = 3.0  # seconds that an annotator waits for pairs that others hold
_PAUSE = 0.05
_TOLERANCE = 0.05  # of a share

_PROJECT = Project("p0", "en", "", "", "", "", "", "", "", (), ())
_FREELANCER = Freelancer("f0", "en", "", "", "", "", "", "", "", ())
ANY_SIDES = Sides(_PROJECT, _FREELANCER, (), *SharedWords.of(_PROJECT, _FREELANCER))


@dataclass(frozen=True, slots=True)
class SharedWork:
    """Division of a pool's pairs among several annotators."""

    annotators: int  # number of annotators, each in a process of their own
    pairs: int  # number of pairs in the pool
    judgments: int  # number of people who were to judge each pair
    draws: int  # number of pairs drawn and judged, by all
    # draw_p50_ms, draw_p95_ms: time from a verdict to the next pair, median and 95th percentile
    draw_p50_ms: float
    draw_p95_ms: float
    drawn_twice: int  # pairs that one annotator drew twice, or that more annotators drew than were to judge them
    overlap_off: int  # pairs whose number of judgments is more than 1 away from *judgments*
    share_off: int  # annotators whose share of the judgments deviates from the target by more than 5 % of it
    shares: Mapping[str, float]  # share of the judgments by annotator


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The pairs that an annotator drew, by the numbers of their freelancers, and the seconds that each draw took."""

    annotator: str
    pairs: list[str]
    seconds: list[float]


def simulate_annotators(
    where: Path | str, quotas: Quotas, n_pairs: int, executor: Executor | None = None, *, own_share: bool = True
) -> SharedWork:
    """Let every annotator with a share judge until nothing is left for them; return what came of it.

    Args:
        where: an empty label store, see `LabelStore.open`.
        quotas: the judgments per pair, and the shares of all annotators.
        executor: runs an annotator at a time in each of its workers; processes where not given.
        own_share: true if all judge from 'my queue', false if anyone takes the next pair.

    Raises:
        LabellingError: the store holds judgments.
        LabelStoreError: the store cannot be used.
    """
    with LabelStore.open(where) as store:
        if store.count():
            raise LabellingError("The simulation needs an empty label store, because its judgments are never removed.")
    names = [name for name, _ in quotas.shares]
    forks = multiprocessing.get_context("forkserver")  # a child that is forked here would share open connections
    forks.set_forkserver_preload([__name__])
    settings = QueueSettings(UNCERTAIN, quotas=quotas, own_share=own_share)
    with executor or ProcessPoolExecutor(len(names), mp_context=forks) as pool:
        futures = [pool.submit(_annotate, where, name, settings, n_pairs) for name in names]
        drawn = [future.result() for future in futures]
    return _shared_work(drawn, quotas, n_pairs)


def _annotate(where: Path | str, annotator: str, settings: QueueSettings, n_pairs: int) -> _Drawn:
    """Judge until no pair is left and no other annotator has judged for a while."""
    pool, drawn = simulated_pool(n_pairs), _Drawn(annotator, [], [])
    with LabelStore.open(where) as store:

        def propose(without: Sequence[Pair]) -> list[Proposal]:
            return next_pairs(store, pool, _SOURCE, annotator, settings, _LONGEST_QUEUE, without=without)

        judgments = settings.quotas.judgments
        desk = Desk(store, annotator, _SOURCE, propose, lambda pair: ANY_SIDES, judgments=judgments).open()
        total, deadline = 0, time.monotonic() + _PATIENCE
        while True:
            _judge_all(desk, drawn)
            if (now := store.count()) > total:
                total, deadline = now, time.monotonic() + _PATIENCE
            elif time.monotonic() > deadline:
                break
            time.sleep(_PAUSE)
            desk.advance()
        desk.close()
    return drawn


def _judge_all(desk: Desk, drawn: _Drawn) -> None:
    while (task := desk.task) is not None:
        drawn.pairs.append(task.proposal.pair.right)
        task.shown -= 1.0  # the desk ignores verdicts on a pair that was just shown
        started = time.perf_counter()
        desk.judge(task.number, Verdict.POSITIVE)
        drawn.seconds.append(time.perf_counter() - started)


def simulated_pool(n_pairs: int) -> PairPool:
    """Return a pool of pairs with random scores, 40 to a project."""
    pairs = tuple(
        Pair(PairKind.PROJECT_FREELANCER, _SOURCE, f"p{number // _PAIRS_PER_PROJECT}", f"f{number}")
        for number in range(n_pairs)
    )
    blank = ("",) * n_pairs
    return PairPool(
        pairs,
        np.random.default_rng(0).random(n_pairs),
        (None,) * n_pairs,
        np.zeros(n_pairs, dtype=np.bool_),
        blank,
        blank,
        blank,
        blank,
        _SOURCE,
    )


def _shared_work(drawn: Sequence[_Drawn], quotas: Quotas, n_pairs: int) -> SharedWork:
    by_both = Counter((annotator.annotator, pair) for annotator in drawn for pair in annotator.pairs)
    by_pair = Counter({f"f{number}": 0 for number in range(n_pairs)})
    by_pair.update(pair for annotator in drawn for pair in annotator.pairs)
    twice = {pair for (_, pair), n in by_both.items() if n > 1}
    twice |= {pair for pair, n in by_pair.items() if n > quotas.judgments}
    draws = by_pair.total()
    shares = {annotator.annotator: len(annotator.pairs) / max(draws, 1) for annotator in drawn}
    times = np.array([1000 * took for annotator in drawn for took in annotator.seconds] or [0.0])
    return SharedWork(
        annotators=len(drawn),
        pairs=n_pairs,
        judgments=quotas.judgments,
        draws=draws,
        draw_p50_ms=float(np.percentile(times, 50)),
        draw_p95_ms=float(np.percentile(times, 95)),
        drawn_twice=len(twice),
        overlap_off=sum(abs(n - quotas.judgments) > 1 for n in by_pair.values()),
        share_off=sum(abs(shares[name] - target) > _TOLERANCE * target for name, target in quotas.shares),
        shares=shares,
    )
