"""Multi-task training of a search encoder by a recipe, from pairs of texts to a model folder.

Paper: Hajiaghayi et al. (2021), sections III and V. The loop is `training.loop`: sentence-transformers' trainer lacks
two schedules, encodes queries and documents alike, and updates all n-grams at each step.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.folders import remove_whole, write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.metrics.comparisons import BeforeAfter
from jobmatch_core.model_store.saved_model import checked_loss
from jobmatch_core.search.pair_files import TextPair
from jobmatch_core.search.search_backbones import SearchBackbone, open_search_backbone
from jobmatch_core.search.search_encoder import SearchEncoder
from jobmatch_core.search.search_recipe import SCHEDULES, CurvePoint, SearchRecipe, SearchReport, TaskFigures
from jobmatch_core.search.search_tasks import Readings, Rows, SearchTask, Side, TaskLosses, TextReading
from jobmatch_core.training.checkpoints import check_free, open_unfinished
from jobmatch_core.training.figures import EpochFigures
from jobmatch_core.training.loop import TrainingLoop, epoch_seed

_CURVE_FILE = "curve.json"
_BLOCK = 2048  # texts that are encoded at a time to measure
_MOST_MEASURED = 2000  # held-out pairs of a task, and as many queries
Step = tuple[int, Rows]  # number of a task, and rows of its pairs
Batch = tuple[SearchTask, Rows, torch.Generator]


def train_search_encoder(
    recipe: SearchRecipe,
    pairs: Mapping[str, Sequence[TextPair]],
    out: Path,
    *,
    teacher: SearchEncoder | None = None,
    start: SearchEncoder | None = None,
    compare: Callable[[SearchEncoder], BeforeAfter] | None = None,
    resume: bool = True,
    progress: Progress = no_progress,
) -> SearchReport:
    """Train a search encoder and write its complete folder, with `report.json`.

    Unfinished files are in `OUT.unfinished`; an interrupted training resumes after its last complete epoch.

    Raises:
        SettingsError: the folder exists, another training is unfinished there, a task has no pairs, or the backbone
            cannot be loaded or does not fit the recipe.
        ModelError: the loss is not finite.
    """
    check_free(out)
    data_hash = _hash_of(pairs)
    names = [teacher.name if teacher else "", start.name if start else ""]
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    with torch.random.fork_rng(devices=[]):  # the seed applies inside this block only
        torch.manual_seed(recipe.seed)
        training = _Training(recipe, pairs, open_search_backbone(recipe, start, device), teacher, device)
    unfinished = open_unfinished(out, [asdict(recipe), data_hash, *names], resume=resume)
    before = training.figures()
    epochs, curve = training.run(unfinished, progress)
    trained = training.backbone.trained()
    report = SearchReport(
        recipe=recipe,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        data_hash=data_hash,
        backbone=training.backbone.name,
        teacher=names[0],
        texts=training.n_texts,
        weights=training.n_weights,
        tasks=training.compared(before),
        steps=training.n_steps,
        epochs=tuple(epochs),
        curve=tuple(curve),
        seconds=sum(epoch.seconds for epoch in epochs),
        comparison=compare(trained) if compare else None,
    )
    trained.save(out, asdict(report))
    remove_whole(unfinished)
    return report


class _Training:
    def __init__(
        self,
        recipe: SearchRecipe,
        pairs: Mapping[str, Sequence[TextPair]],
        backbone: SearchBackbone,
        teacher: SearchEncoder | None,
        device: torch.device,
    ) -> None:
        self._recipe = recipe
        self._device = device
        readings = Readings()
        random = np.random.default_rng(recipe.seed)
        drawn = {task.name: _drawn(pairs[task.name], task.most, random) for task in recipe.tasks}
        tasks = [SearchTask.of(task, drawn[task.name], readings, recipe) for task in recipe.tasks]
        texts = readings.all()
        split = [task.split(recipe.training.validation, texts, recipe.seed) for task in tasks]
        self._trained = [trained for trained, _ in split]
        self._held_out = [held_out.take(np.arange(len(held_out))[:_MOST_MEASURED]) for _, held_out in split]
        self.backbone = backbone
        backbone.prepare(texts)
        targets = _targets(tasks, texts, teacher, recipe) if teacher else None
        self._losses = TaskLosses(recipe.dimension, targets).to(device)
        self._module = nn.ModuleDict({"backbone": backbone.module, "losses": self._losses})
        self._epochs = [self._steps_of(number) for number in range(recipe.training.epochs)]
        self.n_texts = len(texts)
        self.n_weights = sum(parameter.numel() for parameter in self._module.parameters())
        self.n_steps = sum(map(len, self._epochs))
        if not all(self._epochs):
            raise SettingsError("There are no pairs left to train on; lower validation in [training].")

    def run(self, folder: Path, progress: Progress) -> tuple[list[EpochFigures], list[CurvePoint]]:
        curve = _Curve(folder / _CURVE_FILE, self.n_steps, self._recipe.training.curve_points, self._validation_loss)
        loop = TrainingLoop(
            self._module,
            self.backbone.optimiser(list(self._losses.parameters())),
            steps=list(map(len, self._epochs)),
            batches=partial(self._batches, curve),
            loss=self._loss,
            validation=self._validation_loss,
            warmup=self._recipe.training.warmup,
            seed=self._recipe.seed,
            after_step=curve.add,
        )
        return loop.run(folder, progress), curve.points

    def figures(self) -> list[tuple[float | None, int, float | None]]:
        """Return the loss, the number of documents and the mean reciprocal rank of each task on held-out pairs."""
        tasks = zip(self._held_out, self._trained, strict=True)
        return [(self._loss_of(held_out), *self._retrieval(held_out, trained)) for held_out, trained in tasks]

    def compared(self, before: list[tuple[float | None, int, float | None]]) -> tuple[TaskFigures, ...]:
        rows = zip(self._trained, self._held_out, before, self.figures(), strict=True)
        return tuple(
            TaskFigures(
                trained.recipe.name,
                trained.recipe.kind,
                len(trained),
                len(held_out),
                first[0],
                last[0],
                last[1],
                first[2],
                last[2],
            )
            for trained, held_out, first, last in rows
        )

    def _steps_of(self, number: int) -> list[Step]:
        random = np.random.default_rng((self._recipe.seed, number))
        batches = [task.batches(self._recipe.training.batch_size, random) for task in self._trained]
        order = SCHEDULES[self._recipe.schedule]([len(task_batches) for task_batches in batches], random)
        left = [iter(task_batches) for task_batches in batches]
        return [(task, next(left[task])) for task in order]

    def _batches(self, curve: "_Curve", epoch: int) -> list[Batch]:
        curve.begin_epoch()
        generator = torch.Generator().manual_seed(epoch_seed(self._recipe.seed, epoch))
        return [(self._trained[task], rows, generator) for task, rows in self._epochs[epoch]]

    def _loss(self, batch: Batch) -> Tensor:
        task, rows, generator = batch
        return task.recipe.weight * self._losses.loss(task, rows, self.backbone.vectors, generator)

    def _validation_loss(self) -> float | None:
        losses = [(task.recipe.weight, self._loss_of(task)) for task in self._held_out]
        measured = [weight * loss for weight, loss in losses if loss is not None]
        return sum(measured) if measured else None

    def _loss_of(self, task: SearchTask) -> float | None:
        self._module.eval()
        generator = torch.Generator().manual_seed(self._recipe.seed)
        batches = task.batches(self._recipe.training.batch_size, np.random.default_rng(self._recipe.seed))
        with torch.no_grad():
            losses = [
                checked_loss(self._losses.loss(task, rows, self.backbone.vectors, generator).item()) for rows in batches
            ]
        return float(np.mean(losses)) if losses else None

    def _retrieval(self, held_out: SearchTask, trained: SearchTask) -> tuple[int, float | None]:
        """Return the number of documents, and the mean reciprocal rank of each held-out query's first right one."""
        if held_out.recipe.kind not in ("positives", "translations") or not len(held_out):
            return 0, None
        documents = np.unique(np.concatenate([held_out.right, trained.right]))
        queries = np.unique(held_out.left)
        self._module.eval()
        with torch.no_grad():
            scores = self._blocks("query", queries) @ self._blocks("document", documents).T
        ranks = []
        for query, row in zip(queries.tolist(), scores, strict=True):
            right = np.isin(documents, held_out.right[held_out.left == query])
            ranks.append(1 + int((row > row[torch.from_numpy(right)].max()).sum()))
        return len(documents), float(np.mean(1 / np.array(ranks)))

    def _blocks(self, side: Side, numbers: Rows) -> Tensor:
        starts = range(0, len(numbers), _BLOCK)
        return torch.cat([self.backbone.vectors(side, numbers[start : start + _BLOCK]).cpu() for start in starts])


