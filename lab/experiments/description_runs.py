"""Stored runs of the experiment with descriptions, `TITLES.json`, one record per recipe and seed; and their table.

Tables 1, 2, 5, 8 and 9 of Laosaengpha et al. (2024): means over the runs of each recipe, tested against JDAN's.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.stats import ttest_ind

from jobmatch_core.benchmarks.retrieval.run_store import RunStore
from jobmatch_core.descriptions.jdan_recipe import Gradients
from jobmatch_core.settings import Settings

TASK = "descriptions"
RankedBy = Literal["name", "name and description"]
FORMAT = 1  # raised when the layout changes; older runs are then to be measured again
UNTRAINED = "untrained"  # in place of a variant: the backbone as it was
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
class DescriptionRun:
    """One recipe, trained with one seed, and its titles measured on job normalization."""

    recipe: str
    variant: str  # a key of `descriptions.aggregators.VARIANTS`, or `UNTRAINED`
    backbone: str  # the name of the encoder that it began with; of a model that was there already, of its encoder
    seed: int  # seed of its training; 0 if nothing was trained
    setting: str  # a digest of all else that determines it: the recipe, the postings, the titles, the release
    postings: int  # number of training postings; 0 if it was not trained here
    # titles, occupations: numbers of vacancy titles, and of occupations to rank
    titles: int
    occupations: int
    # recall_at_5, recall_at_10, mrr: figures of the right occupation
    recall_at_5: float
    recall_at_10: float
    mrr: float
    train_s: float  # seconds of all epochs
    versions: dict[str, str]  # versions of jobmatch and its numerical packages
    ranked_by: RankedBy = "name"  # text of an occupation: its preferred name, or also its description and skills
    gradients: Gradients = "all"  # texts with gradients in a trained backbone
    name_weight: float = 0.0  # weight of the names of occupations in its training

    def repeats(self, other: "DescriptionRun") -> bool:
        """Return whether both have the same recipe, seed and setting, so that the later replaces the earlier."""
        return all(getattr(self, key) == getattr(other, key) for key in ("recipe", "seed", "setting"))


def description_runs(settings: Settings | None = None) -> RunStore[DescriptionRun]:
    """Return the runs of each file of titles stored under `JOBMATCH_HOME`."""
    return RunStore((settings or Settings.from_environment()).evaluations / TASK, DescriptionRun, FORMAT)


@dataclass(frozen=True, slots=True)
class DescriptionRow:
    """A recipe's figures over its seeds."""

    # recipe, variant, backbone, ranked_by: settings of the runs
    recipe: str
    variant: str
    backbone: str
    ranked_by: RankedBy
    tables: str  # tables of the paper with the variant, ranked by names; else ''
    seeds: int  # number of runs
    mean: dict[str, float]  # by the name of the figure
    deviation: dict[str, float] | None  # over the runs (n - 1); None where there is only one
    # of the two-sided two-sample t-test that JDAN over the same backbone, with the same gradients, weight of names and
    # ranking, has the same mean; None where either has fewer than two runs, and for JDAN itself
    p_value: dict[str, float] | None
    train_s: float  # mean seconds of training


def description_rows(runs: Sequence[DescriptionRun]) -> list[DescriptionRow]:
    """Return a row a recipe, in the order of their first runs."""
    by_recipe: dict[tuple[Hashable, ...], list[DescriptionRun]] = {}
    for run in runs:
        by_recipe.setdefault((run.recipe, *_compared(run)), []).append(run)
    ours = {_compared(runs[0]): runs for runs in reversed(by_recipe.values()) if runs[0].variant == JDAN}
    return [_row(runs, ours.get(_compared(runs[0]), [])) for runs in by_recipe.values()]


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
        mean={name: float(np.mean(column)) for name, column in values.items()},
        deviation={name: float(np.std(column, ddof=1)) for name, column in values.items()} if len(runs) > 1 else None,
        p_value={name: float(ttest_ind([getattr(run, name) for run in ours], values[name]).pvalue) for name in FIGURES}
        if comparable
        else None,
        train_s=float(np.mean([run.train_s for run in runs])),
    )
