"""A table of concept vectors: the concept head of our encoder's training, stored beside the encoder."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from jobmatch_core.entities import FloatArray
from jobmatch_core.model_store.saved_model import read_weights
from jobmatch_core.titles.packing import pack, unpack
from jobmatch_core.vectors import normalised

CONCEPTS_FILE = "concepts.safetensors"


@dataclass(frozen=True)
class ConceptTable:
    """Concepts by the CRC-32 of their URIs.

    Attributes:
        hashes: (concept,) ascending.
        codes, scales: the packed vectors, in that order.
    """

    hashes: NDArray[np.uint32]
    codes: NDArray[np.uint8]
    scales: NDArray[np.float16]

    @classmethod
    def of(cls, uris: Sequence[str], vectors: FloatArray) -> Self:
        """Pack the vectors of concepts, shape (concept, dimension)."""
        hashes = _hashes(uris)
        order = np.argsort(hashes)
        codes, scales = pack(vectors[order])
        return cls(hashes[order], codes, scales)

    def vectors(self, uris: Sequence[str]) -> FloatArray:
        """Return L2-normalised vectors, shape (len(uris), dimension); zeros for unknown concepts."""
        hashes = _hashes(uris)
        places = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        known = self.hashes[places] == hashes
        vectors = unpack(self.codes[places], self.scales[places]) * known[:, None]
        return normalised(vectors)

    def save(self, folder: Path) -> None:
        """Write the table into a model's folder."""
        save_file({"hashes": self.hashes, "codes": self.codes, "scales": self.scales}, folder / CONCEPTS_FILE)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote; raises what the reader of safetensors raises."""
        tensors = read_weights(path, load_file)
        hashes, codes, scales = (tensors[name] for name in ("hashes", "codes", "scales"))
        if not len(hashes) == len(codes) == len(scales) > 0:
            raise ValueError("its concepts do not fit together")
        return cls(hashes, codes, scales)


def _hashes(uris: Sequence[str]) -> NDArray[np.uint32]:
    return np.fromiter((crc32(uri.encode()) for uri in uris), dtype=np.uint32, count=len(uris))
