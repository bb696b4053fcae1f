"""Training of the classifier of titles into unit groups, see `group_classifier`.

The loss is the cross-entropy of the unit group, or of any of the groups that a title may mean. A share of a title's
features is dropped at random, as in the encoder's training, whose embedding bag this is.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import expand_forms
from jobmatch_core.titles.group_classifier import OTHER, GroupWeights
from jobmatch_core.titles.ngrams import FeatureRows, NgramVocabulary
from lab.shipping.concept_training import ConceptRecipe, SparseBag
from lab.shipping.plain_loop import run_plain_loop

_SCALE = 12.0  # length of the vectors that the layer is learned on
GROUP_RECIPE = ConceptRecipe(
    dimension=96,
    most_features=130_000,
    least_texts=2,
    epochs=4,
    batch_size=1024,
    dropout=0.5,
    rate=0.05,
    head_rate=0.01,
)
_LONGEST_PIECE = 3  # words of a piece of a sentence


class GroupTitle(NamedTuple):
    """A folded text, and the unit groups that it may mean as numbers; none for a text that is no title."""

    text: str
    units: tuple[int, ...]


def group_titles(
    rows: Iterable[tuple[Collection[str], str]], sentences: Iterable[str] = (), seed: int = GROUP_RECIPE.seed
) -> list[GroupTitle]:
    """Return the titles to train on, each form of a title once for the same groups.

    Args:
        rows: (unit groups, title) rows in any language; those without a group are left out.
        sentences: sentences, of which pieces of one to three words are drawn, as texts that are no titles.
    """
    random = np.random.default_rng(seed)
    forms = (
        GroupTitle(fold(form), tuple(sorted(int(code) for code in codes)))
        for codes, title in rows
        if codes
        for form in (*expand_forms(title), title)
    )
    titles = list(dict.fromkeys(title for title in forms if title.text))
    texts = {title.text for title in titles}
    pieces = {piece for sentence in dict.fromkeys(sentences) for piece in _pieces(sentence, random)}
    return [*titles, *(GroupTitle(piece, ()) for piece in sorted(pieces - texts))]


def _pieces(sentence: str, random: np.random.Generator) -> list[str]:
    """Return one piece of each length of a sentence, or fewer of a short one."""
    words = fold(sentence).split()
    lengths = range(1, min(_LONGEST_PIECE, len(words)) + 1)
    starts = [int(random.integers(len(words) - length + 1)) for length in lengths]
    return [" ".join(words[start : start + length]) for start, length in zip(starts, lengths, strict=True)]


@dataclass(frozen=True)
class TrainedGroups:
    """The result: the weights, and every epoch's mean loss."""

    weights: GroupWeights
    losses: tuple[float, ...]


def train_groups(
    titles: Sequence[GroupTitle], recipe: ConceptRecipe = GROUP_RECIPE, *, progress: Progress = no_progress
) -> TrainedGroups:
    """Train a classifier.

    Args:
        titles: the titles, not empty.
        recipe: settings; those of the encoder's other losses are ignored.
    """
    texts = [title.text for title in titles]
    vocabulary = NgramVocabulary.from_texts(texts, least=recipe.least_texts, most=recipe.most_features)
    features = vocabulary.features(texts)
    bag = SparseBag(len(vocabulary), recipe)
    codes = np.array(sorted({code for title in titles for code in title.units or (OTHER,)}), dtype=np.int32)
    possible = possible_groups([title.units or (OTHER,) for title in titles], codes)
    random = np.random.default_rng(recipe.seed)
    layer = GroupLayer(bag, features, possible, recipe, random)
    losses = layer.train(random, progress)
    weights = GroupWeights(vocabulary.hashes, bag.weights.numpy(), *layer.weights(), codes)
    return TrainedGroups(weights, losses)


class GroupLayer:
    """A layer of unit groups over a bag of features, while both are trained."""

    def __init__(
        self,
        bag: SparseBag,
        features: FeatureRows,
        possible: Tensor,
        recipe: ConceptRecipe,
        random: np.random.Generator,
    ) -> None:
        """Begin the layer; *possible* is as of `possible_groups`, and *random* drops features."""
        generator = torch.Generator().manual_seed(recipe.seed)
        self._bag, self._features, self._possible = bag, features, possible
        self._recipe, self._random = recipe, random
        self._layer = torch.randn(possible.shape[1], recipe.dimension, generator=generator) / recipe.dimension**0.5
        self._layer.requires_grad_()
        self._bias = torch.zeros(possible.shape[1], requires_grad=True)
        self._optimiser = torch.optim.Adam([self._layer, self._bias], lr=recipe.head_rate)

    def train(self, random: np.random.Generator, progress: Progress) -> tuple[float, ...]:
        """Train the layer and the bag by the recipe, in a random order; return what `run_plain_loop` does."""
        n, recipe = len(self._possible), self._recipe
        steps = max(n // recipe.batch_size, 1)
        return run_plain_loop(
            n, steps, recipe.epochs, loss=self._loss, update=self._update, random=random, progress=progress
        )

    def _loss(self, rows: NDArray[np.intp]) -> Tensor:
        vectors = self._bag.vectors(self._features.take(rows).dropped(self._recipe.dropout, self._random))
        return _loss(_SCALE * vectors @ self._layer.T + self._bias, self._possible[torch.from_numpy(rows)])

    def _update(self, loss: Tensor, left: float) -> None:
        self._optimiser.param_groups[0]["lr"] = self._recipe.head_rate * left
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self._optimiser.step()
        self._bag.step(left)

    def weights(self) -> tuple[FloatArray, FloatArray]:
        """Return the layer (class, dimension) and the bias (class,)."""
        return (_SCALE * self._layer).detach().numpy(), self._bias.detach().numpy()


def possible_groups(units: Sequence[Collection[int]], codes: NDArray[np.int32]) -> Tensor:
    """Return (text, class) true for the classes that a text may mean."""
    columns = {code: column for column, code in enumerate(codes.tolist())}
    possible = torch.zeros(len(units), len(codes), dtype=torch.bool)
    for row, of_text in enumerate(units):
        possible[row, [columns[code] for code in of_text]] = True
    return possible


def _loss(logits: Tensor, possible: Tensor) -> Tensor:
    """Return the mean cross-entropy of any of the possible classes."""
    of_these = torch.logsumexp(logits.masked_fill(~possible, -torch.inf), dim=1)
    return (torch.logsumexp(logits, dim=1) - of_these).mean()
