"""Figures of coders on coded titles: by hand, and of the three kinds of coders."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.benchmarks.production.coded_titles import CodedTitles
from jobmatch_core.benchmarks.production.coders import CodedNames, Coder, DictionaryCoder, LinkerCoder, NearestNameCoder
from jobmatch_core.benchmarks.production.coding_report import FEWEST, coding_figures
from jobmatch_core.benchmarks.systems.catalogue import open_system
from jobmatch_core.entities import FloatArray
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.settings import Settings


@pytest.fixture(scope="module")
def linker(linker_home: Path) -> Linker:
    """Return the linker of the bundled taxonomy."""
    return open_linker(settings=Settings(linker_home))


class MadeCoder:
    """Scores from a table."""

    name, codes = "made", ["1111", "1112", "1120", "2111"]

    def __init__(self, rows: dict[str, list[float]], *, adds: bool) -> None:
        self._rows, self.adds = rows, adds

    def scores(self, titles: Sequence[str]) -> FloatArray:
        """Return the titles' rows."""
        return np.array([self._rows[title] for title in titles], dtype=np.float32)


ROWS = {"a": [0.3, 0.3, 0.0, 0.4], "b": [0.0, 0.0, 0.0, 0.0], "c": [0.1, 0.2, 0.6, 0.0]}
CODED = CodedTitles(["a", "b", "c"], [("1111",), ("2111",), ("11", "2111")], [], [], 0)


def test_by_hand() -> None:
    """Of a, 1111 is second by itself, but 11 is first; b has no code; c is right by its first two digits alone."""
    unit, minor, sub_major, major = coding_figures(MadeCoder(ROWS, adds=True), CODED)
    assert [figure.digits for figure in (unit, minor, sub_major, major)] == [4, 3, 2, 1]
    assert (unit.titles, unit.first, unit.among_5) == (3, 0.0, pytest.approx(1 / 3))
    assert (sub_major.titles, sub_major.first) == (3, pytest.approx(2 / 3))
    assert [point.rate for point in sub_major.rates] == pytest.approx([2 / 3] * 5)
    assert sub_major.rates[0].threshold == pytest.approx(0.6)


def test_similarities_are_not_added() -> None:
    """Of a, 21 is first where the best similarity counts."""
    figures = coding_figures(MadeCoder(ROWS, adds=False), CODED)
    assert figures[2].first == pytest.approx(1 / 3)


def test_languages_with_enough_titles() -> None:
    """A frequent language has figures of its own."""
    coded = CodedTitles(["a"] * FEWEST + ["c"], [("1111",)] * (FEWEST + 1), [], ["de"] * FEWEST + ["fr"], 0)
    figures = coding_figures(MadeCoder(ROWS, adds=True), coded)
    assert [(figure.language, figure.titles) for figure in figures if figure.digits == 4] == [("", 51), ("de", 50)]


@pytest.mark.thorough
def test_coders_of_the_bundled_taxonomy(linker: Linker) -> None:
    """Each codes a cook; a word that is no name has no code in the dictionary alone."""
    coders: list[Coder] = [
        LinkerCoder(linker),
        DictionaryCoder(CodedNames.of(linker.taxonomy)),
        NearestNameCoder(open_system("char_tf_idf"), CodedNames.of(linker.taxonomy)),
    ]
    for coder in coders:
        assert coder.codes == sorted(coder.codes)
        cook, _ = coder.scores(["Cooks", "zzyzx"])
        assert coder.codes[int(cook.argmax())] == "5120"
    assert coders[1].scores(["zzyzx"]).max() == 0
    assert coders[0].scores(["Cooks"]).sum() <= 1.001
    assert coders[2].scores([]).shape == (0, len(coders[2].codes))


def test_a_name_of_several_occupations(linker: Linker) -> None:
    """The dictionary's shares of its codes add up to one."""
    dictionary = DictionaryCoder(CodedNames.of(linker.taxonomy))
    names = [name for name, concepts in dictionary._concepts.items() if len(concepts) > 1]
    scores = dictionary.scores(names)
    np.testing.assert_allclose(scores.sum(axis=1), 1, rtol=1e-6)


def test_names_of_some_languages(linker: Linker) -> None:
    """A coder may be limited to languages."""
    english = DictionaryCoder(CodedNames.of(linker.taxonomy, ["en"]))
    assert english.scores(["Cooks"]).max() == 1


def test_the_names_have_languages_for_systems_that_need_them(linker: Linker) -> None:
    """Without a choice they are the taxonomy's."""
    dataset = CodedNames.of(linker.taxonomy).dataset
    assert dataset.corpus_languages == tuple(linker.taxonomy.manifest.languages)
    assert dataset.query_language in dataset.corpus_languages
