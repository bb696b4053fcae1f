"""Backbones of a search training: trainable vectors of numbered texts, by one tower or two.

Paper: Hajiaghayi et al. (2021), section V. All texts are given first, so that each is tokenised or looked up once.
"""

from copy import deepcopy
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.encoders.loading import load_title_encoder
from jobmatch_core.errors import ModelError, SettingsError
from jobmatch_core.model_store.model_spec import lasting_word
from jobmatch_core.model_store.transformer_models import load_transformer
from jobmatch_core.search.search_encoder import (
    DOCUMENT,
    QUERY,
    NgramSearchEncoder,
    NgramTower,
    SearchEncoder,
    first_words,
)
from jobmatch_core.search.search_recipe import SearchRecipe
from jobmatch_core.search.search_tasks import Rows, Side, TextReading
from jobmatch_core.search.transformer_encoder import TransformerSearchEncoder, TransformerTower, keep_layers
from jobmatch_core.titles.encoder import TitleEncoder, is_title_encoder
from jobmatch_core.titles.ngrams import FeatureRows, NgramVocabulary
from jobmatch_core.titles.packing import unpack
from jobmatch_core.titles.subword import find_backbone

_PROJECTION_RATE = 0.02  # of the learning rate of the n-grams' vectors, which begin at zero
_PCA_TEXTS = 20_000


class SearchBackbone(Protocol):
    """The towers of a training."""

    @property
    def name(self) -> str:
        """The name of the initial encoder."""

    @property
    def module(self) -> nn.Module:
        """The trained module."""

    def prepare(self, readings: list[TextReading]) -> None:
        """Store all texts of the training; their positions are their numbers."""

    def vectors(self, side: Side, numbers: Rows) -> Tensor:
        """Return L2-normalised vectors of texts by the tower of a side, shape (len(numbers), dimension)."""

    def optimiser(self, further: list[nn.Parameter]) -> torch.optim.Optimizer:
        """Return the optimiser of the module and of further weights; `highest` is each group's peak learning rate."""

    def trained(self) -> NgramSearchEncoder | TransformerSearchEncoder:
        """Return the encoder to be saved."""


class NgramBackbone:
    """Own n-gram vectors and a projection over a title encoder, whose vectors stay frozen."""

    def __init__(
        self, recipe: SearchRecipe, titles: TitleEncoder, start: SearchEncoder | None, device: torch.device
    ) -> None:
        """Take the title encoder, and the model to start from.

        Raises SettingsError if the start model does not fit the title encoder, the recipe's dimension or this kind.
        """
        self.name = titles.name
        self.module = nn.ModuleDict()
        self._recipe = recipe
        self._titles = titles
        self._device = device
        self._start = None if start is None else _ngram_start(start, titles, recipe)
        self._sums = torch.empty(0)
        self._vocabulary = NgramVocabulary(np.empty(0, dtype=np.uint32))
        self._features = FeatureRows(np.empty(0, dtype=np.int32), np.zeros(1, dtype=np.int64))

    def prepare(self, readings: list[TextReading]) -> None:
        """Sum the title encoder's vectors of all texts, and look up the n-grams with vectors of their own."""
        texts = [first_words(reading.text, reading.most) for reading in readings]
        self._sums = torch.from_numpy(self._titles.sums(texts))
        settings = self._recipe.training
        if self._start:
            self._vocabulary = NgramVocabulary(self._start.towers[DOCUMENT].hashes)
        else:
            self._vocabulary = NgramVocabulary.from_texts(texts, least=settings.least_texts, most=settings.features)
        self._features = self._vocabulary.features(texts)
        projection = _projection(self._sums, self._recipe.dimension, self._recipe.seed)
        for side in _sides(self._recipe):
            self.module[side] = self._tower(projection, side)
        self.module.to(self._device)

    def vectors(self, side: Side, numbers: Rows) -> Tensor:
        """Return the normalised sums of the features' vectors; training drops own features at random."""
        tower: _TrainedTower = self.module[side if side in self.module else DOCUMENT]  # type: ignore[assignment]
        features = self._features.take(numbers)
        if tower.training and self._recipe.training.feature_dropout:
            # seeded by torch, whose state is restored: a resumed epoch drops the same features
            seed = int(torch.randint(2**31, ()).item())
            features = features.dropped(self._recipe.training.feature_dropout, np.random.default_rng(seed))
        rows, starts = (torch.from_numpy(array.astype(np.int64)) for array in (features.rows, features.starts[:-1]))
        sums = self._sums[torch.from_numpy(numbers)]
        vectors: Tensor = tower(sums.to(self._device), rows.to(self._device), starts.to(self._device))
        return vectors

    def optimiser(self, further: list[nn.Parameter]) -> torch.optim.Optimizer:
        """Return Adagrad, which updates only the rows of a batch."""
        rate = self._recipe.training.learning_rate
        bags = [tower.bag.weight for tower in self.module.values()]  # type: ignore[union-attr]
        dense = [tower.projection.weight for tower in self.module.values()]  # type: ignore[union-attr]
        return torch.optim.Adagrad(
            [
                {"params": bags, "highest": rate},
                {"params": [*dense, *further], "highest": rate * _PROJECTION_RATE},
            ]
        )

    def trained(self) -> NgramSearchEncoder:
        """Return the encoder with its weights rounded as they are saved."""
        towers = {
            side: NgramTower.packed(
                _array(tower.projection.weight),  # type: ignore[union-attr, arg-type]
                self._vocabulary.hashes,
                _array(tower.bag.weight),  # type: ignore[union-attr, arg-type]
            )
            for side, tower in self.module.items()
        }
        recipe = self._recipe
        return NgramSearchEncoder(
            self._titles,
            lasting_word(recipe.backbone),
            towers,
            query_tokens=recipe.query_tokens,
            document_tokens=recipe.document_tokens,
            name=recipe.name,
        )

    def _tower(self, projection: Tensor, side: str) -> "_TrainedTower":
        if self._start is None:
            return _TrainedTower(projection, torch.zeros(len(self._vocabulary), self._recipe.dimension))
        start = self._start.towers.get(side, self._start.towers[DOCUMENT])
        weights = torch.from_numpy(unpack(start.codes, start.scales))
        return _TrainedTower(torch.from_numpy(start.projection.astype(np.float32)), weights)


