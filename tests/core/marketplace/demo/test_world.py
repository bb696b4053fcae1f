"""Random choices are reproducible and within bounds; the content that the generator takes from a taxonomy."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.demo.world import RandomChoices, World, choose_occupations, demo_languages
from jobmatch_core.taxonomy import Taxonomy
from tests.made_taxonomy import OCCUPATIONS, SKILLS_OF_EACH, skilled_taxonomy


def test_the_same_seed_makes_the_same_choices() -> None:
    """Another seed makes others, also after the first block of random numbers."""
    one, same, other = (
        [random.between(0, 9) for _ in range(5000)]
        for random in (RandomChoices([1, 2]), RandomChoices([1, 2]), RandomChoices([1, 3]))
    )
    assert one == same
    assert one != other


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31), st.integers(-5, 5), st.integers(0, 5), st.lists(st.integers(), unique=True, min_size=1))
def test_choices_are_within_bounds(seed: int, lowest: int, width: int, choices: list[int]) -> None:
    """Integers, one choice, and several distinct choices."""
    random = RandomChoices([seed])
    assert lowest <= random.between(lowest, lowest + width) <= lowest + width
    assert random.one_of(choices) in choices
    some = random.some_of(choices, width)
    assert len(some) == len(set(some)) == min(width, len(choices))
    assert set(some) <= set(choices)


def test_all_are_drawn() -> None:
    """Every number and order occurs, with frequencies by weight."""
    random = RandomChoices([1])
    assert Counter(random.between(1, 3) for _ in range(900)).keys() == {1, 2, 3}
    assert len({tuple(random.some_of("abc", 3)) for _ in range(200)}) == 6
    drawn = Counter(random.weighted([1.0, 1.0, 4.0]) for _ in range(4000))
    assert drawn.keys() == {0, 2}
    assert drawn[2] / 4000 == pytest.approx(0.75, abs=0.03)


def test_chance() -> None:
    """Probabilities 0, 1 and between."""
    random = RandomChoices([1])
    assert not any(random.chance(0) for _ in range(100))
    assert all(random.chance(1) for _ in range(100))
    assert sum(random.chance(0.3) for _ in range(4000)) / 4000 == pytest.approx(0.3, abs=0.03)


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    """Return the tiny taxonomy with skills."""
    return skilled_taxonomy()


def without(taxonomy: Taxonomy, table: str) -> Taxonomy:
    """Return the taxonomy with an empty table."""
    return Taxonomy(taxonomy.manifest, replace(taxonomy.tables, **{table: getattr(taxonomy.tables, table).head(0)}))


def test_occupations_with_their_titles_and_skills(taxonomy: Taxonomy) -> None:
    """Titles in each language; each skill is in one specialty."""
    world = World.of(taxonomy)
    assert {occupation.category for occupation in world.occupations} == set(OCCUPATIONS)
    coder = next(occupation for occupation in world.occupations if occupation.category == "2512")
    assert coder.family == "25"
    assert coder.titles == {"en": ("coder", "program writer"), "de": ("Programmierer", "Kodierer")}
    assert len(coder.specialties) == 2
    assert sorted(skill for part in coder.specialties for skill in part) == list(range(SKILLS_OF_EACH))
    assert [world.occupations[other].category for other in coder.relatives] == ["2513"]
    assert world.group_names["de"]["2512"] == taxonomy.group_name("2512", "de")


def test_names_of_skills(taxonomy: Taxonomy) -> None:
    """The preferred name comes first; skills without a name in a language have their English one."""
    world = World.of(taxonomy, ("de", "ja"))
    assert world.skill_names["en"][0] == ("hammering bytes", "craft Aa")
    assert world.skill_names["de"][0] == ("Bytes-Hämmern",)
    assert world.skill_names["ja"][0] == world.skill_names["en"][0]
    assert world.skills[0] == "http://skills/0-0"


def test_the_same_world_every_time(taxonomy: Taxonomy) -> None:
    """Specialties and popularity do not depend on the seed, so marketplaces of all seeds share a world."""
    assert World.of(taxonomy) == World.of(skilled_taxonomy())


def test_languages(taxonomy: Taxonomy) -> None:
    """By default those with sentence patterns, else all of the taxonomy."""
    assert demo_languages(taxonomy) == ("en", "de")
    assert demo_languages(taxonomy, ("ja", "de", "ja")) == ("ja", "de")
    foreign = Taxonomy(replace(taxonomy.manifest, languages=("he", "ja")), taxonomy.tables)
    assert demo_languages(foreign) == ("he", "ja")
    with pytest.raises(MarketplaceError, match="has no names in fr; it has de, en, he, ja"):
        World.of(taxonomy, ("de", "fr"))


@pytest.mark.parametrize("table", ["relations", "skill_names"])
def test_a_taxonomy_without_skills(taxonomy: Taxonomy, table: str) -> None:
    """The error says what to do."""
    with pytest.raises(MarketplaceError, match="choose a taxonomy with skills"):
        World.of(without(taxonomy, table))


def test_essential_skills_come_first(taxonomy: Taxonomy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of occupations with too many skills; only the most popular categories are chosen."""
    monkeypatch.setattr("jobmatch_core.marketplace.demo.world._MOST_SKILLS", 5)
    monkeypatch.setattr("jobmatch_core.marketplace.demo.world._MOST_CATEGORIES", 2)
    occupations = choose_occupations(taxonomy)
    assert [occupation.category for occupation in occupations] == ["2166", "2512"]
    assert occupations[1].skills == (0, 1, 2, 3, 4)


def test_occupations_of_a_category_share_its_weight(taxonomy: Taxonomy) -> None:
    """Two coders are drawn as often as one of their category."""
    before = {occupation.category: occupation.weight for occupation in choose_occupations(taxonomy)}
    tables = taxonomy.tables
    twice = replace(tables, concepts=tables.concepts.assign(isco=tables.concepts["isco"].replace("2513", "2512")))
    after = choose_occupations(Taxonomy(taxonomy.manifest, twice))
    assert [occupation.weight for occupation in after if occupation.category == "2512"] == [
        pytest.approx(before["2512"] / 2)
    ] * 2
