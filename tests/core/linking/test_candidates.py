"""Pooling of scored names into scored occupations, against a naive loop."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from jobmatch_core.entities import Encoder
from jobmatch_core.linking.candidates import (
    NamePairs,
    OccupationCandidates,
    _group_scores,
    _of_likely_groups,
    _sameness,
    feature_names,
    pool,
    score_names,
)
from jobmatch_core.linking.index import NO_UNIT, NameIndex
from jobmatch_core.taxonomy.taxonomy import Taxonomy
from jobmatch_core.text.packed_texts import PackedTexts

CONCEPTS = [4, 4, 4, 7, 7, 9]
PREFERRED = [True, False, False, False, True, False]
GROUPS = {2, 9}  # concepts that are ISCO groups
NO_HEAD = np.empty((4, 0), np.float32)  # of four queries


def index_of(concepts: list[int], preferred: list[bool]) -> NameIndex:
    """Make an index of which only concepts and preferred entries matter."""
    nothing = np.empty(0, np.int32)
    return NameIndex(
        texts=PackedTexts.of(str(entry) for entry in range(len(concepts))),
        concepts=np.array(concepts, np.int32),
        preferred=np.array(preferred, bool),
        whole=np.ones(len(concepts), bool),
        general=np.zeros(len(concepts), np.int32),
        of_group=np.zeros(len(concepts), bool),
        votes=np.zeros((len(concepts), 2), np.int8),
        form_entries=nothing,
        form_names=nothing,
        groups=np.array([concept in GROUPS for concept in range(10)]),
        units=np.full(10, NO_UNIT, np.int32),
        n_own_names=0,
        scorers={},
    )


def pairs_of(
    rows: list[tuple[int, int, list[float]]], same: dict[tuple[int, int], list[int]] | None = None
) -> NamePairs:
    """Make pairs of (query, entry, scores); *same* has [equal, nearly equal] of pairs where not both are 0."""
    rows, same = sorted(rows, key=lambda row: row[:2]), same or {}
    scores = np.array([row[2] for row in rows], np.float32).reshape(len(rows), -1 if rows else 1)
    queries, entries = (np.array([row[column] for row in rows], np.intp) for column in (0, 1))
    sameness = np.array([same.get(row[:2], [0, 0]) for row in rows], np.float32).reshape(len(rows), 2)
    return NamePairs(queries, entries, scores, sameness, NO_HEAD, NO_HEAD)


def naive_pool(
    concepts: list[int], preferred: list[bool], pairs: NamePairs
) -> list[tuple[int, int, set[int], list[float]]]:
    """Return (query, concept, possible entries of the evidence, features), ordered by query and concept."""
    groups: dict[tuple[int, int], list[int]] = {}
    for row, (query, entry) in enumerate(zip(pairs.queries.tolist(), pairs.entries.tolist(), strict=True)):
        groups.setdefault((query, concepts[entry]), []).append(row)
    pooled = []
    for (query, concept), rows in sorted(groups.items()):
        scores = [[float(score) for score in pairs.scores[row]] for row in rows]
        same = [[float(value) for value in pairs.same[row]] for row in rows]
        # an equal name is the evidence, then a nearly equal one, then the best mean
        means = [sum(row) / len(row) + sum(alike) for row, alike in zip(scores, same, strict=True)]
        evidence = {int(pairs.entries[row]) for row, mean in zip(rows, means, strict=True) if mean > max(means) - 1e-6}
        best = [max(column) for column in zip(*scores, strict=True)]
        many = [math.log(sum(math.exp(10 * (s - 1)) for s in column)) / 10 + 1 for column in zip(*scores, strict=True)]
        letters = max(float(pairs.scores[row, 0]) if preferred[pairs.entries[row]] else 0.0 for row in rows)
        support = math.log(len(rows)) / math.log(100)
        alike = [max(column) for column in zip(*same, strict=True)]
        pooled.append((query, concept, evidence, [*best, *many, letters, support, *alike, concept not in GROUPS]))
    return pooled


def assert_pooled(concepts: list[int], preferred: list[bool], pairs: NamePairs) -> OccupationCandidates:
    """Compare `pool` with the naive loop."""
    pooled = pool(index_of(concepts, preferred), pairs)
    expected = naive_pool(concepts, preferred, pairs)
    assert list(zip(pooled.queries.tolist(), pooled.concepts.tolist(), strict=True)) == [
        (q, c) for q, c, _, _ in expected
    ]
    assert all(entry in evidence for entry, (_, _, evidence, _) in zip(pooled.entries.tolist(), expected, strict=True))
    np.testing.assert_allclose(pooled.features, [features for _, _, _, features in expected], atol=1e-5)
    return pooled


def test_pool_by_hand() -> None:
    """Two names of concept 4 score 0.5 and 0.9: best 0.9, soft maximum ln(e^-5 + e^-1)/10 + 1 = 0.9018.

    The preferred name scores 0.5; the support is ln 2/ln 100 = 0.1505. Concept 9 is a group, concept 4 an occupation.
    """
    pooled = assert_pooled(CONCEPTS, PREFERRED, pairs_of([(0, 0, [0.5]), (0, 2, [0.9]), (0, 5, [0.2])]))
    assert pooled.concepts.tolist() == [4, 9]
    assert pooled.entries.tolist() == [2, 5]
    assert pooled.features[0].tolist() == pytest.approx([0.9, 0.90182, 0.5, 0.15051, 0.0, 0.0, 1.0], abs=1e-5)
    assert pooled.features[1].tolist() == pytest.approx([0.2, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0], abs=1e-5)


def test_pool_takes_an_equal_name_as_evidence() -> None:
    """Entry 0 equals the title, entry 1 nearly; entry 2 has the best scores."""
    rows = [(0, 0, [0.5]), (0, 1, [0.6]), (0, 2, [0.9]), (0, 3, [0.7])]
    pooled = assert_pooled(CONCEPTS, PREFERRED, pairs_of(rows, {(0, 0): [1, 1], (0, 1): [0, 1]}))
    assert pooled.entries.tolist() == [0, 3]
    assert pooled.features[:, -3:-1].tolist() == [[1, 1], [0, 0]]
    near = assert_pooled(CONCEPTS, PREFERRED, pairs_of(rows, {(0, 1): [0, 1]}))
    assert near.entries.tolist() == [1, 3]
    assert near.features[:, -3:-1].tolist() == [[0, 1], [0, 0]]


def test_pool_takes_each_scorers_best_and_the_best_mean_as_evidence() -> None:
    """Entry 3 is best in the first column, entry 4 in the second and in the mean."""
    pooled = assert_pooled(CONCEPTS, PREFERRED, pairs_of([(0, 3, [0.8, 0.1]), (0, 4, [0.6, 0.7])]))
    assert pooled.features[0, :2].tolist() == pytest.approx([0.8, 0.7])
    assert pooled.entries.tolist() == [4]


def test_pool_keeps_queries_apart() -> None:
    """The same concept for two queries gives two candidates; query 1 has none."""
    pooled = assert_pooled(CONCEPTS, PREFERRED, pairs_of([(2, 0, [0.3]), (0, 1, [0.4]), (2, 3, [0.6])]))
    assert pooled.queries.tolist() == [0, 2, 2]


def test_pool_of_no_pairs() -> None:
    """No candidates, but all columns of features."""
    pooled = pool(index_of(CONCEPTS, PREFERRED), pairs_of([]))
    assert len(pooled.queries) == len(pooled.concepts) == len(pooled.entries) == 0
    assert pooled.features.shape == (0, len(feature_names([])))


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
            st.tuples(
                keys, st.lists(score, min_size=n_scorers, max_size=n_scorers), st.sampled_from([[0, 0], [0, 1], [1, 1]])
            ),
            min_size=1,
            max_size=20,
            unique_by=lambda pair: pair[0],
        )
    )
    rows, same = [(*key, scores) for key, scores, _ in pairs], {key: alike for key, _, alike in pairs}
    assert_pooled(concepts, preferred, pairs_of(rows, same))


def test_feature_names_name_the_columns(tiny_index: NameIndex) -> None:
    """Best and soft maximum per scorer, preferred names, support, equal names, and kind of concept."""
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
        "exact",
        "near",
        "occupation",
    ]
    assert pool(tiny_index, score_names(tiny_index, ["koch"])).features.shape[1] == len(names)


def test_without_drops_the_marked_pairs() -> None:
    """Queries, entries and scores stay parallel; the head's scores are replaced."""
    pairs = pairs_of([(0, 1, [0.1]), (0, 2, [0.2]), (1, 1, [0.3])])
    head = np.ones((4, 2), np.float32)
    rest = pairs.without(np.array([False, True, False]), head)
    assert rest.occupations is head
    assert rest.groups is pairs.groups
    assert rest.queries.tolist() == [0, 1]
    assert rest.entries.tolist() == [1, 1]
    assert rest.scores[:, 0].tolist() == pytest.approx([0.1, 0.3])


