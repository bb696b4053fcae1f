"""Training objectives and their losses: equation 2, or those of the two baselines of appendix D.3.

Paper: Laosaengpha et al. (2024), section 2.3 and appendix D.3. JobBERT (Decorte et al. 2021): skip-gram with negative
sampling of a posting's skills, whose vectors are discarded. Doc2VecSkill (Zbib et al. 2022): cosine loss to the doc2vec
vector of the skills, through a learned projection if the lengths differ. Both train on titles alone.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.descriptions.aggregators import VARIANTS
from jobmatch_core.descriptions.jdan_backbones import Backbone
from jobmatch_core.descriptions.jdan_data import NO_NAME, NumberedPostings, Rows
from jobmatch_core.descriptions.jdan_recipe import JdanRecipe
from jobmatch_core.descriptions.network import AggregationNetwork, SentenceBatch, max_of, mean_of
from jobmatch_core.errors import SettingsError
from jobmatch_core.titles.skill_bags import SkillBag, skill_vectors

TEMPERATURE = 0.05  # appendix B
NEGATIVES = 5  # of JobBERT, appendix D.3
SAMPLING_POWER = 0.75  # of JobBERT, appendix D.3
_BLOCK = 4096  # parts of postings that are encoded at a time


def bidirectional_contrastive(titles: Tensor, descriptions: Tensor, temperature: float = TEMPERATURE) -> Tensor:
    """Return the mean of equation 2 over a batch, with all other pairs as negatives.

    The two directions are summed, not averaged, as in the equation; sim is the cosine, as in SimCSE, which the paper
    extends.

    Args:
        titles: (posting, dimension), of any length.
        descriptions: (posting, dimension), in the same order.
        temperature: above 0.

    Raises ValueError if the temperature is not above 0, or the shapes differ.
    """
    if temperature <= 0:
        raise ValueError(f"the temperature is {temperature}, but must be above 0")
    _check(titles, descriptions)
    cosines = functional.normalize(titles.float(), dim=-1) @ functional.normalize(descriptions.float(), dim=-1).T
    logits = cosines / temperature
    right = torch.arange(len(logits), device=logits.device)
    return functional.cross_entropy(logits, right) + functional.cross_entropy(logits.T, right)


def skip_gram(titles: Tensor, skills: Tensor, negatives: Tensor) -> Tensor:
    """Return the mean of -log s(title . skill) - sum of log s(-title . negative), s the logistic function.

    Args:
        titles: (pair, dimension).
        skills: (pair, dimension), a skill of the title's posting.
        negatives: (pair, negative, dimension), skills drawn at random.

    Raises ValueError if the shapes do not fit.
    """
    _check(titles, skills)
    if negatives.dim() != 3 or negatives[:, 0].shape != titles.shape:
        raise ValueError(f"expected negatives (pair, negative, dimension), but got {tuple(negatives.shape)}")
    positive = functional.logsigmoid((titles * skills).sum(dim=-1))
    negative = functional.logsigmoid(-torch.einsum("pd,pnd->pn", titles, negatives)).sum(dim=-1)
    return -(positive + negative).mean()


def negative_cosine(titles: Tensor, targets: Tensor) -> Tensor:
    """Return minus the mean cosine of titles and targets, both (posting, dimension).

    Raises ValueError if the shapes differ.
    """
    _check(titles, targets)
    return -functional.cosine_similarity(titles.float(), targets.float(), dim=-1).mean()


def _check(left: Tensor, right: Tensor) -> None:
    if left.shape != right.shape or left.dim() != 2 or not len(left):
        raise ValueError(
            f"expected two equal shapes (row, dimension), but got {tuple(left.shape)}, {tuple(right.shape)}"
        )


class Objective(Protocol):
    """An objective to minimise."""

    @property
    def module(self) -> nn.Module | None:
        """The module trained beside the backbone, or None."""

    def begin_epoch(self, rows: Rows) -> None:
        """Prepare for the steps of an epoch on some postings; the backbone is in evaluation mode."""

    def loss(self, rows: Rows, random: np.random.Generator) -> Tensor:
        """Return the loss of some postings."""


class Contrastive:
    """Equation 2 of titles and descriptions, and optionally of titles and their occupations' names.

    The paper has only the first. The second teaches directly which titles mean the same, as stage 2 of Deniz et al.
    (2024) does, instead of through a description that all names of an occupation share.
    """

    def __init__(
        self, recipe: JdanRecipe, backbone: Backbone, numbered: NumberedPostings, device: torch.device
    ) -> None:
        """Initialise the network of the variant, if any, by torch's global seed.

        Raises SettingsError if the architecture does not fit the backbone.
        """
        self._backbone = backbone
        self._numbered = numbered
        self._temperature = recipe.training.temperature
        self._name_weight = recipe.training.name_weight
        self._summed = max_of if VARIANTS[recipe.variant].summary == "max" else mean_of
        self.network = _network(recipe, backbone).to(device) if VARIANTS[recipe.variant].summary == "network" else None
        self.module = self.network
        self._parts: Tensor | None = None
        if recipe.training.gradients == "titles":
            self._parts = torch.zeros(len(numbered.texts), backbone.dimension, device=device)

    def begin_epoch(self, rows: Rows) -> None:
        """Encode the parts of the postings once, if only titles have gradients.

        The vectors do not collapse without the gradient of one side, since the other postings of a batch are
        negatives; cf. the queue of MoCo (He et al. 2020) and the locked half of LiT (Zhai et al. 2022).
        """
        if self._parts is None:
            return
        numbers = np.unique(np.concatenate([self._numbered.parts[row] for row in rows]))
        with torch.no_grad():
            for block in np.array_split(numbers, len(numbers) // _BLOCK + 1):
                self._parts[torch.from_numpy(block).to(self._parts.device)] = self._backbone.vectors(block)

    def loss(self, rows: Rows, random: np.random.Generator) -> Tensor:
        """Return the loss of a batch whose postings are each other's negatives; nothing is drawn.

        Evaluation measures the loss of titles and descriptions alone, so that recipes are comparable.
        """
        parts = [self._numbered.parts[row] for row in rows]
        named = np.flatnonzero(self._numbered.names[rows] != NO_NAME) if torch.is_grad_enabled() else rows[:0]
        titles_and_names = np.concatenate([self._numbered.titles[rows], self._numbered.names[rows[named]]])
        vectors, sentences = self._encoded(titles_and_names, np.concatenate(parts))
        titles, names = vectors[: len(rows)], vectors[len(rows) :]
        batch = _padded(sentences, [len(posting_parts) for posting_parts in parts])
        if self.network is not None:
            descriptions: Tensor = self.network(batch).vectors
        else:
            descriptions = self._summed(batch.vectors, batch.mask)
        loss = bidirectional_contrastive(titles, descriptions, self._temperature)
        if len(named):
            own = titles[torch.from_numpy(named).to(titles.device)]
            weight = self._name_weight * len(named) / len(rows)  # a title has the same weight in every batch
            loss = loss + weight * bidirectional_contrastive(own, names, self._temperature)
        return loss

    def _encoded(self, titles_and_names: Rows, parts: Rows) -> tuple[Tensor, Tensor]:
        if self._parts is not None and torch.is_grad_enabled():
            fixed = self._parts[torch.from_numpy(parts).to(self._parts.device)]
            return self._backbone.vectors(titles_and_names), fixed
        distinct, places = np.unique(np.concatenate([titles_and_names, parts]), return_inverse=True)
        vectors = self._backbone.vectors(distinct)[torch.from_numpy(places)]
        return vectors[: len(titles_and_names)], vectors[len(titles_and_names) :]


class SkipGram:
    """JobBERT's objective."""

    # the skills' vectors begin at zero, as in word2vec
    def __init__(self, backbone: Backbone, numbered: NumberedPostings, device: torch.device) -> None:
        self._backbone = backbone
        self._titles = numbered.titles
        counts = Counter(skill for posting in numbered.postings for skill in posting.skills)
        numbers = {skill: number for number, skill in enumerate(counts)}
        self._skills = [np.array([numbers[skill] for skill in posting.skills]) for posting in numbered.postings]
        shares = np.array(list(counts.values()), dtype=np.float64) ** SAMPLING_POWER
        self._shares = shares / shares.sum()
        self._vectors = nn.Embedding(len(counts), backbone.dimension).to(device)
        nn.init.zeros_(self._vectors.weight)
        self.module = self._vectors

    def begin_epoch(self, rows: Rows) -> None:
        """Do nothing: only titles are encoded."""

    def loss(self, rows: Rows, random: np.random.Generator) -> Tensor:
        """Return the loss of all pairs of a title and a skill in a batch."""
        skills = np.concatenate([self._skills[row] for row in rows])
        owners = np.repeat(np.arange(len(rows)), [len(self._skills[row]) for row in rows])
        drawn = random.choice(len(self._shares), size=(len(skills), NEGATIVES), p=self._shares)
        titles = self._backbone.vectors(self._titles[rows])
        device = titles.device
        positives, negatives = (
            self._vectors(torch.from_numpy(rows_of_skills).to(device)) for rows_of_skills in (skills, drawn)
        )
        return skip_gram(titles[torch.from_numpy(owners).to(device)], positives, negatives)


