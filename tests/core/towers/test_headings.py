"""The one list of headings, and how it is asked."""

import tomllib
from importlib.resources import files

import pytest

from jobmatch_core.entities import NamedSkill
from jobmatch_core.retrieval.briefing import read_briefing
from jobmatch_core.taxonomy.skill_finder import SkillFinder, SkillNames
from jobmatch_core.text.folding import fold
from jobmatch_core.towers.documents import SECTIONS
from jobmatch_core.towers.headings import known_headings

TABLES = tomllib.loads((files("jobmatch_core.towers") / "headings.toml").read_text("utf-8"))
LISTS = {
    (kind, section, language): headings
    for kind, sections in TABLES.items()
    for section, languages in sections.items()
    for language, headings in languages.items()
}
NO_SKILLS = SkillFinder(SkillNames([], [], [], []))


@pytest.mark.parametrize("kind", SECTIONS)
def test_sections_are_those_of_documents(kind: str) -> None:
    """Besides the education of a CV, which goes to the experience; each has headings in all nine languages."""
    assert set(TABLES[kind]) <= {*SECTIONS[kind], "education"}
    assert {tuple(languages) for languages in TABLES[kind].values()} == {
        ("en", "de", "fr", "es", "it", "nl", "pl", "pt", "ro")
    }


@pytest.mark.parametrize("key", LISTS, ids="-".join)
def test_no_heading_is_empty_or_twice(key: tuple[str, str, str]) -> None:
    """Letters are left when it is compared."""
    assert all(map(fold, LISTS[key]))
    assert len(set(LISTS[key])) == len(LISTS[key])


def test_a_heading_of_two_sections_begins_the_first_that_is_asked_for() -> None:
    """'perfil' is whom one looks for, or what they must know."""
    assert known_headings("project", ("job_title", "mandatory_skills"))["perfil"] == "job_title"
    assert known_headings("project", ("mandatory_skills", "job_title"))["perfil"] == "mandatory_skills"


def test_sections_that_are_not_asked_for_have_no_headings() -> None:
    """An advert's first line is its title, so that no heading of a title is looked for."""
    assert "job title" not in known_headings("project", ("mandatory_skills", "bonus_skills"))


def test_pasted_texts_know_the_headings_of_adverts() -> None:
    """So that a bonus ends where other skills begin, be there a colon or not."""
    finder = SkillFinder(SkillNames(["p", "g"], ["Python", "Git"], ["en", "en"], [True, True]))
    project = read_briefing("Shop\nPreferred qualifications\nPython\nYour profile\nGit", finder)
    assert (project.mandatory, project.bonus) == ((NamedSkill("g", "Git"),), (NamedSkill("p", "Python"),))


@pytest.mark.parametrize("word", ["Profil recherché", "Wir suchen", "Figura ricercata", "Wij zoeken", "Procuramos"])
def test_whom_a_pasted_text_looks_for(word: str) -> None:
    """Is the job title."""
    assert read_briefing(f"Shop\n{word}: Koch", NO_SKILLS).job_title == "Koch"
