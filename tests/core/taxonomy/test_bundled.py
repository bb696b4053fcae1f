"""The bundled ISCO-08: complete, and its names usable.

What people of each unit group do: every group, in every language, in phrases.
"""

from collections import Counter

import pytest

from jobmatch_core.taxonomy import bundled
from jobmatch_core.taxonomy.bundled import duties_digest, duty_files, read_bundled, unit_group_duties
from jobmatch_core.taxonomy.rows import read_rows, split_names
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, TaxonomyTables
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import LANGUAGE_NAMES


@pytest.fixture(scope="module")
def tables() -> TaxonomyTables:
    """The bundled tables."""
    return bundled.read_bundled()


@pytest.fixture(scope="module")
def names(tables: TaxonomyTables) -> dict[str, set[tuple[str, str]]]:
    """(code, name) by language."""
    codes = tables.concepts["code"].to_list()
    found: dict[str, set[tuple[str, str]]] = {}
    for concept, language, text in tables.names[["concept", "language", "text"]].itertuples(index=False):
        found.setdefault(language, set()).add((codes[concept], text))
    return found


def test_isco_has_619_codes() -> None:
    """ISCO-08 has 10 major, 43 sub-major, 130 minor and 436 unit groups."""
    codes = bundled.isco_codes()
    assert len(codes) == 619
    assert Counter(len(code) for code in codes) == {1: 10, 2: 43, 3: 130, 4: 436}


def test_every_code_has_its_parent() -> None:
    """The hierarchy has no holes; every group but the unit groups has a child."""
    codes = bundled.isco_codes()
    assert [code for code in codes if len(code) > 1 and code[:-1] not in codes] == []
    parents = {code[:-1] for code in codes}
    assert [code for code in codes if len(code) < 4 and code not in parents] == []


def test_unit_groups_are_the_occupations(tables: TaxonomyTables) -> None:
    """436 occupations and 183 groups, each with its own code as its ISCO code and ESCO's URI."""
    concepts = tables.concepts
    assert concepts["kind"].value_counts().to_dict() == {OCCUPATION: 436, GROUP: 183}
    assert (concepts["code"] == concepts["isco"]).all()
    assert set(concepts.loc[concepts["kind"] == OCCUPATION, "code"].str.len()) == {4}
    assert concepts["uri"].is_unique
    assert "http://data.europa.eu/esco/isco/C2221" in set(concepts["uri"])


def test_every_concept_but_the_major_groups_has_a_parent(tables: TaxonomyTables) -> None:
    """619 concepts, 10 of them on top."""
    codes = tables.concepts["code"].to_list()
    pairs = {(codes[child], codes[parent]) for child, parent in tables.broader.itertuples(index=False)}
    assert len(pairs) == 609
    assert {("2221", "222"), ("222", "22"), ("22", "2"), ("0110", "011")} <= pairs


@pytest.mark.parametrize("language", bundled.LANGUAGES)
def test_every_language_names_every_code(tables: TaxonomyTables, language: str) -> None:
    """Each concept has just one preferred name in each of the eight languages."""
    chosen = tables.names[tables.names["preferred"] & (tables.names["language"] == language)]
    assert len(chosen) == 619
    assert chosen["concept"].is_unique


def test_there_are_eight_languages_and_thousands_of_names(tables: TaxonomyTables) -> None:
    """At least 6,000 names of occupations, and in each language more than one for a unit group."""
    assert set(tables.names["language"]) == {"en", "de", "fr", "es", "it", "nl", "pl", "pt"}
    kinds = tables.concepts["kind"].to_numpy()
    own = tables.names[kinds[tables.names["concept"].to_numpy()] == OCCUPATION]
    assert len(own) >= 6000
    assert own.groupby("language").size().min() > 2 * 436


@pytest.mark.parametrize(
    ("code", "language", "one", "other"),
    [
        ("2221", "de", "Krankenpfleger", "Krankenschwester"),
        ("5131", "de", "Kellner", "Kellnerin"),
        ("2221", "fr", "infirmier", "infirmière"),
        ("5141", "fr", "coiffeur", "coiffeuse"),
        ("2221", "es", "enfermero", "enfermera"),
        ("5131", "es", "camarero", "camarera"),
        ("2221", "it", "infermiere", "infermiera"),
        ("5141", "it", "parrucchiere", "parrucchiera"),
        ("5141", "nl", "kapper", "kapster"),
        ("5131", "nl", "kelner", "serveerster"),
        ("2221", "pl", "pielęgniarz", "pielęgniarka"),
        ("5131", "pl", "kelner", "kelnerka"),
        ("2221", "pt", "enfermeiro", "enfermeira"),
        ("5131", "pt", "garçom", "garçonete"),
        ("5131", "en", "waiter", "waitress"),
    ],
)
def test_both_genders_are_named(
    names: dict[str, set[tuple[str, str]]], code: str, language: str, one: str, other: str
) -> None:
    """Where a language has a form for men and one for women, both are names of the same unit group."""
    assert {(code, one), (code, other)} <= names[language]


@pytest.mark.parametrize("language", bundled.LANGUAGES)
def test_no_name_is_in_two_unit_groups(names: dict[str, set[tuple[str, str]]], language: str) -> None:
    """In one language, a name means one unit group, even where case and accents are folded."""
    owners: dict[str, set[str]] = {}
    for code, text in names[language]:
        if len(code) == 4:
            owners.setdefault(fold(text), set()).add(code)
    assert {text: sorted(codes) for text, codes in owners.items() if len(codes) > 1} == {}


def test_every_name_has_letters(names: dict[str, set[tuple[str, str]]]) -> None:
    """No name is blank, has blanks around it, a bar in it, or folds to nothing."""
    texts = {text for pairs in names.values() for _, text in pairs}
    assert [text for text in texts if text != text.strip() or "|" in text or "  " in text or not fold(text)] == []


def test_files_repeat_no_name_within_a_row() -> None:
    """What is written twice in one cell was a slip."""
    repeated = [
        (path.name, row["code"])
        for path in bundled.bundled_files()
        for row in read_rows(path, ("code", "preferred", "alternatives"))
        if len(set(split_names(row["alternatives"]))) != len(split_names(row["alternatives"]))
    ]
    assert repeated == []


def test_every_concept_is_described_in_english(tables: TaxonomyTables) -> None:
    """Each has one sentence at least."""
    assert set(tables.descriptions["language"]) == {"en"}
    assert len(tables.descriptions) == 619
    assert tables.descriptions["text"].str.len().min() > 20


LANGUAGES = [path.stem.removeprefix("duties_") for path in duty_files()]


def test_languages_are_known() -> None:
    """With English, to which models are drawn."""
    assert {"en", "de"} <= set(LANGUAGES) <= set(LANGUAGE_NAMES)
    assert len(duties_digest()) == 64


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_unit_group_has_phrases(language: str) -> None:
    """Of the 436 of ISCO-08, three to eight each, none of them empty or twice."""
    codes = {code for code in read_bundled().concepts["isco"].to_list() if len(code) == 4}
    phrases = {code: duties[language] for code, duties in unit_group_duties().items() if language in duties}
    assert phrases.keys() == codes
    for code, duties in phrases.items():
        assert 3 <= len(duties) <= 8, code
        assert len(set(duties)) == len(duties), code
        assert all(duty == duty.strip() and 1 < len(duty) < 120 for duty in duties), code


def test_a_phrase_by_hand() -> None:
    """Bakers bake bread."""
    assert any("bread" in duty for duty in unit_group_duties()["7512"]["en"])
