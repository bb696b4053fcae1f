"""Encoded accepted titles for the scorers of one index, each encoded once, however often the layer changes.

The index is not built again for them. Its scorers get further rows, with the index's terms and weights; a term that
only accepted titles have is as rare as the rarest.
"""

from collections.abc import Mapping, Sequence
from threading import Lock

import numpy as np

from jobmatch_core.entities import FloatArray, OwnName
from jobmatch_core.linking.index import LEXICAL, NameIndex
from jobmatch_core.linking.own_names import OwnLayer, WrittenTitle
from jobmatch_core.linking.scorers import TfidfScorer
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.cleaning import clean_title

_NONE = np.empty(0, np.intp)


class OwnTexts:
    """Cache of the encoded accepted titles of an index; thread-safe."""

    def __init__(self, index: NameIndex) -> None:
        """Start with no titles."""
        self._index = index
        self._scorers: list[TfidfScorer] = []
        self._vectors: FloatArray | None = None
        self._written: dict[str, WrittenTitle] = {}  # by title
        self._rows: dict[str, int] = {}  # by text
        self._lock = Lock()  # pages of several users share an index

    def layer(self, names: Sequence[OwnName], concepts: Mapping[str, int]) -> OwnLayer | None:
        """Return a layer of the names with an occupation in the index; None without any.

        Args:
            names: own names in any order.
            concepts: URI -> concept number of the taxonomy.
        """
        indexed = set(np.unique(self._index.concepts).tolist())
        with self._lock:
            known = [name for name in names if concepts.get(name.uri) in indexed and self._folded(name.title).whole]
            if not known:
                return None
            written = [self._folded(name.title) for name in known]
            self._encode([text for text in dict.fromkeys(each.text for each in written) if text not in self._rows])
            rows = np.array([self._rows[each.text] for each in written], dtype=np.intp)
            return OwnLayer(
                known,
                written,
                np.array([concepts[name.uri] for name in known], dtype=np.int64),
                [scorer.subset(rows) for scorer in self._scorers],
                None if self._vectors is None else self._vectors[rows],
            )

    def _folded(self, title: str) -> WrittenTitle:
        if title not in self._written:
            forms = clean_title(title, self._index.known_words).forms
            self._written[title] = WrittenTitle(fold(title), forms[-1] if forms else "")
        return self._written[title]

    def _encode(self, texts: Sequence[str]) -> None:
        """Add rows for texts that have none."""
        if not texts:
            return
        if not self._scorers:
            of_index = (self._index.scorers[kind] for kind in LEXICAL)
            self._scorers = [scorer.subset(_NONE) for scorer in of_index if isinstance(scorer, TfidfScorer)]
        self._scorers = [scorer.extended(texts) for scorer in self._scorers]
        if self._index.encoder is not None:
            further = self._index.encoder.encode(texts)
            self._vectors = further if self._vectors is None else np.concatenate([self._vectors, further])
        first = len(self._rows)
        self._rows.update(zip(texts, range(first, first + len(texts)), strict=True))
