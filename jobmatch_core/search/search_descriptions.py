"""Search encoder as an encoder of short descriptions, for `linking.posting_linker`.

It has learned what people do in each occupation from a few words. Models of postings have learned from long texts, of
which most is not about the job, and tell little from a single sentence (docs/experiments.md).
"""

from collections.abc import Sequence

from jobmatch_core.entities import FloatArray
from jobmatch_core.search.search_encoder import SearchEncoder

MOST_WORDS = 75  # of a short description: what the encoder reads of a document


class SearchDescriptions:
    """Encodes titles and descriptions of the work as documents of a search encoder."""

    def __init__(self, encoder: SearchEncoder) -> None:
        """Wrap an encoder."""
        self._encoder = encoder

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self._encoder.name

    def encode_titles(self, titles: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (title, dimension)."""
        return self._encoder.encode(titles)

    def encode_descriptions(self, descriptions: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (description, dimension); zeros where nothing is known."""
        return self._encoder.encode(descriptions)


def is_short(description: str) -> bool:
    """Return whether a search encoder reads a description whole."""
    return len(description.split()) <= MOST_WORDS
