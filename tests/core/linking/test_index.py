"""The index of names: its entries, its subset of some languages, and its files."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import Encoder
from jobmatch_core.errors import LinkingError
from jobmatch_core.linking.candidates import score_names
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.taxonomy.tables import OCCUPATION, TablesBuilder
from jobmatch_core.taxonomy.taxonomy import Taxonomy


def names_of(index: NameIndex, taxonomy: Taxonomy, uri: str) -> list[str]:
    """Return the entries of one occupation, sorted."""
    concept = taxonomy.number(uri)
    return sorted(text for text, owner in zip(index.texts, index.concepts, strict=True) if owner == concept)


@pytest.mark.parametrize(
    ("uri", "entries"),
    [
        ("cook", ["cook", "cuisinier", "cuisiniere", "koch", "koch kochin", "kochin", "line cook", "short order cook"]),
        (
            "nurse",
            [
                "infirmier",
                "infirmier ere",
                "infirmiere",
                "krankenpfleger",
                "krankenschwester",
                "nurse",
                "registered nurse",
            ],
        ),
        (
            "shop",
            [
                "sales assistant",
                "shop assistant",
                "vendeur",
                "vendeur se",
                "vendeuse",
                "verkaufer",
                "verkaufer in",
                "verkauferin",
            ],
        ),
        ("welder", ["schweisser", "welder"]),
        ("bar", ["barkeeper", "barman", "bartender"]),
        ("bus", ["bus driver", "busfahrer", "busfahrerin", "conducteur de bus", "conductrice de bus"]),
    ],
)
def test_entries_of_an_occupation(tiny_index: NameIndex, tiny_taxonomy: Taxonomy, uri: str, entries: list[str]) -> None:
    """Every name, folded, as it is and with its pair expanded; one entry for two languages with the same name."""
    assert names_of(tiny_index, tiny_taxonomy, uri) == entries


def test_groups_are_not_indexed(tiny_index: NameIndex, tiny_taxonomy: Taxonomy) -> None:
    """A title is linked to an occupation, not to a group such as `drivers` or the unit groups of ISCO."""
    assert set(tiny_index.concepts.tolist()) == set(tiny_taxonomy.occupation_numbers.tolist())
    assert len(set(tiny_index.concepts.tolist())) == 12
    assert not {"drivers", "vehicle people"} & set(tiny_index.texts)


def test_groups_are_indexed_on_request(tiny_taxonomy: Taxonomy, tmp_path: Path) -> None:
    """The index and its subset know which concepts are groups, also after loading."""
    index = NameIndex.build(tiny_taxonomy, groups=True)
    assert {"drivers", "vehicle people"} <= set(index.texts)
    groups = set(range(len(tiny_taxonomy.uris))) - set(tiny_taxonomy.occupation_numbers.tolist())
    assert set(np.flatnonzero(index.groups).tolist()) == groups
    assert tiny_taxonomy.number("cook") in index.concepts
    index.save(tmp_path)
    np.testing.assert_array_equal(NameIndex.load(tmp_path).groups, index.groups)
    np.testing.assert_array_equal(index.in_languages(tiny_taxonomy, ["en"]).groups, index.groups)


def test_entries_are_unique(tiny_index: NameIndex) -> None:
    """A text occurs once per occupation; `developer` belongs to two."""
    entries = list(zip(tiny_index.texts, tiny_index.concepts.tolist(), strict=True))
    assert len(set(entries)) == len(entries)
    assert tiny_index.texts.count("developer") == tiny_index.texts.count("entwickler") == 2


def test_every_form_folds_to_its_entry(tiny_index: NameIndex, tiny_taxonomy: Taxonomy) -> None:
    """`Barkeeper` is English and German: one entry, two rows of the table of names."""
    entry = tiny_index.texts.index("barkeeper")
    rows = tiny_index.forms(entry)
    assert sorted(tiny_taxonomy.name_languages[row] for row in rows) == ["de", "en"]
    assert {tiny_taxonomy.name_texts[row].casefold() for row in rows} == {"barkeeper"}
    assert (np.diff(tiny_index.form_entries) >= 0).all()
    concepts = tiny_taxonomy.tables.names["concept"].to_numpy()
    np.testing.assert_array_equal(concepts[tiny_index.form_names], tiny_index.concepts[tiny_index.form_entries])
    assert all(len(tiny_index.forms(entry)) for entry in range(len(tiny_index.texts)))


def test_whole_names(tiny_index: NameIndex) -> None:
    """`koch` is a form of `Koch/Köchin` alone; a name that is also a form of another is whole."""
    whole = {text: bool(mark) for text, mark in zip(tiny_index.texts, tiny_index.whole, strict=True)}
    assert (whole["koch"], whole["koch kochin"], whole["cook"], whole["developer"]) == (False, True, True, True)


def test_preferred_entries(tiny_index: NameIndex, tiny_taxonomy: Taxonomy) -> None:
    """Both forms of a preferred name are preferred, also if preferred in one language only."""
    cook = tiny_taxonomy.number("cook")
    preferred = {
        text: bool(mark)
        for text, mark, owner in zip(tiny_index.texts, tiny_index.preferred, tiny_index.concepts, strict=True)
        if owner == cook
    }
    assert [text for text, mark in preferred.items() if mark] == ["cook", "koch", "kochin", "koch kochin", "cuisinier"]
    assert tiny_index.preferred[tiny_index.texts.index("barkeeper")]
    assert not tiny_index.preferred[tiny_index.texts.index("waitress")]


def test_known_words_are_those_of_the_names(tiny_index: NameIndex) -> None:
    """Folded words, no phrases."""
    assert {"nurse", "registered", "kochin", "de", "vendeuse"} <= tiny_index.known_words
    assert not {"line cook", "Nurse", "hamburg", "drivers"} & tiny_index.known_words


def test_part_in_some_languages(tiny_index: NameIndex, tiny_taxonomy: Taxonomy) -> None:
    """German names only, also those shared with English; scores are those of the whole index."""
    part = tiny_index.in_languages(tiny_taxonomy, ["de"])
    assert names_of(part, tiny_taxonomy, "cook") == ["koch", "koch kochin", "kochin"]
    assert names_of(part, tiny_taxonomy, "bar") == ["barkeeper"]
    assert not {"nurse", "cuisinier"} & set(part.texts)
    for entry, text in enumerate(part.texts):
        assert {tiny_taxonomy.name_languages[row] for row in part.forms(entry)} == {"de"}
        assert all(tiny_taxonomy.tables.names["concept"].iat[row] == part.concepts[entry] for row in part.forms(entry))
        for kind, scorer in part.scorers.items():
            scores = [
                s.pairs(s.encode(["barkeeper koch"]), np.array([0]), np.array([e])).item()
                for s, e in (
                    (scorer, entry),
                    (tiny_index.scorers[kind], _entry(tiny_index, text, int(part.concepts[entry]))),
                )
            ]
            assert scores[0] == pytest.approx(scores[1])


def test_part_in_all_languages_is_the_whole(tiny_index: NameIndex, tiny_taxonomy: Taxonomy) -> None:
    """The order of the languages does not matter."""
    part = tiny_index.in_languages(tiny_taxonomy, ["fr", "de", "en"])
    assert list(part.texts) == list(tiny_index.texts)
    np.testing.assert_array_equal(part.form_names, tiny_index.form_names)


def test_part_in_a_language_is_understood_in_all(
    tiny_taxonomy: Taxonomy, make_encoder: Callable[[str], Encoder]
) -> None:
    """German names are matched; occupations are scored as in the whole index."""
    index = NameIndex.build(tiny_taxonomy, make_encoder("letters"))
    part = index.in_languages(tiny_taxonomy, ["de"])
    assert index.encoder is not None
    assert part.encoder is not None
    queries = ["koch", "kitchen", "buss driver"]
    pairs = score_names(part, queries)
    np.testing.assert_array_equal(pairs.occupations, score_names(index, queries).occupations)
    assert pairs.occupations.shape == (3, 12)
    assert {text for entry in set(pairs.entries.tolist()) for text in [part.texts[entry]]} <= set(part.texts)
    vectors = part.encoder.encode(queries)
    scores = part.encoder.pairs(vectors, pairs.queries, pairs.entries)
    whole = np.array([_entry(index, part.texts[entry], int(part.concepts[entry])) for entry in pairs.entries])
    np.testing.assert_array_equal(scores, index.encoder.pairs(vectors, pairs.queries, whole))


def test_no_name_in_the_languages(tiny_index: NameIndex, tiny_taxonomy: Taxonomy) -> None:
    """The message names the requested languages, and those of the taxonomy."""
    with pytest.raises(LinkingError, match=r"tiny-1 has no names in fi, sv; it has de, en,"):
        tiny_index.in_languages(tiny_taxonomy, ["fi", "sv"])


def test_a_language_of_groups_only_is_not_offered(tiny_index: NameIndex, tiny_taxonomy: Taxonomy) -> None:
    """`tiny-1 has no names in es; it has de, en, es, fr` would contradict itself."""
    with pytest.raises(LinkingError, match=r"it has de, en, fr\."):
        tiny_index.in_languages(tiny_taxonomy, ["es"])


def test_a_taxonomy_without_names(tiny_taxonomy: Taxonomy) -> None:
    """There is nothing to link to."""
    builder = TablesBuilder()
    builder.concept("nameless", kind=OCCUPATION, code="1", isco="")
    with pytest.raises(LinkingError, match="no names to link to"):
        NameIndex.build(Taxonomy(tiny_taxonomy.manifest, builder.build()))


@pytest.mark.parametrize("with_encoder", [False, True], ids=["lexical", "with encoder"])
def test_saved_and_loaded_it_is_the_same(
    tiny_taxonomy: Taxonomy, tmp_path: Path, make_encoder: Callable[[str], Encoder], *, with_encoder: bool
) -> None:
    """Texts, arrays, scorers and scores; no name is encoded again."""
    encoder = make_encoder("letters") if with_encoder else None
    index = NameIndex.build(tiny_taxonomy, encoder)
    index.save(tmp_path)
    loaded = NameIndex.load(tmp_path, encoder)
    assert list(loaded.texts) == list(index.texts)
    assert list(loaded.scorers) == ["char", "word", *(["encoder"] if with_encoder else [])]
    for name in ("concepts", "preferred", "form_entries", "form_names"):
        np.testing.assert_array_equal(getattr(loaded, name), getattr(index, name))
    assert loaded.known_words == index.known_words
    queries = ["koch", "bus nurse", "developper"]
    before, after = score_names(index, queries), score_names(loaded, queries)
    np.testing.assert_array_equal(before.entries, after.entries)
    np.testing.assert_array_equal(before.scores, after.scores)


def _entry(index: NameIndex, text: str, concept: int) -> int:
    return next(
        e for e, (t, c) in enumerate(zip(index.texts, index.concepts, strict=True)) if (t, c) == (text, concept)
    )
