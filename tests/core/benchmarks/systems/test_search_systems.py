"""Search systems score as naive loops do, and documents by their best text or by all of it."""

from collections.abc import Sequence

import numpy as np
import pytest
from rapidfuzz import fuzz

from jobmatch_core.benchmarks.systems.search_systems import (
    Chance,
    EncoderSearch,
    FoldedEditDistance,
    SearchSystem,
    SubwordBM25,
)
from jobmatch_core.entities import FloatArray
from jobmatch_core.text.folding import fold

_QUERIES = ("bakes bread", "repairs roofs", "bread")
_DOCUMENTS = (("baker", "Bakes bread and rolls."), ("roofer",), ("dentist", "teeth", "Repairs teeth."))


class _Letters:
    """Encodes a text as the counts of its letters, and remembers what it encoded."""

    name = "letters"
    dimension = 26

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised counts."""
        self.encoded += texts
        counts = np.array([[text.lower().count(chr(97 + place)) for place in range(26)] for text in texts], np.float32)
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return the same as for documents."""
        return self.encode(texts)


def test_encoder_by_all_texts() -> None:
    """A document is its texts put together."""
    encoder = _Letters()
    scores = EncoderSearch(encoder).scores(_QUERIES, _DOCUMENTS, ", ")
    expected = encoder.encode(_QUERIES) @ encoder.encode([", ".join(texts) for texts in _DOCUMENTS]).T
    np.testing.assert_allclose(scores, expected, rtol=1e-6)


def test_encoder_by_the_best_text() -> None:
    """A document scores as its best text; a text of several documents is encoded once."""
    encoder = _Letters()
    documents = (*_DOCUMENTS, ("baker", "roofer"))
    scores = EncoderSearch(encoder, by_text=True).scores(_QUERIES * 50, documents, ", ")  # more than one block
    assert len(encoder.encoded) == len(_QUERIES) * 50 + 6
    asked = encoder.encode(_QUERIES)
    expected = [
        [max(float(query @ encoder.encode([text])[0]) for text in texts) for texts in documents] for query in asked
    ]
    np.testing.assert_allclose(scores, expected * 50, rtol=1e-5)


def test_edit_distance() -> None:
    """The most similar text counts."""
    scores = FoldedEditDistance().scores(_QUERIES, _DOCUMENTS, ", ")
    expected = [
        [max(fuzz.ratio(fold(query), fold(text)) for text in texts) / 100 for texts in _DOCUMENTS] for query in _QUERIES
    ]
    np.testing.assert_allclose(scores, expected, rtol=1e-5)


def test_bm25_knows_parts_of_words() -> None:
    """An inflected word finds its document, which words alone would not."""
    scores = SubwordBM25().scores(("baking breads", "roofs"), [*_DOCUMENTS, ("mason",), ("tailor",)], ", ")
    assert scores.argmax(axis=1).tolist() == [0, 1]
    assert scores[1, 2] == 0


def test_bm25_of_pairs() -> None:
    """A document that repeats the query has everything that can be had, an unrelated one nothing."""
    shares = SubwordBM25().pair_scores(("bread", "bread", "bread rolls"), ("bread", "stones", "bread and milk"))
    assert shares[0] == pytest.approx(1)
    assert shares[1] == 0
    assert 0 < shares[2] < 1


@pytest.mark.parametrize("system", [Chance(), FoldedEditDistance(), EncoderSearch(_Letters())])
def test_pairs_as_the_ranking(system: SearchSystem) -> None:
    """Pairs have scores of one each, which differ unless their texts do not."""
    pairs = system.pair_scores(("bread", "bread"), ("bread and milk", "stones"))
    assert pairs.shape == (2,)
    assert pairs[0] != pairs[1]


def test_pairs_equal_scores() -> None:
    """For an encoder and edit distance, a pair has the score that it has in a ranking."""
    documents = [texts[0] for texts in _DOCUMENTS]
    for system in (EncoderSearch(_Letters()), FoldedEditDistance()):
        pairs = system.pair_scores(_QUERIES, documents)
        ranking = system.scores(_QUERIES, [(text,) for text in documents], "")
        np.testing.assert_allclose(pairs, ranking.diagonal(), rtol=1e-5)


def test_chance_is_the_same_in_every_run() -> None:
    """Two runs have the same scores."""
    first, second = (Chance().scores(_QUERIES, _DOCUMENTS, ", ") for _ in range(2))
    assert first.shape == (3, 3)
    assert (first == second).all()
