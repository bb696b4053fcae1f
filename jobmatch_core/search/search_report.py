"""Report of a search training: `report.json` in the model's folder."""

from dataclasses import dataclass

from jobmatch_core.metrics.before_after import BeforeAfter
from jobmatch_core.model_store.training_figures import EpochFigures
from jobmatch_core.search.search_recipe import SearchRecipe


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of the loss curve (figure 4).

    Attributes:
        step: steps done.
        loss: mean weighted loss of the steps since the last point.
        validation_loss: sum of the tasks' weighted losses on held-out pairs (equation 1); None without any.
    """

    step: int
    loss: float
    validation_loss: float | None


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """A task's data and its figures on held-out pairs.

    Attributes:
        name, kind: name and kind of the task.
        trained, held_out: number of pairs.
        loss_before, loss_after: loss on the held-out pairs; None without any.
        documents: number of documents to choose from; 0 where nothing was searched.
        mrr_before, mrr_after: mean reciprocal rank of the first right document for each held-out query; None where
            pairs are labelled or a teacher gives the targets.
    """

    name: str
    kind: str
    trained: int
    held_out: int
    loss_before: float | None
    loss_after: float | None
    documents: int
    mrr_before: float | None
    mrr_after: float | None


@dataclass(frozen=True, slots=True)
class SearchReport:
    """Report of a whole training.

    Attributes:
        recipe: the recipe, including the seed.
        created: UTC time, ISO 8601.
        data_hash: SHA-256 of the pairs.
        backbone: name of the initial encoder.
        teacher: name of the teacher; '' without one.
        versions: versions of jobmatch, Python and the main packages.
        texts: number of distinct texts.
        weights: number of trained weights.
        tasks: data and figures of each task.
        steps: steps of all epochs.
        epochs: losses of each epoch, in order.
        curve: losses over the steps.
        seconds: duration of all epochs.
        peak_memory_mb: peak memory of the process in MB.
        comparison: comparison with the model in use; None without one.
    """

    recipe: SearchRecipe
    created: str
    data_hash: str
    backbone: str
    teacher: str
    versions: dict[str, str]
    texts: int
    weights: int
    tasks: tuple[TaskFigures, ...]
    steps: int
    epochs: tuple[EpochFigures, ...]
    curve: tuple[CurvePoint, ...]
    seconds: float
    peak_memory_mb: float
    comparison: BeforeAfter | None = None
