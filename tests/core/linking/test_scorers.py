"""Lexical scorers against naive dense oracles, their subsets, and their files."""

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from rapidfuzz.distance import JaroWinkler

from jobmatch_core.linking.scorers import TfidfScorer, fuzzy
from tests.core.linking.compared_links import dense

NAMES = [
    "bus driver",
    "tram driver",
    "head nurse",
    "nurse",
    "night nurse",
    "koch",
    "kochin",
    "cook",
    "driver",
    "the bus",
]
QUERIES = ["nurse", "bus driver night", "kochin koch koch", "zz nurse zz", "driver"]
KINDS = ["word", "char"]


def naive_terms(kind: str, text: str) -> Counter[str]:
    """Count a text's terms: words, or n-grams of 3 to 5 letters inside words with a space on either side."""
    if kind == "word":
        return Counter(text.split())
    terms: Counter[str] = Counter()
    for word in text.split():
        padded = f" {word} "
        for n in (3, 4, 5):
            if len(padded) <= n:
                terms[padded] += 1  # a short word counts once, whole
                break
            terms.update(padded[i : i + n] for i in range(len(padded) - n + 1))
    return terms


def naive_cosines(kind: str, queries: list[str], names: list[str]) -> NDArray[np.float64]:
    """Return cosines of textbook TF-IDF vectors: idf = ln((1 + n) / (1 + df)) + 1, unknown terms ignored."""
    documents = [naive_terms(kind, name) for name in names]
    frequency = Counter(term for document in documents for term in document)
    idf = {term: math.log((1 + len(names)) / (1 + df)) + 1 for term, df in frequency.items()}

    def vector(terms: Counter[str]) -> dict[str, float]:
        tf = {t: (1 + math.log(count) if kind == "char" else count) for t, count in terms.items() if t in idf}
        weights = {term: value * idf[term] for term, value in tf.items()}
        norm = math.sqrt(sum(weight**2 for weight in weights.values())) or 1.0
        return {term: weight / norm for term, weight in weights.items()}

    name_vectors = [vector(document) for document in documents]
    query_vectors = [vector(naive_terms(kind, query)) for query in queries]
    return np.array([[sum(w * n.get(t, 0.0) for t, w in q.items()) for n in name_vectors] for q in query_vectors])


