"""From scored names to scored occupations, against a naive loop."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from jobmatch_core.entities import Encoder
from jobmatch_core.linking.candidates import Candidates, NamePairs, feature_names, pool, score_names
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.taxonomy.taxonomy import Taxonomy

CONCEPTS = [4, 4, 4, 7, 7, 9]
PREFERRED = [True, False, False, False, True, False]
GROUPS = {2, 9}  # concepts that are ISCO groups
NO_HEAD = np.empty((4, 0), np.float32)  # of four queries


def index_of(concepts: list[int], preferred: list[bool]) -> NameIndex:
    """Make an index of which only the entries' concepts, and whether they are preferred, matter."""
    nothing = np.empty(0, np.int32)
    return NameIndex(
        texts=[str(entry) for entry in range(len(concepts))],
        concepts=np.array(concepts, np.int32),
        preferred=np.array(preferred, bool),
        form_entries=nothing,
        form_names=nothing,
        groups=np.array([concept in GROUPS for concept in range(10)]),
        scorers={},
    )


def pairs_of(rows: list[tuple[int, int, list[float]]]) -> NamePairs:
    """Make pairs of (query, entry, scores)."""
    rows = sorted(rows, key=lambda row: row[:2])
    scores = np.array([row[2] for row in rows], np.float32).reshape(len(rows), -1)
    queries, entries = (np.array([row[column] for row in rows], np.intp) for column in (0, 1))
    return NamePairs(queries, entries, scores, NO_HEAD)


def naive_pool(
    concepts: list[int], preferred: list[bool], pairs: NamePairs
) -> list[tuple[int, int, set[int], list[float]]]:
    """Return (query, concept, entries that may be its evidence, features), in order of query and concept."""
    groups: dict[tuple[int, int], list[int]] = {}
    for row, (query, entry) in enumerate(zip(pairs.queries.tolist(), pairs.entries.tolist(), strict=True)):
        groups.setdefault((query, concepts[entry]), []).append(row)
    pooled = []
    for (query, concept), rows in sorted(groups.items()):
        scores = [[float(score) for score in pairs.scores[row]] for row in rows]
        means = [sum(row) / len(row) for row in scores]
        evidence = {int(pairs.entries[row]) for row, mean in zip(rows, means, strict=True) if mean > max(means) - 1e-6}
        best = [max(column) for column in zip(*scores, strict=True)]
        many = [math.log(sum(math.exp(10 * (s - 1)) for s in column)) / 10 + 1 for column in zip(*scores, strict=True)]
        letters = max(float(pairs.scores[row, 0]) if preferred[pairs.entries[row]] else 0.0 for row in rows)
        pooled.append(
            (
                query,
                concept,
                evidence,
                [*best, *many, letters, math.log(len(rows)) / math.log(100), concept not in GROUPS],
            )
        )
    return pooled


def assert_pooled(concepts: list[int], preferred: list[bool], pairs: NamePairs) -> Candidates:
    """Compare `pool` with the naive loop."""
    found = pool(index_of(concepts, preferred), pairs)
    expected = naive_pool(concepts, preferred, pairs)
    assert list(zip(found.queries.tolist(), found.concepts.tolist(), strict=True)) == [
        (q, c) for q, c, _, _ in expected
    ]
    assert all(entry in evidence for entry, (_, _, evidence, _) in zip(found.entries.tolist(), expected, strict=True))
    np.testing.assert_allclose(found.features, [features for _, _, _, features in expected], atol=1e-5)
    return found


