"""Training of our own encoder: a cosine softmax over the occupations, with three further losses.

Four losses are added up, each the mean over a batch: (1) cross-entropy of the text's occupation, logits being
cosines of the text's vector and one vector an occupation, over a temperature; (2) the same of its unit group, whose
probability is the sum of its occupations'; (3) cross-entropy of its O*NET occupation; (4) one minus the cosine of
a linear projection of the text's vector and its target (the teacher's view, as equation 1 of Deniz et al. 2024). The
text's features are dropped out at random, so that every part of a word carries meaning by itself.

A batch touches a tenth of the rows: only those are given to autograd and to Adagrad (Duchi et al. 2011), which makes an
epoch over 580,000 texts a matter of two minutes on two cores.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.titles.ngrams import FeatureRows, Hashes, NgramVocabulary
from lab.shipping.plain_loop import run_plain_loop
from lab.shipping.training_texts import NONE, TrainingTexts

_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class ConceptRecipe:
    """Settings of the training."""

    dimension: int = 256  # length of the vectors
    most_features: int = 285_000  # maximum number of rows of the embedding bag
    least_texts: int = 5  # a feature that occurs in fewer texts gets no row
    # epochs, batch_size: passes over all texts, and texts per batch
    epochs: int = 6
    batch_size: int = 1024
    dropout: float = 0.4  # share of a text's features that is dropped
    temperature: float = 0.07  # temperature of both softmaxes
    # group_weight, target_weight: weights of losses 2 and 4 (loss 3 is weighted by its texts)
    group_weight: float = 2.0
    target_weight: float = 16.0
    rate: float = 0.05  # Adagrad's learning rate for the bag
    # head_rate, projection_rate: Adam's learning rates for the occupations' vectors and for the projection
    head_rate: float = 0.02
    projection_rate: float = 0.002
    seed: int = 1  # seed of the order, the dropout and the initial weights


@dataclass(frozen=True, slots=True)
class TrainedBag:
    """The result: features and their vectors, the occupations' L2-normalised vectors, every epoch's mean loss."""

    vocabulary: NgramVocabulary
    weights: FloatArray
    occupations: FloatArray
    losses: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class StartModel:
    """A trained model to start from."""

    hashes: Hashes  # (feature,) its features, ascending
    weights: FloatArray  # (feature, dimension) their vectors
    # (occupation, dimension) the vectors of the training texts' occupations; zeros for new ones
    occupations: FloatArray


def train_bag(
    texts: TrainingTexts,
    targets: FloatArray,
    recipe: ConceptRecipe,
    *,
    start: StartModel | None = None,
    progress: Progress = no_progress,
) -> TrainedBag:
    """Train an embedding bag.

    Args:
        targets: result of `TrainingTexts.teacher_targets`, shape (target, teacher's dimension).
        recipe: settings of the training.
        start: model to go on from; by default the vectors start at random.
    """
    vocabulary = NgramVocabulary.from_texts(texts.texts, least=recipe.least_texts, most=recipe.most_features)
    features = vocabulary.features(texts.texts)
    heads = Heads(texts, torch.from_numpy(targets), recipe)
    bag = SparseBag(len(vocabulary), recipe)
    if start is not None:
        bag.take_over(vocabulary, start)
        heads.take_over(start)
    random = np.random.default_rng(recipe.seed)

    def loss(rows: NDArray[np.intp]) -> Tensor:
        return heads.loss(bag.vectors(features.take(rows).dropped(recipe.dropout, random)), rows)

    def update(loss: Tensor, left: float) -> None:
        heads.step(loss, left)
        bag.step(left)

    n = len(texts.texts)
    losses = run_plain_loop(
        n, max(n // recipe.batch_size, 1), recipe.epochs, loss=loss, update=update, random=random, progress=progress
    )
    return TrainedBag(vocabulary, bag.weights.numpy(), heads.occupations, losses)


class SparseBag:
    """An embedding bag with sparse updates: each batch reads and changes only its own rows."""

    def __init__(self, n_rows: int, recipe: ConceptRecipe) -> None:
        generator = torch.Generator().manual_seed(recipe.seed)
        self.weights = (torch.rand(n_rows, recipe.dimension, generator=generator) - 0.5) / 5 / recipe.dimension**0.5
        self._squares = torch.zeros_like(self.weights)
        self._rate = recipe.rate
        self._rows = torch.empty(0, dtype=torch.long)
        self._taken = torch.empty(0)

    def take_over(self, vocabulary: NgramVocabulary, start: StartModel) -> None:
        """Take the vectors of the features that another model knows; the others start at zero."""
        places = np.minimum(np.searchsorted(start.hashes, vocabulary.hashes), len(start.hashes) - 1)
        in_vocabulary = start.hashes[places] == vocabulary.hashes
        self.weights = torch.from_numpy(start.weights[places] * in_vocabulary[:, None].astype(np.float32))

    def vectors(self, features: FeatureRows) -> Tensor:
        """Return the texts' sums, L2-normalised, shape (text, dimension)."""
        self._rows, places = torch.unique(torch.from_numpy(features.rows.astype(np.int64)), return_inverse=True)
        self._taken = self.weights[self._rows].requires_grad_()
        sums = functional.embedding_bag(places, self._taken, torch.from_numpy(features.starts[:-1]), mode="sum")
        return functional.normalize(sums, dim=1)

    def step(self, left: float) -> None:
        """Take an Adagrad step on the rows last used; *left* is the remaining share of the training, 1 to 0."""
        slope = self._taken.grad
        if slope is None:  # a batch of texts of which nothing is known
            return
        squares = self._squares[self._rows] + slope**2
        self._squares[self._rows] = squares
        self.weights[self._rows] = self._taken.detach() - self._rate * left * slope / (squares.sqrt() + _TINY)


class Heads:
    """The losses and their parameters: one vector per occupation, one per O*NET family, and the projection."""

    def __init__(self, texts: TrainingTexts, targets: Tensor, recipe: ConceptRecipe) -> None:
        generator = torch.Generator().manual_seed(recipe.seed + 1)

        def start(rows: int, columns: int) -> Tensor:
            values: Tensor = torch.randn(rows, columns, generator=generator) / recipe.dimension**0.5
            return values.requires_grad_()

        self._occupations = start(len(texts.occupation_groups), recipe.dimension)
        self._families = start(max(texts.n_families, 1), recipe.dimension)
        self._projection = start(recipe.dimension, targets.shape[1])
        self._unit_groups, self._sets = _memberships(texts)
        self._texts = texts
        self._targets = targets
        self._recipe = recipe
        self._rates = (recipe.head_rate, recipe.projection_rate)
        self._optimiser = torch.optim.Adam(
            [{"params": [self._occupations, self._families]}, {"params": [self._projection]}], lr=recipe.head_rate
        )

    def take_over(self, start: StartModel) -> None:
        """Take the vectors of the occupations that another model knows, and its own view as the teacher's."""
        has_occupation = torch.from_numpy(start.occupations.any(axis=1))
        with torch.no_grad():
            self._occupations[has_occupation] = torch.from_numpy(start.occupations)[has_occupation]
            if self._projection.shape[0] == self._projection.shape[1]:
                self._projection.copy_(torch.eye(len(self._projection)))

    @property
    def occupations(self) -> FloatArray:
        """The occupations' vectors, L2-normalised, shape (occupation, dimension)."""
        return np.asarray(functional.normalize(self._occupations.detach(), dim=1).numpy(), dtype=np.float32)

    def loss(self, vectors: Tensor, rows: NDArray[np.intp]) -> Tensor:
        """Return the sum of the four losses of a batch; *rows* are its text numbers."""
        weights = torch.from_numpy(self._texts.weights[rows])
        occupations, groups, families, targets = (
            torch.from_numpy(column[rows]).long()
            for column in (self._texts.occupations, self._texts.groups, self._texts.families, self._texts.targets)
        )
        loss = self._occupation_loss(vectors, occupations, groups, weights)
        if (labelled := families != NONE).any():
            logits = self._logits(vectors[labelled], self._families)
            entropy = functional.cross_entropy(logits, families[labelled], reduction="none")
            loss = loss + (entropy * weights[labelled]).sum()
        if (labelled := targets != NONE).any():
            cosine = functional.cosine_similarity(
                vectors[labelled] @ self._projection, self._targets[targets[labelled]]
            )
            loss = loss + self._recipe.target_weight * (1 - cosine).sum()
        return loss / len(rows)

    def step(self, loss: Tensor, left: float) -> None:
        """Take an Adam step; *left* is the remaining share of the training, 1 to 0."""
        for group, rate in zip(self._optimiser.param_groups, self._rates, strict=True):
            group["lr"] = rate * left
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self._optimiser.step()

    def _occupation_loss(self, vectors: Tensor, occupations: Tensor, groups: Tensor, weights: Tensor) -> Tensor:
        has_group = groups != NONE
        occupations, groups, weights = occupations[has_group], groups[has_group], weights[has_group]
        named = occupations != NONE
        logs = functional.log_softmax(self._logits(vectors[has_group], self._occupations), dim=1)
        by_occupation = -logs.gather(1, occupations.clamp_min(0)[:, None])[:, 0]
        of_groups = ((logs.exp() @ self._unit_groups) * self._sets[groups]).sum(dim=1)
        by_group = -of_groups.clamp_min(_TINY).log()
        of_named = self._recipe.group_weight * by_group + by_occupation
        return (weights * torch.where(named, of_named, by_group)).sum()

    def _logits(self, vectors: Tensor, head: Tensor) -> Tensor:
        logits: Tensor = vectors @ functional.normalize(head, dim=1).T / self._recipe.temperature
        return logits


def _memberships(texts: TrainingTexts) -> tuple[Tensor, Tensor]:
    """Return (occupation, unit group) and (group or set of groups, unit group), 1 for members."""
    sets = torch.zeros(len(texts.group_sets), len(texts.group_sets))
    for number, members in enumerate(texts.group_sets):
        sets[number, list(members)] = 1.0
    units = [number for number, members in enumerate(texts.group_sets) if members == (number,)]
    of_occupations = torch.from_numpy(texts.occupation_groups).long()
    return sets[of_occupations][:, units], sets[:, units]
