"""Backbones of a JDAN training, trained or frozen: vectors of numbered texts.

Paper: Laosaengpha et al. (2024), section 2.1: one encoder for titles and sentences; table 9: mean or [CLS] pooling of
its tokens. All texts are given first, so that each is encoded or looked up once.
"""

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling
from sentence_transformers.util import batch_to_device
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.descriptions.jdan_recipe import JdanRecipe
from jobmatch_core.entities import Encoder
from jobmatch_core.errors import SettingsError
from jobmatch_core.titles.ngrams import FeatureRows
from jobmatch_core.titles.subword import SubwordBag, find_backbone, load_backbone, pack_own

_SEPARATOR = ", "  # between skills, for a backbone without a separator token
_BLOCK = 4096  # texts that are encoded at a time
_BATCH = 128  # texts of a transformer's batch, of similar length, because padding costs as much as tokens


class Backbone(Protocol):
    """The sentence encoder of a training."""

    @property
    def name(self) -> str:
        """The name of the initial encoder."""

    @property
    def dimension(self) -> int:
        """The length of its vectors."""

    @property
    def separator(self) -> str:
        """The text between the skills of one text."""

    @property
    def module(self) -> nn.Module | None:
        """The trained module, or None for a frozen backbone."""

    def prepare(self, texts: Sequence[str]) -> None:
        """Store all texts of the training; their positions are their numbers."""

    def vectors(self, numbers: NDArray[np.intp]) -> Tensor:
        """Return L2-normalised vectors of texts, shape (len(numbers), dimension)."""

    def save(self, folder: Path) -> None:
        """Write the trained encoder's folder, which `load_encoder` reads."""


class FrozenBackbone:
    """A frozen encoder: every text is encoded once for all epochs."""

    def __init__(self, encoder: Encoder, device: torch.device) -> None:
        self.name = encoder.name
        self.dimension = int(encoder.encode([]).shape[1])
        self.separator = _SEPARATOR
        self.module = None
        self._encoder = encoder
        self._device = device
        self._table = torch.empty(0, self.dimension)

    def prepare(self, texts: Sequence[str]) -> None:
        """Encode all texts."""
        blocks = [self._encoder.encode(texts[start : start + _BLOCK]) for start in range(0, len(texts), _BLOCK)]
        self._table = torch.from_numpy(np.concatenate(blocks))

    def vectors(self, numbers: NDArray[np.intp]) -> Tensor:
        """Return the stored vectors."""
        return self._table[torch.from_numpy(numbers)].to(self._device)

    def save(self, folder: Path) -> None:
        """Raise ValueError: a frozen backbone is found by its name."""
        raise ValueError("a frozen backbone is not saved with the model")


class SubwordBackbone:
    """Our own title encoder, of which only the features in the texts are trained."""

    def __init__(self, model: SentenceTransformer, name: str, recipe: JdanRecipe, device: torch.device) -> None:
        self.name = name
        self.separator = _SEPARATOR
        self.module: nn.EmbeddingBag | None = None
        self._model = model
        self._bag: SubwordBag = model[0]
        self.dimension = self._bag.dimension
        self._device = device
        self._dropout = recipe.training.feature_dropout
        self._used = np.empty(0, dtype=np.int32)

    def prepare(self, texts: Sequence[str]) -> None:
        """Look up the features of all texts."""
        features = self._bag.vocabulary.features(texts)
        self._used, rows = np.unique(features.rows, return_inverse=True)
        self._features = FeatureRows(rows.astype(np.int32), features.starts)
        weights = self._bag.weights.detach()[torch.from_numpy(self._used.astype(np.int64))]
        self.module = nn.EmbeddingBag(len(weights), weights.shape[1], mode="sum", _weight=weights).to(self._device)

    def vectors(self, numbers: NDArray[np.intp]) -> Tensor:
        """Return the normalised sums of the features' vectors; training drops features at random."""
        if self.module is None:
            raise ValueError("the texts must be prepared first")
        features = self._features.take(numbers)
        if self.module.training and self._dropout:
            # seeded by torch, whose state is restored: a resumed epoch drops the same features
            seed = int(torch.randint(2**31, ()).item())
            features = features.dropped(self._dropout, np.random.default_rng(seed))
        rows, starts = (torch.from_numpy(array.astype(np.int64)) for array in (features.rows, features.starts[:-1]))
        sums: Tensor = self.module(rows.to(self._device), starts.to(self._device))
        return functional.normalize(sums, dim=-1)

    def save(self, folder: Path) -> None:
        """Write the whole table, packed with four bits a weight."""
        if self.module is not None:
            trained = self.module.weight.detach().cpu()
            with torch.no_grad():
                self._bag.weights[torch.from_numpy(self._used.astype(np.int64))] = trained
        pack_own(self._model)
        self._model.save_pretrained(str(folder), create_model_card=False)


