"""The kinds of ESCO's resources, their concept schemes, and the codes of skill types and reuse levels."""

from collections.abc import Mapping

from jobmatch.serve.esco.esco_query import CONCEPT, OCCUPATION, SKILL, TAXONOMY

ISCO_GROUP, SKILL_GROUP, SKILL_TYPE, REUSE_LEVEL = "ISCO group", "skill group", "skill type", "reuse level"
# clients call groups of occupations, groups of skills and codes concepts
ADDRESSES: Mapping[str, str] = {
    OCCUPATION: OCCUPATION,
    SKILL: SKILL,
    ISCO_GROUP: CONCEPT,
    SKILL_GROUP: CONCEPT,
    SKILL_TYPE: CONCEPT,
    REUSE_LEVEL: CONCEPT,
    TAXONOMY: TAXONOMY,
}  # kind -> its name in addresses
SEARCHED = (OCCUPATION, SKILL, ISCO_GROUP, SKILL_GROUP)  # kinds that a search without a concept scheme covers

_ESCO = "http://data.europa.eu/esco/"
_SCHEME = f"{_ESCO}concept-scheme/"
OCCUPATIONS, SKILLS, GROUPS = f"{_SCHEME}occupations", f"{_SCHEME}skills", f"{_SCHEME}isco"
HIERARCHY = f"{_SCHEME}skills-hierarchy"
SCHEME_KINDS: Mapping[str, str] = {
    OCCUPATIONS: OCCUPATION,
    f"{_SCHEME}member-occupations": OCCUPATION,
    SKILLS: SKILL,
    f"{_SCHEME}member-skills": SKILL,
    HIERARCHY: SKILL_GROUP,
    GROUPS: ISCO_GROUP,
    f"{_SCHEME}skill-competence-type": SKILL_TYPE,
    f"{_SCHEME}skill-reuse-level": REUSE_LEVEL,
}  # URI of a concept scheme -> the kind of its members
SCHEMES_OF: Mapping[str, list[str]] = {
    kind: [scheme for scheme, held in SCHEME_KINDS.items() if held == kind] for kind in ADDRESSES
}  # kind -> URIs of its concept schemes
SCHEME_NAMES = {OCCUPATIONS: "Occupations", SKILLS: "Skills", HIERARCHY: "Skills hierarchy", GROUPS: "ISCO-08"}

_TYPES, _LEVELS = f"{_ESCO}skill-type/", f"{_ESCO}skill-reuse-level/"
CODES: Mapping[str, Mapping[str, str]] = {
    SKILL_TYPE: {_TYPES + name: name for name in ("skill", "knowledge")},
    REUSE_LEVEL: {
        _LEVELS + name: name for name in ("transversal", "cross-sector", "sector-specific", "occupation-specific")
    },
}  # kind -> URI of each of its codes -> name
_OF_SKILLS = (f"{_ESCO}skill/", f"{_ESCO}isced-f/")  # beginnings of the URIs of skills and their groups


def skill_type(kind: str) -> str:
    """Return the URI of the skill type of a skill of a kind such as `skill/competence`."""
    uri = _TYPES + kind.partition("/")[0]
    return uri if uri in CODES[SKILL_TYPE] else f"{_TYPES}skill"


def reuse_level(level: str) -> str:
    """Return the URI of a reuse level; '' if ESCO has no such level."""
    uri = _LEVELS + level
    return uri if uri in CODES[REUSE_LEVEL] else ""


def kind_by_uri(uri: str) -> str:
    """Return the kind of a skill, or of the members of a scheme, by its URI; '' for other URIs."""
    if uri in SCHEME_KINDS:
        return SCHEME_KINDS[uri]
    return SKILL if uri.startswith(_OF_SKILLS) else ""
