"""The encoder's scorer against brute force over all occupations and names."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from jobmatch_core.entities import Encoder
from jobmatch_core.linking import encoder_scorer
from jobmatch_core.linking.encoder_scorer import N_NAMES_EACH, EncoderScorer, stored
from tests.core.linking.compared_links import all_pairs, dense

NAMES = ["bus driver", "tram driver", "head nurse", "nurse", "night nurse", "koch", "kochin", "cook", "driver", "a bus"]
CONCEPTS = np.array([9, 9, 2, 2, 2, 5, 5, 5, 9, 7], dtype=np.int32)  # in no order, as in an index
URIS = [f"uri:{number}" for number in range(10)]
QUERIES = ["nurse", "bus driver night", "kochin koch koch", "zz nurse zz", "driver"]


NO_ANCHORS = np.zeros((10, 32), np.float32)


class Anchored:
    """An encoder that was trained with vectors for concepts 2 and 9."""

    name = "anchored"

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the letters' vectors."""
        return self._encoder.encode(texts)

    def concept_vectors(self, uris: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of two further names, by URI."""
        names = {"uri:2": "matron", "uri:9": "chauffeur"}
        vectors = self._encoder.encode([names.get(uri, "") for uri in uris])
        return vectors


def rounded(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors rounded as by storage as 16-bit integers."""
    return np.rint(vectors * 32767) / np.float32(32767)


def brute_force(
    names: NDArray[np.float32], concepts: NDArray[np.int32], query: NDArray[np.float32], limit: int
) -> dict[int, list[float]]:
    """Return the best concepts with the cosines of their best names, in descending order."""
    heads = {}
    for concept in sorted(set(concepts.tolist())):
        mean = names[concepts == concept].sum(axis=0)
        heads[concept] = float(query @ mean / max(np.linalg.norm(mean), 1e-9))
    best = sorted(heads, key=lambda concept: -heads[concept])[: min(limit, encoder_scorer.N_OCCUPATIONS)]
    cosines = {concept: sorted((names[concepts == concept] @ query).tolist(), reverse=True) for concept in best}
    return {concept: best_names[: encoder_scorer.N_NAMES_EACH] for concept, best_names in cosines.items()}


@pytest.fixture(scope="module")
def scorer(letters: Encoder) -> EncoderScorer:
    """A scorer of ten names of four occupations."""
    return EncoderScorer.fit(letters, NAMES, CONCEPTS, URIS)


def test_pairs_equal_the_dot_product(scorer: EncoderScorer, letters: Encoder) -> None:
    """Vectors are normalised; entries are numbered as in the index."""
    expected = letters.encode(QUERIES) @ rounded(letters.encode(NAMES)).T
    np.testing.assert_allclose(dense(scorer, QUERIES, len(NAMES)), np.clip(expected, 0, 1), atol=1e-6)
    assert dense(scorer, ["nurse"], len(NAMES))[0, NAMES.index("nurse")] == pytest.approx(1.0, abs=5e-4)


def test_pairs_in_blocks(scorer: EncoderScorer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty pairs, in blocks of seven."""
    expected = dense(scorer, QUERIES, len(NAMES))
    monkeypatch.setattr(encoder_scorer, "_PAIRS_AT_ONCE", 7)
    np.testing.assert_array_equal(dense(scorer, QUERIES, len(NAMES)), expected)


def test_scores_are_between_zero_and_one(letters: Encoder) -> None:
    """Opposite vectors score 0; the head's scores are not clipped."""
    vectors = -letters.encode(NAMES)[np.argsort(CONCEPTS, kind="stable")]
    opposite = EncoderScorer(letters, stored(vectors), CONCEPTS, NO_ANCHORS)
    assert not dense(opposite, QUERIES, len(NAMES)).any()
    scores = opposite.occupation_scores(letters.encode(QUERIES))
    assert scores.max() <= 0
    assert scores.min() < -0.5
    long = EncoderScorer(letters, stored(-vectors), CONCEPTS, NO_ANCHORS)
    encoded = 2 * letters.encode(QUERIES)
    assert long.pairs(encoded, *all_pairs(len(QUERIES), len(NAMES))).max() == 1


def test_occupation_scores_are_those_of_the_means(scorer: EncoderScorer, letters: Encoder) -> None:
    """One column per occupation, found by its concept number."""
    vectors, encoded = rounded(letters.encode(NAMES)), letters.encode(QUERIES)
    scores = scorer.occupation_scores(encoded)
    assert scores.shape == (len(QUERIES), 4)
    columns = scorer.columns(np.array([9, 2, 5, 7, 9]))
    assert columns.tolist() == [3, 0, 1, 2, 3]
    for concept, column in zip((9, 2, 5, 7), columns[:4], strict=True):
        mean = vectors[concept == CONCEPTS].mean(axis=0)
        np.testing.assert_allclose(scores[:, column], encoded @ mean / np.linalg.norm(mean), atol=1e-5)


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 99])
def test_nearest_by_brute_force(scorer: EncoderScorer, letters: Encoder, limit: int) -> None:
    """The best occupations of each query, and at most `N_NAMES_EACH` names of each."""
    encoded = letters.encode(QUERIES)
    rows, entries = scorer.nearest(encoded, limit)
    cosines = encoded @ rounded(letters.encode(NAMES)).T
    for query in range(len(QUERIES)):
        proposed = entries[rows == query]
        assert len(set(proposed.tolist())) == len(proposed)
        expected = brute_force(rounded(letters.encode(NAMES)), CONCEPTS, encoded[query], limit)
        assert set(CONCEPTS[proposed].tolist()) == set(expected)
        for concept, best in expected.items():
            own = sorted(cosines[query, proposed[CONCEPTS[proposed] == concept]].tolist(), reverse=True)
            assert own == pytest.approx(best, abs=1e-5)


