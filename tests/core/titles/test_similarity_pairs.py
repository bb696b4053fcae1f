"""D2, by counting on the toy taxonomy."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from jobmatch_core.errors import TaxonomyError
from jobmatch_core.titles.occupation_names import OccupationNames
from jobmatch_core.titles.similarity_pairs import (
    ANY_LANGUAGE,
    LanguagePairs,
    PairCounts,
    SimilarityPairs,
    similarity_pairs,
)


@pytest.fixture(scope="module")
def pairs(names: OccupationNames) -> SimilarityPairs:
    """D2 of the toy taxonomy."""
    return similarity_pairs(names, seed=1)


def part_of(pairs: SimilarityPairs, language: str) -> LanguagePairs:
    """Return the part of a language."""
    return next(part for part in pairs.parts if part.language == language)


def texts_of(names: OccupationNames, part: LanguagePairs) -> list[tuple[str, str]]:
    """Return a part's pairs as texts."""
    return [(names.texts[a], names.texts[b]) for a, b in part.rows[part.pairs].tolist()]


def concept_of(names: OccupationNames, text: str) -> str:
    """Return a name's occupation."""
    return names.uris[names.concepts[names.texts.index(text)]]


@pytest.mark.parametrize(
    ("sizes", "counts"),
    [
        ((5, 5, 5), (10, 3, 1)),
        ((5, 0, 5), (10, 0, 1)),
        ((1, 9, 9), (0, 0, 0)),
        ((20, 1, 2), (190, 20, 19)),
    ],
)
def test_counts(sizes: tuple[int, int, int], counts: tuple[int, int, int]) -> None:
    """5 names: 5 * 4 / 2 = 10, 30 % of it 3, 10 % of it 1; 20 names: 190, but 30 % = 57 are more than 20 * 1."""
    assert PairCounts.of(*sizes) == PairCounts(*counts)


def test_the_cap_cuts_the_shares_too() -> None:
    """At most 10 own pairs of 190: 10, 3, 1."""
    assert PairCounts.of(20, 20, 20, max_pairs=10) == PairCounts(10, 3, 1)


def test_english_counts(names: OccupationNames, pairs: SimilarityPairs) -> None:
    """Nurse 10 + 1 of its unit group, icu 10 + 3 of its parent + 1, midwife, teacher, mason 1, doctor, baker 3."""
    texts = texts_of(names, part_of(pairs, "en"))
    kinds = [(concept_of(names, a), concept_of(names, b)) for a, b in texts]
    assert len(texts) == 11 + 14 + 1 + 3 + 1 + 3 + 1
    assert kinds.count(("nurse", "nurse")) == 10
    assert kinds.count(("nurse", "icu")) == 1
    assert kinds.count(("icu", "icu")) == 10
    assert kinds.count(("icu", "nurse")) == 3 + 1
    assert all(a == b for a, b in kinds if {a, b} != {"nurse", "icu"})


def test_own_pairs_are_all_combinations(names: OccupationNames, pairs: SimilarityPairs) -> None:
    """Without repetition: no pair twice, in neither order."""
    texts = texts_of(names, part_of(pairs, "en"))
    doctor = [{a, b} for a, b in texts if concept_of(names, a) == "doctor"]
    assert doctor == [set(each) for each in combinations(["doctor", "physician", "medic"], 2)]


def test_languages_stay_apart_but_in_the_last_part(names: OccupationNames, pairs: SimilarityPairs) -> None:
    """Each part has its language only; the last has both."""
    assert [part.language for part in pairs.parts] == ["de", "en", ANY_LANGUAGE]
    for part in pairs.parts[:2]:
        assert set(names.languages[part.rows]) == {part.language}
    last = part_of(pairs, ANY_LANGUAGE)
    mixed = [len({names.languages[row] for row in pair}) == 2 for pair in last.rows[last.pairs]]
    assert any(mixed)
    assert not all(mixed)


def test_a_text_in_two_languages_is_one_name_of_any(names: OccupationNames, pairs: SimilarityPairs) -> None:
    """Baker: 3 English and 2 German names, of which `barista` is both: 4 names, 6 pairs."""
    texts = texts_of(names, part_of(pairs, ANY_LANGUAGE))
    baker = [pair for pair in texts if concept_of(names, pair[0]) == "baker"]
    assert len(baker) == 6
    assert all(a != b for a, b in baker)


