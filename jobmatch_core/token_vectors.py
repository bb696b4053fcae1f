"""Texts as sequences of token vectors, and their encoders."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """Token vectors of texts, (text, token, dimension), and a mask, (text, token), that is false for padding."""

    vectors: FloatArray
    mask: NDArray[np.bool_]


class TokenEncoder(Protocol):
    """A frozen backbone that returns one vector per token (Jouanneau et al. 2024, section 3.1.1)."""

    @property
    def name(self) -> str:
        """The model's name, for reports and cache keys."""

    @property
    def dimension(self) -> int:
        """The length of a token vector."""

    def encode_tokens(self, texts: Sequence[str]) -> TokenBatch:
        """Return each text's token vectors; an empty text has at most the backbone's special tokens."""
