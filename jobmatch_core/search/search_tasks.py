"""Tasks of a search training: numbered pairs of texts, their batches, and their losses.

Paper: Hajiaghayi et al. (2021), section III: a task is a data set with its loss, and equation 1 adds the losses up.
Each text of any task is numbered once per maximum length, so that a backbone looks it up once. Losses are functions of
vectors: equations 2 to 7 of section III-A, and an in-batch softmax. Row j of the queries and row j of the documents
are a pair; a loss is the weighted mean over the pairs of a batch.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.errors import SettingsError
from jobmatch_core.search.pair_files import TextPair
from jobmatch_core.search.search_recipe import SearchRecipe, TaskRecipe

_TINY = 1e-6  # keeps the logarithms of equation 2 finite
Distance = Callable[[Tensor, Tensor], Tensor]
NegativeDistance = Callable[[Tensor, Tensor, Tensor, Distance, float, torch.Generator], tuple[Tensor, Tensor]]
Rows = NDArray[np.intp]
Side = Literal["query", "document"]
Encode = Callable[[Side, Rows], Tensor]
_CODE = np.int64(2**31)  # larger than the number of any text


def cross_entropy(queries: Tensor, documents: Tensor, labels: Tensor, weights: Tensor) -> Tensor:
    """Return equation 2, the cross-entropy of labels and cosines clipped to 0 to 1.

    A pair with a negative cosine has no gradient, as in the paper; the positives-only tasks move such pairs.

    Args:
        queries: (pair, dimension), L2-normalised.
        documents: (pair, dimension), L2-normalised.
        labels: (pair,) 1 for related texts, 0 for others, or a grade between.
        weights: (pair,) weight of each pair.
    """
    predicted = (queries * documents).sum(dim=1).clamp(_TINY, 1 - _TINY)
    # torch's own function raises an error for NaN, which the training reports better
    losses = -labels * predicted.log() - (1 - labels) * (1 - predicted).log()
    return (losses * weights).mean()


def l1(queries: Tensor, documents: Tensor) -> Tensor:
    """Return Manhattan distances over the last dimension; the others broadcast."""
    return (queries - documents).abs().sum(dim=-1)


def l2(queries: Tensor, documents: Tensor) -> Tensor:
    """Return Euclidean distances; equal vectors have a gradient of zero, not NaN."""
    squares = ((queries - documents) ** 2).sum(dim=-1)
    return torch.where(squares > 0, squares.clamp_min(_TINY**2).sqrt(), squares)


def cosine(queries: Tensor, documents: Tensor) -> Tensor:
    """Return one minus the cosine of L2-normalised vectors."""
    return 1 - (queries * documents).sum(dim=-1)


DISTANCES: dict[str, Distance] = {"l1": l1, "l2": l2, "cosine": cosine}


def triplet(
    queries: Tensor,
    documents: Tensor,
    others: Tensor,
    weights: Tensor,
    *,
    negatives: str = "semi-hard",
    distance: str = "l1",
    margin: float = 1.0,
    generator: torch.Generator,
) -> Tensor:
    """Return equation 3: a query's own document must be nearer than its negative by a margin.

    A query without a negative, such as one with easy negatives only, has a loss of zero.

    Args:
        queries: (pair, dimension), L2-normalised.
        documents: (pair, dimension), L2-normalised.
        others: (pair, pair) bool: document k may be a negative of query j.
        weights: (pair,) weight of each pair.
        negatives: a key of `NEGATIVES`.
        distance: a key of `DISTANCES`.
        margin: the paper's alpha.
        generator: source of random negatives.
    """
    measured = DISTANCES[distance]
    own = measured(queries, documents)
    negative, exists = NEGATIVES[negatives](queries, documents, others, measured, margin, generator)
    losses = (own - negative + margin).clamp_min(0) * exists
    return (losses * weights).mean()


def random_negative(
    queries: Tensor, documents: Tensor, others: Tensor, distance: Distance, margin: float, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Return the distance to a negative drawn from the batch, (pair,), and whether there is one, (pair,) bool."""
    keys = torch.rand(others.shape, generator=generator).to(others.device).masked_fill(~others, -1)
    return distance(queries, documents[keys.argmax(dim=1)]), others.any(dim=1)