class JdanTransformerBackbone:
    """Any other sentence-transformers model, all of it trained; in bfloat16 on a GPU."""

    def __init__(self, model: SentenceTransformer, name: str, recipe: JdanRecipe, device: torch.device) -> None:
        """Set the pooling and the maximum length.

        Raises SettingsError if the recipe changes the pooling of a model without any.
        """
        self.name = name
        self.module = model.to(device)
        self.dimension = int(model.get_embedding_dimension() or 0)
        self.separator = _separator(model)
        self._model = model
        self._device = device
        self._texts: Sequence[str] = ()
        if recipe.max_tokens < (model.max_seq_length or 0) < inf:  # a bag of words has no limit
            model.max_seq_length = recipe.max_tokens
        _set_pooling(model, recipe.word_pooling)

    def prepare(self, texts: Sequence[str]) -> None:
        """Store the texts."""
        self._texts = texts

    def vectors(self, numbers: NDArray[np.intp]) -> Tensor:
        """Encode each distinct text once, in batches of similar length."""
        distinct, places = np.unique(numbers, return_inverse=True)
        texts = [self._texts[number] for number in distinct.tolist()]
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        batches = (order[start : start + _BATCH] for start in range(0, len(order), _BATCH))
        vectors = torch.cat([self._encoded([texts[place] for place in batch]) for batch in batches])
        return vectors[torch.from_numpy(np.argsort(order)[places]).to(self._device)]

    def _encoded(self, texts: list[str]) -> Tensor:
        features = batch_to_device(self._model.preprocess(texts), self._device)
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._device.type == "cuda"):
            vectors = self._model(features)["sentence_embedding"]
        return functional.normalize(vectors.float(), dim=-1)

    def save(self, folder: Path) -> None:
        """Write the whole model."""
        self._model.save_pretrained(str(folder), create_model_card=False)


def open_trained(recipe: JdanRecipe, device: torch.device) -> SubwordBackbone | JdanTransformerBackbone:
    """Load the backbone that a recipe trains.

    Raises SettingsError if it cannot be loaded from this machine, or lacks the recipe's pooling.
    """
    model = load_backbone(recipe.backbone)
    name = find_backbone(recipe.backbone).content_name
    if isinstance(model[0], SubwordBag):
        if recipe.word_pooling != "mean":
            raise SettingsError(f"word_pooling is {recipe.word_pooling}, but {name} ignores the order of words.")
        return SubwordBackbone(model, name, recipe, device)
    return JdanTransformerBackbone(model, name, recipe, device)


def _set_pooling(model: SentenceTransformer, mode: str) -> None:
    pooling = next((module for module in model if isinstance(module, Pooling)), None)
    if pooling is not None:
        pooling.pooling_mode = mode
    elif mode != "mean":
        raise SettingsError(f"word_pooling is {mode}, but the backbone has no pooling layer.")


def _separator(model: SentenceTransformer) -> str:
    token = getattr(model.tokenizer, "sep_token", None)
    return f" {token} " if token else _SEPARATOR
