"""Skills that are mentioned, with what a taxonomy knows of them; occupations as postings; names as a title space."""

from jobmatch_core.descriptions.occupation_postings import occupation_postings
from jobmatch_core.descriptions.posting_skills import skill_names
from jobmatch_core.descriptions.skill_facts import skill_facts
from jobmatch_core.descriptions.skills import SkillMatcher
from tests.made_taxonomy import skilled_taxonomy

TAXONOMY = skilled_taxonomy()


def test_facts_by_hand() -> None:
    """Each skill once, with its words, its name in the language asked for, and who asks for it."""
    [first, *_] = skill_names(TAXONOMY).values()
    text = f"We love {first[0]}. And {first[0].upper()}, too."
    [fact] = skill_facts(TAXONOMY, SkillMatcher(skill_names(TAXONOMY)).find(text), "de")
    assert fact.mentions == (first[0], first[0].upper())
    assert fact.name != first[0]
    assert (fact.kind, fact.n_occupations) == ("skill", 1)
    assert [each.name for each in fact.occupations] == ["Programmierer"]
    assert skill_facts(TAXONOMY, []) == []


def test_occupations_as_postings() -> None:
    """A posting an English name; the names of one occupation share their text, a line a skill."""
    found = list(occupation_postings(TAXONOMY))
    assert [each.title for each in found][:4] == ["coder", "program writer", "site builder", "web maker"]
    assert found[0].description == found[1].description != found[2].description
    assert [each.occupation_name for each in found][:4] == ["coder", "coder", "site builder", "site builder"]
    assert len(found[0].description.splitlines()) == 9
    assert len({each.id for each in found}) == len(found) == 12