@pytest.mark.parametrize("kind", KINDS)
def test_pairs_equal_naive_cosines(kind: str) -> None:
    """Every query with every name."""
    scores = dense(TfidfScorer.fit(kind, NAMES), QUERIES, len(NAMES))
    np.testing.assert_allclose(scores, naive_cosines(kind, QUERIES, NAMES), atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_of_some_names_equals_naive_cosines(kind: str) -> None:
    """Every query with every other name."""
    scorer = TfidfScorer.fit(kind, NAMES)
    some = np.arange(0, len(NAMES), 2)
    table = scorer.table(scorer.encode(QUERIES), some)
    np.testing.assert_allclose(table, naive_cosines(kind, QUERIES, NAMES)[:, some], atol=1e-6)


def test_covered_share_by_hand() -> None:
    """Of `a b` with idf 1 and 1.405, `a` covers 1 / (1 + 1.405^2), and `b a c` all."""
    scorer = TfidfScorer.fit("word", ["a b", "a"])
    covered = scorer.covered(scorer.encode(["a", "b a c", "c"]), np.array([0]))[:, 0]
    assert covered.tolist() == pytest.approx([1 / (1 + (math.log(1.5) + 1) ** 2), 1.0, 0.0])


def test_word_cosine_by_hand() -> None:
    """Names `a b` and `a`: idf(a) = 1, idf(b) = ln(3/2) + 1 = 1.405; cos(`a`, `a b`) = 1 / sqrt(1 + 1.405^2)."""
    scorer = TfidfScorer.fit("word", ["a b", "a"])
    assert dense(scorer, ["a"], 2)[0].tolist() == pytest.approx([1 / math.hypot(1, math.log(1.5) + 1), 1.0])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("limit", [1, 2, 100])
def test_nearest_are_the_best_of_all(kind: str, limit: int) -> None:
    """The best names of each query, none without a common term."""
    scorer = TfidfScorer.fit(kind, NAMES)
    rows, columns = scorer.nearest(scorer.encode(QUERIES), limit)
    expected = naive_cosines(kind, QUERIES, NAMES)
    for query in range(len(QUERIES)):
        nearest = columns[rows == query]
        best = sorted((score for score in expected[query] if score > 0), reverse=True)[:limit]
        assert len(set(nearest)) == len(nearest) == len(best)
        assert sorted(expected[query, nearest], reverse=True) == pytest.approx(best)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("queries", [["qqqqq"], [""], ["qqqqq", ""], ["qqqqq", "nurse"]], ids=repr)
def test_a_query_without_a_known_term_finds_nothing(kind: str, queries: list[str]) -> None:
    """Its vector is empty: no name is near, every pair scores 0, and other queries do not change."""
    scorer = TfidfScorer.fit(kind, NAMES)
    rows, columns = scorer.nearest(scorer.encode(queries), 3)
    assert set(rows) == {i for i, query in enumerate(queries) if query == "nurse"}
    assert len(rows) == len(columns)
    assert not dense(scorer, queries, len(NAMES))[0].any()


def test_a_term_of_thousands_of_names_scores_but_proposes_nothing(tmp_path: Path) -> None:
    """`worker` occurs in 2,500 names: it proposes none, but counts if another word does; also after loading."""
    names = [f"worker a{number}" for number in range(2500)]
    fitted = TfidfScorer.fit("word", names)
    fitted.save(tmp_path / "word")
    for scorer in (fitted, TfidfScorer.load("word", tmp_path / "word")):
        encoded = scorer.encode(["worker", "worker a7"])
        rows, columns = scorer.nearest(encoded, 5)
        assert (rows.tolist(), columns.tolist()) == ([1], [7])
        scores = scorer.pairs(encoded, np.array([0, 1]), np.array([7, 7]))
        assert scores[0] > 0
        assert scores[1] == pytest.approx(1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_subset_keeps_the_cosines_of_its_names(kind: str) -> None:
    """The idf of all names stays, so that scores do not depend on the languages searched."""
    scorer = TfidfScorer.fit(kind, NAMES)
    entries = np.array([1, 3, 7])
    part = scorer.subset(entries)
    np.testing.assert_array_equal(dense(part, QUERIES, 3), dense(scorer, QUERIES, len(NAMES))[:, entries])
    rows, columns = part.nearest(part.encode(["nurse"]), 5)
    assert (rows.tolist(), columns.tolist()) == ([0], [1])


@pytest.mark.parametrize("kind", KINDS)
def test_saved_and_loaded_it_answers_the_same(kind: str, tmp_path: Path) -> None:
    """Vocabulary, scores and neighbours are equal; the mapped files are read-only."""
    scorer = TfidfScorer.fit(kind, NAMES)
    scorer.save(tmp_path / kind)
    before = {path.name: path.read_bytes() for path in (tmp_path / kind).iterdir()}
    for path in (tmp_path / kind).iterdir():
        path.chmod(0o444)
    loaded = TfidfScorer.load(kind, tmp_path / kind)
    assert loaded.vocabulary == scorer.vocabulary
    np.testing.assert_array_equal(dense(loaded, QUERIES, len(NAMES)), dense(scorer, QUERIES, len(NAMES)))
    of_loaded, of_scorer = (s.nearest(s.encode(QUERIES), 100) for s in (loaded, scorer))
    assert set(zip(*map(np.ndarray.tolist, of_loaded), strict=True)) == set(
        zip(*map(np.ndarray.tolist, of_scorer), strict=True)
    )
    np.testing.assert_array_equal(
        dense(loaded.subset(np.array([2, 5])), QUERIES, 2), dense(scorer, QUERIES, 10)[:, [2, 5]]
    )
    assert {path.name: path.read_bytes() for path in (tmp_path / kind).iterdir()} == before
    assert not any(path.suffix == ".pkl" for path in (tmp_path / kind).iterdir())


def test_an_endless_word_is_kept_whole(tmp_path: Path) -> None:
    """After loading it matches itself, but no prefix."""
    TfidfScorer.fit("word", ["a" * 70 + " nurse", "cook"]).save(tmp_path / "word")
    loaded = TfidfScorer.load("word", tmp_path / "word")
    assert dense(loaded, ["cook"], 2)[0].tolist() == pytest.approx([0.0, 1.0])
    assert dense(loaded, ["a" * 70], 2)[0].tolist() == pytest.approx([0.5**0.5, 0.0])
    assert dense(loaded, ["a" * 69], 2)[0].tolist() == [0.0, 0.0]


def test_two_long_words_that_start_alike_can_be_loaded(tmp_path: Path) -> None:
    """Thai, Japanese and Chinese names are one word each, and long ones may share a prefix."""
    TfidfScorer.fit("word", ["a" * 70, "a" * 71]).save(tmp_path / "word")
    assert len(TfidfScorer.load("word", tmp_path / "word").vocabulary) == 2


@given(
    st.lists(st.text("abc ", min_size=1, max_size=12).filter(str.strip), min_size=1, max_size=8),
    st.lists(st.text("abcd ", max_size=12), min_size=1, max_size=4),
)
@settings(max_examples=60, deadline=None)
def test_any_corpus_equals_naive_cosines(names: list[str], queries: list[str]) -> None:
    """Random words of three letters, with repeated, short and unknown terms."""
    for kind in KINDS:
        scores = dense(TfidfScorer.fit(kind, names), queries, len(names))
        np.testing.assert_allclose(scores, naive_cosines(kind, queries, names), atol=1e-5)


def test_fuzzy_is_jaro_winkler_pair_by_pair() -> None:
    """MARTHA and MARHTA, Winkler's example: Jaro 0.944, with the common prefix 0.961."""
    assert fuzzy(["martha", "koch", ""], ["marhta", "kochin", "x"])[0] == pytest.approx(0.9611, abs=1e-4)
    expected = [JaroWinkler.normalized_similarity(a, b) for a, b in zip(NAMES, NAMES[::-1], strict=True)]
    np.testing.assert_allclose(fuzzy(NAMES, NAMES[::-1]), expected, rtol=1e-6)
    assert fuzzy([], []).shape == (0,)


@pytest.mark.parametrize("entries", [None, [4, 0, 8]])
@pytest.mark.parametrize("text", ["nurse", "driver bus", "the nurse", "night zz", "", "koch koch"])
def test_names_that_contain_all_words(text: str, entries: list[int] | None) -> None:
    """The entries whose words include the text's; none for an empty text."""
    scorer = TfidfScorer.fit("word", NAMES)
    names = NAMES if entries is None else [NAMES[entry] for entry in entries]
    scorer = scorer if entries is None else scorer.subset(np.array(entries))
    words = set(text.split())
    expected = [number for number, name in enumerate(names) if words and words <= set(name.split())]
    assert scorer.containing(text).tolist() == expected
