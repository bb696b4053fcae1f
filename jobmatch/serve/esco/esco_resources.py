"""Occupations, skills, their groups, codes and concept schemes as resources of ESCO's web service."""

from collections.abc import Iterable
from dataclasses import dataclass

from jobmatch.serve.esco.esco_kinds import (
    ADDRESSES,
    CODES,
    HIERARCHY,
    ISCO_GROUP,
    SCHEME_KINDS,
    SCHEME_NAMES,
    SCHEMES_OF,
    SKILL_GROUP,
    skill_type,
)
from jobmatch.serve.esco.esco_query import MOST_RESULTS, OCCUPATION, SKILL, TAXONOMY, Json, Links
from jobmatch.serve.esco.esco_relations import IN_RESULTS, RELATIONS
from jobmatch.serve.operations import bad_request, not_found
from jobmatch_core.entities import SurfaceForm
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH

_MODEL = "http://data.europa.eu/esco/model#"


@dataclass(frozen=True, slots=True)
class Resources:
    """The resources of an imported ESCO, with titles in the language of the links."""

    taxonomy: Taxonomy
    links: Links

    def kind(self, uri: str) -> str:
        """Return the kind of a resource; raises HTTPException if there is no such resource."""
        if uri in SCHEME_KINDS:
            return TAXONOMY
        if self.taxonomy.has_concept(uri):
            return OCCUPATION if self.taxonomy.is_occupation(uri) else ISCO_GROUP
        if self.taxonomy.skill_catalogue.has_skill(uri):
            return SKILL
        if self.taxonomy.skill_hierarchy.has_group(uri):
            return SKILL_GROUP
        for kind, codes in CODES.items():
            if uri in codes:
                return kind
        raise not_found(f"There is no resource '{uri}' in {self.taxonomy.id}.")

    def title(self, uri: str) -> str:
        """Return the name of a resource; raises as `kind`."""
        kind, language = self.kind(uri), self.links.language
        if kind == SKILL:
            skills = self.taxonomy.skill_catalogue
            return skills.name(skills.number(uri), language)
        if kind == SKILL_GROUP:
            return self.taxonomy.skill_hierarchy.name(uri, language)
        if kind in CODES:
            return CODES[kind][uri]
        if kind == TAXONOMY:
            return SCHEME_NAMES.get(uri) or uri.rpartition("/")[2]
        return self.taxonomy.name(self.taxonomy.number(uri), language)

    def link(self, uri: str) -> Json:
        """Return a link to a resource; raises as `kind`."""
        kind, more = self.kind(uri), {}
        if kind == SKILL:
            skills = self.taxonomy.skill_catalogue
            more = {"skillType": skill_type(skills.kinds[skills.number(uri)])}
        elif code := self._code(uri, kind):
            more = {"code": code}
        return self.links.resource(ADDRESSES[kind], uri, self.title(uri), **more)

    def brief(self, uri: str) -> Json:
        """Return a resource as results show it; raises as `kind`."""
        kind, title = self.kind(uri), self.title(uri)
        class_name = ADDRESSES[kind].title()
        resource = {
            "className": class_name,
            "classId": _MODEL + class_name,
            "uri": uri,
            "title": title,
            "referenceLanguage": [ENGLISH],
            "preferredLabel": {name.language: name.text for name in self._names(uri, kind) if name.preferred},
            "_links": {"self": self.links.resource(ADDRESSES[kind], uri, title)},
        }
        if kind != TAXONOMY:
            resource["isInScheme"] = SCHEMES_OF[kind]
        if code := self._code(uri, kind):
            resource["code"] = code
        for relation in IN_RESULTS.get(kind, ()):
            if related := self.related(uri, relation):
                resource[relation] = related
        return resource

    def whole(self, uri: str) -> Json:
        """Return a resource with all its fields and relations; raises as `kind`."""
        kind, resource = self.kind(uri), self.brief(uri)
        links: Json = dict(resource["_links"])
        resource["alternativeLabel"] = _by_language(name for name in self._names(uri, kind) if not name.preferred)
        resource["description"] = {
            language: {"literal": text, "mimetype": "plain/text"}
            for language, text in self._descriptions(uri, kind).items()
        }
        resource["status"] = "released"
        if kind != TAXONOMY:
            links["isInScheme"] = [self.link(scheme) for scheme in SCHEMES_OF[kind]]
        for relation in RELATIONS[kind]:
            related = self.related(uri, relation)
            # without skill groups, a scheme lists all 13,000 skills; only `resource/related` returns them, in pages
            if related and not (kind == TAXONOMY and len(related) > MOST_RESULTS):
                links[relation] = [self.link(other) for other in related]
        return resource | {"_links": links}

    def related(self, uri: str, relation: str) -> list[str]:
        """Return the URIs of related resources.

        Raises HTTPException if there is no such resource, or its kind has no such relation.
        """
        relations = RELATIONS[self.kind(uri)]
        if relation not in relations:
            names = ", ".join(relations) or "none"
            raise bad_request(f"Illegal/Unknown relation parameter values: ('{relation}'); known are {names}.")
        return relations[relation](self.taxonomy, uri)

    def members(self, kind: str) -> list[str]:
        """Return the URIs of all resources of a kind."""
        if kind == SKILL:
            return self.taxonomy.skill_catalogue.uris
        if kind == SKILL_GROUP:
            return self.taxonomy.skill_hierarchy.groups
        if kind in CODES:
            return list(CODES[kind])
        if kind == TAXONOMY:
            return [scheme for scheme in SCHEME_NAMES if scheme != HIERARCHY or self.taxonomy.skill_hierarchy.groups]
        if kind == OCCUPATION:
            return [self.taxonomy.uris[number] for number in self.taxonomy.occupation_numbers.tolist()]
        return [uri for uri in self.taxonomy.uris if not self.taxonomy.is_occupation(uri)]

    def _code(self, uri: str, kind: str) -> str:
        if kind in (OCCUPATION, ISCO_GROUP):
            return self.taxonomy.codes[self.taxonomy.number(uri)]
        return self.taxonomy.skill_hierarchy.code(uri) if kind == SKILL_GROUP else ""

    def _names(self, uri: str, kind: str) -> tuple[SurfaceForm, ...]:
        if kind == SKILL:
            skills = self.taxonomy.skill_catalogue
            return skills.names(skills.number(uri))
        if kind == SKILL_GROUP:
            return self.taxonomy.skill_hierarchy.names(uri)
        if kind in CODES or kind == TAXONOMY:
            return (SurfaceForm(ENGLISH, self.title(uri), True),)
        return self.taxonomy.names(uri)

    def _descriptions(self, uri: str, kind: str) -> dict[str, str]:
        if kind in (SKILL, SKILL_GROUP):
            return self.taxonomy.skill_hierarchy.descriptions(uri)
        return self.taxonomy.descriptions(uri) if kind in (OCCUPATION, ISCO_GROUP) else {}


def _by_language(names: Iterable[SurfaceForm]) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for name in names:
        texts.setdefault(name.language, []).append(name.text)
    return texts
