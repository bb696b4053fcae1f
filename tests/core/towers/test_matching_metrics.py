"""The metrics of Jouanneau et al. (2024), section 4.4, by hand and against naive loops."""

from dataclasses import asdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix

from jobmatch_core.metrics.ranking import rank_ids, retrieve
from jobmatch_core.towers.documents import Document
from jobmatch_core.towers.matching_metrics import (
    FIGURES,
    MatchingJudgments,
    a_overlap,
    measure,
    recall_all,
    recall_single,
    retrieved_share,
)

NAN = float("nan")


def matrix(rows: list[list[int]]) -> csr_matrix:
    """Return a boolean matrix."""
    return csr_matrix(np.array(rows, dtype=np.bool_))


def document(key: str, kind: Any, category: str = "", skills: str = "", language: str = "en") -> Document:
    """Return a document without texts; each letter of *skills* is a skill."""
    return Document(key, kind, language, category, ("",) * 6, frozenset(skills))


def close(values: Any, expected: Any) -> None:
    """Return whether numbers are close; NaN equals NaN."""
    assert np.asarray(values, dtype=float).tolist() == pytest.approx(expected, nan_ok=True)


SCORES = np.array([[0.9, 0.5, 0.7, 0.1], [0.2, 0.3, 0.4, 0.5], [1, 2, 3, 4]], dtype=np.float32)
POSITIVES = matrix([[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
NEGATIVES = matrix([[0, 0, 1, 1], [0, 0, 0, 0], [1, 0, 0, 0]])


def test_valid_score_recall_by_hand() -> None:
    """First project: 0.9 beats 0.7 and 0.1, 0.5 does not: 1/2; means 0.7 > 0.4: 1. Others: NaN."""
    close(recall_single(SCORES, POSITIVES, NEGATIVES), [0.5, NAN, NAN])
    close(recall_all(SCORES, POSITIVES, NEGATIVES), [1, NAN, NAN])


def test_equal_scores_are_not_valid() -> None:
    """Equations 15 and 16 require a higher score."""
    same = np.ones((1, 4), dtype=np.float32)
    close(recall_single(same, POSITIVES[:1], NEGATIVES[:1]), [0])
    close(recall_all(same, POSITIVES[:1], NEGATIVES[:1]), [0])


def test_a_overlap_by_hand() -> None:
    """Terms 0 and 1 wanted; the retrieved have one and two of them: (1/2 + 2/2) / 2; nothing wanted: NaN."""
    projects = matrix([[1, 1, 0], [0, 0, 0]])
    freelancers = matrix([[1, 0, 1], [1, 1, 0], [0, 0, 1]])
    close(a_overlap(np.array([[0, 1], [0, 1]]), projects, freelancers), [0.75, NAN])
    close(a_overlap(np.array([[2, 1], [0, 1]]), projects, freelancers), [0.5, NAN])


def test_retrieved_share_by_hand() -> None:
    """One of freelancers 0 and 1 is retrieved; the second project's only one is not; the third has none."""
    close(retrieved_share(np.array([[1, 3], [0, 3], [0, 1]]), POSITIVES), [0.5, 0, NAN])


def naive_recall_single(s: Any, good: set[int], bad: set[int]) -> float:
    """Equation 15."""
    if not good or not bad:
        return NAN
    return sum(all(s[f] > s[g] for g in bad) for f in good) / len(good)


def naive_recall_all(s: Any, good: set[int], bad: set[int]) -> float:
    """Equation 16, without rounding."""
    if not good or not bad:
        return NAN
    means = [sum(Fraction(float(s[f])) / len(kind) for f in kind) for kind in (good, bad)]
    return float(means[0] > means[1])


def naive_overlap(wanted: set[int], retrieved: list[int], has: list[set[int]]) -> float:
    """Equation 17."""
    if not wanted:
        return NAN
    return sum(len(wanted & has[f]) / (len(retrieved) * len(wanted)) for f in retrieved)


def naive_share(retrieved: list[int], wanted: set[int]) -> float:
    """Equations 18 and 19."""
    return len(set(retrieved) & wanted) / len(wanted) if wanted else NAN


@given(st.integers(0, 10_000), st.integers(1, 6))
def test_every_metric_equals_its_naive_loop(seed: int, k: int) -> None:
    """Random answers and terms; multiples of 1/4 as scores, so that sums are exact and ties occur."""
    random = np.random.default_rng(seed)
    n, m, terms = random.integers(1, 5), random.integers(1, 8), 3
    scores = random.integers(0, 5, (n, m)).astype(np.float32) / 4
    answers = random.integers(-1, 2, (n, m))
    projects, freelancers = random.random((n, terms)) < 0.4, random.random((m, terms)) < 0.5
    retrieved = retrieve(scores, k, rank_ids([f"{number:02}" for number in range(m)]))
    good = [set(np.flatnonzero(row > 0).tolist()) for row in answers]
    bad = [set(np.flatnonzero(row < 0).tolist()) for row in answers]
    has = [set(np.flatnonzero(row).tolist()) for row in freelancers]
    positives, negatives = csr_matrix(answers > 0), csr_matrix(answers < 0)
    rows = range(n)
    close(recall_single(scores, positives, negatives), [naive_recall_single(scores[p], good[p], bad[p]) for p in rows])
    close(recall_all(scores, positives, negatives), [naive_recall_all(scores[p], good[p], bad[p]) for p in rows])
    close(retrieved_share(retrieved, positives), [naive_share(retrieved[p].tolist(), good[p]) for p in rows])
    close(
        a_overlap(retrieved, csr_matrix(projects), csr_matrix(freelancers)),
        [naive_overlap(set(np.flatnonzero(projects[p]).tolist()), retrieved[p].tolist(), has) for p in rows],
    )


PROJECTS = [document("p1", "project", "web", "ab"), document("p2", "project", "art", "", "de")]
FREELANCERS = [
    document("f1", "freelancer", "web", "ab"),
    document("f2", "freelancer", "art", "a"),
    document("f3", "freelancer", "", "c"),
]
ANSWERS = csr_array(np.array([[1, 0, -1], [0, 1, 0]], dtype=np.int8))


def test_judgments_of_documents() -> None:
    """Positives, negatives and unknown pairs; documents without a category share none."""
    judged = MatchingJudgments.of(PROJECTS, FREELANCERS, ANSWERS)
    assert judged.positives.toarray().tolist() == [[True, False, False], [False, True, False]]
    assert judged.negatives.toarray().tolist() == [[False, False, True], [False, False, False]]
    assert judged.freelancer_categories.sum(axis=1).ravel().tolist() == [[1, 1, 0]]
    assert judged.project_skills.sum(axis=1).ravel().tolist() == [[2, 0]]


def test_measure_by_hand() -> None:
    """All three freelancers are retrieved, in the order f3, f1, f2 and f1, f2, f3.

    Category: one of three has that of the project. Skills of p1: (0 + 1 + 1/2) / 3. Average precision: f1 and f2 are
    second, so 1/2 each. Coverage of p1 in the order of retrieval: 0, 1, 0.5; of p2: 0.
    """
    scores = np.array([[0.5, 0.1, 0.9], [3, 2, 1]], dtype=np.float32)
    coverage = np.array([[1, 0.5, 0], [0, 0, 0]], dtype=np.float32)
    outcome = measure(scores, MatchingJudgments.of(PROJECTS, FREELANCERS, ANSWERS, coverage))
    figures = outcome.overall()
    assert (figures.recall_single, figures.recall_all) == (0, 0)
    assert figures.category_at_10 == figures.category_at_100 == pytest.approx(1 / 3)
    assert figures.skills_at_10 == figures.skills_at_100 == pytest.approx(0.5)
    assert (figures.positives_at_100, figures.negatives_at_100) == (1, 1)
    assert figures.map == pytest.approx(0.5)
    assert figures.coverage_at_10 == pytest.approx(0.25)
    assert figures.ndcg_at_10 == pytest.approx((0.63093 + 0.25) / (1 + 0.5 * 0.63093), abs=1e-5)


def test_figures_by_language() -> None:
    """The only German project has no negatives and no skills, so these figures are None."""
    scores = np.array([[0.5, 0.1, 0.9], [3, 2, 1]], dtype=np.float32)
    by_language = measure(scores, MatchingJudgments.of(PROJECTS, FREELANCERS, ANSWERS)).by_language()
    assert {language: count for language, (count, _) in by_language.items()} == {"de": 1, "en": 1}
    unknown = {name for name, value in asdict(by_language["de"][1]).items() if value is None}
    nothing_compared = {"recall_single", "recall_all", "skills_at_10", "skills_at_100", "negatives_at_100"}
    assert unknown == nothing_compared | {"coverage_at_10", "ndcg_at_10"}
    assert by_language["en"][1].category_at_10 == pytest.approx(1 / 3)


@given(st.integers(0, 1000))
def test_the_order_alone_decides_what_is_retrieved(seed: int) -> None:
    """An increasing function of the scores changes at most the comparison of means."""
    random = np.random.default_rng(seed)
    judged = MatchingJudgments.of(PROJECTS, FREELANCERS, ANSWERS)
    scores = random.normal(size=(2, 3)).astype(np.float32)
    before, after = (measure(values, judged).overall() for values in (scores, np.exp(scores) + 3))
    for name in set(FIGURES) - {"recall_all"}:
        assert getattr(before, name) == pytest.approx(getattr(after, name))


@pytest.mark.parametrize("shape", [(2, 4), (1, 3)])
def test_scores_of_other_pairs_are_an_error(shape: tuple[int, int]) -> None:
    """They are refused."""
    with pytest.raises(ValueError, match="differ in shape"):
        measure(np.zeros(shape, dtype=np.float32), MatchingJudgments.of(PROJECTS, FREELANCERS, ANSWERS))


def test_answers_and_coverage_of_other_pairs_are_an_error() -> None:
    """They are refused."""
    with pytest.raises(ValueError, match=r"must have the shape \(2, 3\)"):
        MatchingJudgments.of(PROJECTS, FREELANCERS, ANSWERS[:1])
    with pytest.raises(ValueError, match=r"must have the shape \(2, 3\)"):
        MatchingJudgments.of(PROJECTS, FREELANCERS, ANSWERS, np.zeros((3, 2), dtype=np.float32))
