"""Recipe of a search encoder (TOML), and the report of its training (`report.json` in the model's folder).

    backbone = "titles"        # or a folder, or `hub:` and a model hub's name
    dimension = 32
    schedule = "proportional"
    [[tasks]]
    name = "clicks"
    kind = "positives"
    files = ["clicks.tsv"]

Every key is a field of the recipe classes below; keys without a default are required.

A schedule is the order in which an epoch reads the batches of several tasks, each batch once (Hajiaghayi et al. 2021,
section III-B and figure 3). sentence-transformers has only the proportional one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from jobmatch_core.metrics.comparisons import BeforeAfter
from jobmatch_core.model_store.model_spec import TITLES
from jobmatch_core.training.recipe_files import ABOVE, LEAST, SHARE, TRAINING_LIMITS, check_recipe, read_recipe_file
from jobmatch_core.training.reports import LoopReport

ScheduleName = Literal["sequential", "random", "proportional"]
Schedule = Callable[[Sequence[int], np.random.Generator], list[int]]
TaskKind = Literal["pairs", "positives", "translations", "taught", "taught-translations"]
Made = Literal[
    "",
    "names",
    "descriptions",
    "duties",
    "duty-names",
    "skills",
    "skill-names",
    "onet-tasks",
    "parallel",
    "english",
    "search-log",
]
Negatives = Literal["random", "batch-all", "hard", "semi-hard"]
Towers = Literal["identical", "separate"]

SEARCH_LOG: Made = "search-log"
_LIMITS = {
    "training": TRAINING_LIMITS
    | dict.fromkeys(("batch_size", "curve_points"), ABOVE)
    | dict.fromkeys(("least_texts", "features"), LEAST)
    | {"feature_dropout": SHARE},
}
_POSITIVE = ("weight", "margin", "temperature")


def sequential(batches: Sequence[int], random: np.random.Generator) -> list[int]:
    """Return all steps of the first task, then all of the second, and so on.

    Returns:
        The number of a task for each step.
    """
    return [task for task, count in enumerate(batches) for _ in range(count)]


def random_read(batches: Sequence[int], random: np.random.Generator) -> list[int]:
    """Return tasks drawn uniformly among those with batches left, so that the largest remain at the end.

    Arguments and result are those of `sequential`.
    """
    left = list(batches)
    order = []
    while open_tasks := [task for task, count in enumerate(left) if count]:
        task = open_tasks[int(random.integers(len(open_tasks)))]
        left[task] -= 1
        order.append(task)
    return order


def proportional(batches: Sequence[int], random: np.random.Generator) -> list[int]:
    """Return tasks in proportion to their size, so that all end together.

    Each task's batches are evenly spaced over the epoch, from a random start. Arguments and result are those of
    `sequential`.
    """
    places = [
        ((number + start) / count, task)
        for task, (count, start) in enumerate(zip(batches, random.random(len(batches)).tolist(), strict=True))
        for number in range(count)
    ]
    return [task for _, task in sorted(places)]


SCHEDULES: dict[ScheduleName, Schedule] = {
    "sequential": sequential,
    "random": random_read,
    "proportional": proportional,
}


@dataclass(frozen=True, slots=True)
class TaskRecipe:
    """A task: a data set with its loss."""

    name: str  # name of the task in reports
    # `pairs` for labelled pairs (equation 2); `positives` for related pairs (equation 3); `translations` for parallel
    # texts (equation 3, both sides read as documents); `taught` for texts with the teacher's vectors as targets
    # (section V-A); `taught-translations` for parallel texts, where the teacher's vector of the English text is the
    # target of both
    kind: TaskKind
    files: tuple[str, ...] = ()  # files of pairs below the folder of the recipe's data
    shape: str = "tsv"  # format of the files; see `pair_files.SHAPES`
    # kind of generated pairs instead of files (see `made_pairs.MADE`), or `search-log` for the clicks in the
    # application's own searches
    made: Made = ""
    most: int = 0  # maximum number of pairs, drawn at random; 0 for all
    weight: float = 1.0  # weight of the task's loss
    # loss of positive pairs: `triplet` as in the paper, or `softmax` over the batch
    loss: Literal["triplet", "softmax"] = "triplet"
    # negatives, distance, margin: settings of the triplet loss
    negatives: Negatives = "semi-hard"
    distance: Literal["l1", "l2", "cosine"] = "l1"
    margin: float = 1.0
    temperature: float = 0.05  # temperature of the softmax

    @property
    def is_taught(self) -> bool:
        """True if a teacher gives its targets."""
        return self.kind in ("taught", "taught-translations")


@dataclass(frozen=True, slots=True)
class SearchData:
    """Sources of generated pairs."""

    taxonomies: tuple[str, ...] = ()  # ids of installed taxonomies; their occupations are joined by URI
    onet: str = ""  # a folder of O*NET's text files, below the folder of the recipe's data
    parallel: str = ""  # a folder with `newstest2019-ref.*.txt` of NTREX-128, below the folder of the recipe's data


@dataclass(frozen=True, slots=True)
class SearchTraining:
    """Training settings: linear warm-up and linear decay of the learning rate to zero."""

    epochs: int = 3  # passes over all tasks
    batch_size: int = 64  # pairs per step, all of one task
    learning_rate: float = 5e-5  # peak learning rate, of AdamW for a transformer and of Adagrad for n-grams
    warmup: float = 0.1  # share of the steps with a rising rate
    weight_decay: float = 0.01  # weight decay of AdamW
    validation: float = 0.1  # share of the queries that are held out for validation, with all their pairs
    features: int = 30_000  # maximum number of n-grams that get learned vectors in addition to the title encoder
    least_texts: int = 3  # minimum number of texts in which such an n-gram must occur
    feature_dropout: float = 0.0  # share of a text's n-grams that a training step leaves out at random
    curve_points: int = 20  # points of the loss curve


@dataclass(frozen=True, slots=True)
class SearchRecipe:
    """Everything that determines the model except the data."""

    name: str  # name of the model; the file's name by default
    # tasks, data, training: sections of the file
    tasks: tuple[TaskRecipe, ...]
    # `titles` or the name of another title encoder, to which the training adds n-gram vectors and a projection; or a
    # transformer: a folder, or `hub:` and its name on the hub
    backbone: str = TITLES
    layers: int = 6  # number of layers that are used, counted from a transformer's first (section V-A)
    dimension: int = 32  # length of the vectors, the paper's M
    towers: Towers = "identical"  # whether queries and documents share one tower or have one each
    # query_tokens, document_tokens: maximum lengths (section VI-A); a title encoder counts words
    query_tokens: int = 16
    document_tokens: int = 75
    schedule: ScheduleName = "proportional"  # order of the tasks' batches
    teacher: str = ""  # name or folder of the encoder that teaches the taught tasks
    start: str = ""  # name or folder of the search encoder that the training starts from; '' for the backbone alone
    seed: int = 1  # seed of all random generators
    data: SearchData = field(default_factory=SearchData)
    training: SearchTraining = field(default_factory=SearchTraining)

    @property
    def learns_from_log(self) -> bool:
        """True if a task learns from the application's own search log."""
        return any(task.made == SEARCH_LOG for task in self.tasks)

    @property
    def needs_files(self) -> bool:
        """True if the recipe needs a data folder."""
        return any(task.files for task in self.tasks) or bool(self.data.onet or self.data.parallel)


