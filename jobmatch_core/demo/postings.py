"""Postings of the agency, put together from the bundled duties and skills of a unit group."""

from dataclasses import dataclass

from jobmatch_core.demo.titles import everyday_names, fill
from jobmatch_core.demo.wording import load_agency
from jobmatch_core.marketplace.demo.world import RandomChoices
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.bundled import group_uri, unit_group_duties

_POSTINGS = 5  # stream of random numbers
_MOST_DUTIES, _MOST_SKILLS = 5, 4


@dataclass(frozen=True, slots=True)
class AgencyPosting:
    """A posting, its language, and the unit group that it describes."""

    title: str
    description: str
    language: str
    group: str


def agency_postings(taxonomy: Taxonomy, count: int, seed: int = 1) -> list[AgencyPosting]:
    """Return postings from the bundled taxonomy, a language after the other; no two share language and unit group."""
    random = RandomChoices([seed, _POSTINGS])
    agency = load_agency()
    languages = list(agency.wordings)
    groups = {language: random.some_of(agency.groups, len(agency.groups)) for language in languages}
    return [
        _posting(taxonomy, language, groups[language][number // len(languages) % len(agency.groups)], random)
        for number in range(count)
        for language in [languages[number % len(languages)]]
    ]


def _posting(taxonomy: Taxonomy, language: str, group: str, random: RandomChoices) -> AgencyPosting:
    wording = load_agency().wordings[language]
    name = random.one_of(everyday_names()[language, group])
    skills = [skill.name for skill in taxonomy.skills(group_uri(group), language)]
    duties = random.some_of(unit_group_duties()[group][language], _MOST_DUTIES)
    sentences = wording.posting
    parts = [
        sentences.opening,
        _listed(sentences.duties, duties),
        _listed(sentences.skills, random.some_of(skills, _MOST_SKILLS)),
        sentences.offer,
        sentences.closing,
    ]
    description = "\n\n".join(filter(None, parts))
    title = random.one_of(wording.both).format(title=name)
    return AgencyPosting(title, fill(description, wording, random, title=name), language, group)


def _listed(heading: str, entries: list[str]) -> str:
    return "\n".join([heading, *(f"- {entry}" for entry in entries)]) if entries else ""