@pytest.mark.first_case
@pytest.mark.parametrize("with_encoder", [False, True], ids=["lexical", "with encoder"])
def test_names_are_scored_by_every_scorer(
    tiny_taxonomy: Taxonomy, make_encoder: Callable[[str], Encoder], *, with_encoder: bool
) -> None:
    """Each pair once, sorted; an equal name scores 1; every score equals its scorer's."""
    index = NameIndex.build(tiny_taxonomy, make_encoder("letters") if with_encoder else None)
    queries = ["koch", "registered nurse", "qqqq", "buss driver"]
    pairs = score_names(index, queries)
    keys = list(zip(pairs.queries.tolist(), pairs.entries.tolist(), strict=True))
    assert keys == sorted(set(keys))
    assert pairs.scores.shape == (len(keys), 4 if with_encoder else 3)
    exact = pairs.scores[keys.index((1, index.texts.index("registered nurse")))]
    np.testing.assert_allclose(exact, 1.0, atol=5e-4)  # an encoder's vectors are stored in half precision
    for column, scorer in enumerate(index.scorers.values()):
        own: NDArray[np.float32] = scorer.pairs(scorer.encode(queries), pairs.queries, pairs.entries)
        np.testing.assert_array_equal(pairs.scores[:, column], own)
    assert with_encoder or 2 not in pairs.queries
    assert pairs.occupations.shape == (4, 12 if with_encoder else 0)