def test_pool_by_hand() -> None:
    """Two names of concept 4 score .5 and .9: best .9, soft maximum ln(e^-5 + e^-1)/10 + 1 = .9018.

    The preferred one scores .5; the support is ln 2/ln 100 = .1505. Concept 9 is a group, concept 4 an occupation.
    """
    found = assert_pooled(CONCEPTS, PREFERRED, pairs_of([(0, 0, [0.5]), (0, 2, [0.9]), (0, 5, [0.2])]))
    assert found.concepts.tolist() == [4, 9]
    assert found.entries.tolist() == [2, 5]
    assert found.features[0].tolist() == pytest.approx([0.9, 0.90182, 0.5, 0.15051, 1.0], abs=1e-5)
    assert found.features[1].tolist() == pytest.approx([0.2, 0.2, 0.0, 0.0, 0.0], abs=1e-5)


def test_pool_takes_each_scorers_best_and_the_best_mean_as_evidence() -> None:
    """Entry 3 is best in the first column, entry 4 in the second and in the mean."""
    found = assert_pooled(CONCEPTS, PREFERRED, pairs_of([(0, 3, [0.8, 0.1]), (0, 4, [0.6, 0.7])]))
    assert found.features[0, :2].tolist() == pytest.approx([0.8, 0.7])
    assert found.entries.tolist() == [4]


def test_pool_keeps_queries_apart() -> None:
    """The same concept for two queries is two candidates; query 1 has none."""
    found = assert_pooled(CONCEPTS, PREFERRED, pairs_of([(2, 0, [0.3]), (0, 1, [0.4]), (2, 3, [0.6])]))
    assert found.queries.tolist() == [0, 2, 2]


def test_pool_of_no_pairs() -> None:
    """No candidates, but as many features as ever."""
    nothing = np.empty(0, np.intp)
    found = pool(index_of(CONCEPTS, PREFERRED), NamePairs(nothing, nothing, np.empty((0, 1), np.float32), NO_HEAD))
    assert len(found.queries) == len(found.concepts) == len(found.entries) == 0
    assert found.features.shape == (0, len(feature_names([])))


@given(st.data(), st.integers(1, 3))
@settings(max_examples=150, deadline=None)
def test_pool_equals_the_naive_loop(data: st.DataObject, n_scorers: int) -> None:
    """Any pairs of four queries with names of up to six concepts."""
    concepts = data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=8))
    preferred = data.draw(st.lists(st.booleans(), min_size=len(concepts), max_size=len(concepts)))
    keys = st.tuples(st.integers(0, 3), st.integers(0, len(concepts) - 1))
    score = st.floats(0, 1, width=32)
    pairs = data.draw(
        st.lists(
            st.tuples(keys, st.lists(score, min_size=n_scorers, max_size=n_scorers)),
            min_size=1, max_size=20, unique_by=lambda pair: pair[0],
        )
    )  # fmt: skip
    assert_pooled(concepts, preferred, pairs_of([(*key, scores) for key, scores in pairs]))


def test_feature_names_name_the_columns(tiny_index: NameIndex) -> None:
    """Best and soft maximum for each scorer and `fuzzy`, the preferred names', the support and the kind."""
    names = feature_names(list(tiny_index.scorers))
    assert names == [
        "char",
        "word",
        "fuzzy",
        "char_many",
        "word_many",
        "fuzzy_many",
        "preferred",
        "names",
        "occupation",
    ]
    assert pool(tiny_index, score_names(tiny_index, ["koch"])).features.shape[1] == len(names)


def test_without_drops_the_marked_pairs() -> None:
    """Queries, entries and scores stay parallel; the head's scores are the new ones."""
    pairs = pairs_of([(0, 1, [0.1]), (0, 2, [0.2]), (1, 1, [0.3])])
    head = np.ones((4, 2), np.float32)
    kept = pairs.without(np.array([False, True, False]), head)
    assert kept.occupations is head
    assert kept.queries.tolist() == [0, 1]
    assert kept.entries.tolist() == [1, 1]
    assert kept.scores[:, 0].tolist() == pytest.approx([0.1, 0.3])


