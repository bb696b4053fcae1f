"""Alignment and uniformity by language pair, Procrustes alignment, drift, and exchanged neighbours."""

import numpy as np
import pytest
from scipy.spatial import procrustes

from jobmatch_core.errors import MapError
from jobmatch_core.maps.comparison import aligned, language_pairs, measure_drift, most_drifted
from jobmatch_core.titles.occupation_names import pair_geometry
from tests.core.maps.conftest import made_vectors
from tests.core.maps.test_neighbours import naive
from tests.core.maps.test_quality import plane


def test_each_language_against_english() -> None:
    """Only shared concepts count, with the first name of each language."""
    vectors = made_vectors(9)
    concepts = ["a", "b", "c", "a", "b", "a", "b", "c", ""]
    languages = ["en", "en", "en", "de", "de", "de", "fr", "fr", "en"]
    german, french = language_pairs(vectors, concepts, languages)
    assert german == pair_geometry(("en", "de"), vectors[[0, 1]], vectors[[3, 4]])
    assert french == pair_geometry(("en", "fr"), vectors[[1, 2]], vectors[[6, 7]])


def test_many_pairs_are_drawn_from() -> None:
    """At most the requested number is drawn; a seed makes it reproducible."""
    vectors = made_vectors(80)
    concepts = [str(row % 40) for row in range(80)]
    languages = ["en"] * 40 + ["de"] * 40
    [some] = language_pairs(vectors, concepts, languages, most=10)
    [again] = language_pairs(vectors, concepts, languages, most=10)
    assert some.pairs == 10
    assert some == again
    assert some.alignment == pytest.approx(2, abs=0.8)  # squared distance of random directions


def test_nothing_to_compare() -> None:
    """No pairs without English or without a second language."""
    assert language_pairs(made_vectors(4), ["a", "b", "a", "b"], ["de", "de", "fr", "fr"]) == []
    assert language_pairs(made_vectors(2), ["a", "b"], ["en", "en"]) == []


def test_a_turned_map_is_turned_back() -> None:
    """A map that is shifted, rotated, mirrored and scaled aligns with itself."""
    points = plane(20)
    turn = np.array([[0, 1], [1, 0]], dtype=np.float32)  # a mirror
    assert aligned(3 * points @ turn + 7, points) == pytest.approx(points, abs=1e-4)


def test_as_near_as_scipy_gets() -> None:
    """Turned as by SciPy, but as large as the other map: where that scales by s and leaves 1 - s², 2 - 2s is left."""
    first, second = plane(15, 1), plane(15, 2)
    moved = aligned(second, first)
    size = float(((first - first.mean(axis=0)) ** 2).sum())
    scale = (1 - procrustes(first, second)[2]) ** 0.5
    assert float(((moved - first) ** 2).sum()) / size == pytest.approx(2 - 2 * scale, abs=1e-4)
    assert float(moved.std()) == pytest.approx(float(first.std()), rel=0.1)


def test_drift_by_a_loop() -> None:
    """Drift is the share of exchanged neighbours; won and lost neighbours are listed."""
    before, after = made_vectors(25, seed=1), made_vectors(25, dimension=5, seed=2)
    found = measure_drift(before, after, neighbours=4)
    for row in range(25):
        had, has = naive(before, row, 4), naive(after, row, 4)
        assert found.drift[row] == pytest.approx(1 - len(set(had) & set(has)) / 4)
        assert found.won(row) == [other for other in has if other not in had]
        assert found.lost(row) == [other for other in had if other not in has]
    first, *_ = most_drifted(found, 3)
    assert found.drift[first] == found.drift.max()


def test_one_model_does_not_drift_from_itself() -> None:
    """No neighbour is won or lost."""
    same = measure_drift(made_vectors(12), made_vectors(12), neighbours=3)
    assert same.drift.max() == 0
    assert same.won(0) == same.lost(0) == []


def test_other_items_are_not_compared() -> None:
    """The error gives both numbers of items."""
    with pytest.raises(MapError, match="not on 5 and 6"):
        measure_drift(made_vectors(5), made_vectors(6))