def test_without_languages_mixed(names: OccupationNames) -> None:
    """One language has no part of any; two have none where it is not asked for."""
    only = similarity_pairs(names.keep(names.languages == "en"), seed=1)
    assert [part.language for part in only.parts] == ["en"]
    assert [part.language for part in similarity_pairs(names, seed=1, across_languages=False).parts] == ["de", "en"]


def test_the_cap_counts(names: OccupationNames) -> None:
    """At most 2 own pairs: nurse 2, icu 2 + 1 of its parent, midwife 1, doctor 2, teacher 1, baker 2, mason 1."""
    english = similarity_pairs(names.keep(names.languages == "en"), seed=1, max_pairs=2)
    assert len(english) == 2 + 3 + 1 + 2 + 1 + 2 + 1


def test_tuples_keep_the_rules(names: OccupationNames, pairs: SimilarityPairs) -> None:
    """Negatives are of another unit group and occupation than both, and no namesakes of either."""
    unit = {text: names.isco[concept] for text, concept in zip(names.texts, names.concepts, strict=True)}
    for number in range(500):
        drawn = pairs.draw(number, 8)
        assert len(drawn.negatives) == 8
        assert unit[drawn.anchor] == unit[drawn.positive]
        assert drawn.anchor != drawn.positive
        assert unit[drawn.anchor] not in {unit[text] for text in drawn.negatives}
        assert not {drawn.anchor, drawn.positive} & set(drawn.negatives)


def test_tuples_of_one_language_are_of_it(names: OccupationNames) -> None:
    """Negatives too."""
    names = names.keep(np.array([text != "barista" for text in names.texts]))  # it is in both
    german = set(names.keep(names.languages == "de").texts)
    pairs = similarity_pairs(names, seed=1, across_languages=False)
    drawn = [pairs.draw(number, 4) for number in range(300)]
    kinds = {tuple(text in german for text in (each.anchor, each.positive, *each.negatives)) for each in drawn}
    assert kinds == {(True,) * 6, (False,) * 6}


def test_every_pair_is_drawn_alike(names: OccupationNames) -> None:
    """4,000 draws of the 34 English pairs, each either way round: none is twice as frequent as its share, or half.

    A pair that is there twice, as a sample of two kinds, has two shares.
    """
    english = names.keep(names.languages == "en")
    pairs = similarity_pairs(english, seed=1)
    [part] = pairs.parts
    texts = [[english.texts[part.rows[position]] for position in pair] for pair in part.pairs]
    there = Counter((*order,) for pair in texts for order in (pair, pair[::-1]))
    drawn = Counter((each.anchor, each.positive) for each in (pairs.draw(number, 1) for number in range(4000)))
    assert len(pairs) == 34
    assert drawn.keys() == there.keys()
    shares = [drawn[pair] / (count * 4000 / (2 * len(pairs))) for pair, count in there.items()]
    assert 0.5 < min(shares) <= max(shares) < 2


def test_the_seed_decides(names: OccupationNames, pairs: SimilarityPairs) -> None:
    """Built and drawn again it is the same; another seed gives other tuples."""
    again, other = similarity_pairs(names, seed=1), similarity_pairs(names, seed=2)
    assert all(np.array_equal(a.pairs, b.pairs) for a, b in zip(pairs.parts, again.parts, strict=True))
    assert [pairs.draw(n, 8) for n in range(50)] == [again.draw(n, 8) for n in range(50)]
    assert [pairs.draw(n, 8) for n in range(50)] != [other.draw(n, 8) for n in range(50)]


def test_negatives_of_a_title_are_a_fixed_pool(names: OccupationNames) -> None:
    """With a pool of 3, a name has 3 negatives, however often it is drawn."""
    pairs = similarity_pairs(names.keep(names.languages == "en"), seed=1)
    drawn = [pairs.draw(number, 3, pool=3) for number in range(400)]
    assert len({text for each in drawn if each.anchor == "mason" for text in each.negatives}) == 3


@pytest.mark.parametrize("unusable", ["one name each", "one unit group", "no codes"])
def test_names_without_pairs_are_refused(names: OccupationNames, unusable: str) -> None:
    """Rather than training on nothing."""
    if unusable == "one name each":
        names = names.keep(names.preferred & (names.languages == "en"))
    elif unusable == "one unit group":
        names = names.keep(np.isin(names.concepts, [names.uris.index("nurse"), names.uris.index("icu")]))
    else:
        names = OccupationNames(
            names.texts,
            names.languages,
            names.concepts,
            names.preferred,
            names.uris,
            [""] * len(names.isco),
            names.parents,
        )
    with pytest.raises(TaxonomyError, match="no similarity pairs"):
        similarity_pairs(names, seed=1)
