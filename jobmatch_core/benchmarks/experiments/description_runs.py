"""Stored runs of the experiment with descriptions: `TITLES.json`, one record per recipe and seed."""

from dataclasses import dataclass
from typing import Literal

from jobmatch_core.benchmarks.experiments.run_store import RunStore
from jobmatch_core.descriptions.jdan_recipe import Gradients
from jobmatch_core.settings import Settings

TASK = "descriptions"
RankedBy = Literal["name", "name and description"]
FORMAT = 1  # raised when the layout changes; older runs are then to be measured again
UNTRAINED = "untrained"  # in place of a variant: the backbone as it was


@dataclass(frozen=True, slots=True)
class DescriptionRun:
    """One recipe, trained with one seed, and its titles measured on job normalization.

    Attributes:
        recipe: its name.
        variant: a key of `descriptions.aggregators.VARIANTS`, or `UNTRAINED`.
        backbone: the name of the encoder that it began with; of a model that was there already, of its encoder.
        seed: seed of its training; 0 if nothing was trained.
        setting: a digest of all else that determines it: the recipe, the postings, the titles, the release.
        postings: number of training postings; 0 if it was not trained here.
        titles, occupations: numbers of vacancy titles, and of occupations to rank.
        recall_at_5, recall_at_10, mrr: figures of the right occupation.
        train_s: seconds of all epochs.
        versions: versions of jobmatch and its numerical packages.
        ranked_by: text of an occupation: its preferred name, or also its description and skills.
        gradients: texts with gradients in a trained backbone.
        name_weight: weight of the names of occupations in its training.
    """

    recipe: str
    variant: str
    backbone: str
    seed: int
    setting: str
    postings: int
    titles: int
    occupations: int
    recall_at_5: float
    recall_at_10: float
    mrr: float
    train_s: float
    versions: dict[str, str]
    ranked_by: RankedBy = "name"
    gradients: Gradients = "all"
    name_weight: float = 0.0

    def repeats(self, other: "DescriptionRun") -> bool:
        """Return whether both have the same recipe, seed and setting, so that the later replaces the earlier."""
        return all(getattr(self, key) == getattr(other, key) for key in ("recipe", "seed", "setting"))


def description_runs(settings: Settings | None = None) -> RunStore[DescriptionRun]:
    """Return the runs of each file of titles stored under `JOBMATCH_HOME`."""
    return RunStore((settings or Settings.from_environment()).evaluations / TASK, DescriptionRun, FORMAT)
