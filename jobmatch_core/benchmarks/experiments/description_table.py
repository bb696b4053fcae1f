"""Tables 1, 2, 5, 8 and 9 of Laosaengpha et al. (2024): means over the runs of each recipe, tested against JDAN's."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import ttest_ind

from jobmatch_core.benchmarks.experiments.description_runs import DescriptionRun, RankedBy

FIGURES = ("recall_at_5", "recall_at_10", "mrr")
JDAN = "jdan"
TABLES = {
    "untrained": "1",
    JDAN: "1, 2, 5",
    "document": "5, 9",
    "sentence-mean": "5",
    "sentence-max": "5",
    "skill-concat": "1, 2, 8",
    "skill-mean": "8",
    "skill-max": "8",
    "jobbert": "1",
    "doc2vec-skill": "1",
}


@dataclass(frozen=True, slots=True)
class DescriptionRow:
    """A recipe's figures over its seeds.

    Attributes:
        recipe, variant, backbone, ranked_by: settings of the runs.
        tables: tables of the paper with the variant, ranked by names; else ''.
        seeds: number of runs.
        mean: by the name of the figure.
        deviation: over the runs (n - 1); None where there is only one.
        p_value: of the two-sided two-sample t-test that JDAN over the same backbone, with the same gradients,
            weight of names and ranking, has the same mean; None where either has fewer than two runs, and for JDAN
            itself.
        train_s: mean seconds of training.
    """

    recipe: str
    variant: str
    backbone: str
    ranked_by: RankedBy
    tables: str
    seeds: int
    mean: dict[str, float]
    deviation: dict[str, float] | None
    p_value: dict[str, float] | None
    train_s: float


def description_rows(runs: Sequence[DescriptionRun]) -> list[DescriptionRow]:
    """Return a row a recipe, in the order of their first runs."""
    by_recipe: dict[tuple[Hashable, ...], list[DescriptionRun]] = {}
    for run in runs:
        by_recipe.setdefault((run.recipe, *_compared(run)), []).append(run)
    ours = {_compared(found[0]): found for found in reversed(by_recipe.values()) if found[0].variant == JDAN}
    return [_row(found, ours.get(_compared(found[0]), [])) for found in by_recipe.values()]


def _compared(run: DescriptionRun) -> tuple[Hashable, ...]:
    """Return what runs that are compared have in common."""
    return run.backbone, run.ranked_by, run.gradients, run.name_weight


def _row(runs: Sequence[DescriptionRun], ours: Sequence[DescriptionRun]) -> DescriptionRow:
    values = {name: [float(getattr(run, name)) for run in runs] for name in FIGURES}
    first = runs[0]
    comparable = first.variant != JDAN and min(len(runs), len(ours)) > 1
    return DescriptionRow(
        recipe=first.recipe,
        variant=first.variant,
        backbone=first.backbone,
        ranked_by=first.ranked_by,
        tables=TABLES[first.variant] if first.ranked_by == "name" else "",
        seeds=len(runs),
        mean={name: float(np.mean(each)) for name, each in values.items()},
        deviation={name: float(np.std(each, ddof=1)) for name, each in values.items()} if len(runs) > 1 else None,
        p_value={name: float(ttest_ind([getattr(run, name) for run in ours], values[name]).pvalue) for name in FIGURES}
        if comparable
        else None,
        train_s=float(np.mean([run.train_s for run in runs])),
    )
