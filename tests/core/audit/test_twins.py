"""Twins of profiles differ in their cue and in nothing else."""

from dataclasses import fields, replace

import pytest

from jobmatch_core.audit.gendered_forms import GenderedForms
from jobmatch_core.audit.twins import Cue, first_names, profile_cues
from jobmatch_core.entities import Freelancer
from tests.made_marketplace import freelancers
from tests.made_taxonomy import skilled_taxonomy

FORMS = GenderedForms([("de", "nurse", ["Krankenpfleger", "Krankenpflegerin"])])
PROFILE = replace(
    freelancers()[0], language="de", title="Krankenpfleger", description="Krankenpfleger mit Praxis.", country="DE"
)
CUES = {cue.key: cue for cue in profile_cues(FORMS)}
CHANGED = {
    "gendered forms": {"title", "description"},
    "country field": {"country"},
}  # by default the description


def _differing(cue: Cue, profile: Freelancer) -> set[str]:
    first, second = cue.first(profile), cue.second(profile)
    return {field.name for field in fields(profile) if getattr(first, field.name) != getattr(second, field.name)}


@pytest.mark.parametrize("key", CUES)
def test_only_the_cue_differs(key: str) -> None:
    """The versions of a twin differ in the cue alone and are the same each time."""
    cue = CUES[key]
    assert _differing(cue, PROFILE) == CHANGED.get(key, {"description"})
    assert cue.second(PROFILE) == cue.second(PROFILE)


def test_the_twin_of_a_nurse() -> None:
    """In the title and in the text."""
    twin = CUES["gendered forms"].second(PROFILE)
    assert (twin.title, twin.description) == ("Krankenpflegerin", "Krankenpflegerin mit Praxis.")


def test_names_are_of_the_profiles_language() -> None:
    """A German profile has a German name, female or male, and names of other origins in their twins."""
    names = first_names()
    cue = CUES["first name"]
    assert cue.first(PROFILE).description.split(".")[0] in names["german"].male
    assert cue.second(PROFILE).description.split(".")[0] in names["german"].female
    turkish = CUES["name origin, turkish"].second(PROFILE).description.split(".")[0]
    assert turkish in (*names["turkish"].male, *names["turkish"].female)


def test_groups_have_as_many_names() -> None:
    """The same number draws a name of each group, and no name stands twice."""
    for origin, group in first_names().items():
        assert len(group.female) == len(group.male) == 6, origin
    listed = [name for group in first_names().values() for name in (*group.female, *group.male)]
    assert len(listed) == len(set(listed))


def test_the_language_of_title_and_category() -> None:
    """Only where the taxonomy names the category in both languages."""
    cue = {cue.key: cue for cue in profile_cues(FORMS, skilled_taxonomy())}["language of title and category"]
    assert cue.first(PROFILE) == PROFILE == cue.second(PROFILE)