def batch_all(
    queries: Tensor, documents: Tensor, others: Tensor, distance: Distance, margin: float, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Return the distance to the mean of all negatives that are not easy (equations 4 and 5); see `random_negative`."""
    chosen = _not_easy(_between(queries, documents, distance), others, margin).to(documents.dtype)
    counts = chosen.sum(dim=1)
    means = (chosen @ documents) / counts.clamp_min(1)[:, None]
    return distance(queries, means), counts > 0


def hard(
    queries: Tensor, documents: Tensor, others: Tensor, distance: Distance, margin: float, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Return the distance to the nearest negative (equation 6); see `random_negative`."""
    between = _between(queries, documents, distance)
    return _nearest(between, _not_easy(between, others, margin))


def semi_hard(
    queries: Tensor, documents: Tensor, others: Tensor, distance: Distance, margin: float, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Return the distance to the nearest negative beyond the own document (equation 7); see `random_negative`."""
    between = _between(queries, documents, distance)
    farther = between > between.diagonal()[:, None]
    return _nearest(between, _not_easy(between, others, margin) & farther)


NEGATIVES: dict[str, NegativeDistance] = {
    "random": random_negative,
    "batch-all": batch_all,
    "hard": hard,
    "semi-hard": semi_hard,
}


def softmax(queries: Tensor, documents: Tensor, others: Tensor, weights: Tensor, temperature: float) -> Tensor:
    """Return the cross-entropy of the own document among all of the batch; not in the paper.

    It weights every negative by its similarity, where the triplet loss chooses one.

    Args:
        queries: (pair, dimension), L2-normalised.
        documents: (pair, dimension), L2-normalised.
        others: as for `triplet`.
        weights: (pair,) weight of each pair.
        temperature: divides the cosines.
    """
    logits = queries @ documents.T / temperature
    own = torch.eye(len(queries), dtype=torch.bool, device=others.device)
    logs = functional.log_softmax(logits.masked_fill(~(others | own), -torch.inf), dim=1)
    return (-logs.diagonal() * weights).mean()


def output_distance(student: Tensor, teacher: Tensor) -> Tensor:
    """Return the mean squared L2 distance of student and teacher vectors, (text, dimension) each (section V-A)."""
    return ((student - teacher) ** 2).sum(dim=1).mean()


def _between(queries: Tensor, documents: Tensor, distance: Distance) -> Tensor:
    return distance(queries[:, None], documents[None])


def _not_easy(between: Tensor, others: Tensor, margin: float) -> Tensor:
    return others & (between <= between.diagonal()[:, None] + margin)


def _nearest(between: Tensor, allowed: Tensor) -> tuple[Tensor, Tensor]:
    exists = allowed.any(dim=1)
    nearest = between.masked_fill(~allowed, torch.inf).amin(dim=1)
    return torch.where(exists, nearest, torch.zeros_like(nearest)), exists


@dataclass(frozen=True, slots=True)
class TextReading:
    """A text with the maximum number of tokens that are read of it."""

    text: str
    most: int


@dataclass
class Readings:
    """The numbered readings of all texts of a training."""

    _numbers: dict[TextReading, int] = field(default_factory=dict)

    def number(self, text: str, most: int) -> int:
        """Return the number of a text read up to a length."""
        return self._numbers.setdefault(TextReading(text, most), len(self._numbers))

    def all(self) -> list[TextReading]:
        """Return all readings, by number."""
        return list(self._numbers)


@dataclass(frozen=True, slots=True)
class SearchTask:
    """A task whose texts are numbered."""

    recipe: TaskRecipe  # the task's settings
    # left, right: (pair,) numbers of the queries and of the documents
    left: Rows
    right: Rows
    labels: NDArray[np.float32]  # (pair,) labels, clipped to 0 to 1; 1 for positives
    weights: NDArray[np.float32]  # (pair,) weights of the pairs
    related: NDArray[np.int64]  # codes of all related pairs, ascending; see `others`

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.left)

    @classmethod
    def of(cls, task: TaskRecipe, pairs: Sequence[TextPair], readings: Readings, recipe: SearchRecipe) -> "SearchTask":
        """Number the texts of a task's pairs.

        Raises SettingsError if no pairs, or a pair without the label that the task needs.
        """
        pairs = [pair for pair in pairs if pair.query.strip() and pair.document.strip()]
        if not pairs:
            raise SettingsError(f"The task {task.name!r} has no pairs; check its files, or the sources in [data].")
        if task.kind == "pairs" and any(pair.label is None for pair in pairs):
            raise SettingsError(
                f"The task {task.name!r} is of kind pairs, but some of its pairs have no label; use kind positives."
            )
        translated = task.kind in ("translations", "taught-translations")
        most = recipe.document_tokens if translated else recipe.query_tokens
        left = np.array([readings.number(pair.query, most) for pair in pairs], dtype=np.intp)
        right = np.array([readings.number(pair.document, recipe.document_tokens) for pair in pairs], dtype=np.intp)
        labels = np.array([1.0 if pair.label is None else min(max(pair.label, 0.0), 1.0) for pair in pairs], np.float32)
        if task.kind != "pairs":  # the file may be labelled; pairs labelled as unrelated are no positives
            positive = labels > 0
            left, right, pairs = (
                left[positive],
                right[positive],
                [pair for pair, keep in zip(pairs, positive, strict=True) if keep],
            )
            labels = np.ones(len(left), dtype=np.float32)
        weights = np.array([pair.weight for pair in pairs], dtype=np.float32)
        return cls(task, left, right, labels, weights, np.unique(_codes(left, right)))

    def take(self, rows: Rows) -> "SearchTask":
        """Return the task with some of its pairs; `related` stays whole."""
        return SearchTask(
            self.recipe, self.left[rows], self.right[rows], self.labels[rows], self.weights[rows], self.related
        )

    def split(self, share: float, texts: Sequence[TextReading], seed: int) -> tuple["SearchTask", "SearchTask"]:
        """Return the pairs to train on and those held out: a share of the left texts, with all their pairs."""
        held_out = np.array([is_held_out(texts[number].text, share, seed) for number in self.left.tolist()], dtype=bool)
        return self.take(np.flatnonzero(~held_out)), self.take(np.flatnonzero(held_out))

    def batches(self, size: int, random: np.random.Generator) -> list[Rows]:
        """Return rows of pairs in random order, in batches of nearly equal size; none without pairs."""
        order = random.permutation(len(self))
        return np.array_split(order, max(round(len(self) / size), 1)) if len(self) else []

    def others(self, rows: Rows) -> Tensor:
        """Return (row, row) bool: the document of row k is not labelled as relevant to the query of row j."""
        codes = _codes(self.left[rows][:, None], self.right[rows][None])
        places = np.minimum(np.searchsorted(self.related, codes), len(self.related) - 1)
        return torch.from_numpy(self.related[places] != codes)


def is_held_out(text: str, share: float, seed: int) -> bool:
    """Return whether a query is held out, with all its pairs; a stable hash decides."""
    digest = hashlib.sha256(f"{seed} {text}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:4]) / 2**32 < share


def _codes(left: Rows, right: Rows) -> NDArray[np.int64]:
    return left.astype(np.int64) * _CODE + right


class TaskLosses(nn.Module):
    """Losses of all tasks, and the map from the student's space to a teacher's of another dimension."""

    def __init__(self, dimension: int, targets: Tensor | None) -> None:
        """Prepare the losses; `targets` are the teacher's vectors by reading, (reading, teacher's dimension)."""
        super().__init__()
        self._targets = targets
        self.view: nn.Linear | None = None
        if targets is not None and targets.shape[1] != dimension:
            self.view = nn.Linear(dimension, targets.shape[1], bias=False)
            nn.init.orthogonal_(self.view.weight)

    def loss(self, task: SearchTask, rows: Rows, encode: Encode, generator: torch.Generator) -> Tensor:
        """Return the unweighted loss of some pairs of a task; *encode* returns L2-normalised vectors of numbers."""
        recipe = task.recipe
        left, right = encode("query", task.left[rows]), encode("document", task.right[rows])
        if recipe.is_taught:
            numbers = task.right[rows]
            own = numbers if recipe.kind == "taught-translations" else task.left[rows]
            return self._taught(left, own) + self._taught(right, numbers)
        weights = torch.from_numpy(task.weights[rows]).to(left.device)
        if recipe.kind == "pairs":
            return cross_entropy(left, right, torch.from_numpy(task.labels[rows]).to(left.device), weights)
        others = task.others(rows).to(left.device)
        if recipe.loss == "softmax":
            return softmax(left, right, others, weights, recipe.temperature)
        return triplet(
            left,
            right,
            others,
            weights,
            negatives=recipe.negatives,
            distance=recipe.distance,
            margin=recipe.margin,
            generator=generator,
        )

    def _taught(self, vectors: Tensor, numbers: Rows) -> Tensor:
        if self._targets is None:
            raise ValueError("a taught task needs a teacher's vectors")
        targets = self._targets[torch.from_numpy(numbers)].to(vectors.device)
        viewed = vectors if self.view is None else functional.normalize(self.view(vectors), dim=1)
        return output_distance(viewed, targets)
