"""The taxonomy of a demo marketplace, and reproducible random choices from it.

A job family is an ISCO-08 sub-major group (2 digits), a job category a unit group (4 digits). Skills are columns, in
the taxonomy's order. Only some occupations are used: among all 3,000 of ESCO, freelancers would hardly share a skill.
"""

import zlib
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeVar

import numpy as np

from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.demo.market import LANGUAGES, load_market
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy
from jobmatch_core.text.locales import ENGLISH

T = TypeVar("T")
Names = tuple[str, ...]

_AT_ONCE = 4096  # random numbers, since drawing one at a time is slow
_FEWEST_SKILLS, _MOST_SKILLS = 4, 24  # per occupation; the essential ones first
_MOST_CATEGORIES, _MOST_OF_A_CATEGORY = 80, 3
_UNEVENNESS = 0.4  # standard deviation of the logarithm of a category's popularity
_SPECIALTY_SIZE = 4  # mean number of skills


class RandomChoices:
    """Random choices that depend only on the seed and their order."""

    def __init__(self, seed: Sequence[int]) -> None:
        self._shares = _endless(np.random.default_rng(seed))

    def share(self) -> float:
        """Return a number in [0, 1)."""
        return next(self._shares)

    def chance(self, probability: float) -> bool:
        """Return True with a probability."""
        return next(self._shares) < probability

    def between(self, lowest: int, highest: int) -> int:
        """Return an integer from *lowest* to *highest*."""
        return lowest + int(next(self._shares) * (highest - lowest + 1))

    def one_of(self, choices: Sequence[T]) -> T:
        """Return one of the choices."""
        return choices[int(next(self._shares) * len(choices))]

    def some_of(self, choices: Sequence[T], count: int) -> list[T]:
        """Return up to *count* distinct choices in random order."""
        left = list(choices)
        for place in range(min(count, len(left))):
            other = self.between(place, len(left) - 1)
            left[place], left[other] = left[other], left[place]
        return left[:count]

    def weighted(self, cumulative: Sequence[float]) -> int:
        """Return a random index of a list of cumulative weights."""
        return bisect(cumulative, next(self._shares) * cumulative[-1], hi=len(cumulative) - 1)


def _endless(generator: np.random.Generator) -> Iterator[float]:
    while True:
        yield from generator.random(_AT_ONCE).tolist()


@dataclass(frozen=True, slots=True)
class FreelanceOccupation:
    """A concept of the taxonomy with its unit group, columns of skills, and relative frequency (not normalised)."""

    concept: int
    category: str
    skills: tuple[int, ...]
    weight: float


def choose_occupations(taxonomy: Taxonomy) -> list[FreelanceOccupation]:
    """Choose the most popular categories and some occupations of each, deterministically.

    Raises MarketplaceError if no occupation has a unit group and enough skills.
    """
    skills = _skills_of_occupations(taxonomy)
    categories: dict[str, list[int]] = defaultdict(list)
    for concept in taxonomy.occupation_numbers.tolist():
        if len(code := taxonomy.isco_codes[concept]) == 4 and len(skills[concept]) >= _FEWEST_SKILLS:
            categories[code].append(concept)
    if not categories:
        raise MarketplaceError(
            f"No occupation of the taxonomy {taxonomy.id} has both an ISCO-08 unit group and at least "
            f"{_FEWEST_SKILLS} skills; choose a taxonomy with skills."
        )
    weights = {code: load_market().popularity(code) * _luck(code) for code in categories}
    occupations = []
    for code in sorted(sorted(weights, key=lambda code: -weights[code])[:_MOST_CATEGORIES]):
        concepts = sorted(categories[code], key=lambda concept: _luck(taxonomy.uris[concept]))[:_MOST_OF_A_CATEGORY]
        occupations += [
            FreelanceOccupation(concept, code, tuple(skills[concept][:_MOST_SKILLS]), weights[code] / len(concepts))
            for concept in concepts
        ]
    return occupations


