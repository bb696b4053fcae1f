"""The simulated loop over policies and seeds, kept round by round, so that it can be stopped and goes on."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import DataFileError
from jobmatch_core.evaluation.closed_loop import ClosedLoop, LoopRound, LoopSetting
from jobmatch_core.labelling.queues import POLICIES, SECOND_OPINION
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.training.records import record_of

FORMAT = 1
LOOP_POLICIES = tuple(policy for policy in POLICIES if policy != SECOND_OPINION)  # which asks for a second annotator
FIGURES = ("ndcg_at_10", "coverage_at_10", "auc")


@dataclass(frozen=True, slots=True)
class Curve:
    """A policy's rounds on one seed."""

    policy: str
    seed: int
    rounds: tuple[LoopRound, ...]


@dataclass(frozen=True, slots=True)
class MeanPoint:
    """A policy after so many judgments: means over the seeds, and of what it is better by than random.

    Attributes:
        policy: its name.
        judgments: so far.
        seeds: how many.
        positive: mean share of positives among the judgments.
        ndcg_at_10, coverage_at_10, auc: means.
        over_random: mean difference of NDCG from random on the same seeds; None without it.
    """

    policy: str
    judgments: int
    seeds: int
    positive: float
    ndcg_at_10: float
    coverage_at_10: float
    auc: float
    over_random: float | None


class LoopStore:
    """The curves of one setting: a JSON file under `JOBMATCH_HOME/evaluations/labelling`."""

    def __init__(self, path: Path, setting: LoopSetting) -> None:
        """Take the file, which need not be there yet, and what must have been simulated for its curves to count."""
        self.path = path
        self._setting = json.loads(json.dumps(asdict(setting)))

    @classmethod
    def open(cls, setting: LoopSetting, settings: Settings | None = None) -> "LoopStore":
        """Take the file under a home."""
        folder = (settings or Settings.from_environment()).evaluations / "labelling"
        return cls(folder / "closed-loop.json", setting)

    def curves(self) -> list[Curve]:
        """Return what is kept of this setting; nothing of another.

        Raises:
            DataFileError: the file is damaged.
        """
        if not self.path.exists():
            return []
        try:
            content = json.loads(self.path.read_text("utf-8"))
            if (content["format"], content["setting"]) != (FORMAT, self._setting):
                return []
            return [record_of(Curve, each, self.path.name) for each in content["curves"]]
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise DataFileError(self.path, f"the curves cannot be read ({error}); delete the file") from error

    def keep(self, curve: Curve) -> None:
        """Keep a curve in place of a shorter one of the same policy and seed; a crash leaves the older file whole."""
        others = [each for each in self.curves() if (each.policy, each.seed) != (curve.policy, curve.seed)]
        content = {
            "format": FORMAT,
            "setting": self._setting,
            "curves": [asdict(each) for each in (*others, curve)],
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.path.with_suffix(".part")
        temporary.write_text(json.dumps(content), "utf-8")
        temporary.replace(self.path)


def run_loop(
    setting: LoopSetting,
    policies: Sequence[str],
    seeds: int,
    rounds: int,
    store: LoopStore,
    *,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> list[Curve]:
    """Simulate what is not there yet.

    Args:
        setting: what is simulated.
        policies: of `LOOP_POLICIES`.
        seeds: how many, from 1.
        rounds: of judging.
        store: where rounds are kept as soon as they are there.
        settings: where the bundled taxonomy is; from the environment where not given.
        progress: called with rounds done and in all, those before a judgment among them.

    Returns:
        A curve a policy and seed, cut off where more rounds are there than were asked for.
    """
    taxonomy = TaxonomyStore.open(settings).load(BUNDLED_ID)
    kept = {(each.policy, each.seed): each for each in store.curves()}
    found, done = [], 0
    total = len(policies) * seeds * (rounds + 1)
    for seed in range(1, seeds + 1):
        loop: ClosedLoop | None = None  # made when it is needed: what is there already takes no time
        for policy in policies:
            curve = kept.get((policy, seed), Curve(policy, seed, ()))
            done += min(len(curve.rounds), rounds + 1)
            progress(done, total)
            if len(curve.rounds) <= rounds:
                loop = loop or ClosedLoop(taxonomy, setting, seed)
                for fresh in loop.rounds(policy, rounds, curve.rounds):
                    curve = Curve(policy, seed, (*curve.rounds, fresh))
                    store.keep(curve)
                    done += 1
                    progress(done, total)
            found.append(Curve(policy, seed, curve.rounds[: rounds + 1]))
    return found


def mean_points(curves: Sequence[Curve]) -> list[MeanPoint]:
    """Return each policy's means over the seeds, round by round."""
    random = {each.seed: each.rounds for each in curves if each.policy == "random"}
    points = []
    for policy in dict.fromkeys(each.policy for each in curves):
        own = [each for each in curves if each.policy == policy]
        for number in range(min(len(each.rounds) for each in own)):
            rounds = [each.rounds[number] for each in own]
            against = [
                each.rounds[number].ndcg_at_10 - random[each.seed][number].ndcg_at_10
                for each in own
                if len(random.get(each.seed, ())) > number
            ]
            points.append(
                MeanPoint(
                    policy=policy,
                    judgments=round(float(np.mean([each.judgments for each in rounds]))),
                    seeds=len(own),
                    positive=float(np.mean([each.positive / max(each.judgments, 1) for each in rounds])),
                    ndcg_at_10=float(np.mean([each.ndcg_at_10 for each in rounds])),
                    coverage_at_10=float(np.mean([each.coverage_at_10 for each in rounds])),
                    auc=float(np.mean([each.auc for each in rounds])),
                    over_random=float(np.mean(against)) if against else None,
                )
            )
    return points