def read_search_recipe(path: Path) -> SearchRecipe:
    """Read a TOML recipe; its name defaults to the file's name.

    Raises DataFileError if the file is missing or not TOML, or a key is unknown, missing or has an invalid value.
    """
    return read_recipe_file(path, SearchRecipe, check_search_recipe)


def check_search_recipe(recipe: SearchRecipe) -> None:
    """Raise ValueError with the reason if a value has the right type but is invalid."""
    check_recipe(recipe, _LIMITS)
    for name in ("layers", "dimension", "query_tokens", "document_tokens"):
        if getattr(recipe, name) < 1:
            raise ValueError(f"{name} is {getattr(recipe, name)}; {ABOVE}")
    if recipe.dimension % 2:
        raise ValueError(f"dimension is {recipe.dimension}; expected an even number")
    if not recipe.tasks:
        raise ValueError("tasks is empty; expected at least one [[tasks]]")
    if len({task.name for task in recipe.tasks}) < len(recipe.tasks):
        raise ValueError("two tasks have the same name; give each its own")
    for task in recipe.tasks:
        _check_task(task, recipe)


def _check_task(task: TaskRecipe, recipe: SearchRecipe) -> None:
    for name in _POSITIVE:
        if getattr(task, name) <= 0:
            raise ValueError(f"{name} of the task {task.name!r} is {getattr(task, name)}; {ABOVE}")
    if task.most < 0:
        raise ValueError(f"most of the task {task.name!r} is {task.most}; {LEAST}")
    if bool(task.files) == bool(task.made):
        raise ValueError(f"the task {task.name!r} needs either files or made")
    if task.is_taught and not recipe.teacher:
        raise ValueError(f"the task {task.name!r} is taught, but the recipe names no teacher")


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of the loss curve (figure 4)."""

    step: int  # steps done
    loss: float  # mean weighted loss of the steps since the last point
    validation_loss: float | None  # sum of the tasks' weighted losses on held-out pairs (equation 1), or None


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """Data of a task and its figures on held-out pairs."""

    # name, kind: name and kind of the task
    name: str
    kind: str
    # trained, held_out: number of pairs
    trained: int
    held_out: int
    # loss_before, loss_after: loss on the held-out pairs, or None
    loss_before: float | None
    loss_after: float | None
    documents: int  # number of candidate documents; 0 without retrieval
    # mrr_before, mrr_after: mean reciprocal rank of the first relevant document of each held-out query; None for
    # labelled pairs and for a teacher's targets
    mrr_before: float | None
    mrr_after: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchReport(LoopReport[SearchRecipe]):
    """Training report."""

    created: str  # UTC time, ISO 8601
    teacher: str  # name of the teacher, or ''
    texts: int  # number of distinct texts
    tasks: tuple[TaskFigures, ...]  # data and figures of each task
    steps: int  # steps of all epochs
    curve: tuple[CurvePoint, ...]  # losses over the steps
    comparison: BeforeAfter | None = None  # comparison with the model in use, or None
