"""Alignment and uniformity by language pair, against the figures of each pair by itself."""

import pytest

from jobmatch_core.maps.language_pairs import language_pairs
from jobmatch_core.titles.geometry import pair_geometry
from tests.core.maps.conftest import made_vectors


def test_each_language_against_english() -> None:
    """Concepts that both have; of several names in a language the first."""
    vectors = made_vectors(9)
    concepts = ["a", "b", "c", "a", "b", "a", "b", "c", ""]
    languages = ["en", "en", "en", "de", "de", "de", "fr", "fr", "en"]
    german, french = language_pairs(vectors, concepts, languages)
    assert german == pair_geometry(("en", "de"), vectors[[0, 1]], vectors[[3, 4]])
    assert french == pair_geometry(("en", "fr"), vectors[[1, 2]], vectors[[6, 7]])


def test_many_pairs_are_drawn_from() -> None:
    """So many as are wanted, the same again with a seed."""
    vectors = made_vectors(80)
    concepts = [str(row % 40) for row in range(80)]
    languages = ["en"] * 40 + ["de"] * 40
    [some] = language_pairs(vectors, concepts, languages, most=10)
    [again] = language_pairs(vectors, concepts, languages, most=10)
    assert some.pairs == 10
    assert some == again
    assert some.alignment == pytest.approx(2, abs=0.8)  # squared distance of random directions


def test_nothing_to_compare() -> None:
    """Without English, or without a second language."""
    assert language_pairs(made_vectors(4), ["a", "b", "a", "b"], ["de", "de", "fr", "fr"]) == []
    assert language_pairs(made_vectors(2), ["a", "b"], ["en", "en"]) == []
