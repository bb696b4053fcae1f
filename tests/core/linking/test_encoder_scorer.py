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

NAMES = ["bus driver", "tram driver", "head nurse", "nurse", "night nurse", "koch", "kochin", "cook", "driver", "a bus"]
CONCEPTS = np.array([9, 9, 2, 2, 2, 5, 5, 5, 9, 7], dtype=np.int32)  # in no order, as in an index
URIS = [f"uri:{number}" for number in range(10)]
QUERIES = ["nurse", "bus driver night", "kochin koch koch", "zz nurse zz", "driver"]


NO_ANCHORS = np.zeros((10, 32), np.float32)


class Anchored:
    """An encoder that was trained with a vector for the concepts 2 and 9."""

    name = "anchored"

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the letters' vectors."""
        return self._encoder.encode(texts)

    def concept_vectors(self, uris: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of two names that neither has, by URI."""
        known = {"uri:2": "matron", "uri:9": "chauffeur"}
        vectors = self._encoder.encode([known.get(uri, "") for uri in uris])
        return vectors


def all_pairs(n_queries: int, n_names: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return every pair of row and column."""
    rows, columns = np.divmod(np.arange(n_queries * n_names), n_names)
    return rows, columns


def dense(scorer: EncoderScorer, queries: list[str], n_names: int) -> NDArray[np.float32]:
    """Score every pair, shape (query, name)."""
    scores = scorer.pairs(scorer.encode(queries), *all_pairs(len(queries), n_names))
    return scores.reshape(len(queries), n_names)


def rounded(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors as they are after they were stored as 16-bit integers."""
    return np.rint(vectors * 32767) / np.float32(32767)


def brute_force(
    names: NDArray[np.float32], concepts: NDArray[np.int32], query: NDArray[np.float32], limit: int
) -> dict[int, list[float]]:
    """Return the best concepts with the cosines of their best names, each best first."""
    heads = {}
    for concept in sorted(set(concepts.tolist())):
        mean = names[concepts == concept].sum(axis=0)
        heads[concept] = float(query @ mean / max(np.linalg.norm(mean), 1e-9))
    best = sorted(heads, key=lambda concept: -heads[concept])[: min(limit, encoder_scorer.N_OCCUPATIONS)]
    cosines = {concept: sorted((names[concepts == concept] @ query).tolist(), reverse=True) for concept in best}
    return {concept: found[: encoder_scorer.N_NAMES_EACH] for concept, found in cosines.items()}


@pytest.fixture(scope="module")
def scorer(letters: Encoder) -> EncoderScorer:
    """Ten names of four occupations."""
    return EncoderScorer.fit(letters, NAMES, CONCEPTS, URIS)


def test_pairs_equal_the_dot_product(scorer: EncoderScorer, letters: Encoder) -> None:
    """Vectors are normalised, so the cosine is the dot product; entries are numbered as in the index."""
    expected = letters.encode(QUERIES) @ rounded(letters.encode(NAMES)).T
    np.testing.assert_allclose(dense(scorer, QUERIES, len(NAMES)), np.clip(expected, 0, 1), atol=1e-6)
    assert dense(scorer, ["nurse"], len(NAMES))[0, NAMES.index("nurse")] == pytest.approx(1.0, abs=5e-4)


def test_pairs_in_blocks(scorer: EncoderScorer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty pairs, seven at once."""
    expected = dense(scorer, QUERIES, len(NAMES))
    monkeypatch.setattr(encoder_scorer, "_PAIRS_AT_ONCE", 7)
    np.testing.assert_array_equal(dense(scorer, QUERIES, len(NAMES)), expected)


def test_scores_are_never_negative_and_never_more_than_one(letters: Encoder) -> None:
    """Opposite vectors count as having nothing in common; the head's scores are what they are."""
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
    """A column an occupation, found by its number."""
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
    """The best occupations of each query, as many as asked for or all, and three names of each, fewer where it has."""
    encoded = letters.encode(QUERIES)
    rows, entries = scorer.nearest(encoded, limit)
    cosines = encoded @ rounded(letters.encode(NAMES)).T
    for query in range(len(QUERIES)):
        found = entries[rows == query]
        assert len(set(found.tolist())) == len(found)
        expected = brute_force(rounded(letters.encode(NAMES)), CONCEPTS, encoded[query], limit)
        assert set(CONCEPTS[found].tolist()) == set(expected)
        for concept, best in expected.items():
            own = sorted(cosines[query, found[CONCEPTS[found] == concept]].tolist(), reverse=True)
            assert own == pytest.approx(best, abs=1e-5)


@given(st.integers(0, 1000), st.integers(1, 120), st.integers(1, 40), st.integers(1, 5), st.integers(1, 30))
@settings(max_examples=60, deadline=None)
def test_nearest_of_any_taxonomy(seed: int, n_names: int, n_concepts: int, n_queries: int, limit: int) -> None:
    """More occupations than are proposed, of one name and of many: the head's best, and of each the best names."""
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(n_names + n_queries, 6)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    names, encoded = rounded(vectors[:n_names]), vectors[n_names:]
    concepts = random.integers(0, n_concepts, n_names).astype(np.int32)
    anchors = np.zeros((n_concepts, 6), np.float32)
    scorer = EncoderScorer(NoEncoder(), stored(names[np.argsort(concepts, kind="stable")]), concepts, anchors)
    rows, entries = scorer.nearest(encoded, limit)
    for query in range(n_queries):
        found = entries[rows == query]
        expected = brute_force(names, concepts, encoded[query], limit)
        assert {c: sum(concepts[found] == c) for c in expected} == {c: len(best) for c, best in expected.items()}
        assert len(found) == sum(map(len, expected.values()))
        assert np.sort(names[found] @ encoded[query]) == pytest.approx(
            np.sort([cosine for best in expected.values() for cosine in best]), abs=1e-5
        )


class NoEncoder:
    """For vectors that no text has."""

    name = "none"

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """Fail: there is nothing to be encoded."""
        raise AssertionError(texts)


def test_without_some_names(scorer: EncoderScorer, letters: Encoder) -> None:
    """A head over the others scores the same; -1 where all are left out; names of others change nothing."""
    encoded = letters.encode(["night nurse"])[0]
    nurses = np.flatnonzero(CONCEPTS == 2)
    vectors = rounded(letters.encode(NAMES))
    for left_out in (nurses[:1], nurses[[0, 2]], nurses[:0], np.array([0, 9])):
        kept = np.setdiff1d(nurses, left_out)
        mean = vectors[kept].sum(axis=0)
        expected = float(encoded @ mean / np.linalg.norm(mean))
        assert scorer.without(encoded, 2, left_out) == pytest.approx(expected, abs=1e-5)
    assert scorer.without(encoded, 2, nurses) == -1
    assert scorer.without(encoded, 7, np.array([9])) == -1
    whole = scorer.occupation_scores(encoded[None])[0, scorer.columns(np.array([2]))[0]]
    assert scorer.without(encoded, 2, nurses[:0]) == pytest.approx(float(whole), abs=1e-5)


def test_the_head_is_anchored_where_the_encoder_knows_the_concept(letters: Encoder) -> None:
    """By hand: the normalised sum of the names' normalised mean and the anchor; without some names, of the rest's."""
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
        found = [scorer.without(query, 2, left_out) for query in encoded]
        np.testing.assert_allclose(found, expected, atol=1e-5)
        if not len(left_out):
            np.testing.assert_allclose(scorer.occupation_scores(encoded)[:, 0], expected, atol=1e-5)
    assert scorer.without(encoded[0], 2, nurses) == -1
    known = scorer.columns(np.array([5, 7]))
    np.testing.assert_array_equal(
        scorer.occupation_scores(encoded)[:, known], plain.occupation_scores(encoded)[:, known]
    )
    assert not np.allclose(scorer.occupation_scores(encoded), plain.occupation_scores(encoded), atol=0.01)


@pytest.mark.parametrize("kept", [[3, 0], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [9], [8, 2, 5]], ids=repr)
def test_a_subset_has_its_names_and_the_whole_head(scorer: EncoderScorer, letters: Encoder, kept: list[int]) -> None:
    """Meaning needs no names of a language: occupations are found as before, names only among those kept."""
    part = scorer.subset(np.array(kept))
    np.testing.assert_array_equal(dense(part, QUERIES, len(kept)), dense(scorer, QUERIES, len(NAMES))[:, kept])
    encoded = letters.encode(QUERIES)
    np.testing.assert_array_equal(part.occupation_scores(encoded), scorer.occupation_scores(encoded))
    np.testing.assert_array_equal(part.columns(CONCEPTS), scorer.columns(CONCEPTS))
    concepts, cosines = CONCEPTS[kept], encoded @ rounded(letters.encode(NAMES)).T[:, kept]
    rows, entries = part.nearest(encoded, 99)
    for query in range(len(QUERIES)):
        found = entries[rows == query]
        assert sorted(concepts[found].tolist()) == sorted(
            concept for concept in set(concepts.tolist()) for _ in range(min(N_NAMES_EACH, (concepts == concept).sum()))
        )
        for concept in set(concepts.tolist()):
            own = sorted(cosines[query, found[concepts[found] == concept]], reverse=True)
            best = sorted(cosines[query, concepts == concept], reverse=True)[:N_NAMES_EACH]
            assert own == pytest.approx(best, abs=1e-5)


def test_a_subset_of_a_subset(scorer: EncoderScorer) -> None:
    """The entries are those of the smaller index."""
    part = scorer.subset(np.array([8, 2, 5, 3])).subset(np.array([1, 2]))
    np.testing.assert_array_equal(dense(part, QUERIES, 2), dense(scorer, QUERIES, len(NAMES))[:, [2, 5]])


def test_an_occupation_without_names_in_the_subset_proposes_nothing(scorer: EncoderScorer) -> None:
    """The nurses are nearest by the head, but none of their names was kept."""
    part = scorer.subset(np.array([0, 9]))
    rows, entries = part.nearest(part.encode(["nurse"]), 1)
    assert (rows.tolist(), entries.tolist()) == ([], [])


def test_no_names_and_no_queries(scorer: EncoderScorer) -> None:
    """A selection of languages in which no occupation has a name, and an empty batch."""
    nothing = scorer.subset(np.array([], dtype=np.intp))
    encoded = scorer.encode(QUERIES)
    assert [len(each) for each in nothing.nearest(encoded, 9)] == [0, 0]
    assert [len(each) for each in scorer.nearest(encoded[:0], 9)] == [0, 0]
    assert scorer.pairs(encoded, np.array([], np.intp), np.array([], np.intp)).shape == (0,)


def test_names_are_encoded_in_blocks_and_it_is_told_how_far(letters: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten names, four at once, occupation by occupation; the vectors are those of one go."""
    expected = dense(EncoderScorer.fit(letters, NAMES, CONCEPTS, URIS), QUERIES, len(NAMES))
    monkeypatch.setattr(encoder_scorer, "_BLOCK", 4)
    told: list[tuple[int, int]] = []
    fitted = EncoderScorer.fit(letters, NAMES, CONCEPTS, URIS, progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 10), (4, 10), (8, 10), (10, 10)]
    np.testing.assert_array_equal(dense(fitted, QUERIES, len(NAMES)), expected)


def test_saved_and_loaded_it_answers_the_same(letters: Encoder, tmp_path: Path) -> None:
    """The head and the names' vectors come from read-only files, names as 16-bit integers; only queries are encoded."""
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
    for found, expected in zip(loaded.nearest(encoded, 3), scorer.nearest(encoded, 3), strict=True):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(
        dense(loaded.subset(np.array([3, 0])), QUERIES, 2), dense(scorer, QUERIES, len(NAMES))[:, [3, 0]]
    )
    assert [loaded.without(query, 2, np.array([3])) for query in encoded] == [
        scorer.without(query, 2, np.array([3])) for query in encoded
    ]
    assert loaded.name == "anchored"


class WithGroups(Anchored):
    """An encoder with a classifier that says 0.6 of group 1111 and 0.3 of 2221, whatever the text."""

    class Classifier:
        """Says the same of every text."""

        codes = np.array([1111, 2221], np.int32)

        def probabilities(self, texts: Sequence[str]) -> NDArray[np.float32]:
            """Return the same for each text."""
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
def test_shares_of_groups_stand_under_the_groups_of_the_index(
    letters: Encoder, codes: list[int], expected: list[float]
) -> None:
    """Those of groups that the index lacks are left out; occupations without a group (-1) have none."""
    scorer = EncoderScorer.fit(WithGroups(letters), NAMES, CONCEPTS, URIS)
    found = scorer.group_shares(["nurse", "cook"], np.array(codes, np.int32))
    np.testing.assert_allclose(found, [expected, expected])


def test_without_a_classifier_no_group_has_a_share(scorer: EncoderScorer) -> None:
    """So that the encoder's head decides alone."""
    assert scorer.group_shares(["nurse"], np.array([2221, 5120], np.int32)).tolist() == [[0.0, 0.0]]
