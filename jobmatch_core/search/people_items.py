"""Freelancers and projects as items of a search.

What is a field and no free text (skills, category, place, country, language) is written in one language, or in none; as
the item's `facts` it is named in all languages, so that `Köln` finds who lives in Cologne, and `juristische
Übersetzung` a French profile with that skill.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, combinations

from jobmatch_core.entities import Freelancer, NamedSkill, Project
from jobmatch_core.marketplace.cities import all_cities, city_of
from jobmatch_core.search.search_items import LONGEST_TEXT, SearchItem
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.countries import COUNTRY_NAMES
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locale_names import country_names, language_names

Names = tuple[str, ...]
_LONGEST_CITY = 3  # words of a city's name


class PeopleItems:
    """Makes items of freelancers and projects, whose skills it names in all languages."""

    def __init__(self, skills: Mapping[str, Names] | None = None) -> None:
        """Take the names of each skill by its key; a skill that is not there has only the name in the profile."""
        self._skills = skills or {}

    @classmethod
    def of(cls, taxonomy: Taxonomy) -> "PeopleItems":
        """Take the preferred names of a taxonomy's skills."""
        uris, names = taxonomy.tables.skills["uri"].to_list(), taxonomy.tables.skill_names
        preferred = names[names["preferred"]]
        found: dict[str, list[str]] = {}
        for skill, text in zip(preferred["skill"], preferred["text"], strict=True):
            found.setdefault(uris[skill], []).append(text)
        return cls({uri: tuple(dict.fromkeys(texts)) for uri, texts in found.items()})

    def freelancer(self, freelancer: Freelancer) -> SearchItem:
        """Return a freelancer."""
        return self._item(freelancer, freelancer_text(freelancer), freelancer.skills)

    def project(self, project: Project) -> SearchItem:
        """Return a project."""
        return self._item(project, project_text(project), (*project.mandatory, *project.bonus))

    def _item(self, record: Freelancer | Project, text: str, skills: Iterable[NamedSkill]) -> SearchItem:
        named = tuple(self._skills.get(skill.key, (skill.text,)) for skill in skills)
        cities = _cities(record)
        known = (*cities, *country_names(record.country), *language_names(record.language))
        return SearchItem(
            record=record,
            texts=(text,) if text else (),
            words=". ".join(filter(None, (text, *cities))),
            shared=named,
            facts=". ".join((*known, *chain.from_iterable(named))),
        )


def with_countries(query: str) -> str:
    """Return a query with the country of each city that it names: who is near comes before who is far."""
    words = fold(query).split()
    countries = _countries()
    named = (
        " ".join(words[start:end])
        for start, end in combinations(range(len(words) + 1), 2)
        if end <= start + _LONGEST_CITY
    )
    found = dict.fromkeys(countries[name] for name in named if name in countries)
    return " ".join((query, *(COUNTRY_NAMES[code] for code in found)))


@cache
def _countries() -> dict[str, str]:
    """Return the country of each city by its folded names."""
    return {fold(name): city.country for city in all_cities() for name in (city.name, *city.other_names)}


def freelancer_text(freelancer: Freelancer) -> str:
    """Return a freelancer's texts as one: title and skills first, because an encoder may not read the whole."""
    return _joint(
        freelancer.title, freelancer.category_name, _listed(freelancer.skills), freelancer.description,
        freelancer.experience,
    )  # fmt: skip


def project_text(project: Project) -> str:
    """Return a project's texts as one, likewise."""
    skills = _listed((*project.mandatory, *project.bonus))
    return _joint(project.title, project.job_title, project.category_name, skills, project.description)


def _joint(*parts: str) -> str:
    return ". ".join(filter(None, parts))[:LONGEST_TEXT]


def _cities(record: Freelancer | Project) -> Names:
    """Return the names of an item's city in several languages; none where it is not in a known one."""
    city = city_of(record.place) if record.place else None
    return (city.name, *city.other_names) if city else ()


def _listed(skills: Iterable[NamedSkill]) -> str:
    return ", ".join(skill.text for skill in skills)