def _skills_of_occupations(taxonomy: Taxonomy) -> dict[int, list[int]]:
    # only skills with a name, essential ones first
    named = set(taxonomy.tables.skill_names["skill"].to_list())
    relations = taxonomy.tables.relations.sort_values("essential", ascending=False, kind="stable")
    skills: dict[int, list[int]] = defaultdict(list)
    for occupation, skill in zip(relations["occupation"].to_list(), relations["skill"].to_list(), strict=True):
        if skill in named:
            skills[occupation].append(skill)
    return skills


def _luck(key: str) -> float:
    # a random factor around 1 that depends only on the key
    return float(np.exp(np.random.default_rng(zlib.crc32(key.encode())).normal(0, _UNEVENNESS)))


@dataclass(frozen=True, slots=True)
class DemoOccupation:
    """An occupation with freelancers."""

    category: str  # code of its unit group
    titles: dict[str, Names]  # names by language, preferably everyday ones
    specialties: tuple[tuple[int, ...], ...]  # groups of its skills; people tend to master those of one group
    relatives: tuple[int, ...]  # numbers of other occupations of its family; its own if there are none

    @property
    def family(self) -> str:
        """Code of its sub-major group."""
        return self.category[:2]


@dataclass(frozen=True, slots=True)
class World:
    """The taxonomy's content for profiles and projects."""

    languages: tuple[str, ...]  # language codes of profiles and projects
    language_weights: list[float]  # cumulative weights of the languages
    occupations: list[DemoOccupation]  # occupations with skills and an ISCO-08 unit group
    occupation_weights: list[float]  # cumulative weights of the occupations
    skills: tuple[str, ...]  # key of each column
    # names by language and column, the preferred one first; English ones, else those of any language, for a skill
    # without a name in the language
    skill_names: dict[str, list[Names]]
    group_names: dict[str, dict[str, str]]  # names by language and code

    @classmethod
    def of(cls, taxonomy: Taxonomy, languages: tuple[str, ...] = ()) -> "World":
        """Prepare a taxonomy for drawing; languages as for `demo_languages`.

        Raises MarketplaceError if the taxonomy lacks such a language, or has too few skills.
        """
        chosen = demo_languages(taxonomy, languages)
        freelance = choose_occupations(taxonomy)
        occupations = _occupations(taxonomy, chosen, freelance)
        codes = {code for occupation in occupations for code in (occupation.category, occupation.family)}
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


def demo_languages(taxonomy: Taxonomy, requested: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the requested languages; by default those of the taxonomy with sentence patterns, else all of them.

    Raises MarketplaceError if the taxonomy lacks a requested language.
    """
    available = taxonomy.manifest.languages
    if missing := [language for language in requested if language not in available]:
        raise MarketplaceError(
            f"The taxonomy {taxonomy.id} has no names in {', '.join(missing)}; it has {', '.join(available)}."
        )
    with_patterns = tuple(language for language in LANGUAGES if language in available)
    return tuple(dict.fromkeys(requested)) or with_patterns or available


def _skill_names(taxonomy: Taxonomy, languages: tuple[str, ...]) -> dict[str, list[Names]]:
    table = taxonomy.tables.skill_names.sort_values("preferred", ascending=False, kind="stable")
    if taxonomy.id == BUNDLED_ID:  # keeps figures comparable with those measured before it had other names
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
    # without the unit group's official name, if there are any others
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
            all_names = names[concept, language] or [taxonomy.name(concept, language)]
            group = taxonomy.group_name(taxonomy.isco_codes[concept], language)
            titles[concept][language] = tuple(name for name in all_names if name != group) or tuple(all_names)
    return titles


def _specialties(uri: str, skills: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    # independent of the marketplace's seed
    shuffled = np.random.default_rng(zlib.crc32(uri.encode())).permutation(np.array(skills))
    parts = np.array_split(shuffled, max(1, round(len(skills) / _SPECIALTY_SIZE)))
    return tuple(tuple(part.tolist()) for part in parts)