class _TrainedTower(nn.Module):
    def __init__(self, projection: Tensor, weights: Tensor) -> None:
        super().__init__()
        self.projection = nn.Linear(projection.shape[1], projection.shape[0], bias=False)
        self.projection.weight = nn.Parameter(projection.clone())
        self.bag = nn.Embedding(len(weights), weights.shape[1], sparse=True, _weight=weights)

    def forward(self, sums: Tensor, rows: Tensor, starts: Tensor) -> Tensor:
        # distinct rows: a gradient for every occurrence would need more memory than the whole table
        distinct, places = torch.unique(rows, return_inverse=True)
        own = functional.embedding_bag(places, self.bag(distinct), starts, mode="sum")
        return functional.normalize(self.projection(sums) + own, dim=1)


class SearchTransformerBackbone:
    """The first layers of a transformer, all of them trained."""

    def __init__(self, recipe: SearchRecipe, start: SearchEncoder | None, device: torch.device) -> None:
        """Load and truncate the transformer, or take the model to start from.

        Raises SettingsError if it cannot be loaded from this machine or truncated, or the start model is of another
        kind.
        """
        self._recipe = recipe
        self._device = device
        self._token_ids: list[list[int]] = []
        tower = _transformer_start(start, recipe) if start else _untrained_tower(recipe)
        self.name = start.name if start else find_backbone(recipe.backbone).content_name
        self.module = nn.ModuleDict({side: deepcopy(tower) for side in _sides(recipe)}).to(device)
        if start and QUERY in self.module and QUERY in start.towers:  # type: ignore[attr-defined]
            self.module[QUERY] = deepcopy(start.towers[QUERY]).to(device)  # type: ignore[attr-defined]

    def prepare(self, readings: list[TextReading]) -> None:
        """Tokenise all texts."""
        tower: TransformerTower = self.module[DOCUMENT]  # type: ignore[assignment]
        self._token_ids = [[] for _ in readings]
        for most in sorted({reading.most for reading in readings}):
            numbers = [number for number, reading in enumerate(readings) if reading.most == most]
            ids = tower.token_ids([readings[number].text for number in numbers], most)
            for number, tokens in zip(numbers, ids, strict=True):
                self._token_ids[number] = tokens

    def vectors(self, side: Side, numbers: Rows) -> Tensor:
        """Encode each distinct text once, in batches of similar length."""
        tower: TransformerTower = self.module[side if side in self.module else DOCUMENT]  # type: ignore[assignment]
        distinct, places = np.unique(numbers, return_inverse=True)
        vectors: Tensor = tower([self._token_ids[number] for number in distinct.tolist()])
        return vectors[torch.from_numpy(places).to(self._device)]

    def optimiser(self, further: list[nn.Parameter]) -> torch.optim.Optimizer:
        """Return AdamW."""
        settings = self._recipe.training
        parameters = [*(parameter for parameter in self.module.parameters() if parameter.requires_grad), *further]
        group = {"params": parameters, "highest": settings.learning_rate}
        return torch.optim.AdamW([group], weight_decay=settings.weight_decay)

    def trained(self) -> TransformerSearchEncoder:
        """Return the encoder."""
        recipe = self._recipe
        return TransformerSearchEncoder(
            dict(self.module.items()),  # type: ignore[arg-type]
            query_tokens=recipe.query_tokens,
            document_tokens=recipe.document_tokens,
            name=recipe.name,
        )


