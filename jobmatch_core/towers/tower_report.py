"""What a training of towers says of itself: `report.json` in the model's folder."""

from dataclasses import dataclass

from jobmatch_core.metrics.before_after import BeforeAfter
from jobmatch_core.model_store.epoch_figures import EpochFigures
from jobmatch_core.model_store.label_counts import LabelCounts
from jobmatch_core.towers.tower_recipe import TowerRecipe


@dataclass(frozen=True, slots=True)
class TowerReport:
    """All of a training.

    Attributes:
        recipe: what was asked for, the seed included.
        created: when it was finished, ISO 8601, UTC.
        start: the name of the model that it went on from; '' where it began from random weights.
        marketplace: what it is called.
        generated: whether we made it up.
        data_hash: SHA-256 of the documents and interactions.
        backbone: the name of the frozen backbone.
        versions: of jobmatch, Python and the packages that matter.
        projects: how many were trained on, and how many validated with; only those with a positive count.
        freelancers, interactions: how many there are.
        weights: how many were trained.
        before: the validation loss of the towers as they began.
        epochs: in their order.
        seconds: of all epochs.
        peak_memory_mb: of the process.
        labels: how many labels were learned from and kept aside; None where there was no snapshot.
        comparison: with the model that was in use; None where it was not asked for.
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
