"""The skills of the bundled ISCO-08: complete, distinct, and tied to groups that exist."""

import re
from collections import Counter
from itertools import cycle

import pytest

from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore, bundled
from jobmatch_core.taxonomy.rows import Row, read_rows, split_names
from jobmatch_core.taxonomy.tables import TaxonomyTables
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import is_common

TIES = ("essential", "optional")


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """The file, row by row."""
    return list(read_rows(bundled.SKILLS_FILE, ("id", *bundled.LANGUAGES, *TIES)))


@pytest.fixture(scope="module")
def tables() -> TaxonomyTables:
    """The bundled tables."""
    return bundled.read_bundled()


@pytest.fixture(scope="module")
def isco(tmp_path_factory: pytest.TempPathFactory) -> Taxonomy:
    """The bundled taxonomy, stored and loaded."""
    return TaxonomyStore(tmp_path_factory.mktemp("isco")).load()


def _by_group(rows: list[Row], *columns: str) -> Counter[str]:
    return Counter(code for row in rows for column in columns for code in row[column].split())


def test_there_are_at_least_500_skills_with_ids_of_their_own(rows: list[Row]) -> None:
    """Ids are words with hyphens, so that they can stand in a URN, and sorted, so that a new one has its place."""
    ids = [row["id"] for row in rows]
    assert len(ids) >= 500
    assert ids == sorted(set(ids))
    assert [each for each in ids if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", each)] == []


@pytest.mark.parametrize("language", bundled.LANGUAGES)
def test_names_are_there_and_distinct(rows: list[Row], language: str) -> None:
    """In one language no two skills share a name, preferred or not, even where case and accents are folded."""
    owners: dict[str, list[str]] = {}
    for row in rows:
        for name in split_names(row[language]):
            owners.setdefault(fold(name), []).append(row["id"])
    assert "" not in owners
    assert {name: ids for name, ids in owners.items() if len(ids) > 1} == {}


def test_names_can_stand_in_a_list(rows: list[Row]) -> None:
    """No name has a comma or doubled blanks: profiles list their skills with commas between."""
    names = [name for row in rows for language in bundled.LANGUAGES for name in row[language].split("|")]
    assert [name for name in names if name != name.strip() or re.search(r"[,;\n]|  |^$", name)] == []


def test_the_commonest_skills_have_other_names(rows: list[Row]) -> None:
    """At least 150 of them, most in several languages; none is a word that everybody uses for other things."""
    named = [row for row in rows if any("|" in row[language] for language in bundled.LANGUAGES)]
    assert len(named) >= 150
    assert sum(sum("|" in row[language] for language in bundled.LANGUAGES) >= 5 for row in named) >= 100
    others = [(name, language) for row in rows for language in bundled.LANGUAGES for name in split_names(row[language])]
    assert [name for name, language in others if is_common(fold(name), language)] == []


def test_no_name_is_another_skills_in_another_language(rows: list[Row]) -> None:
    """A project's text is searched for names in all languages, since nobody writes in one alone."""
    owners: dict[str, set[str]] = {}
    for row in rows:
        for language in bundled.LANGUAGES:
            for name in split_names(row[language])[1:]:
                owners.setdefault(fold(name), set()).add(row["id"])
    preferred = {fold(split_names(row[language])[0]): row["id"] for row in rows for language in bundled.LANGUAGES}
    for name, ids in owners.items():
        assert len(ids | ({preferred[name]} if name in preferred else set())) == 1, name


def test_most_names_differ_between_languages(rows: list[Row]) -> None:
    """Only names of tools and a few loan words are the same in all languages."""
    alike = [row["id"] for row in rows if len({split_names(row[language])[0] for language in bundled.LANGUAGES}) == 1]
    assert "python" in alike
    assert len(alike) < len(rows) / 5


def test_ties_are_to_unit_groups(rows: list[Row]) -> None:
    """Every skill has a group, none twice, and every code is a unit group of ISCO-08."""
    units = {code for code in bundled.isco_codes() if len(code) == 4}
    for row in rows:
        codes = row["essential"].split() + row["optional"].split()
        assert codes, row["id"]
        assert len(set(codes)) == len(codes), row["id"]
        assert set(codes) <= units, row["id"]


def test_tied_groups_have_enough_skills(rows: list[Row]) -> None:
    """At least 45 groups, each with 8 skills or more of which 3 or more are essential."""
    ties, essential = _by_group(rows, *TIES), _by_group(rows, "essential")
    assert len(ties) >= 45
    assert {code: n for code, n in ties.items() if n < 8} == {}
    assert {code for code in ties if essential[code] < 3} == set()


def test_neighbouring_groups_share_skills(rows: list[Row]) -> None:
    """No group stands alone: each shares a skill with another."""
    shared = [row for row in rows if len(row["essential"].split() + row["optional"].split()) > 1]
    assert set(_by_group(shared, *TIES)) == set(_by_group(rows, *TIES))


def test_tables_hold_the_whole_file(rows: list[Row], tables: TaxonomyTables) -> None:
    """One skill a row, one preferred name a language and all others, one relation a tie."""
    assert tables.skills["uri"].to_list() == [bundled.skill_uri(row["id"]) for row in rows]
    names = [split_names(row[language]) for row in rows for language in bundled.LANGUAGES]
    assert set(tables.skill_names["language"]) == set(bundled.LANGUAGES)
    assert tables.skill_names["text"].to_list() == [name for each in names for name in each]
    preferred = tables.skill_names[tables.skill_names["preferred"]]
    assert preferred["text"].to_list() == [each[0] for each in names]
    assert len(tables.relations) == _by_group(rows, *TIES).total()
    assert tables.relations["essential"].sum() == _by_group(rows, "essential").total()


@pytest.mark.parametrize(
    ("code", "language", "name", "essential"),
    [
        ("2512", "en", "unit testing", True),
        ("2512", "de", "Softwarearchitektur", True),
        ("2611", "fr", "droit du travail", True),
        ("2643", "es", "traducción jurídica", True),
        ("7126", "it", "riscaldamento a pavimento", False),
        ("3332", "nl", "evenementen organiseren", True),
        ("3313", "pl", "deklaracje VAT", True),
        ("2142", "pt", "projeto de pontes", False),
    ],
)
def test_occupation_shows_its_skills_in_a_language(
    isco: Taxonomy, code: str, language: str, name: str, essential: bool
) -> None:
    """A unit group's skills carry the names of the language asked for."""
    skills = isco.occupation(bundled.group_uri(code), language).skills
    assert (name, essential) in {(skill.name, skill.essential) for skill in skills}


def test_language_changes_the_names_and_not_the_skills(isco: Taxonomy, rows: list[Row]) -> None:
    """Every tied group, each in the next language, shows the skills that it shows in English, by their own names."""
    named = {bundled.skill_uri(row["id"]): row for row in rows}
    for code, language in zip(sorted(_by_group(rows, *TIES)), cycle(bundled.LANGUAGES), strict=False):
        uri = bundled.group_uri(code)
        skills = isco.occupation(uri, language).skills
        english = isco.occupation(uri).skills
        assert {(skill.uri, skill.essential) for skill in skills} == {(skill.uri, skill.essential) for skill in english}
        assert [skill.name for skill in skills] == [split_names(named[skill.uri][language])[0] for skill in skills]


def test_groups_without_freelancers_list_none(isco: Taxonomy) -> None:
    """Skills are for the groups that freelancers work in."""
    assert isco.occupation(bundled.group_uri("0110")).skills == ()
