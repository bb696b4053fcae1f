"""Texts as sequences of token vectors, and the encoders that make them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """Texts as sequences of token vectors, padded to the longest.

    Attributes:
        vectors: (text, token, dimension), zeros where there is no token.
        mask: (text, token) true where there is a token, false for padding.
    """

    vectors: FloatArray
    mask: NDArray[np.bool_]


class TokenEncoder(Protocol):
    """A frozen backbone that returns one vector per token, not one per text (Jouanneau et al. 2024, section 3.1.1)."""

    @property
    def name(self) -> str:
        """The model's name, for reports and cache keys."""

    @property
    def dimension(self) -> int:
        """The length of a token vector."""

    def encode_tokens(self, texts: Sequence[str]) -> TokenBatch:
        """Return each text's token vectors; an empty text has only the backbone's special tokens, or none."""
