"""Classifier of titles in any language into the unit groups of ISCO-08.

A linear layer over the L2-normalised sum of hashed features in few dimensions (Joulin et al. 2016, section 2), trained
on titles that statistical offices coded, the lexicon, and names. One more class stands for texts that are not titles.
Compared with the encoder: docs/experiments.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.model_store.saved_model import read_weights
from jobmatch_core.titles.ngrams import Hashes
from jobmatch_core.titles.packing import pack

GROUPS_FILE = "groups.safetensors"
OTHER = 0  # code of the class of texts that are not titles
_TENSORS = ("hashes", "codes", "scales", "layer", "bias", "groups")  # names in a file

OpenBag = Callable[[Hashes, NDArray[np.uint8], NDArray[np.float16]], Encoder]


class GroupTensors(NamedTuple):
    """The stored form of a layer of unit groups over a bag of features."""

    hashes: Hashes  # (feature,) hashes of the features, ascending
    packed: NDArray[np.uint8]  # (feature, dimension / 2) vectors of the features, with four bits a weight
    scales: NDArray[np.float16]  # (feature,) their scales
    layer: FloatArray  # (class, dimension) weights of the classes
    bias: FloatArray  # (class,) logit of each class
    codes: NDArray[np.int32]  # (class,) unit groups as numbers

    def save(self, path: Path) -> None:
        """Write the tensors into a file, the layer with half precision."""
        layer = self.layer.astype(np.float16)
        values = (self.hashes, self.packed, self.scales, layer, self.bias, self.codes)
        save_file(dict(zip(_TENSORS, values, strict=True)), path)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the file that `save` wrote.

        Raises ValueError if the tensors' shapes do not match; errors of safetensors pass through.
        """
        stored = read_weights(path, load_file)
        hashes, packed, scales, layer, bias, codes = (stored[name] for name in _TENSORS)
        fits = packed.shape == (len(hashes), layer.shape[1] // 2) and scales.shape == hashes.shape
        if not fits or not layer.shape[:1] == bias.shape == codes.shape:
            raise ValueError("the tensors of its unit groups do not fit together")
        return cls(hashes, packed, scales, layer.astype(np.float32), bias, codes)


@dataclass(frozen=True)
class GroupWeights:
    """Trained weights of the classifier."""

    hashes: Hashes  # (feature,) hashes of the features, ascending
    bag: FloatArray  # (feature, dimension) vectors of the features
    layer: FloatArray  # (class, dimension) weights of the classes
    bias: FloatArray  # (class,) logit of each class
    codes: NDArray[np.int32]  # (class,) unit groups as numbers, `OTHER` among them

    def save(self, folder: Path) -> None:
        """Write the weights into a model's folder, the features' vectors with four bits a weight."""
        packed, scales = pack(self.bag)
        GroupTensors(self.hashes, packed, scales, self.layer, self.bias, self.codes).save(folder / GROUPS_FILE)


class GroupClassifier:
    """The trained classifier."""

    def __init__(self, bag: Encoder, layer: FloatArray, bias: FloatArray, codes: NDArray[np.int32]) -> None:
        self._bag = bag
        self._layer = layer
        self._bias = bias
        self._group_columns = np.flatnonzero(codes != OTHER)
        self.codes = codes[self._group_columns]  # (group,) unit groups as numbers

    def probabilities(self, texts: Sequence[str]) -> FloatArray:
        """Return the probability of each unit group, shape (text, group).

        The rest of a row to one is the probability of no title; rows without a known feature are zero.
        """
        vectors = self._bag.encode(texts)
        logits = vectors @ self._layer.T + self._bias
        shares = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
        shares *= vectors.any(axis=1, keepdims=True) / shares.sum(axis=1, keepdims=True)
        return np.asarray(shares[:, self._group_columns], dtype=np.float32)

    @classmethod
    def load(cls, path: Path, open_bag: OpenBag) -> Self:
        """Read what `GroupWeights.save` wrote; *open_bag* makes an encoder of the features' hashes and packed vectors.

        Raises ValueError if the tensors' shapes do not match; errors of safetensors pass through.
        """
        tensors = GroupTensors.load(path)
        bag = open_bag(tensors.hashes, tensors.packed, tensors.scales)
        return cls(bag, tensors.layer, tensors.bias, tensors.codes)