def open_search_backbone(
    recipe: SearchRecipe, start: SearchEncoder | None, device: torch.device
) -> NgramBackbone | SearchTransformerBackbone:
    """Load the backbone of a recipe.

    Raises SettingsError if it cannot be loaded from this machine, or the start model does not fit the recipe.
    """
    if _is_title_encoder(recipe.backbone):
        return NgramBackbone(recipe, load_title_encoder(recipe.backbone), start, device)
    return SearchTransformerBackbone(recipe, start, device)


def _is_title_encoder(word: str) -> bool:
    try:
        folder = find_backbone(word).folder
    except ModelError:  # a start model does not need it; without one, loading it fails later
        return False
    return folder is not None and is_title_encoder(folder)


def _sides(recipe: SearchRecipe) -> tuple[str, ...]:
    return (DOCUMENT,) if recipe.towers == "identical" else (DOCUMENT, QUERY)


def _projection(sums: Tensor, dimension: int, seed: int) -> Tensor:
    width = sums.shape[1]
    drawn = np.random.default_rng(seed).permutation(len(sums))[:_PCA_TEXTS]
    sample = functional.normalize(sums[torch.from_numpy(drawn)], dim=1)
    components: Tensor = torch.linalg.eigh(sample.T @ sample).eigenvectors.flip(1).T
    if dimension <= width:
        return components[:dimension].contiguous()
    generator = torch.Generator().manual_seed(seed)
    further = torch.randn(dimension - width, width, generator=generator) / width**0.5 / 10
    return torch.cat([components, further])


def _ngram_start(start: SearchEncoder, titles: TitleEncoder, recipe: SearchRecipe) -> NgramSearchEncoder:
    if not isinstance(start, NgramSearchEncoder):
        raise SettingsError(f"The training cannot start from {start.name}: it has no title encoder as its backbone.")
    if start.titles.name != titles.name:
        raise SettingsError(
            f"The training cannot start from {start.name}: it was trained over {start.titles.name}, and the recipe's "
            f"backbone {recipe.backbone!r} is {titles.name}; name that one with --backbone."
        )
    _check_dimension(start, recipe)
    return start


def _transformer_start(start: SearchEncoder, recipe: SearchRecipe) -> TransformerTower:
    if not isinstance(start, TransformerSearchEncoder):
        raise SettingsError(f"The training cannot start from {start.name}: it has no transformer as its backbone.")
    _check_dimension(start, recipe)
    tower = deepcopy(start.towers[DOCUMENT])
    keep_layers(tower.model, recipe.layers)
    return tower


def _check_dimension(start: SearchEncoder, recipe: SearchRecipe) -> None:
    if start.dimension != recipe.dimension:
        raise SettingsError(
            f"{start.name} has the dimension {start.dimension}, and the recipe {recipe.dimension}; "
            "give the recipe the same dimension."
        )


def _untrained_tower(recipe: SearchRecipe) -> TransformerTower:
    try:
        tokenizer, model = load_transformer(find_backbone(recipe.backbone).place)
        keep_layers(model, recipe.layers)
    except (ModelError, ValueError) as error:
        raise SettingsError(
            f"The backbone {recipe.backbone!r} cannot be trained for search: {error}. Expected a title encoder, or a "
            "transformer with its tokenizer."
        ) from error
    return TransformerTower(tokenizer, model, recipe.dimension)


def _array(weights: Tensor) -> np.ndarray:
    return weights.detach().cpu().numpy()
