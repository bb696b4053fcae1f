"""Gendered names: which pairs are taken, and what is compared."""

from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking import open_linker
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from lab.experiments.occupation_names import GENDERED_LANGUAGES, evaluate_gender_forms, evaluate_twins, gender_pairs

TINY = """concept_id,language,preferred,alternatives,parent,description
cook,de,Koch/Köchin,Küchenchef/Küchenchefin,kitchen,
cook,fr,cuisinier/cuisinière,,kitchen,
baker,de,Bäcker/Bäckerin,,7512,
welder,de,Schweißer,,7212,
nurse,de,Krankenpfleger,Krankenpfleger/Krankenschwester,2221,
kitchen,de,Küchenhelfer/Küchenhelferin,,5120,
three,de,Lehrer/Dozent/Trainer,,2320,
"""
PAIRS = [("Bäcker", "Bäckerin"), ("Koch", "Köchin")]


@pytest.fixture
def tiny(tmp_path: Path) -> Taxonomy:
    """Import the tiny taxonomy; no index is needed."""
    path = tmp_path / "tiny.csv"
    path.write_text(TINY, "utf-8")
    store = TaxonomyStore.open(Settings(tmp_path / "home"))
    return store.load(store.import_from(path).id)


def test_pairs_are_the_preferred_names_with_two_forms(tiny: Taxonomy) -> None:
    """Not alternatives, not a group's name, not names of one form or of three; sorted, of one language."""
    assert gender_pairs(tiny, "de") == PAIRS
    assert gender_pairs(tiny, "fr") == [("cuisinier", "cuisinière")]
    assert gender_pairs(tiny, "es") == []


def test_a_report_by_hand(tiny: Taxonomy, hand_written: Callable[..., Any]) -> None:
    """Bakers agree; of cooks the two forms differ: a half. Lower candidates do not count."""
    table = {
        "Bäcker": [(3, 0.9), (4, 0.1)],
        "Bäckerin": [(3, 0.5), (5, 0.4)],
        "Koch": [(1, 0.6), (2, 0.4)],
        "Köchin": [(2, 0.6), (1, 0.4)],
    }
    report = evaluate_gender_forms(hand_written(table, taxonomy=tiny), "de")
    assert (report.language, report.pairs, report.equal) == ("de", 2, 0.5)
    assert report.differing == [("Koch", "Köchin")]


def test_a_form_without_a_candidate_differs_from_one_with(tiny: Taxonomy, hand_written: Callable[..., Any]) -> None:
    """Nothing found for one form is a difference; nothing found for either is none."""
    report = evaluate_gender_forms(hand_written({"Koch": [(1, 0.9)]}, taxonomy=tiny), "de")
    assert report.differing == [("Koch", "Köchin")]


def test_a_language_without_pairs(tiny: Taxonomy, hand_written: Callable[..., Any]) -> None:
    """Nothing differs, and nothing is divided by zero."""
    report = evaluate_gender_forms(hand_written({}, taxonomy=tiny), "es")
    assert (report.pairs, report.equal, report.differing) == (0, 1.0, [])


@pytest.mark.thorough
@pytest.mark.usefixtures("own_linker_home")
def test_the_real_linker_finds_both_forms(tmp_path: Path) -> None:
    """Also those that are one word with a hyphen, a bracket or a star in the files."""
    path = tmp_path / "tiny.csv"
    path.write_text(TINY, "utf-8")
    taxonomy_id = TaxonomyStore.open().import_from(path).id
    report = evaluate_gender_forms(open_linker(taxonomy_id), "de")
    assert (report.pairs, report.equal) == (2, 1.0)


class FirstLetters:
    """Knows a text by how often letters occur among its first ones; a feminine ending is behind them."""

    name = "first letters"
    dimension = 26

    def __init__(self, letters: int) -> None:
        self._letters = letters

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised counts."""
        counts = np.array([[text[: self._letters].count(chr(97 + each)) for each in range(26)] for text in texts])
        normalised: FloatArray = (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)
        return normalised


def test_overlap_of_the_rankings_of_twins(tmp_path: Path) -> None:
    """An encoder that does not read endings ranks all else alike for both forms; one that does, does not."""
    rows = [
        f"c{number},de,{name}er/{name}erin,{name}meister|{name}helfer,5120," for number, name in enumerate(_stems())
    ]
    path = tmp_path / "many.csv"
    path.write_text("concept_id,language,preferred,alternatives,parent,description\n" + "\n".join(rows), "utf-8")
    store = TaxonomyStore.open(Settings(tmp_path / "home"))
    taxonomy = store.load(store.import_from(path).id)
    blind, reading = (evaluate_twins(taxonomy, FirstLetters(letters), "de") for letters in (5, 12))
    assert blind is not None
    assert reading is not None
    assert blind.pairs == reading.pairs == len(rows)
    assert blind.names == blind.occupations == pytest.approx(1.0)
    assert 0.1 < reading.names < 0.9
    assert 0.1 < reading.occupations < 1.0


def _stems() -> list[str]:
    return ["".join(letters) for letters in product("bdf", "aei", "lmn", "aou", "kt")][:150]


def test_too_few_names_are_not_ranked(tiny: Taxonomy) -> None:
    """A hundred of a dozen would be all of them."""
    assert evaluate_twins(tiny, FirstLetters(5), "de") is None
    assert evaluate_twins(tiny, FirstLetters(5), "es") is None


def test_languages_are_known() -> None:
    """Two-letter codes, each once."""
    assert len(set(GENDERED_LANGUAGES)) == len(GENDERED_LANGUAGES)
    assert {"de", "fr", "es", "it"} <= set(GENDERED_LANGUAGES)
