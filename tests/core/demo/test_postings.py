"""Made-up postings: in six languages, of different unit groups, with the duties of their group, marked as made up."""

from collections import Counter
from pathlib import Path

import pytest

from jobmatch_core.demo.postings import AgencyPosting, agency_postings
from jobmatch_core.demo.wording import load_agency
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.bundled import unit_group_duties


@pytest.fixture(scope="module")
def taxonomy(linker_home: Path) -> Taxonomy:
    """The bundled taxonomy."""
    return TaxonomyStore.open(Settings(linker_home)).load()


@pytest.fixture(scope="module")
def postings(taxonomy: Taxonomy) -> list[AgencyPosting]:
    """The postings of the demo."""
    return agency_postings(taxonomy, 30)


def test_five_postings_in_each_language(postings: list[AgencyPosting]) -> None:
    """No two postings of a language are of one unit group."""
    assert Counter(posting.language for posting in postings) == dict.fromkeys(load_agency().wordings, 5)
    assert len({(posting.language, posting.group) for posting in postings}) == 30


def test_the_same_seed_gives_the_same_postings(taxonomy: Taxonomy, postings: list[AgencyPosting]) -> None:
    """Fewer postings are the first of them, and another seed gives others."""
    assert agency_postings(taxonomy, 10) == postings[:10]
    assert agency_postings(taxonomy, 30, seed=2) != postings


def test_a_posting_says_what_the_job_is_and_that_it_is_made_up(postings: list[AgencyPosting]) -> None:
    """Each has duties of its unit group in its language, every slot is filled, and the closing sentence is there."""
    for posting in postings:
        duties = unit_group_duties()[posting.group][posting.language]
        listed = [line.removeprefix("- ") for line in posting.description.splitlines() if line.startswith("- ")]
        assert set(listed) & set(duties), posting.title
        assert "{" not in posting.description
        made_up = load_agency().wordings[posting.language].posting.closing.rpartition(". ")[2]
        assert posting.description.endswith(made_up)
