"""Our own search queries are whole, and their answers are graded as the docstrings say."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.benchmarks.retrieval.search_queries import (
    FreelancerQuery,
    freelancer_queries,
    grade_freelancers,
    occupation_queries,
    occupation_set,
)
from jobmatch_core.entities import Freelancer
from jobmatch_core.errors import MarketplaceError, TaxonomyError
from jobmatch_core.marketplace.cities import all_cities
from jobmatch_core.marketplace.marketplace import Marketplace, SkillTruth, skill_rows
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.tables import OCCUPATION, TablesBuilder
from tests.made_marketplace import marketplace
from tests.made_taxonomy import install, skilled_taxonomy


def test_occupation_queries() -> None:
    """25 queries in each of eight languages, with two to eight occupations of ESCO, one of them meant."""
    queries = occupation_queries()
    assert set(Counter(query.language for query in queries).values()) == {25}
    assert len(queries) == len({query.text for query in queries}) == 200
    for query in queries:
        assert 2 <= len(query.grades) <= 8
        assert set(query.grades.values()) <= {1, 2}
        assert 2 in query.grades.values()
        assert all(re.fullmatch(r"http://data\.europa\.eu/esco/occupation/[0-9a-f-]{36}", uri) for uri in query.grades)


def test_freelancer_queries() -> None:
    """25 queries in each of four languages, whose wishes the bundled taxonomy and the demo's cities know."""
    queries = freelancer_queries()
    assert Counter(query.language for query in queries) == dict.fromkeys(("en", "de", "fr", "es"), 25)
    assert len({query.text for query in queries}) == 100
    taxonomy = TaxonomyStore.open().load(BUNDLED_ID)
    skills, cities = set(taxonomy.tables.skills["uri"]), {city.name for city in all_cities()}
    for query in queries:
        assert query.skills or query.categories
        assert set(query.skills) <= skills
        assert all(taxonomy.has_group(code) and len(code) == 4 for code in query.categories)
        assert query.city in ("", *cities)


def _freelancer(number: int, category: str, city: str, language: str) -> Freelancer:
    place = next(each for each in all_cities() if each.name == city)
    return Freelancer(
        f"f{number}", language, "", "", "", category[:2], "", category, "", (), place.country, place.place
    )


def _market() -> Marketplace:
    freelancers = (
        _freelancer(1, "2513", "Berlin", "de"),
        _freelancer(2, "2512", "Berlin", "en"),
        _freelancer(3, "2513", "Hamburg", "de"),
        _freelancer(4, "2166", "Berlin", "de"),
        _freelancer(5, "2513", "Paris", "fr"),
    )
    none = skill_rows([], 2)
    mastered = skill_rows([[0, 1], [0, 1], [0], [0, 1], []], 2)
    return Marketplace("made", (), freelancers, (), SkillTruth(("react", "css"), mastered, none, none), generated=True)


@pytest.mark.parametrize(
    ("wishes", "grades"),
    [
        ({"skills": ("react", "css")}, [2, 2, 1, 2, 0]),
        ({"categories": ("2513",)}, [2, 1, 2, 0, 2]),
        ({"city": "Berlin"}, [2, 2, 1, 2, 0]),
        ({"speaks": "de"}, [2, 0, 2, 2, 0]),
        ({"skills": ("react",), "categories": ("2513", "2512"), "city": "Berlin"}, [2, 2, 1, 0, 0]),
    ],
)
def test_grades_of_freelancers(wishes: dict[str, tuple[str, ...]], grades: list[int]) -> None:
    """The wish that is fulfilled least decides: in full 2, by half 1."""
    none = {"skills": (), "categories": (), "city": "", "speaks": ""}
    query = FreelancerQuery("en", "anything", **(none | wishes))  # type: ignore[arg-type]
    assert grade_freelancers([query], _market()).toarray().tolist() == [grades]


def test_marketplaces_that_cannot_be_graded() -> None:
    """Real marketplaces have no ground truth, and those of another taxonomy have other skills."""
    query = FreelancerQuery("en", "welder", ("welding",), (), "", "")
    with pytest.raises(MarketplaceError, match="without 'welding'"):
        grade_freelancers([query], _market())
    real = marketplace()
    with pytest.raises(MarketplaceError, match="without ground truth"):
        grade_freelancers([query], Marketplace("real", real.projects, real.freelancers, ()))


def _esco(languages: tuple[str, ...]) -> Taxonomy:
    """Make what passes for ESCO 1.0.3, without the occupations of the first 20 queries."""
    builder = TablesBuilder()
    for number, uri in enumerate(dict.fromkeys(uri for query in occupation_queries()[20:] for uri in query.grades)):
        concept = builder.concept(uri, kind=OCCUPATION, code=str(number), isco="")
        builder.add_names(concept, "en", f"name {number}", ["second"])
        builder.describe(concept, "en", f"Does {number}.")
    return Taxonomy(replace(skilled_taxonomy().manifest, id="esco-1.0.3", languages=languages), builder.build())


def test_occupation_set(tmp_path: Path) -> None:
    """The names and the description of each occupation are documents; unknown occupations are left out."""
    queries = occupation_queries()
    install(_esco(tuple(sorted({query.language for query in queries}))), tmp_path)
    found = occupation_set(TaxonomyStore.open(Settings(tmp_path)))
    assert found.queries[0] == queries[0].text
    assert found.documents[0] == ("name 0", "second", "Does 0.")
    assert found.grades.shape == (200, len(found.documents))
    row = found.grades[30].toarray().ravel()
    assert sorted(row[row > 0]) == sorted(queries[30].grades.values())
    assert np.count_nonzero(found.grades[20:].sum(axis=1)) == 180


def test_no_esco(tmp_path: Path) -> None:
    """The bundled taxonomy cannot answer, nor can one of another release or fewer languages, which is told plainly."""
    store = TaxonomyStore.open(Settings(tmp_path))
    with pytest.raises(TaxonomyError, match=r"answered by esco-1\.0\.3, which is not installed; import it"):
        occupation_set(store)
    with pytest.raises(TaxonomyError, match="isco-08 does not have; install ESCO"):
        occupation_set(store, BUNDLED_ID)
    install(_esco(("de", "en")), tmp_path)
    with pytest.raises(TaxonomyError, match=r"esco-1\.0\.3 has no names in .*French.*; import a release of ESCO"):
        occupation_set(store)