def _drawn(pairs: Sequence[TextPair], most: int, random: np.random.Generator) -> Sequence[TextPair]:
    if not most or most >= len(pairs):
        return pairs
    return [pairs[row] for row in random.permutation(len(pairs))[:most].tolist()]


def _targets(
    tasks: Sequence[SearchTask], texts: Sequence[TextReading], teacher: SearchEncoder, recipe: SearchRecipe
) -> Tensor:
    # (reading, dimension), zeros for texts without a target; the teacher encodes short readings as queries
    taught = np.zeros(len(texts), dtype=bool)
    for task in tasks:
        if task.recipe.is_taught:
            taught[task.right] = True
            if task.recipe.kind == "taught":
                taught[task.left] = True
    targets = torch.zeros(len(texts), teacher.dimension)
    short = np.array([reading.most < recipe.document_tokens for reading in texts])
    for chosen, encode in ((taught & short, teacher.encode_queries), (taught & ~short, teacher.encode)):
        numbers = np.flatnonzero(chosen)
        numbers = numbers[np.argsort([len(texts[number].text) for number in numbers.tolist()], kind="stable")]
        for start in range(0, len(numbers), _BLOCK):
            block = numbers[start : start + _BLOCK]
            targets[torch.from_numpy(block)] = torch.from_numpy(
                encode([texts[number].text for number in block.tolist()])
            )
    return targets


# stored at every point; a resumed training replaces the points that it repeats
class _Curve:
    def __init__(self, path: Path, n_steps: int, n_points: int, validation: Callable[[], float | None]) -> None:
        self.points = list(read_record(path, tuple[CurvePoint, ...])) if path.exists() else []
        self._path = path
        self._n_steps = n_steps
        self._every = max(n_steps // n_points, 1)
        self._validation = validation
        self._losses: list[float] = []

    def begin_epoch(self) -> None:
        self._losses.clear()  # no point averages steps of two epochs

    def add(self, step: int, loss: float) -> None:
        self._losses.append(loss)
        if step % self._every == 0 or step == self._n_steps:
            point = CurvePoint(step, float(np.mean(self._losses)), self._validation())
            self.points = [*(earlier for earlier in self.points if earlier.step < step), point]
            write_text_whole(self._path, json_text([asdict(earlier) for earlier in self.points]))
            self._losses.clear()


def _hash_of(pairs: Mapping[str, Sequence[TextPair]]) -> str:
    digest = hashlib.sha256()
    for name, task_pairs in pairs.items():
        for pair in task_pairs:
            fields = (name, pair.query, pair.document, pair.label, pair.weight)
            digest.update(repr(fields).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
