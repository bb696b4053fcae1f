"""Baselines by hand; BM25 also against the package rank_bm25."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from jobmatch_core.entities import FloatArray
from jobmatch_core.towers.documents import SECTIONS, Document, Kind
from jobmatch_core.towers.matcher import (
    BM25Matcher,
    ConcatenatedText,
    CosineMatcher,
    Matcher,
    SectionSBert,
    SkillOverlap,
)

WORDS = st.lists(st.sampled_from(["java", "web", "art", "nurse", "pascal"]), max_size=6).map(" ".join)


class Letters:
    """Encodes a text as its normalised counts of a, b and c."""

    name = "letters"

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return (text, 3)."""
        counts = np.array([[text.count(letter) for letter in "abc"] for text in texts], dtype=np.float32)
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1)


def document(kind: Kind, *texts: str, skills: str = "") -> Document:
    """Return a document whose other sections are empty; each letter of *skills* is a skill."""
    filled = texts + ("",) * (len(SECTIONS[kind]) - len(texts))
    return Document(f"{kind}-{texts}", kind, "en", "", filled, frozenset(skills))


def test_skill_overlap_by_hand() -> None:
    """Two of three, none, all; all scores are equal for a project without skills."""
    projects = [document("project", skills="abc"), document("project")]
    freelancers = [document("freelancer", skills=skills) for skills in ("abx", "x", "abcd")]
    scores = SkillOverlap().scores(projects, freelancers)
    assert scores == pytest.approx(np.array([[2 / 3, 0, 1], [0, 0, 0]]))


@given(st.lists(WORDS, min_size=1, max_size=3), st.lists(WORDS, min_size=1, max_size=6).filter(any))
def test_bm25_equals_rank_bm25(projects: list[str], freelancers: list[str]) -> None:
    """With whole documents as texts."""
    scores = BM25Matcher().scores(
        [document("project", text) for text in projects], [document("freelancer", text) for text in freelancers]
    )
    reference = BM25Okapi([text.split() for text in freelancers])
    assert scores == pytest.approx(np.array([reference.get_scores(text.split()) for text in projects]), abs=1e-5)


def test_bm25_folds_words_and_reads_all_sections() -> None:
    """Case and accents are ignored; the last section counts."""
    project = document("project", "PFLEGER für Köln")
    scores = BM25Matcher().scores(
        [project], [document("freelancer", "", "", "", "", "", "koln"), *[document("freelancer", "x")] * 3]
    )
    assert scores[0].argmax() == 0
    assert scores[0, 0] > 0 == scores[0, 1]


def test_bm25_without_a_word() -> None:
    """All scores are 0."""
    assert BM25Matcher().scores([document("project", "java")], [document("freelancer")] * 2).tolist() == [[0, 0]]


def test_section_sbert_by_hand() -> None:
    """Two sections of seven: mean (1, 1, 0) / 7, normalised; against one section: 1 / sqrt(2)."""
    model = SectionSBert(Letters())
    assert model.encode([document("project", "a", "bbb")]).tolist() == [pytest.approx([0.70711, 0.70711, 0], abs=1e-5)]
    matcher: Matcher = CosineMatcher(model)
    assert matcher.name == "section-sbert"
    scores = matcher.scores([document("project", "a", "bbb")], [document("freelancer", "a"), document("freelancer")])
    assert scores.tolist() == [pytest.approx([0.70711, 0], abs=1e-5)]


def test_a_long_section_weighs_no_more_than_a_short_one() -> None:
    """This distinguishes Section-S-BERT from the concatenated text."""
    sections, whole = SectionSBert(Letters()), ConcatenatedText(Letters())
    profile = document("freelancer", "a", "bbbb")
    assert sections.encode([profile])[0] == pytest.approx([0.70711, 0.70711, 0], abs=1e-5)
    assert whole.encode([profile])[0] == pytest.approx(np.array([1, 4, 0]) / np.sqrt(17))


def test_the_order_of_sections_does_not_matter() -> None:
    """The mean is symmetric."""
    model = SectionSBert(Letters())
    one, other = document("freelancer", "ab", "c"), document("freelancer", "", "c", "", "ab")
    assert model.encode([one]) == pytest.approx(model.encode([other]))