@given(st.integers(0, 1000), st.integers(1, 120), st.integers(1, 40), st.integers(1, 5), st.integers(1, 30))
@settings(max_examples=60, deadline=None)
def test_nearest_of_any_taxonomy(seed: int, n_names: int, n_concepts: int, n_queries: int, limit: int) -> None:
    """More occupations than are proposed, with one or many names."""
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(n_names + n_queries, 6)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    names, encoded = rounded(vectors[:n_names]), vectors[n_names:]
    concepts = random.integers(0, n_concepts, n_names).astype(np.int32)
    anchors = np.zeros((n_concepts, 6), np.float32)
    scorer = EncoderScorer(NoEncoder(), stored(names[np.argsort(concepts, kind="stable")]), concepts, anchors)
    rows, entries = scorer.nearest(encoded, limit)
    for query in range(n_queries):
        proposed = entries[rows == query]
        expected = brute_force(names, concepts, encoded[query], limit)
        assert {c: sum(concepts[proposed] == c) for c in expected} == {c: len(best) for c, best in expected.items()}
        assert len(proposed) == sum(map(len, expected.values()))
        assert np.sort(names[proposed] @ encoded[query]) == pytest.approx(
            np.sort([cosine for best in expected.values() for cosine in best]), abs=1e-5
        )


class NoEncoder:
    """Stands in where no text must be encoded."""

    name = "none"

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """Fail: there is nothing to be encoded."""
        raise AssertionError(texts)


def test_without_some_names(scorer: EncoderScorer, letters: Encoder) -> None:
    """Scores equal those of a head over the other names; -1 if all are left out."""
    encoded = letters.encode(["night nurse"])[0]
    nurses = np.flatnonzero(CONCEPTS == 2)
    vectors = rounded(letters.encode(NAMES))
    for left_out in (nurses[:1], nurses[[0, 2]], nurses[:0], np.array([0, 9])):
        others = np.setdiff1d(nurses, left_out)
        mean = vectors[others].sum(axis=0)
        expected = float(encoded @ mean / np.linalg.norm(mean))
        assert scorer.without(encoded, 2, left_out) == pytest.approx(expected, abs=1e-5)
    assert scorer.without(encoded, 2, nurses) == -1
    assert scorer.without(encoded, 7, np.array([9])) == -1
    whole = scorer.occupation_scores(encoded[None])[0, scorer.columns(np.array([2]))[0]]
    assert scorer.without(encoded, 2, nurses[:0]) == pytest.approx(float(whole), abs=1e-5)


