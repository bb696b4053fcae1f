"""Our title encoder as a module of sentence-transformers: an embedding bag over hashed n-grams.

`SentenceTransformer(folder, trust_remote_code=True)` loads a folder with it; the flag is sentence-transformers'
consent to a class that is not its own, and no code lies in the folder. Linking reads the same files without
torch, see `encoder.py`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from sentence_transformers.base.modules import InputModule
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.entities import FloatArray
from jobmatch_core.model_store.saved_model import WEIGHTS_FILE, read_weights
from jobmatch_core.titles.ngrams import Hashes, NgramVocabulary
from jobmatch_core.titles.packing import pack, unpack


class SubwordBag(InputModule):  # type: ignore[misc]  # the library has no types for it
    """The sum of a title's feature vectors.

    Attributes:
        bits: bits per weight in `save`: 32 in training, 4 once packed.
    """

    config_keys: ClassVar[list[str]] = ["bits", "dimension"]
    save_in_root = True

    def __init__(self, hashes: Hashes, weights: FloatArray, *, bits: int = 32) -> None:
        """Take the features' hashes, ascending, and their vectors, shape (feature, dimension)."""
        super().__init__()
        self.vocabulary = NgramVocabulary(hashes)
        self.weights = nn.Parameter(torch.from_numpy(weights))
        self.bits = bits
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
        features = self.vocabulary.features(f"{prompt or ''}{text}" for text in inputs)
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
        """Write `config.json` and `model.safetensors`; never a pickle."""
        self.save_config(output_path)
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
        path = cls.load_file_path(model_name_or_path, filename=WEIGHTS_FILE, subfolder=subfolder, **where)
        tensors = read_weights(Path(path), load_file)
        weights = tensors["weights"] if config["bits"] == 32 else unpack(tensors["codes"], tensors["scales"])
        return cls(tensors["hashes"], weights, bits=config["bits"])
