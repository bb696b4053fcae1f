"""The relations of ESCO's resources, by the names of ESCO's web service."""

from collections.abc import Callable, Mapping

from jobmatch.serve.esco.esco_kinds import (
    CODES,
    HIERARCHY,
    ISCO_GROUP,
    REUSE_LEVEL,
    SCHEME_KINDS,
    SKILL_GROUP,
    SKILL_TYPE,
    SKILLS,
    reuse_level,
    skill_type,
)
from jobmatch.serve.esco.esco_query import OCCUPATION, SKILL, TAXONOMY
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH

Relation = Callable[[Taxonomy, str], list[str]]  # URI of a resource -> URIs of related resources
IN_RESULTS: Mapping[str, tuple[str, ...]] = {
    OCCUPATION: ("broaderIscoGroup", "broaderOccupation"),
    SKILL: ("hasSkillType", "hasReuseLevel", "broaderHierarchyConcept", "broaderSkill"),
    ISCO_GROUP: ("broaderConcept",),
    SKILL_GROUP: ("broaderConcept",),
}  # kind -> relations that results show as URIs


def _related_skills(essential: bool) -> Relation:
    return lambda taxonomy, uri: [skill.uri for skill in taxonomy.skills(uri) if skill.essential == essential]


def _related_occupations(essential: bool) -> Relation:
    def related(taxonomy: Taxonomy, uri: str) -> list[str]:
        skills = taxonomy.skill_catalogue
        occupations = skills.occupations(skills.number(uri))
        return [taxonomy.uris[number] for number, is_essential in occupations if is_essential == essential]

    return related


def _skill_types(taxonomy: Taxonomy, uri: str) -> list[str]:
    skills = taxonomy.skill_catalogue
    return [skill_type(skills.kinds[skills.number(uri)])]


def _reuse_levels(taxonomy: Taxonomy, uri: str) -> list[str]:
    skills = taxonomy.skill_catalogue
    level = reuse_level(skills.level(skills.number(uri)))
    return [level] if level else []


def _broader_occupations(taxonomy: Taxonomy, uri: str) -> list[str]:
    return [parent for parent in taxonomy.broader(uri) if taxonomy.is_occupation(parent)]


def _unit_group(taxonomy: Taxonomy, uri: str) -> list[str]:
    code = taxonomy.isco_codes[taxonomy.number(uri)]
    return [taxonomy.group_uri(code)] if taxonomy.has_group(code) else []


def _broader_groups(taxonomy: Taxonomy, uri: str) -> list[str]:
    above = taxonomy.codes[taxonomy.number(uri)][:-1]
    return [taxonomy.group_uri(above)] if taxonomy.has_group(above) else []


def _narrower_groups(taxonomy: Taxonomy, uri: str) -> list[str]:
    groups = taxonomy.subgroups(taxonomy.codes[taxonomy.number(uri)], ENGLISH)
    return [taxonomy.group_uri(group.code) for group in groups]


def _group_occupations(taxonomy: Taxonomy, uri: str) -> list[str]:
    """Return the occupations directly below a group, not those below another occupation."""
    occupations = taxonomy.occupations_in(taxonomy.codes[taxonomy.number(uri)])
    return [occupation for occupation in occupations if not _broader_occupations(taxonomy, occupation)]


def _top_concepts(taxonomy: Taxonomy, uri: str) -> list[str]:
    tops = taxonomy.skill_hierarchy.tops
    if uri == HIERARCHY or (uri == SKILLS and tops):
        return tops
    kind = SCHEME_KINDS[uri]
    if kind == SKILL:
        return taxonomy.skill_catalogue.uris
    if kind in CODES:
        return list(CODES[kind])
    return [taxonomy.group_uri(group.code) for group in taxonomy.subgroups("", ENGLISH)]


RELATIONS: Mapping[str, Mapping[str, Relation]] = {
    OCCUPATION: {
        "broaderIscoGroup": _unit_group,
        "broaderOccupation": _broader_occupations,
        "narrowerOccupation": lambda taxonomy, uri: taxonomy.narrower(uri),
        "hasEssentialSkill": _related_skills(essential=True),
        "hasOptionalSkill": _related_skills(essential=False),
    },
    SKILL: {
        "hasSkillType": _skill_types,
        "hasReuseLevel": _reuse_levels,
        "broaderHierarchyConcept": lambda taxonomy, uri: taxonomy.skill_hierarchy.broader_groups(uri),
        "broaderSkill": lambda taxonomy, uri: taxonomy.skill_hierarchy.broader_skills(uri),
        "narrowerSkill": lambda taxonomy, uri: taxonomy.skill_hierarchy.narrower_skills(uri),
        "isEssentialForOccupation": _related_occupations(essential=True),
        "isOptionalForOccupation": _related_occupations(essential=False),
    },
    ISCO_GROUP: {
        "broaderConcept": _broader_groups,
        "narrowerConcept": _narrower_groups,
        "narrowerOccupation": _group_occupations,
    },
    SKILL_GROUP: {
        "broaderConcept": lambda taxonomy, uri: taxonomy.skill_hierarchy.broader_groups(uri),
        "narrowerConcept": lambda taxonomy, uri: taxonomy.skill_hierarchy.narrower_groups(uri),
        "narrowerSkill": lambda taxonomy, uri: taxonomy.skill_hierarchy.narrower_skills(uri),
    },
    SKILL_TYPE: {},
    REUSE_LEVEL: {},
    TAXONOMY: {"hasTopConcept": _top_concepts},
}  # kind -> relation -> related resources
