"""Report of a JDAN training: `report.json` in the model's folder."""

from dataclasses import dataclass

from jobmatch_core.descriptions.jdan_recipe import JdanRecipe
from jobmatch_core.model_store.training_figures import EpochFigures


@dataclass(frozen=True, slots=True)
class TitleRetrieval:
    """Retrieval of the titles of held-out descriptions among all held-out titles.

    Attributes:
        postings: number of postings searched for.
        titles: number of titles to choose from.
        recall_at_1, recall_at_10, mrr: figures of the right title, higher is better.
    """

    postings: int
    titles: int
    recall_at_1: float
    recall_at_10: float
    mrr: float


@dataclass(frozen=True, slots=True)
class JdanReport:
    """Report of a whole training.

    Attributes:
        recipe: the recipe, including the seed.
        data_hash: SHA-256 of the postings.
        backbone: name of the initial encoder.
        versions: versions of jobmatch, Python and the main packages.
        postings: numbers of training postings and of held-out postings, without empty ones.
        texts: number of distinct titles and parts.
        weights: number of trained weights.
        before: loss on the held-out postings before the first step; None without any.
        epochs: losses of each epoch, in order.
        untrained: retrieval by the mean of the descriptions' sentences with the initial encoder; None without held-out
            postings.
        trained: retrieval by the saved model.
        seconds: duration of all epochs.
        peak_memory_mb: peak memory of the process in MB.
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
