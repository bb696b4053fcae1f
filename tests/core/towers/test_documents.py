"""Headings by section, term matrices, and vectors of sections."""

import tomllib
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import FloatArray, NamedSkill
from jobmatch_core.retrieval.project_reader import read_briefing
from jobmatch_core.taxonomy.skill_finder import SkillFinder, SkillNames
from jobmatch_core.text.folding import fold
from jobmatch_core.towers.documents import SECTIONS, Document, known_headings, section_vectors, term_matrices

TABLES = tomllib.loads((files("jobmatch_core.towers") / "headings.toml").read_text("utf-8"))
LISTS = {
    (kind, section, language): headings
    for kind, sections in TABLES.items()
    for section, languages in sections.items()
    for language, headings in languages.items()
}
NO_SKILLS = SkillFinder(SkillNames([], [], [], []))


@pytest.mark.parametrize("kind", SECTIONS)
def test_sections_are_those_of_documents(kind: str) -> None:
    """Headings have the sections of documents, in nine languages; education belongs to the experience."""
    assert set(TABLES[kind]) <= {*SECTIONS[kind], "education"}
    assert {tuple(languages) for languages in TABLES[kind].values()} == {
        ("en", "de", "fr", "es", "it", "nl", "pl", "pt", "ro")
    }


@pytest.mark.parametrize("key", LISTS, ids="-".join)
def test_no_heading_is_empty_or_twice(key: tuple[str, str, str]) -> None:
    """Headings are distinct after folding."""
    assert all(map(fold, LISTS[key]))
    assert len(set(LISTS[key])) == len(LISTS[key])


def test_a_heading_of_two_sections_begins_the_first_that_is_asked_for() -> None:
    """'perfil' is the heading of two sections."""
    assert known_headings("project", ("job_title", "mandatory_skills"))["perfil"] == "job_title"
    assert known_headings("project", ("mandatory_skills", "job_title"))["perfil"] == "mandatory_skills"


def test_sections_that_are_not_asked_for_have_no_headings() -> None:
    """Only headings of the given sections are returned."""
    assert "job title" not in known_headings("project", ("mandatory_skills", "bonus_skills"))


def test_pasted_texts_know_the_headings_of_adverts() -> None:
    """Bonus skills end at the heading of the next skills, with or without a colon."""
    finder = SkillFinder(SkillNames(["p", "g"], ["Python", "Git"], ["en", "en"], [True, True]))
    project = read_briefing("Shop\nPreferred qualifications\nPython\nYour profile\nGit", finder)
    assert (project.mandatory, project.bonus) == ((NamedSkill("g", "Git"),), (NamedSkill("p", "Python"),))


@pytest.mark.parametrize("word", ["Profil recherché", "Wir suchen", "Figura ricercata", "Wij zoeken", "Procuramos"])
def test_whom_a_pasted_text_looks_for(word: str) -> None:
    """The job title follows such a heading."""
    assert read_briefing(f"Shop\n{word}: Koch", NO_SKILLS).job_title == "Koch"


DOCUMENTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=5), max_size=4)


def test_terms_by_hand() -> None:
    """Columns a, b and c are the sorted terms of both lists; repeated terms count repeatedly."""
    first, second = term_matrices([["b", "a", "b"], []], [["c"]])
    assert first.toarray().tolist() == [[1, 2, 0], [0, 0, 0]]
    assert second.toarray().tolist() == [[0, 0, 1]]


@given(DOCUMENTS, DOCUMENTS)
def test_products_count_common_terms(first: list[list[str]], second: list[list[str]]) -> None:
    """Pairs of equal terms."""
    one, other = term_matrices(first, second)
    naive = [[sum(n * Counter(b)[term] for term, n in Counter(a).items()) for b in second] for a in first]
    assert (one @ other.T).toarray().tolist() == naive


class Lengths:
    """Encodes a text as its length, and records the texts."""

    name = "lengths"

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return (text, 1)."""
        self.texts += texts
        return np.array([[len(text)] for text in texts], dtype=np.float32)


def freelancer(*texts: str) -> Document:
    """Return a profile."""
    return Document("f", "freelancer", "en", "", texts, frozenset())


def test_each_distinct_text_is_encoded_once() -> None:
    """Including the empty one."""
    encoder = Lengths()
    seen: list[tuple[int, int]] = []
    documents = [freelancer("a", "bb", "", "", "a", "ccc"), freelancer("bb", "a", "a", "", "", "dddd")]
    vectors = section_vectors(documents, encoder, progress=lambda done, total: seen.append((done, total)))
    assert vectors.shape == (2, 6, 1)
    assert vectors[:, :, 0].tolist() == [[1, 2, 0, 0, 1, 3], [2, 1, 1, 0, 0, 4]]
    assert encoder.texts == ["a", "bb", "", "ccc", "dddd"]
    assert seen == [(5, 5)]


def test_two_kinds_or_nobody_are_an_error() -> None:
    """They are refused."""
    with pytest.raises(ValueError, match="one kind"):
        section_vectors([freelancer(*"abcdef"), Document("p", "project", "en", "", ("",) * 7, frozenset())], Lengths())
    with pytest.raises(ValueError, match="at least one"):
        section_vectors([], Lengths())
