"""Held-out titles from a taxonomy's names: their answers, their garbling, and the names that they must not see."""

from collections.abc import Sequence

import numpy as np
import pytest
from rapidfuzz import fuzz

from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.linking.candidates import NamePairs, score_names
from jobmatch_core.linking.encoder_scorer import ConceptHead, stored
from jobmatch_core.linking.examples import NO_CONCEPT, TWIN_RATIO, HeldOut, garbled, held_out_titles, leave_out, twins
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy, TaxonomyStore
from jobmatch_core.text.folding import fold

N = 400
HeldOutPairs = tuple[NameIndex, HeldOut, NamePairs, NamePairs]


def held(
    index: NameIndex, text: str, concept: int, *, name_kept: bool = False, gone: bool = False, twins_kept: bool = False
) -> HeldOut:
    """Make one held-out title of a name."""
    return HeldOut(
        titles=[text],
        names=[text],
        answers=np.array([NO_CONCEPT if gone else concept]),
        owners=np.array([concept]),
        name_kept=np.array([name_kept]),
        twins_kept=np.array([name_kept or twins_kept]),
    )


def texts_left(index: NameIndex, held_out: HeldOut) -> set[tuple[str, int]]:
    """Return the entries, with their concepts, that the first title still sees."""
    everything = np.arange(len(index.texts))
    scores = np.zeros((len(everything), 1), np.float32)
    same = np.zeros((len(everything), 2), np.float32)
    pairs = NamePairs(np.zeros_like(everything), everything, scores, same, *[np.empty((1, 0), np.float32)] * 2)
    left = leave_out(index, held_out, pairs)
    return {(index.texts[entry], int(index.concepts[entry])) for entry in left.entries}


@pytest.fixture(scope="module")
def index(settings: Settings) -> NameIndex:
    """Index the bundled taxonomy's names, without an encoder."""
    return NameIndex.build(TaxonomyStore.open(settings).load(BUNDLED_ID))


@pytest.fixture(scope="module")
def drawn(index: NameIndex) -> HeldOutPairs:
    """Draw titles of the bundled taxonomy, with all their pairs and the pairs that remain."""
    held_out = held_out_titles(index, N, seed=3)
    pairs = score_names(index, held_out.titles, limit=50)
    return index, held_out, pairs, leave_out(index, held_out, pairs)


def test_a_left_out_name_and_its_twins_are_gone(tiny_index: NameIndex) -> None:
    """`kochin` is a twin of `koch`, with ratio 2*4/10 = 80; `koch kochin` (2*4/15 = 53) and `cook` are not."""
    cook = int(tiny_index.concepts[tiny_index.texts.index("koch")])
    everything = set(zip(tiny_index.texts, tiny_index.concepts.tolist(), strict=True))
    left = texts_left(tiny_index, held(tiny_index, "koch", cook))
    assert everything - left == {("koch", cook), ("kochin", cook)}


def test_a_left_out_names_twins_may_stay(tiny_index: NameIndex) -> None:
    """`kochin` stays: a title is often a name but for a letter."""
    cook = int(tiny_index.concepts[tiny_index.texts.index("koch")])
    everything = set(zip(tiny_index.texts, tiny_index.concepts.tolist(), strict=True))
    left = texts_left(tiny_index, held(tiny_index, "koch", cook, twins_kept=True))
    assert everything - left == {("koch", cook)}


def test_a_kept_name_sees_all(tiny_index: NameIndex) -> None:
    """People do type exact names."""
    cook = int(tiny_index.concepts[tiny_index.texts.index("koch")])
    assert len(texts_left(tiny_index, held(tiny_index, "koch", cook, name_kept=True))) == len(tiny_index.texts)


def test_a_gone_occupation_has_no_name_left(tiny_index: NameIndex) -> None:
    """It loses its names in all languages; other occupations keep theirs."""
    cook = int(tiny_index.concepts[tiny_index.texts.index("koch")])
    left = texts_left(tiny_index, held(tiny_index, "koch", cook, gone=True))
    assert left == {(t, int(c)) for t, c in zip(tiny_index.texts, tiny_index.concepts, strict=True) if c != cook}


def test_the_same_name_of_another_occupation_is_left_out_too(tiny_index: NameIndex) -> None:
    """`developer` names two occupations; the title must find neither by it."""
    first = tiny_index.texts.index("developer")
    left = texts_left(tiny_index, held(tiny_index, "developer", int(tiny_index.concepts[first])))
    assert "developer" not in {text for text, _ in left}


@pytest.mark.long
def test_dropped_pairs_equal_a_naive_loop(drawn: HeldOutPairs) -> None:
    """The name itself, its twins of the same occupation, and all names of a gone occupation are dropped."""
    index, held_out, pairs, left = drawn
    expected = []
    for query, entry in zip(pairs.queries.tolist(), pairs.entries.tolist(), strict=True):
        own = index.concepts[entry] == held_out.owners[query]
        gone = held_out.answers[query] == NO_CONCEPT
        alike = fuzz.ratio(held_out.names[query], index.texts[entry]) >= TWIN_RATIO
        twin = alike and not held_out.twins_kept[query]
        hidden = index.texts[entry] == held_out.names[query] or (own and (gone or twin))
        if held_out.name_kept[query] or not hidden:
            expected.append((query, entry))
    assert list(zip(left.queries.tolist(), left.entries.tolist(), strict=True)) == expected
    assert 0 < len(expected) < len(pairs.queries)


