"""Report of a tower training: `report.json` in the model's folder."""

from dataclasses import dataclass

from jobmatch_core.metrics.before_after import BeforeAfter
from jobmatch_core.model_store.training_figures import EpochFigures, LabelCounts
from jobmatch_core.towers.tower_recipe import TowerRecipe


@dataclass(frozen=True, slots=True)
class TowerReport:
    """Report of a whole training.

    Attributes:
        recipe: the recipe, including the seed.
        created: UTC time of its end, ISO 8601.
        start: name of the start model; '' for random weights.
        marketplace: name of the marketplace.
        generated: true for a synthetic marketplace.
        data_hash: SHA-256 of the documents and interactions.
        backbone: name of the frozen backbone.
        versions: versions of jobmatch, Python and the main packages.
        projects: numbers of training and of validation projects; only those with a positive count.
        freelancers, interactions: numbers of records.
        weights: number of trained weights.
        before: validation loss of the towers before training.
        epochs: losses of each epoch, in order.
        seconds: duration of all epochs.
        peak_memory_mb: peak memory of the process in MB.
        labels: numbers of labels by use; None without a snapshot.
        comparison: comparison with the model in use; None if not requested.
    """

    recipe: TowerRecipe
    created: str
    start: str
    marketplace: str
    generated: bool
    data_hash: str
    backbone: str
    versions: dict[str, str]
    projects: tuple[int, int]
    freelancers: int
    interactions: int
    weights: int
    before: float | None
    epochs: tuple[EpochFigures, ...]
    seconds: float
    peak_memory_mb: float
    labels: LabelCounts | None = None
    comparison: BeforeAfter | None = None