@pytest.mark.parametrize("with_encoder", [False, True], ids=["lexical", "with encoder"])
def test_names_are_scored_by_every_scorer(
    tiny_taxonomy: Taxonomy, make_encoder: Callable[[str], Encoder], *, with_encoder: bool
) -> None:
    """Each pair once, sorted; an exact name scores 1 everywhere; every score is one of its scorer's own."""
    index = NameIndex.build(tiny_taxonomy, make_encoder("letters") if with_encoder else None)
    queries = ["koch", "registered nurse", "qqqq", "buss driver"]
    pairs = score_names(index, queries)
    keys = list(zip(pairs.queries.tolist(), pairs.entries.tolist(), strict=True))
    assert keys == sorted(set(keys))
    assert pairs.scores.shape == (len(keys), 4 if with_encoder else 3)
    exact = pairs.scores[keys.index((1, index.texts.index("registered nurse")))]
    np.testing.assert_allclose(exact, 1.0, atol=5e-4)  # an encoder's vectors are kept in half precision
    for column, scorer in enumerate(index.scorers.values()):
        own: NDArray[np.float32] = scorer.pairs(scorer.encode(queries), pairs.queries, pairs.entries)
        np.testing.assert_array_equal(pairs.scores[:, column], own)
    assert with_encoder or 2 not in pairs.queries
    assert pairs.occupations.shape == (4, 12 if with_encoder else 0)


def test_the_head_is_a_feature(tiny_taxonomy: Taxonomy, make_encoder: Callable[[str], Encoder]) -> None:
    """Each candidate's is that of its own title and occupation, negative ones too; `concept` is its name."""
    index = NameIndex.build(tiny_taxonomy, make_encoder("letters"))
    scorer = index.encoder
    assert scorer is not None
    queries = ["koch", "registered nurse", "qqqq"]
    names = feature_names(list(index.scorers))
    assert names[-2:] == ["concept", "occupation"]
    assert [name for name in names if name.startswith("encoder")] == ["encoder", "encoder_many"]
    pairs = score_names(index, queries)
    head = np.random.default_rng(1).uniform(-1, 1, pairs.occupations.shape).astype(np.float32)
    np.testing.assert_allclose(pairs.occupations, scorer.head.scores(scorer.encode(queries)), atol=1e-6)
    found = pool(index, pairs.without(np.zeros(len(pairs.queries), bool), head))
    assert found.features.shape == (len(found.queries), len(names))
    concepts = scorer.head.concepts.tolist()
    expected = [
        head[query, concepts.index(concept)]
        for query, concept in zip(found.queries.tolist(), found.concepts.tolist(), strict=True)
    ]
    np.testing.assert_array_equal(found.features[:, -2], expected)
    assert (found.features[:, -2] < 0).any()


def test_no_pairs_have_the_heads_feature_too(tiny_taxonomy: Taxonomy, make_encoder: Callable[[str], Encoder]) -> None:
    """As many features as with pairs, or the logit's weights would not fit."""
    index = NameIndex.build(tiny_taxonomy, make_encoder("letters"))
    pairs = score_names(index, ["koch"])
    nothing = pool(index, pairs.without(np.ones(len(pairs.queries), bool), pairs.occupations))
    assert nothing.features.shape == (0, len(feature_names(list(index.scorers))))


def test_the_limit_is_each_scorers(tiny_index: NameIndex) -> None:
    """Two lexical scorers propose at most one name each."""
    pairs = score_names(tiny_index, ["cook", "nurse", "developer bus"], limit=1)
    counts = np.bincount(pairs.queries, minlength=3)
    assert ((counts >= 1) & (counts <= 2)).all()
    assert tiny_index.texts.index("cook") in pairs.entries[pairs.queries == 0]


def test_titles_that_resemble_no_name_have_no_pairs(tiny_index: NameIndex) -> None:
    """Letters that occur in no name, and no letters at all."""
    pairs = score_names(tiny_index, ["qqqqqq", ""])
    assert pairs.scores.shape == (0, 3)
    assert len(pool(tiny_index, pairs).concepts) == 0