def test_the_head_is_a_feature(tiny_taxonomy: Taxonomy, make_encoder: Callable[[str], Encoder]) -> None:
    """`concept` is the score of the title and the occupation, also if negative."""
    index = NameIndex.build(tiny_taxonomy, make_encoder("letters"))
    scorer = index.encoder
    assert scorer is not None
    queries = ["koch", "registered nurse", "qqqq"]
    names = feature_names(list(index.scorers))
    assert names[-5:] == ["concept", "group", "coded", "coded_sure", "occupation"]
    assert [name for name in names if name.startswith("encoder")] == ["encoder", "encoder_many"]
    pairs = score_names(index, queries)
    head = np.random.default_rng(1).uniform(-1, 1, pairs.occupations.shape).astype(np.float32)
    np.testing.assert_allclose(pairs.occupations, scorer.head.scores(scorer.encode(queries)), atol=1e-6)
    pooled = pool(index, pairs.without(np.zeros(len(pairs.queries), bool), head))
    assert pooled.features.shape == (len(pooled.queries), len(names))
    concepts = scorer.head.concepts.tolist()
    expected = [
        head[query, concepts.index(concept)]
        for query, concept in zip(pooled.queries.tolist(), pooled.concepts.tolist(), strict=True)
    ]
    np.testing.assert_array_equal(pooled.features[:, -5], expected)
    assert (pooled.features[:, -5] < 0).any()
    assert not pooled.features[:, -3:-1].any()  # this encoder has no classifier


def test_group_scores_equal_a_naive_softmax(tiny_taxonomy: Taxonomy, make_encoder: Callable[[str], Encoder]) -> None:
    """Log of the unit group's share of the softmax at 0.07: 0 for 1e-4 and less, 1 for all of it.

    Two developers share a group and thus a score; an occupation without a group has 0. `coded` mixes the classifier's
    share with the head's share of the rest, minus the head's score; `coded_sure` is that times its highest.
    """
    index = NameIndex.build(tiny_taxonomy, make_encoder("letters"))
    assert index.encoder is not None
    concepts = index.encoder.head.concepts
    app, backend, welder = (
        int(index.concepts[index.texts.index(name)]) for name in ("app developer", "backend developer", "welder")
    )
    units = index.units.copy()
    units[welder] = NO_UNIT
    index = replace(index, units=units)
    head = np.random.default_rng(3).uniform(0.2, 0.9, (2, len(concepts))).astype(np.float32)
    rows, columns = (grid.ravel() for grid in np.indices(head.shape))
    codes = index.head_groups.codes
    said = np.random.default_rng(4).dirichlet(np.ones(len(codes) + 1), 2)[:, 1:].astype(np.float32)
    nothing = np.empty(0, np.int64)
    pairs = NamePairs(nothing, nothing, np.empty((0, 1), np.float32), np.empty((0, 2), np.float32), head, said)
    by_group, coded, sure = (column.reshape(head.shape) for column in _group_scores(index, pairs, rows, columns).T)
    for query in range(2):
        shares = [math.exp(score / 0.07) for score in head[query].tolist()]
        for column, concept in enumerate(concepts.tolist()):
            mine = sum(
                share for share, other in zip(shares, concepts.tolist(), strict=True) if units[other] == units[concept]
            )
            own = float(said[query, codes.tolist().index(units[concept])])
            mixed = own + (1 - float(said[query].sum())) * mine / sum(shares)
            by_head, by_both = (
                1 - math.log(max(share, 1e-4)) / math.log(1e-4) for share in (mine / sum(shares), mixed)
            )
            gain = by_both - by_head
            for scores, expected in ((by_group, by_head), (coded, gain), (sure, gain * float(said[query].max()))):
                assert scores[query, column] == pytest.approx(0.0 if concept == welder else expected, abs=1e-4)
    places = concepts.tolist().index
    assert by_group[:, places(app)].tolist() == by_group[:, places(backend)].tolist()


