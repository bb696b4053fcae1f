"""The occupations of a taxonomy with freelancers, each with its skills and its frequency.

A taxonomy as large as ESCO is narrowed down: if all of its 3,000 occupations were drawn, hardly two of 5,000
    freelancers would share a skill.
"""

import zlib
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.demo.market import load_market
from jobmatch_core.taxonomy import Taxonomy

_FEWEST_SKILLS, _MOST_SKILLS = 4, 24  # per occupation; the essential ones first
_MOST_CATEGORIES, _MOST_OF_A_CATEGORY = 80, 3
_UNEVENNESS = 0.4  # standard deviation of the logarithm of a category's popularity


@dataclass(frozen=True, slots=True)
class FreelanceOccupation:
    """An occupation to draw freelancers and projects of.

    Attributes:
        concept: concept number in the taxonomy.
        category: code of its unit group.
        skills: columns of its skills.
        weight: relative frequency; the sum is not fixed.
    """

    concept: int
    category: str
    skills: tuple[int, ...]
    weight: float


def choose_occupations(taxonomy: Taxonomy) -> list[FreelanceOccupation]:
    """Choose the most popular categories and some occupations of each, always the same ones.

    Raises:
        MarketplaceError: no occupation has a unit group and enough skills.
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
    weights = {code: load_market().popularity_of(code) * _luck(code) for code in categories}
    occupations = []
    for code in sorted(sorted(weights, key=lambda code: -weights[code])[:_MOST_CATEGORIES]):
        concepts = sorted(categories[code], key=lambda concept: _luck(taxonomy.uris[concept]))[:_MOST_OF_A_CATEGORY]
        occupations += [
            FreelanceOccupation(concept, code, tuple(skills[concept][:_MOST_SKILLS]), weights[code] / len(concepts))
            for concept in concepts
        ]
    return occupations


def _skills_of_occupations(taxonomy: Taxonomy) -> dict[int, list[int]]:
    """Return the columns of each occupation's skills that have a name, essential ones first."""
    named = set(taxonomy.tables.skill_names["skill"].to_list())
    relations = taxonomy.tables.relations.sort_values("essential", ascending=False, kind="stable")
    skills: dict[int, list[int]] = defaultdict(list)
    for occupation, skill in zip(relations["occupation"].to_list(), relations["skill"].to_list(), strict=True):
        if skill in named:
            skills[occupation].append(skill)
    return skills


def _luck(key: str) -> float:
    """Return a random factor around 1 that is always the same for a key."""
    return float(np.exp(np.random.default_rng(zlib.crc32(key.encode())).normal(0, _UNEVENNESS)))
