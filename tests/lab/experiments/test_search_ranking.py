"""A second stage for searches: its features by hand, and cross-fitting on a few queries."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.search_sets import RankedSet
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.search.search_encoder import PlainSearchEncoder
from jobmatch_core.search.search_index import QueryScores
from jobmatch_core.search.search_items import OccupationCard, SearchItem
from jobmatch_core.search.word_index import QueryWord
from lab.experiments.search_ranking import FEATURES, FoundItems, measure_search_ranking

TRADES = ("baker", "welder", "nurse", "painter", "pilot", "tailor", "florist", "plumber")


def word(*scores: float) -> QueryWord:
    """Return a word of a query with the scores of the items."""
    return QueryWord("w", (), np.array(scores, dtype=np.float32))


@pytest.fixture
def found() -> FoundItems:
    """Four items in two groups, the second and the third of them found."""
    scores = QueryScores(
        words=[word(4, 0, 1, 0), word(0, 0, 1, 0)],
        facts=[word(0, 3, 0, 0)],
        own=np.array([0.1, 0.2, -0.3, 0], dtype=np.float32),
        shared=np.array([0, 0.5, 0.4, 0], dtype=np.float32),
        fused=np.array([0.1, 0.05, 0.03, 0.0]),
    )
    return FoundItems(scores, [], groups=np.array([0, 0, 1, 1]), rows=np.array([1, 2]))


@pytest.mark.parametrize(
    ("feature", "expected"),
    [
        ("reciprocal ranks", [0.05, 0.03]),
        ("words", [0, 2 / 4]),
        ("words of structured fields", [1, 0]),
        ("words of duties", [0, 0]),
        ("share of the words found", [1, 1]),
        ("nearest text", [0.2, 0]),
        ("nearest shared text", [0.5, 0.4]),
        ("best of the group", [0.1, 0.03]),
        ("mean of the group", [0.075, 0.015]),
    ],
)
def test_features(found: FoundItems, feature: str, expected: list[float]) -> None:
    """Each by hand, for the found items alone."""
    assert FEATURES[feature](found) == pytest.approx(expected)


def test_cross_fitting() -> None:
    """Queries whose items are named in them stay right, and every feature has a weight of at least zero."""
    items = [
        SearchItem(OccupationCard(trade, f"{number:04d}", {"en": trade}, ""), (trade,), trade)
        for number, trade in enumerate(TRADES)
    ]
    queries = RankedSet(
        name="trades",
        languages=("en",) * len(TRADES),
        queries=TRADES,
        documents=[(trade,) for trade in TRADES],
        grades=csr_matrix(np.eye(len(TRADES))),
        items=items,
    )
    row = measure_search_ranking(queries, PlainSearchEncoder(shipped_encoder()))
    assert (row.set, row.change.n, row.change.before, row.change.after) == ("trades", len(TRADES), 1, 1)
    assert set(row.weights) == set(FEATURES)
    assert min(row.weights.values()) >= 0
