"""Skills of a taxonomy, and the search among their names; and where concepts stand."""

from collections.abc import Callable

import pytest

from jobmatch_core.errors import TaxonomyError
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.search import search_names, search_skills
from jobmatch_core.taxonomy.tables import GROUP
from tests.core.taxonomy.conftest import ISCO, OCCUPATION, SKILL


@pytest.fixture
def esco(load_esco: Callable[[dict[str, str]], Taxonomy], esco_files: dict[str, str]) -> Taxonomy:
    """The tiny ESCO."""
    return load_esco(esco_files)


def test_skills(esco: Taxonomy) -> None:
    """Names by language, kind, and who asks for a skill."""
    skills = esco.skill_catalogue
    drugs, zeal = skills.number(f"{SKILL}drugs"), skills.number(f"{SKILL}zeal")
    assert [(name.language, name.text, name.preferred) for name in skills.names(drugs)] == [
        ("de", "Arznei geben", True),
        ("en", "administer medicine", True),
    ]
    assert (skills.name(drugs, "de"), skills.name(drugs, "fr")) == ("Arznei geben", "administer medicine")
    assert skills.kinds[drugs] == "knowledge"
    nurse = esco.number(f"{OCCUPATION}nurse")
    assert skills.occupations(drugs) == [(nurse, True)]
    assert skills.occupations(zeal) == [(nurse, False)]
    assert not skills.has_skill(f"{SKILL}unknown")
    with pytest.raises(TaxonomyError, match="no skill 'x'"):
        skills.number("x")


def test_search_of_skills(esco: Taxonomy) -> None:
    """The closest name of each skill, in any language."""
    [hit] = search_skills(esco, "arznei", show="en")
    assert (hit.uri, hit.name, hit.matched, hit.language) == (
        f"{SKILL}drugs", "administer medicine", "Arznei geben", "de"
    )  # fmt: skip
    assert len(search_skills(esco, "e", show="en")) == 3
    assert len(search_skills(esco, "e", show="en", limit=2)) == 2
    assert search_skills(esco, " ", show="en") == []


def test_search_of_groups(esco: Taxonomy) -> None:
    """No occupations among them."""
    assert [hit.uri for hit in search_names(esco, "own nursing", show="en", kind=GROUP)] == [f"{ISCO}2221"]
    assert search_names(esco, "own nursing", show="en") == []


def test_where_concepts_stand(esco: Taxonomy) -> None:
    """By code, above, and as a group."""
    assert esco.with_code("2221.1") == [f"{OCCUPATION}nurse"]
    assert esco.with_code("") == []
    assert esco.broader(f"{OCCUPATION}icu") == [f"{OCCUPATION}nurse"]
    assert esco.group_uri("2221") == f"{ISCO}2221"
    assert esco.is_occupation(f"{OCCUPATION}icu")
    assert not esco.is_occupation(f"{ISCO}2221")
    assert esco.descriptions(f"{OCCUPATION}nurse") == {"en": "Cares for patients.", "de": "Pflegt Kranke."}
    with pytest.raises(TaxonomyError, match="no ISCO-08 group '9999'"):
        esco.group_uri("9999")
