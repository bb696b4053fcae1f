"""Our title encoder as a module of sentence-transformers, and the backbones to train: it, or any of their models.

`SubwordBag` is an embedding bag over hashed n-grams. `SentenceTransformer(folder, trust_remote_code=True)` loads a
folder with it; the flag is sentence-transformers' consent to a class that is not its own, and no code lies in the
folder. `modules.json` in the folder names this file, which therefore cannot move. Linking reads the same files without
torch, see `encoder.py`.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import InputModule, Normalize
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import ModelError, SettingsError
from jobmatch_core.model_store.model_spec import ModelKind, ModelSpec, Source, find_model
from jobmatch_core.model_store.saved_model import WEIGHTS_FILE, read_weights
from jobmatch_core.model_store.transformer_models import load_sentence_transformer
from jobmatch_core.settings import Settings
from jobmatch_core.titles.encoder import is_title_encoder, shipped_folder
from jobmatch_core.titles.gendered_words import GENDERED_FILE, GenderedWords
from jobmatch_core.titles.ngrams import Hashes, NgramVocabulary
from jobmatch_core.titles.packing import pack, unpack

OWN = "own"  # the backbone's name in a recipe
_TRAINABLE, _PACKED = 32, 4  # bits; packed weights would be rounded anew with every checkpoint
_LEAST_TEXTS, _MOST_FEATURES, _DIMENSION = 5, 100_000, 256  # AdamW steps through all rows: more take a second a step


class SubwordBag(InputModule):  # type: ignore[misc]  # the library has no types for it
    """The sum of a title's feature vectors."""

    config_keys: ClassVar[list[str]] = ["bits", "dimension"]
    save_in_root = True

    def __init__(
        self, hashes: Hashes, weights: FloatArray, *, bits: int = 32, gendered_words: GenderedWords | None = None
    ) -> None:
        """Take the features' hashes, ascending, and their vectors, shape (feature, dimension)."""
        super().__init__()
        self.vocabulary = NgramVocabulary(hashes)
        # how gendered words are read, also when the bag is trained further
        self.gendered_words = gendered_words or GenderedWords({})
        self.weights = nn.Parameter(torch.from_numpy(weights))
        self.bits = bits  # bits per weight in `save`: 32 in training, 4 once packed
        self.dimension = int(weights.shape[1])

    @classmethod
    def untrained(cls, vocabulary: NgramVocabulary, dimension: int, seed: int) -> Self:
        """Return a bag with small random vectors."""
        random = np.random.default_rng(seed)
        weights = random.uniform(-0.1, 0.1, size=(len(vocabulary), dimension)) / np.sqrt(dimension)
        return cls(vocabulary.hashes, weights.astype(np.float32))

    @property
    def max_seq_length(self) -> None:
        """There is no limit in tokens; `ngrams.words_of` limits the words."""
        return None

    def get_embedding_dimension(self) -> int:
        """Return the length of the vectors."""
        return self.dimension

    def preprocess(self, inputs: Sequence[Any], prompt: str | None = None, **kwargs: object) -> dict[str, Tensor]:
        """Return the texts' features: rows, one text after the other, and where each text begins."""
        titles = (self.gendered_words.words_of(f"{prompt or ''}{text}") for text in inputs)
        features = self.vocabulary.features(" ".join(words) for words in titles)
        return {
            "input_ids": torch.from_numpy(features.rows.astype(np.int64)),
            "offsets": torch.from_numpy(features.starts[:-1]),
        }

    def forward(self, features: dict[str, Tensor], **kwargs: object) -> dict[str, Tensor]:
        """Add `sentence_embedding`, shape (text, dimension)."""
        rows, starts = features["input_ids"], features["offsets"]
        features["sentence_embedding"] = functional.embedding_bag(rows, self.weights, starts, mode="sum")
        return features

    def save(self, output_path: str, *args: object, safe_serialization: bool = True, **kwargs: object) -> None:
        """Write `config.json`, `model.safetensors` and any rules of gendered words; never a pickle."""
        self.save_config(output_path)
        self.gendered_words.save(Path(output_path))
        save_file(self._tensors(), Path(output_path) / WEIGHTS_FILE)

    def _tensors(self) -> dict[str, Any]:
        weights = self.weights.detach().cpu().numpy()
        if self.bits == 32:
            return {"hashes": self.vocabulary.hashes, "weights": weights}
        codes, scales = pack(weights)
        return {"hashes": self.vocabulary.hashes, "codes": codes, "scales": scales}

    @classmethod
    def load(cls, model_name_or_path: str, subfolder: str = "", **kwargs: object) -> Self:
        """Read what `save` wrote; packed weights are unpacked."""
        where = {name: kwargs.get(name) for name in ("token", "cache_folder", "revision", "local_files_only")}
        config = cls.load_config(model_name_or_path, subfolder=subfolder, **where)
        path, rules = (
            cls.load_file_path(model_name_or_path, filename=name, subfolder=subfolder, **where)
            for name in (WEIGHTS_FILE, GENDERED_FILE)
        )
        tensors = read_weights(Path(path), load_file)
        weights = tensors["weights"] if config["bits"] == 32 else unpack(tensors["codes"], tensors["scales"])
        return cls(
            tensors["hashes"],
            weights,
            bits=config["bits"],
            gendered_words=GenderedWords.load(Path(rules) if rules else None),
        )


def untrained_own(titles: Sequence[str], seed: int) -> SentenceTransformer:
    """Return our own encoder with random weights, over the features of some titles."""
    vocabulary = NgramVocabulary.from_texts(titles, least=_LEAST_TEXTS, most=_MOST_FEATURES)
    return _of(SubwordBag.untrained(vocabulary, _DIMENSION, seed))


def pack_own(model: SentenceTransformer) -> bool:
    """Set our own encoder to be saved with four bits per weight; return whether the model is our own."""
    own = isinstance(model[0], SubwordBag)
    if own:
        model[0].bits = _PACKED
    return own


def load_backbone(word: str | Path, settings: Settings | None = None) -> SentenceTransformer:
    """Load a model to train: a word of `model_spec` for one encoder, since several side by side are not trained.

    Raises SettingsError if it cannot be loaded from this machine.
    """
    try:
        backbone = find_backbone(str(word), settings)
        if backbone.folder and is_title_encoder(backbone.folder):
            bag = SubwordBag.load(str(backbone.folder))
            bag.bits = _TRAINABLE
            return _of(bag)
        return load_sentence_transformer(backbone.place)
    except Exception as error:  # a damaged folder raises whatever the reader of the damaged part raises
        raise SettingsError(
            f"The backbone {str(word)!r} could not be loaded: {' '.join(str(error).split())}. Expected a "
            "folder with a title encoder of ours or a sentence-transformers model, whole and undamaged."
        ) from error


def find_backbone(word: str, settings: Settings | None = None) -> ModelSpec:
    """Find a model to train; that which comes with jobmatch is given with its folder.

    Raises ModelError if there is no such model, or it is not trained: several encoders side by side, or one of a
    package.
    """
    model = find_model(word, settings, ModelKind.ENCODER)
    if model.parts:
        raise ModelError(f"{word!r} is several encoders side by side, which are not trained; name one of them")
    if model.source is Source.PACKAGE:
        raise ModelError(f"{word!r} comes as it is and is not trained; name another encoder")
    return replace(model, folder=shipped_folder()) if model.source is Source.SHIPPED else model


def _of(bag: SubwordBag) -> SentenceTransformer:
    return SentenceTransformer(modules=[bag, Normalize()], device="cpu", trust_remote_code=False)
