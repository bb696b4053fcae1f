"""The simulated loop over policies and seeds, stored round by round, so that it can be resumed."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from jobmatch_core.benchmarks.retrieval.run_store import RunStore
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.labelling.queues import POLICIES, SECOND_OPINION
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from lab.experiments.closed_loop import ClosedLoop, LoopRound, LoopSetting

TASK = "labelling"
FORMAT = 2  # raised when the layout changes; older curves are then to be simulated again
LOOP_POLICIES = tuple(policy for policy in POLICIES if policy != SECOND_OPINION)  # which asks for a second annotator
FIGURES = ("ndcg_at_10", "coverage_at_10", "auc")


@dataclass(frozen=True, slots=True)
class Curve:
    """A policy's rounds on one seed."""

    policy: str
    seed: int
    rounds: tuple[LoopRound, ...]

    def repeats(self, other: "Curve") -> bool:
        """Return whether both have the same policy and seed, so that the longer replaces the shorter."""
        return (self.policy, self.seed) == (other.policy, other.seed)


@dataclass(frozen=True, slots=True)
class MeanPoint:
    """A policy after so many judgments: means over the seeds, and of what it is better by than random."""

    policy: str
    judgments: int  # so far
    seeds: int
    positive: float  # mean share of positives among the judgments
    # ndcg_at_10, coverage_at_10, auc: means
    ndcg_at_10: float
    coverage_at_10: float
    auc: float
    over_random: float | None  # mean difference of NDCG from random on the same seeds; None without it


def loop_runs(settings: Settings | None = None) -> RunStore[Curve]:
    """Return the curves of each setting stored under `JOBMATCH_HOME`."""
    return RunStore((settings or Settings.from_environment()).evaluations / TASK, Curve, FORMAT)


def dataset_of(setting: LoopSetting) -> str:
    """Return the name under which the curves of a setting are stored."""
    digest = hashlib.sha256(json.dumps(asdict(setting), sort_keys=True).encode("ascii")).hexdigest()
    return f"{'with' if setting.history else 'without'}-history-{digest[:8]}"


def run_loop(
    setting: LoopSetting,
    policies: Sequence[str],
    seeds: int,
    rounds: int,
    store: RunStore[Curve],
    *,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> list[Curve]:
    """Simulate what is not there yet.

    Args:
        policies: keys of `LOOP_POLICIES`.
        store: store of completed rounds, result of `loop_runs`.

    Returns:
        A curve a policy and seed, cut off where more rounds are there than were asked for.
    """
    taxonomy = TaxonomyStore.open(settings).load(BUNDLED_ID)
    dataset = dataset_of(setting)
    stored = {(run.policy, run.seed): run for run in store.runs(dataset)}
    curves, done = [], 0
    total = len(policies) * seeds * (rounds + 1)
    for seed in range(1, seeds + 1):
        loop: ClosedLoop | None = None  # made when it is needed: what is there already takes no time
        for policy in policies:
            curve = stored.get((policy, seed), Curve(policy, seed, ()))
            done += min(len(curve.rounds), rounds + 1)
            progress(done, total)
            if len(curve.rounds) <= rounds:
                loop = loop or ClosedLoop(taxonomy, setting, seed)
                for fresh in loop.rounds(policy, rounds, curve.rounds):
                    curve = Curve(policy, seed, (*curve.rounds, fresh))
                    store.add(dataset, curve)
                    done += 1
                    progress(done, total)
            curves.append(Curve(policy, seed, curve.rounds[: rounds + 1]))
    return curves


def mean_points(curves: Sequence[Curve]) -> list[MeanPoint]:
    """Return each policy's means over the seeds, round by round."""
    random = {curve.seed: curve.rounds for curve in curves if curve.policy == "random"}
    points = []
    for policy in dict.fromkeys(curve.policy for curve in curves):
        own = [curve for curve in curves if curve.policy == policy]
        for number in range(min(len(curve.rounds) for curve in own)):
            rounds = [curve.rounds[number] for curve in own]
            against = [
                curve.rounds[number].ndcg_at_10 - random[curve.seed][number].ndcg_at_10
                for curve in own
                if len(random.get(curve.seed, ())) > number
            ]
            points.append(
                MeanPoint(
                    policy=policy,
                    judgments=round(float(np.mean([point.judgments for point in rounds]))),
                    seeds=len(own),
                    positive=float(np.mean([point.positive / max(point.judgments, 1) for point in rounds])),
                    ndcg_at_10=float(np.mean([point.ndcg_at_10 for point in rounds])),
                    coverage_at_10=float(np.mean([point.coverage_at_10 for point in rounds])),
                    auc=float(np.mean([point.auc for point in rounds])),
                    over_random=float(np.mean(against)) if against else None,
                )
            )
    return points