def test_the_head_is_anchored_where_the_encoder_knows_the_concept(letters: Encoder) -> None:
    """By hand: the normalised sum of the anchor and the names' normalised mean, also without some names."""
    scorer = EncoderScorer.fit(Anchored(letters), NAMES, CONCEPTS, URIS)
    plain = EncoderScorer.fit(letters, NAMES, CONCEPTS, URIS)
    encoded = letters.encode(QUERIES)
    vectors = rounded(letters.encode(NAMES))
    nurses = np.flatnonzero(CONCEPTS == 2)
    [anchor] = letters.encode(["matron"])
    for left_out in (nurses[:0], nurses[:2]):
        mean = vectors[np.setdiff1d(nurses, left_out)].sum(axis=0)
        vector = mean / np.linalg.norm(mean) + anchor
        expected = encoded @ vector / np.linalg.norm(vector)
        scores = [scorer.without(query, 2, left_out) for query in encoded]
        np.testing.assert_allclose(scores, expected, atol=1e-5)
        if not len(left_out):
            np.testing.assert_allclose(scorer.occupation_scores(encoded)[:, 0], expected, atol=1e-5)
    assert scorer.without(encoded[0], 2, nurses) == -1
    unanchored = scorer.columns(np.array([5, 7]))
    np.testing.assert_array_equal(
        scorer.occupation_scores(encoded)[:, unanchored], plain.occupation_scores(encoded)[:, unanchored]
    )
    assert not np.allclose(scorer.occupation_scores(encoded), plain.occupation_scores(encoded), atol=0.01)


@pytest.mark.parametrize("names", [[3, 0], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [9], [8, 2, 5]], ids=repr)
def test_a_subset_has_its_names_and_the_whole_head(scorer: EncoderScorer, letters: Encoder, names: list[int]) -> None:
    """Occupations are proposed as in the whole, names only in the subset."""
    part = scorer.subset(np.array(names))
    np.testing.assert_array_equal(dense(part, QUERIES, len(names)), dense(scorer, QUERIES, len(NAMES))[:, names])
    encoded = letters.encode(QUERIES)
    np.testing.assert_array_equal(part.occupation_scores(encoded), scorer.occupation_scores(encoded))
    np.testing.assert_array_equal(part.columns(CONCEPTS), scorer.columns(CONCEPTS))
    concepts, cosines = CONCEPTS[names], encoded @ rounded(letters.encode(NAMES)).T[:, names]
    rows, entries = part.nearest(encoded, 99)
    for query in range(len(QUERIES)):
        proposed = entries[rows == query]
        assert sorted(concepts[proposed].tolist()) == sorted(
            concept for concept in set(concepts.tolist()) for _ in range(min(N_NAMES_EACH, (concepts == concept).sum()))
        )
        for concept in set(concepts.tolist()):
            own = sorted(cosines[query, proposed[concepts[proposed] == concept]], reverse=True)
            best = sorted(cosines[query, concepts == concept], reverse=True)[:N_NAMES_EACH]
            assert own == pytest.approx(best, abs=1e-5)


def test_a_subset_of_a_subset(scorer: EncoderScorer) -> None:
    """Entries are numbered in the smaller index."""
    part = scorer.subset(np.array([8, 2, 5, 3])).subset(np.array([1, 2]))
    np.testing.assert_array_equal(dense(part, QUERIES, 2), dense(scorer, QUERIES, len(NAMES))[:, [2, 5]])


def test_an_occupation_without_names_in_the_subset_proposes_nothing(scorer: EncoderScorer) -> None:
    """The nurses are nearest by the head, but the subset has none of their names."""
    part = scorer.subset(np.array([0, 9]))
    rows, entries = part.nearest(part.encode(["nurse"]), 1)
    assert (rows.tolist(), entries.tolist()) == ([], [])


