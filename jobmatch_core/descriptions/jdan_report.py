"""What a training of titles and descriptions says of itself: `report.json` in the model's folder."""

from dataclasses import dataclass

from jobmatch_core.descriptions.jdan_recipe import JdanRecipe
from jobmatch_core.model_store.epoch_figures import EpochFigures


@dataclass(frozen=True, slots=True)
class TitleRetrieval:
    """How well left-out descriptions find their title among all left-out titles, which nobody was trained on.

    Attributes:
        postings: how many are asked for.
        titles: how many there are to choose from.
        recall_at_1, recall_at_10, mrr: of the right one.
    """

    postings: int
    titles: int
    recall_at_1: float
    recall_at_10: float
    mrr: float


@dataclass(frozen=True, slots=True)
class JdanReport:
    """All of a training.

    Attributes:
        recipe: what was asked for, the seed included.
        data_hash: SHA-256 of the postings.
        backbone: the name of the encoder that it began with.
        versions: of jobmatch, Python and the packages that matter.
        postings: how many were trained on, and how many left out to measure with; those that say nothing not counted.
        texts: distinct titles and parts.
        weights: how many were trained.
        before: the loss on the postings left out, before the first step; None where none are.
        epochs: in their order.
        untrained: titles found by the mean of their descriptions' sentences, with the encoder as it was; None where no
            postings are left out.
        trained: titles found by the model as it was saved.
        seconds: of all epochs.
        peak_memory_mb: of the process.
    """

    recipe: JdanRecipe
    data_hash: str
    backbone: str
    versions: dict[str, str]
    postings: tuple[int, int]
    texts: int
    weights: int
    before: float | None
    epochs: tuple[EpochFigures, ...]
    untrained: TitleRetrieval | None
    trained: TitleRetrieval | None
    seconds: float
    peak_memory_mb: float