def test_likely_groups_propose_their_nearest_occupations(
    tiny_taxonomy: Taxonomy, make_encoder: Callable[[str], Encoder]
) -> None:
    """The two likeliest groups from 0.1 on propose two occupations each, the nearest by the head."""
    index = NameIndex.build(tiny_taxonomy, make_encoder("letters"))
    codes, of_occupation = index.head_groups.codes, index.head_groups.groups
    random = np.random.default_rng(5)
    head = random.uniform(-1, 1, (40, len(of_occupation))).astype(np.float32)
    groups = random.dirichlet(np.full(len(codes), 0.3), 40).astype(np.float32)
    groups[7] = 0.0
    rows, columns = _of_likely_groups(index, head, groups)
    expected = set()
    for query in range(40):
        likely = sorted(
            (group for group in range(len(codes)) if groups[query, group] >= 0.1),
            key=lambda group: -groups[query, group],
        )[:2]
        for group in likely:
            members = np.flatnonzero(of_occupation == group).tolist()
            expected |= {(query, row) for row in sorted(members, key=lambda row: -head[query, row])[:2]}
    assert set(zip(rows.tolist(), columns.tolist(), strict=True)) == expected
    assert len(rows) == len(expected)


@pytest.mark.parametrize(
    ("title", "name", "expected"),
    [
        pytest.param("nurse", "nurse", [1, 1], id="equal"),
        pytest.param("cfo", "cfo", [1, 1], id="equal and short"),
        pytest.param("frontend developer", "front end developer", [0, 1], id="a space"),
        pytest.param("registered nurse", "nurse registered", [0, 1], id="another order"),
        pytest.param("bus drivers", "bus driver", [0, 1], id="one letter more"),
        pytest.param("bartendar", "bartender", [0, 1], id="one letter another"),
        pytest.param("bartendre", "bartender", [0, 0], id="two letters another"),
        pytest.param("nurses", "nurse", [0, 0], id="the shorter has five letters"),
        pytest.param("drivers", "driver", [0, 1], id="the shorter has six"),
        pytest.param("bus driver", "driver", [0, 0], id="a word more"),
        pytest.param("b a", "a b", [0, 0], id="another order, but short"),
    ],
)
def test_sameness_by_hand(title: str, name: str, expected: list[int]) -> None:
    """1 for equal texts; nearly equal texts differ by word order or one letter, if not too short."""
    assert _sameness([title], [name]).tolist() == [expected]
    assert _sameness([name], [title]).tolist() == [expected]


_FOLDED = st.text("ab ", max_size=8).map(lambda text: " ".join(text.split()))


@given(st.lists(st.tuples(_FOLDED, _FOLDED), max_size=20))
@settings(max_examples=150, deadline=None)
def test_sameness_equals_the_naive_loop(pairs: list[tuple[str, str]]) -> None:
    """Any texts, also empty ones; equal texts are nearly equal, too."""

    def edits(one: str, other: str) -> int:
        """Return Levenshtein's distance, by its definition."""
        if not one or not other:
            return len(one) + len(other)
        if one[0] == other[0]:
            return edits(one[1:], other[1:])
        if abs(len(one) - len(other)) > 1:
            return 2
        return 1 + min(edits(one[1:], other), edits(one, other[1:]), edits(one[1:], other[1:]))

    same = _sameness([title for title, _ in pairs], [name for _, name in pairs])
    assert same.shape == (len(pairs), 2)
    for (title, name), row in zip(pairs, same.tolist(), strict=True):
        near = min(len(title), len(name)) >= 6 and (
            edits(title, name) <= 1 or sorted(title.split()) == sorted(name.split())
        )
        assert row == [title == name, title == name or near]


def test_no_pairs_have_the_heads_feature_too(tiny_taxonomy: Taxonomy, make_encoder: Callable[[str], Encoder]) -> None:
    """The columns must fit the logit's weights."""
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
    """Letters that occur in no name, or no letters."""
    pairs = score_names(tiny_index, ["qqqqqq", ""])
    assert pairs.scores.shape == (0, 3)
    assert len(pool(tiny_index, pairs).concepts) == 0