def test_no_names_and_no_queries(scorer: EncoderScorer) -> None:
    """An empty subset, and an empty batch."""
    nothing = scorer.subset(np.array([], dtype=np.intp))
    encoded = scorer.encode(QUERIES)
    assert [len(array) for array in nothing.nearest(encoded, 9)] == [0, 0]
    assert [len(array) for array in scorer.nearest(encoded[:0], 9)] == [0, 0]
    assert scorer.pairs(encoded, np.array([], np.intp), np.array([], np.intp)).shape == (0,)


def test_names_are_encoded_in_blocks_with_progress(letters: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten names in blocks of four; the vectors are those of a single block."""
    expected = dense(EncoderScorer.fit(letters, NAMES, CONCEPTS, URIS), QUERIES, len(NAMES))
    monkeypatch.setattr(encoder_scorer, "_BLOCK", 4)
    steps: list[tuple[int, int]] = []
    fitted = EncoderScorer.fit(letters, NAMES, CONCEPTS, URIS, progress=lambda done, total: steps.append((done, total)))
    assert steps == [(0, 10), (4, 10), (8, 10), (10, 10)]
    np.testing.assert_array_equal(dense(fitted, QUERIES, len(NAMES)), expected)


def test_saved_and_loaded_it_answers_the_same(letters: Encoder, tmp_path: Path) -> None:
    """From read-only files, with names as 16-bit integers; only queries are encoded."""
    anchored = Anchored(letters)
    scorer = EncoderScorer.fit(anchored, NAMES, CONCEPTS, URIS)
    scorer.save(tmp_path / "encoder")
    files = sorted((tmp_path / "encoder").iterdir())
    assert [path.name for path in files] == ["anchors.npy", "concepts.npy", "head.npy", "names.npy"]
    assert np.load(tmp_path / "encoder" / "names.npy").dtype == np.int16
    for path in files:
        path.chmod(0o444)
    loaded = EncoderScorer.load(anchored, tmp_path / "encoder")
    encoded = letters.encode(QUERIES)
    np.testing.assert_array_equal(dense(loaded, QUERIES, len(NAMES)), dense(scorer, QUERIES, len(NAMES)))
    np.testing.assert_array_equal(loaded.occupation_scores(encoded), scorer.occupation_scores(encoded))
    for after, before in zip(loaded.nearest(encoded, 3), scorer.nearest(encoded, 3), strict=True):
        np.testing.assert_array_equal(after, before)
    np.testing.assert_array_equal(
        dense(loaded.subset(np.array([3, 0])), QUERIES, 2), dense(scorer, QUERIES, len(NAMES))[:, [3, 0]]
    )
    assert [loaded.without(query, 2, np.array([3])) for query in encoded] == [
        scorer.without(query, 2, np.array([3])) for query in encoded
    ]
    assert loaded.name == "anchored"


class WithGroups(Anchored):
    """An encoder with a classifier that gives 0.6 to group 1111 and 0.3 to 2221, for every text."""

    class Classifier:
        """Gives the same probabilities to every text."""

        codes = np.array([1111, 2221], np.int32)

        def probabilities(self, texts: Sequence[str]) -> NDArray[np.float32]:
            """Return the same probabilities for each text."""
            return np.tile(np.array([0.6, 0.3], np.float32), (len(texts), 1))

    group_classifier = Classifier()


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ([-1, 1111, 2221, 5120], [0.0, 0.6, 0.3, 0.0]),
        ([-1, 2221], [0.0, 0.3]),
        ([2221, 9999], [0.3, 0.0]),
        ([-1], [0.0]),
    ],
)
def test_shares_of_groups_are_ordered_as_in_the_index(
    letters: Encoder, codes: list[int], expected: list[float]
) -> None:
    """Groups that the index lacks are left out; occupations without a group (-1) have no share."""
    scorer = EncoderScorer.fit(WithGroups(letters), NAMES, CONCEPTS, URIS)
    shares = scorer.group_shares(["nurse", "cook"], np.array(codes, np.int32))
    np.testing.assert_allclose(shares, [expected, expected])


def test_without_a_classifier_no_group_has_a_share(scorer: EncoderScorer) -> None:
    """The encoder's head decides alone."""
    assert scorer.group_shares(["nurse"], np.array([2221, 5120], np.int32)).tolist() == [[0.0, 0.0]]