class Doc2VecTargets:
    """Doc2VecSkill's objective."""

    def __init__(
        self, recipe: JdanRecipe, backbone: Backbone, numbered: NumberedPostings, device: torch.device
    ) -> None:
        """Fit doc2vec to the skills of every posting; raises SettingsError if no two postings share a skill."""
        self._backbone = backbone
        self._titles = numbered.titles
        bags = [SkillBag((posting.title,), posting.skills) for posting in numbered.postings]
        settings = recipe.doc2vec
        try:
            vectors = skill_vectors(bags, dimensions=settings.dimensions, epochs=settings.epochs, seed=recipe.seed)
        except RuntimeError as error:
            raise SettingsError(
                f"doc2vec cannot be fitted to the skills ({error}); it needs more postings with shared skills."
            ) from error
        self._targets = torch.from_numpy(vectors).to(device)
        same = settings.dimensions == backbone.dimension
        self._projection = None if same else nn.Linear(backbone.dimension, settings.dimensions, bias=False).to(device)
        self.module = self._projection

    def begin_epoch(self, rows: Rows) -> None:
        """Do nothing: only titles are encoded."""

    def loss(self, rows: Rows, random: np.random.Generator) -> Tensor:
        """Return the loss of a batch's titles; nothing is drawn."""
        titles = self._backbone.vectors(self._titles[rows])
        projected = titles if self._projection is None else self._projection(titles)
        return negative_cosine(projected, self._targets[torch.from_numpy(rows).to(titles.device)])


def objective_of(recipe: JdanRecipe, backbone: Backbone, numbered: NumberedPostings, device: torch.device) -> Objective:
    """Return the objective of a recipe's variant over the unchanged backbone.

    Raises SettingsError if the architecture does not fit the backbone.
    """
    objective = VARIANTS[recipe.variant].objective
    if objective == "skip-gram":
        return SkipGram(backbone, numbered, device)
    if objective == "doc2vec":
        return Doc2VecTargets(recipe, backbone, numbered, device)
    return Contrastive(recipe, backbone, numbered, device)


def _network(recipe: JdanRecipe, backbone: Backbone) -> AggregationNetwork:
    try:
        return AggregationNetwork(recipe.network, backbone.dimension)
    except ValueError as error:
        raise SettingsError(f"The recipe's [network] cannot be built over {backbone.name}: {error}.") from error


def _padded(vectors: Tensor, lengths: Sequence[int]) -> SentenceBatch:
    mask = torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    mask = mask.to(vectors.device)
    padded = vectors.new_zeros(*mask.shape, vectors.shape[1])
    padded[mask] = vectors
    return SentenceBatch(padded, mask)
