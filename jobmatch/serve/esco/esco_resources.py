"""Occupations, skills, ISCO groups and concept schemes as resources of ESCO's web service; search and suggestions.

Occupations are found by the linker, all else by letters.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jobmatch.serve.esco.esco_query import CONCEPT, MOST_RESULTS, OCCUPATION, SKILL, TAXONOMY, EscoQuery, Json, Links
from jobmatch.serve.operations import bad_request, not_found
from jobmatch_core.entities import Evidence, LinkResult, SurfaceForm
from jobmatch_core.linking.records import OWN, matched_source
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import GROUP
from jobmatch_core.taxonomy.taxonomy import NameHit, search_names, search_skills
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import ENGLISH

_SCHEME = "http://data.europa.eu/esco/concept-scheme/"
_MODEL = "http://data.europa.eu/esco/model#"
_SKILL_TYPE = "http://data.europa.eu/esco/skill-type/"
OCCUPATIONS, SKILLS, GROUPS = f"{_SCHEME}occupations", f"{_SCHEME}skills", f"{_SCHEME}isco"
_SCHEME_NAMES = {OCCUPATIONS: "Occupations", SKILLS: "Skills", GROUPS: "ISCO-08"}
SCHEME_KINDS = {
    OCCUPATIONS: OCCUPATION,
    f"{_SCHEME}member-occupations": OCCUPATION,
    SKILLS: SKILL,
    f"{_SCHEME}member-skills": SKILL,
    GROUPS: CONCEPT,
}  # URI of a concept scheme -> what it holds
_SCHEMES_OF: Mapping[str, list[str]] = {
    kind: [scheme for scheme, held in SCHEME_KINDS.items() if held == kind] for kind in (OCCUPATION, SKILL, CONCEPT)
}
_CLASSES = {OCCUPATION: "Occupation", SKILL: "Skill", CONCEPT: "Concept", TAXONOMY: "Taxonomy"}


@dataclass(frozen=True, slots=True)
class Resources:
    """The resources of an ESCO, in the language of their links.

    Attributes:
        taxonomy: the imported ESCO.
        links: links to resources.
    """

    taxonomy: Taxonomy
    links: Links

    def kind(self, uri: str) -> str:
        """Return what a URI is of; raises HTTPException where it is of nothing."""
        if uri in SCHEME_KINDS:
            return TAXONOMY
        if self.taxonomy.has_concept(uri):
            return OCCUPATION if self.taxonomy.is_occupation(uri) else CONCEPT
        if self.taxonomy.skill_catalogue.has_skill(uri):
            return SKILL
        raise not_found(f"There is no resource '{uri}' in {self.taxonomy.id}.")

    def title(self, uri: str) -> str:
        """Return the name of a resource; raises as `kind`."""
        kind, skills = self.kind(uri), self.taxonomy.skill_catalogue
        if kind == SKILL:
            return skills.name(skills.number(uri), self.links.language)
        if kind == TAXONOMY:
            return _SCHEME_NAMES.get(uri) or uri.removeprefix(_SCHEME)
        return self.taxonomy.name(self.taxonomy.number(uri), self.links.language)

    def link(self, uri: str) -> Json:
        """Return a link to a resource; raises as `kind`."""
        kind, more = self.kind(uri), {}
        if kind == SKILL:
            more = {"skillType": _SKILL_TYPE + self._skill_kind(uri)}
        elif kind != TAXONOMY and (code := self.taxonomy.codes[self.taxonomy.number(uri)]):
            more = {"code": code}
        return self.links.resource(kind, uri, self.title(uri), **more)

    def brief(self, uri: str) -> Json:
        """Return a resource as it stands in results; raises as `kind`."""
        kind, title = self.kind(uri), self.title(uri)
        class_name = _CLASSES[kind]
        found = {
            "className": class_name,
            "classId": _MODEL + class_name,
            "uri": uri,
            "title": title,
            "referenceLanguage": [ENGLISH],
            "preferredLabel": {name.language: name.text for name in self._names(uri, kind) if name.preferred},
            "_links": {"self": self.links.resource(kind, uri, title)},
        }
        if kind == TAXONOMY:
            return found
        found["isInScheme"] = _SCHEMES_OF[kind]
        if kind == SKILL:
            return found | {"hasSkillType": [_SKILL_TYPE + self._skill_kind(uri)]}
        found["code"] = self.taxonomy.codes[self.taxonomy.number(uri)]
        if kind == OCCUPATION:
            found["broaderIscoGroup"] = self.related(uri, "broaderIscoGroup")
        return found

    def whole(self, uri: str) -> Json:
        """Return a resource with all that is known of it; raises as `kind`."""
        kind, found = self.kind(uri), self.brief(uri)
        links: Json = dict(found["_links"])
        found["alternativeLabel"] = _by_language(name for name in self._names(uri, kind) if not name.preferred)
        found["description"] = {
            language: {"literal": text, "mimetype": "plain/text"} for language, text in self._descriptions(uri, kind)
        }
        found["status"] = "released"
        if kind != TAXONOMY:
            links["isInScheme"] = [self.link(scheme) for scheme in _SCHEMES_OF[kind]]
        for relation in _RELATIONS[kind]:
            # a scheme's 13,000 skills come in pages, by `resource/related`
            if (related := self.related(uri, relation)) and uri not in _SCHEMES_OF[SKILL]:
                links[relation] = [self.link(each) for each in related]
        return found | {"_links": links}

    def related(self, uri: str, relation: str) -> list[str]:
        """Return the URIs of what a resource is related to.

        Raises:
            HTTPException: there is no such resource, or its kind has no such relation.
        """
        relations = _RELATIONS[self.kind(uri)]
        if relation not in relations:
            known = ", ".join(relations)
            raise bad_request(f"Illegal/Unknown relation parameter values: ('{relation}'); known are {known}.")
        return relations[relation](self.taxonomy, uri)

    def members(self, kind: str) -> list[str]:
        """Return the URIs of all resources of a kind: occupations, skills or ISCO groups; raises for others."""
        if kind == SKILL:
            return self.taxonomy.skill_catalogue.uris
        if kind == OCCUPATION:
            return [self.taxonomy.uris[number] for number in self.taxonomy.occupation_numbers.tolist()]
        return [uri for uri in self.taxonomy.uris if not self.taxonomy.is_occupation(uri)]

    def _names(self, uri: str, kind: str) -> tuple[SurfaceForm, ...]:
        if kind == TAXONOMY:
            return (SurfaceForm(ENGLISH, self.title(uri), True),)
        skills = self.taxonomy.skill_catalogue
        return skills.names(skills.number(uri)) if kind == SKILL else self.taxonomy.occupation(uri).names

    def _descriptions(self, uri: str, kind: str) -> Iterable[tuple[str, str]]:
        return self.taxonomy.descriptions(uri).items() if kind in (OCCUPATION, CONCEPT) else ()

    def _skill_kind(self, uri: str) -> str:
        skills = self.taxonomy.skill_catalogue
        return skills.kinds[skills.number(uri)].partition("/")[0] or SKILL


def _by_language(names: Iterable[SurfaceForm]) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for name in names:
        texts.setdefault(name.language, []).append(name.text)
    return texts


def _skills_of(essential: bool) -> "_Relation":
    return lambda taxonomy, uri: [each.uri for each in taxonomy.occupation(uri).skills if each.essential == essential]


def _occupations_of(essential: bool) -> "_Relation":
    def related(taxonomy: Taxonomy, uri: str) -> list[str]:
        skills = taxonomy.skill_catalogue
        found = skills.occupations(skills.number(uri))
        return [taxonomy.uris[number] for number, needed in found if needed == essential]

    return related


def _broader_occupations(taxonomy: Taxonomy, uri: str) -> list[str]:
    return [parent for parent in taxonomy.broader(uri) if taxonomy.is_occupation(parent)]


def _unit_group(taxonomy: Taxonomy, uri: str) -> list[str]:
    code = taxonomy.isco_codes[taxonomy.number(uri)]
    return [taxonomy.group_uri(code)] if taxonomy.has_group(code) else []


def _broader_groups(taxonomy: Taxonomy, uri: str) -> list[str]:
    above = taxonomy.codes[taxonomy.number(uri)][:-1]
    return [taxonomy.group_uri(above)] if taxonomy.has_group(above) else []


def _narrower_groups(taxonomy: Taxonomy, uri: str) -> list[str]:
    return [
        taxonomy.group_uri(group.code) for group in taxonomy.subgroups(taxonomy.codes[taxonomy.number(uri)], ENGLISH)
    ]


def _group_occupations(taxonomy: Taxonomy, uri: str) -> list[str]:
    """Return the occupations directly below a group: not those that are below another occupation."""
    code = taxonomy.codes[taxonomy.number(uri)]
    return [each for each in taxonomy.occupations_in(code) if not _broader_occupations(taxonomy, each)]


def _top_concepts(taxonomy: Taxonomy, uri: str) -> list[str]:
    if SCHEME_KINDS[uri] == SKILL:
        return taxonomy.skill_catalogue.uris
    return [taxonomy.group_uri(group.code) for group in taxonomy.subgroups("", ENGLISH)]


_Relation = Callable[[Taxonomy, str], list[str]]
_RELATIONS: Mapping[str, Mapping[str, _Relation]] = {
    OCCUPATION: {
        "broaderIscoGroup": _unit_group,
        "broaderOccupation": _broader_occupations,
        "narrowerOccupation": lambda taxonomy, uri: list(taxonomy.occupation(uri).narrower),
        "hasEssentialSkill": _skills_of(essential=True),
        "hasOptionalSkill": _skills_of(essential=False),
    },
    SKILL: {
        "isEssentialForOccupation": _occupations_of(essential=True),
        "isOptionalForOccupation": _occupations_of(essential=False),
    },
    CONCEPT: {
        "broaderConcept": _broader_groups,
        "narrowerConcept": _narrower_groups,
        "narrowerOccupation": _group_occupations,
    },
    TAXONOMY: {"hasTopConcept": _top_concepts},
}


KINDS = (OCCUPATION, SKILL, CONCEPT)
MOST_OCCUPATIONS = 100  # that the linker offers for a text


@dataclass(frozen=True, slots=True)
class Found:
    """A search result.

    Attributes:
        uri: what was found.
        matched: the name by which it was found.
        more: further fields of the answer.
    """

    uri: str
    matched: str
    more: Json = field(default_factory=dict)


def searched_kinds(query: EscoQuery) -> list[str]:
    """Return the kinds that a search is for: those of its types that are in its schemes."""
    held = {SCHEME_KINDS.get(scheme) for scheme in query.schemes} if query.schemes else set(query.types)
    return [kind for kind in query.types if kind in held]


def listed(resources: Resources, kinds: Sequence[str]) -> list[Found]:
    """Return everything of some kinds, for a search without a text."""
    return [Found(uri, "") for kind in kinds for uri in resources.members(kind)]


def search(taxonomy: Taxonomy, query: EscoQuery, kinds: Sequence[str], link: LinkResult | None) -> list[Found]:
    """Return what a text finds, names that equal it first.

    Args:
        taxonomy: the imported ESCO.
        query: what is asked for.
        kinds: the kinds that are searched.
        link: the text's link, where occupations are searched.
    """
    found = [] if link is None else _linked(link)
    for kind in kinds:
        if kind != OCCUPATION:
            found += [Found(hit.uri, hit.matched) for hit in _by_letters(taxonomy, query, kind)]
    wanted = fold(query.text)
    return sorted(found, key=lambda each: fold(each.matched) != wanted)


def suggested(taxonomy: Taxonomy, query: EscoQuery, kinds: Sequence[str]) -> list[Found]:
    """Return what has a name with these letters: a preferred one, unless alternatives are asked for."""
    hits = [hit for kind in kinds for hit in _by_letters(taxonomy, query, kind)]
    if not query.alternatives:
        hits = [hit for hit in hits if hit.matched == hit.name]
    start = query.text.casefold()
    hits.sort(key=lambda hit: (not hit.matched.casefold().startswith(start), len(hit.matched)))
    return [Found(hit.uri, hit.matched) for hit in hits]


def _linked(link: LinkResult) -> list[Found]:
    return [
        Found(
            candidate.uri,
            candidate.evidence.name,
            {"probability": round(candidate.probability, 4), "evidence": _public(candidate.evidence)},
        )
        for candidate in link.candidates
    ]


def _public(evidence: Evidence) -> dict[str, Any]:
    """Return the evidence that other sites may show: everything but the names of annotators."""
    return {
        "name": evidence.name,
        "language": evidence.language or OWN,
        "source": matched_source(evidence),
        "read_as": evidence.read_as,
        "scores": evidence.scores,
    }


def _by_letters(taxonomy: Taxonomy, query: EscoQuery, kind: str) -> list[NameHit]:
    if kind == SKILL:
        return search_skills(taxonomy, query.text, show=query.language, limit=MOST_RESULTS)
    group = {"kind": GROUP} if kind == CONCEPT else {}
    return search_names(taxonomy, query.text, show=query.language, limit=MOST_RESULTS, **group)
