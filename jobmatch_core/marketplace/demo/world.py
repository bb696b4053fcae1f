"""The taxonomy of a demo marketplace, arranged for quick drawing.

A job family is an ISCO-08 sub-major group (2 digits), a job category a unit group (4 digits); their keys are those
codes. Skills are columns, in the taxonomy's order; a skill's key is its URI.
"""

import zlib
from collections import defaultdict
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.demo.freelance_occupations import FreelanceOccupation, choose_occupations
from jobmatch_core.marketplace.demo.market import load_market
from jobmatch_core.marketplace.demo.phrases import LANGUAGES
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy
from jobmatch_core.text.languages import ENGLISH

_SPECIALTY_SIZE = 4  # skills that go together, on average

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DemoOccupation:
    """An occupation with freelancers.

    Attributes:
        category: code of its unit group.
        titles: language -> names, everyday ones where there are any.
        specialties: its skills in parts; people tend to master those of one part.
        relatives: numbers of other occupations of its family; itself where there is none.
    """

    category: str
    titles: dict[str, Names]
    specialties: tuple[tuple[int, ...], ...]
    relatives: tuple[int, ...]

    @property
    def family(self) -> str:
        """Its sub-major group."""
        return self.category[:2]


@dataclass(frozen=True, slots=True)
class World:
    """All ingredients of profiles and projects.

    Attributes:
        languages: language codes of profiles and projects.
        language_weights: cumulative weights of the languages.
        occupations: occupations with skills and an ISCO-08 unit group.
        occupation_weights: cumulative weights of the occupations.
        skills: key of each column.
        skill_names: language -> column -> names, the preferred one first; in English, else in any language, for a skill
            without a name in this one.
        group_names: language -> code -> name.
    """

    languages: tuple[str, ...]
    language_weights: list[float]
    occupations: list[DemoOccupation]
    occupation_weights: list[float]
    skills: tuple[str, ...]
    skill_names: dict[str, list[Names]]
    group_names: dict[str, dict[str, str]]

    @classmethod
    def of(cls, taxonomy: Taxonomy, languages: tuple[str, ...] = ()) -> "World":
        """Arrange a taxonomy for drawing.

        Args:
            taxonomy: taxonomy with skills.
            languages: language codes of the texts, as for `demo_languages`.

        Raises:
            MarketplaceError: the taxonomy lacks such a language, or has too few skills.
        """
        chosen = demo_languages(taxonomy, languages)
        freelance = choose_occupations(taxonomy)
        occupations = _occupations(taxonomy, chosen, freelance)
        codes = {code for each in occupations for code in (each.category, each.family)}
        return cls(
            languages=chosen,
            language_weights=list(accumulate(load_market().language_share(language) for language in chosen)),
            occupations=occupations,
            occupation_weights=list(accumulate(occupation.weight for occupation in freelance)),
            skills=tuple(taxonomy.tables.skills["uri"].to_list()),
            skill_names=_skill_names(taxonomy, tuple(dict.fromkeys((*chosen, ENGLISH)))),
            group_names={
                language: {code: taxonomy.group_name(code, language) for code in codes} for language in chosen
            },
        )


def demo_languages(taxonomy: Taxonomy, asked: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the languages of the texts.

    Args:
        taxonomy: the taxonomy of the marketplace.
        asked: the requested languages; if empty, the taxonomy's languages with sentence patterns (`phrases.LANGUAGES`),
            or all of its languages if it has none of these.

    Raises:
        MarketplaceError: the taxonomy lacks a requested language.
    """
    known = taxonomy.manifest.languages
    if missing := [language for language in asked if language not in known]:
        raise MarketplaceError(
            f"The taxonomy {taxonomy.id} has no names in {', '.join(missing)}; it has {', '.join(known)}."
        )
    return tuple(dict.fromkeys(asked)) or tuple(language for language in LANGUAGES if language in known) or known


def _skill_names(taxonomy: Taxonomy, languages: tuple[str, ...]) -> dict[str, list[Names]]:
    table = taxonomy.tables.skill_names.sort_values("preferred", ascending=False, kind="stable")
    if taxonomy.id == BUNDLED_ID:  # had no others when figures were first measured on a demo marketplace
        table = table[table["preferred"]]
    by_language: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    anyway: dict[int, list[str]] = {}
    for skill, language, text in zip(table["skill"], table["language"], table["text"], strict=True):
        by_language[language][skill].append(text)
        anyway.setdefault(skill, [text])
    english = by_language[ENGLISH]
    return {
        language: [
            tuple(by_language[language].get(skill) or english.get(skill) or anyway.get(skill) or ())
            for skill in range(len(taxonomy.tables.skills))
        ]
        for language in languages
    }


def _occupations(
    taxonomy: Taxonomy, languages: tuple[str, ...], freelance: list[FreelanceOccupation]
) -> list[DemoOccupation]:
    titles = _titles(taxonomy, languages, [occupation.concept for occupation in freelance])
    families: dict[str, list[int]] = defaultdict(list)
    for number, occupation in enumerate(freelance):
        families[occupation.category[:2]].append(number)
    return [
        DemoOccupation(
            category=occupation.category,
            titles=titles[occupation.concept],
            specialties=_specialties(taxonomy.uris[occupation.concept], occupation.skills),
            relatives=tuple(other for other in families[occupation.category[:2]] if other != number) or (number,),
        )
        for number, occupation in enumerate(freelance)
    ]


def _titles(taxonomy: Taxonomy, languages: tuple[str, ...], concepts: list[int]) -> dict[int, dict[str, Names]]:
    """Return each occupation's names, without the official one of its unit group if there are any others."""
    wanted = set(concepts)
    table = taxonomy.tables.names
    names: dict[tuple[int, str], list[str]] = defaultdict(list)
    for concept, language, text in zip(table["concept"], table["language"], table["text"], strict=True):
        if concept in wanted:
            names[concept, language].append(text)
    titles: dict[int, dict[str, Names]] = {}
    for concept in concepts:
        titles[concept] = {}
        for language in languages:
            found = names[concept, language] or [taxonomy.name(concept, language)]
            group = taxonomy.group_name(taxonomy.isco_codes[concept], language)
            titles[concept][language] = tuple(name for name in found if name != group) or tuple(found)
    return titles


def _specialties(uri: str, skills: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Part an occupation's skills, always in the same way, whatever the seed of a marketplace."""
    shuffled = np.random.default_rng(zlib.crc32(uri.encode())).permutation(np.array(skills))
    parts = np.array_split(shuffled, max(1, round(len(skills) / _SPECIALTY_SIZE)))
    return tuple(tuple(part.tolist()) for part in parts)