@pytest.mark.thorough
def test_kept_titles_lose_nothing(drawn: HeldOutPairs) -> None:
    """Titles that are no job lose no names either."""
    _, held_out, pairs, left = drawn
    n = len(held_out.titles)
    before, after = (np.bincount(p.queries, minlength=n) for p in (pairs, left))
    np.testing.assert_array_equal(before[held_out.name_kept], after[held_out.name_kept])
    np.testing.assert_array_equal(before[N:], after[N:])
    assert held_out.name_kept.any()
    assert (after < before).any()


def test_scores_stay_with_their_pairs(drawn: HeldOutPairs) -> None:
    """Dropping pairs does not shift the rows."""
    _, _, pairs, left = drawn
    scores = {
        key: row
        for *key_parts, row in zip(pairs.queries, pairs.entries, pairs.scores, strict=True)
        for key in [tuple(map(int, key_parts))]
    }
    for query, entry, row in zip(left.queries[:500], left.entries[:500], left.scores[:500], strict=True):
        np.testing.assert_array_equal(scores[int(query), int(entry)], row)


def test_titles_and_their_answers(drawn: HeldOutPairs) -> None:
    """A tenth of further titles are no job; owners name the occupation even if it is gone."""
    index, held_out, _, _ = drawn
    assert len(held_out.titles) == len(held_out.names) == N + N // 10
    by_name = set(zip(index.texts, index.concepts.tolist(), strict=True))
    assert all(
        (name, owner) in by_name for name, owner in zip(held_out.names[:N], held_out.owners[:N].tolist(), strict=True)
    )
    assert len({*zip(held_out.names[:N], held_out.owners[:N].tolist(), strict=True)}) == N
    answered = held_out.answers != NO_CONCEPT
    np.testing.assert_array_equal(held_out.answers[answered], held_out.owners[answered])
    assert not (held_out.name_kept[:N] & ~answered[:N]).any()
    assert held_out.names[N:] == [""] * (N // 10)
    assert not answered[N:].any()


def test_some_are_kept_some_are_gone(index: NameIndex) -> None:
    """Of 3,000 names about 30% are kept, of 15% only the twins, and a fifth of the others are gone."""
    held_out = held_out_titles(index, 3000, seed=1)
    name_kept, twins_kept = held_out.name_kept[:3000], held_out.twins_kept[:3000]
    gone = held_out.answers[:3000] == NO_CONCEPT
    assert name_kept.mean() == pytest.approx(0.3, abs=0.03)
    assert (twins_kept & ~name_kept).mean() == pytest.approx(0.15, abs=0.03)
    assert gone.mean() == pytest.approx(0.55 * 0.2, abs=0.03)
    assert twins_kept[name_kept].all()
    assert not (gone & twins_kept).any()
    assert not held_out.twins_kept[3000:].any()


def test_some_of_the_titles(index: NameIndex) -> None:
    """A mask or a slice selects the same rows of every column."""
    held_out = held_out_titles(index, 50, seed=4)
    for rows in (held_out.name_kept, slice(7, 20), slice(0, 0)):
        part = held_out.chosen(rows)
        numbers = np.arange(len(held_out.titles))[rows]
        assert part.titles == [held_out.titles[number] for number in numbers]
        assert part.names == [held_out.names[number] for number in numbers]
        for name in ("answers", "owners", "name_kept", "twins_kept"):
            np.testing.assert_array_equal(getattr(part, name), getattr(held_out, name)[numbers])


def test_titles_are_folded_and_some_are_garbled(drawn: HeldOutPairs) -> None:
    """About a third stay unchanged; the others lose, gain or swap a word, or have a typo."""
    _, held_out, _, _ = drawn
    assert all(title == fold(title) for title in held_out.titles)
    titles, names = held_out.titles[:N], held_out.names[:N]
    same = sum(title == name for title, name in zip(titles, names, strict=True)) / N
    assert 0.3 < same < 0.75
    lengths = {len(title.split()) - len(name.split()) for title, name in zip(titles, names, strict=True)}
    assert lengths == {-1, 0, 1}
    mistyped = [
        (title, name)
        for title, name in zip(titles, names, strict=True)
        if title != name and sorted(title) == sorted(name)
    ]
    assert mistyped


def test_nonsense_is_half_real_texts_half_letters(drawn: HeldOutPairs) -> None:
    """Real texts such as London, and random letters; none is empty."""
    _, held_out, _, _ = drawn
    nonsense = held_out.titles[N:]
    assert all(nonsense)
    assert all(letter in "abcdefghijklmnoprstuvwxyz " for title in nonsense[len(nonsense) // 2 :] for letter in title)


def test_titles_depend_on_the_seed(index: NameIndex) -> None:
    """Titles are random only by the seed."""
    first, again, other = (held_out_titles(index, 200, seed) for seed in (5, 5, 6))
    assert first.titles == again.titles
    for name in ("answers", "owners", "name_kept", "twins_kept"):
        np.testing.assert_array_equal(getattr(first, name), getattr(again, name))
    assert first.titles != other.titles


def test_no_more_titles_than_names(tiny_index: NameIndex) -> None:
    """Each name is drawn at most once."""
    held_out = held_out_titles(tiny_index, 10_000, seed=1)
    n = len(tiny_index.texts)
    assert len(held_out.titles) == n + round(n / 10)
    assert sorted(held_out.names[:n]) == sorted(tiny_index.texts)


def test_twins_by_hand(tiny_index: NameIndex) -> None:
    """`koch` and `kochin` (ratio 80), not `koch kochin` (53); only of the same concept, ascending."""
    cook = int(tiny_index.concepts[tiny_index.texts.index("koch")])
    assert [tiny_index.texts[entry] for entry in twins(tiny_index, "koch", cook)] == ["koch", "kochin"]
    assert twins(tiny_index, "nothing like it", cook).tolist() == []
    first, second = (entry for entry, text in enumerate(tiny_index.texts) if text == "developer")
    assert first in twins(tiny_index, "developer", int(tiny_index.concepts[first]))
    assert second not in twins(tiny_index, "developer", int(tiny_index.concepts[first]))


def test_entries_of_a_concept(tiny_index: NameIndex) -> None:
    """All entries, ascending; none for an unknown concept."""
    for concept in [*np.unique(tiny_index.concepts).tolist(), 0, 10_000]:
        assert tiny_index.entries_of(concept).tolist() == np.flatnonzero(tiny_index.concepts == concept).tolist()


class Anchored:
    """An encoder with concept vectors: those of the URIs' letters."""

    name = "anchored"

    def __init__(self, encoder: Encoder) -> None:
        self.encode = encoder.encode

    def concept_vectors(self, uris: Sequence[str]) -> FloatArray:
        """Return the vectors of the URIs."""
        return self.encode(uris)


@pytest.mark.first_case
@pytest.mark.parametrize("anchored", [False, True], ids=["plain", "anchored"])
def test_the_heads_scores_equal_a_rebuild_without_the_twins(
    tiny_taxonomy: Taxonomy, letters: Encoder, *, anchored: bool
) -> None:
    """They equal those of a head fitted without the title's own name and its twins, rounded as in the index."""
    index = NameIndex.build(tiny_taxonomy, Anchored(letters) if anchored else letters)
    anchors = letters.encode(tiny_taxonomy.uris) if anchored else None
    scorer = index.encoder
    assert scorer is not None
    held_out = held_out_titles(index, 60, seed=2)
    pairs = score_names(index, held_out.titles)
    left = leave_out(index, held_out, pairs)
    vectors = stored(letters.encode(index.texts)).astype(np.float32)
    encoded = letters.encode(held_out.titles)
    changed = 0
    for title, (owner, answer, name_kept) in enumerate(
        zip(held_out.owners.tolist(), held_out.answers.tolist(), held_out.name_kept.tolist(), strict=True)
    ):
        expected = pairs.occupations[title].copy()
        if not name_kept and answer != NO_CONCEPT:
            name = held_out.names[title]
            least = 100.0 if held_out.twins_kept[title] else TWIN_RATIO  # the ratio of equal texts alone is 100
            hidden = [
                concept == owner and fuzz.ratio(name, text) >= least
                for text, concept in zip(index.texts, index.concepts, strict=True)
            ]
            rest = ~np.array(hidden)
            head = ConceptHead.fit(vectors[rest], index.concepts[rest], anchors)
            scores = dict(zip(head.concepts.tolist(), head.scores(encoded[title : title + 1])[0], strict=True))
            expected[scorer.head.concepts.tolist().index(owner)] = scores.get(owner, -1.0)
            changed += 1
        np.testing.assert_allclose(left.occupations[title], expected, atol=1e-5)
    assert changed > 20
    assert (left.occupations != pairs.occupations).any()


def test_garbled_names() -> None:
    """Unchanged, a word lost, gained or swapped, or two letters transposed, in the shares of held-out titles."""
    random = np.random.default_rng(1)
    drawn = [garbled("night watchman", ["senior"], random).split() for _ in range(2000)]
    kinds = {
        "as it is": sum(words == ["night", "watchman"] for words in drawn),
        "lost": sum(len(words) == 1 for words in drawn),
        "gained": sum(len(words) == 3 for words in drawn),
        "swapped": sum(len(words) == 2 and "senior" in words for words in drawn),
    }
    kinds["mistyped"] = len(drawn) - sum(kinds.values())
    assert [round(10 * count / len(drawn)) for count in kinds.values()] == [3, 2, 2, 2, 1]


def test_without_an_encoder_there_is_no_head(drawn: HeldOutPairs) -> None:
    """There are no scores of a head to correct."""
    _, held_out, pairs, left = drawn
    assert left.occupations.shape == pairs.occupations.shape == (len(held_out.titles), 0)
