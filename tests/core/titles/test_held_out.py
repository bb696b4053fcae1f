"""Left-out names, and ranks by hand."""

from collections.abc import Sequence

import numpy as np
import pytest
from rapidfuzz import fuzz

from jobmatch_core.entities import FloatArray
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.titles.occupation_names import TWIN_RATIO, LanguageRanks, OccupationNames, leave_out, measure


@pytest.fixture
def names(store: TaxonomyStore) -> OccupationNames:
    """The small taxonomy's names."""
    return OccupationNames.of(store.load("esco-1.0"))


def made(*rows: tuple[str, str, int, bool]) -> OccupationNames:
    """Return names of rows of text, language, occupation and whether it is preferred."""
    texts, languages, concepts, preferred = zip(*rows, strict=True)
    return OccupationNames(
        list(texts),
        np.array(languages),
        np.array(concepts, np.int32),
        np.array(preferred),
        ["a", "b", "c"],
        ["1111", "2111", "3111"],
        np.empty((0, 2), np.int32),
    )


def test_nothing_is_in_both(names: OccupationNames) -> None:
    """Preferred names are not held out."""
    kept, titles = leave_out(names, 6, seed=1)
    assert len(titles.texts) == 6
    assert not set(titles.texts) & set(kept.texts)
    assert not titles.preferred.any()
    assert kept.preferred.sum() == names.preferred.sum()


def test_twins_are_left_out_together() -> None:
    """`shop assistants` goes with `shop assistant`, in both languages; of a preferred name's twins none is chosen."""
    names = made(
        ("clerk", "en", 0, True),
        ("shop assistant", "en", 0, False),
        ("shop assistants", "en", 0, False),
        ("Shop-Assistant", "de", 0, False),
        ("clerks", "en", 0, False),
        ("seller", "en", 0, False),
        ("shop assistant", "en", 1, False),
        ("other", "en", 1, True),
    )
    for seed in range(20):
        kept, titles = leave_out(names, 1, seed)
        assert fuzz.ratio("clerks", "clerk") >= TWIN_RATIO
        assert "clerks" in kept.texts
        if titles.texts[0] == "seller":
            assert len(kept.texts) == 7
        elif titles.concepts[0] == 0:
            assert kept.texts == ["clerk", "clerks", "seller", "shop assistant", "other"]
    everything = leave_out(names, 99, 1)[1]
    assert len(everything.texts) == 3


def test_the_seed_decides(names: OccupationNames) -> None:
    """The same names each time."""
    assert leave_out(names, 5, 1)[1].texts == leave_out(names, 5, 1)[1].texts != leave_out(names, 5, 2)[1].texts


ANGLES = {"A": 0, "B": 40, "C": 80, "AA": 0, "BB": 90, "near A": 10, "near B": 70, "gleich B": 89}


def encode(texts: Sequence[str]) -> FloatArray:
    """Return unit vectors at the angles above."""
    radians = np.radians([ANGLES[text] for text in texts])
    return np.column_stack([np.cos(radians), np.sin(radians)]).astype(np.float32)


def test_ranks_by_hand() -> None:
    """`near A` at 10: A first. `near B` at 70: C at 80 before B at 40, rank 2. English: (1 + 1/2) / 2.

    German `gleich B` at 89: BB first among the German ones; among the English ones C, B, A: rank 2.
    """
    names = made(
        ("A", "en", 0, True), ("B", "en", 1, True), ("C", "en", 2, True), ("AA", "de", 0, True), ("BB", "de", 1, True)
    )
    titles = made(("near A", "en", 0, False), ("near B", "en", 1, False), ("gleich B", "de", 1, False))
    figures = measure(encode, names, titles)
    assert figures.languages == (LanguageRanks("de", 1, 1.0, 0.5), LanguageRanks("en", 2, 0.75, None))
    assert figures.mrr == pytest.approx(0.875)
    assert figures.mrr_to_english == 0.5
    assert figures.score == pytest.approx((0.875 + 0.5) / 2)
    (point,) = figures.geometry
    assert (point.languages, point.pairs) == (("en", "de"), 2)
    assert point.alignment == pytest.approx((0 + 2 - 2 * np.cos(np.radians(50))) / 2, abs=1e-5)


def test_a_model_that_tells_nothing_apart_comes_last() -> None:
    """Ties count against a title: three occupations, all alike, rank 3."""
    names = made(("A", "en", 0, True), ("B", "en", 1, True), ("C", "en", 2, True))
    figures = measure(lambda texts: np.ones((len(texts), 1), np.float32), names, made(("x", "en", 0, False)))
    assert figures.mrr == pytest.approx(1 / 3)
    assert figures.mrr_to_english is None


def test_an_occupation_without_a_name_in_the_language_is_not_found() -> None:
    """It counts 0."""
    names = made(("A", "en", 0, True), ("BB", "de", 1, True))
    figures = measure(encode, names, made(("near A", "de", 0, False)))
    assert figures.languages == (LanguageRanks("de", 1, 0.0, 1.0),)
    assert figures.geometry == ()
