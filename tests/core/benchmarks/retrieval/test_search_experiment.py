"""Systems are measured on each kind of set, with the optimal order beside them."""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.search_sets import PairSet, RankedSet, TranslationSet
from jobmatch_core.benchmarks.retrieval.search_experiment import OPTIMAL, baselines, evaluate_search
from jobmatch_core.benchmarks.systems.search_systems import EncoderSearch
from jobmatch_core.entities import FloatArray
from jobmatch_core.search.pair_files import TextPair
from jobmatch_core.search.search_encoder import PlainSearchEncoder

_RANKED = RankedSet(
    "jobs",
    ("en", "de", "en"),
    ("bread", "Dach", "nothing"),
    [("baker", "bread", "rolls"), ("roofer", "Dach", "roof"), ("miner", "coal", "ore")],
    csr_matrix([[1.0, 0.0, 2.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]]),
)


class _ByTable:
    """Scores by a table of words that mean the same."""

    name = "table"

    def __init__(self, meant: dict[str, str]) -> None:
        self._meant = meant

    def scores(self, queries: Sequence[str], documents: Sequence[tuple[str, ...]], joint: str) -> FloatArray:
        """Return 1 where a document has the word that a query means, else 0."""
        return np.array([[self._meant.get(query) in texts for texts in documents] for query in queries], np.float32)

    def pair_scores(self, queries: Sequence[str], documents: Sequence[str]) -> FloatArray:
        """Return 1 where the document is the word that the query means."""
        pairs = zip(queries, documents, strict=True)
        return np.array([self._meant.get(query) == document for query, document in pairs], np.float32)


def test_rankings() -> None:
    """Queries with an answer are measured, in total and by language; the optimal order has all that can be had."""
    optimal, row = evaluate_search([_RANKED], [_ByTable({"bread": "bread", "Dach": "Dach"})])
    assert (row.set, row.system, row.n) == ("jobs", "table", 2)
    assert row.figures["dcg_at_1"] == pytest.approx((1 + 2) / 2)
    best = 2 + 1 / np.log2(3)
    assert row.languages == pytest.approx({"en": (1 + 2 / 2) / best, "de": 1.0})
    assert row.figures["ndcg_at_10"] == pytest.approx(np.mean(list(row.languages.values())))
    assert row.low <= row.figures["ndcg_at_10"] <= row.high
    assert (optimal.system, optimal.figures["ndcg_at_10"], optimal.figures["dcg_at_1"]) == (OPTIMAL, 1.0, 2.0)


def test_pairs() -> None:
    """AUC is of all pairs; judged documents of one query are ranked among themselves, where asked for."""
    pairs = [
        TextPair("bread", "baker", 1.0),
        TextPair("bread", "miner", 0.0),
        TextPair("coal", "miner", 1.0),
        TextPair("coal", "baker", 0.0),
        TextPair("roof", "roofer", 0.0),
    ]
    system = _ByTable({"bread": "baker", "coal": "baker"})
    _, row = evaluate_search([PairSet("judged", pairs, ranked=True)], [system])
    assert row.n == 5
    assert row.figures["auc"] == pytest.approx((1 + 0.5 + 1 + 0.5 + 0 + 0.5) / 6)
    assert row.figures["dcg_at_1"] == pytest.approx(1 / 2)  # right for bread, wrong for coal
    assert row.low <= row.figures["auc"] <= row.high
    _, alone = evaluate_search([PairSet("judged", pairs[2:3] + pairs[4:], ranked=True)], [system])
    assert list(alone.figures) == ["auc"]  # no query has several documents
    optimal, plain = evaluate_search([PairSet("judged", pairs)], [system])
    assert list(plain.figures) == ["auc"]
    assert optimal.figures == {"auc": 1.0}


def test_translations_of_several_languages_are_one_set() -> None:
    """Sentences count alike; each language has its own accuracy."""
    german = TranslationSet("lines", "deu", [TextPair("Brot", "bread"), TextPair("Dach", "roof")])
    french = TranslationSet("lines", "fra", [TextPair("pain", "bread"), TextPair("toit", "roof")])
    system = _ByTable({"Brot": "bread", "Dach": "roof", "pain": "roof", "toit": "bread"})
    optimal, row = evaluate_search([german, french], [system])
    assert row.n == 4
    assert row.languages == {"deu": 1.0, "fra": 0.0}
    assert row.figures == {"accuracy": 0.5}
    assert optimal.figures == {"accuracy": 1.0}


class _Constant:
    name, dimension = "constant", 1

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return the same vector for every text."""
        return np.ones((len(texts), 1), np.float32)


def test_baselines() -> None:
    """Encoders are measured by a document's best text only where documents have several texts."""
    systems = baselines([PlainSearchEncoder(_Constant())])
    assert [system.name for system in systems] == [
        "random",
        "edit distance",
        "bm25 of subwords",
        "constant",
        "constant, best text",
        "the app's search, constant",
    ]
    assert baselines([PlainSearchEncoder(_Constant())], _Constant())[-1].name == (
        "the app's search, constant beside constant"
    )
    by_text = [system for system in systems if isinstance(system, EncoderSearch)]
    short = RankedSet("short", ("en",), ("a",), [("a",), ("b", "c")], csr_matrix([[1.0, 0.0]]))
    rows = evaluate_search([_RANKED, short], by_text)
    assert [(row.set, row.system) for row in rows] == [
        ("jobs", OPTIMAL),
        ("jobs", "constant"),
        ("jobs", "constant, best text"),
        ("short", OPTIMAL),
        ("short", "constant"),
    ]
