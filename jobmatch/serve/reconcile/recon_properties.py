"""Properties of occupations and ISCO groups, whose values data extension adds to a table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import chain
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import asdict
from starlette.exceptions import HTTPException

from jobmatch.serve.operations import bad_request, read_json
from jobmatch.serve.reconcile.recon_candidates import ISCO_GROUP, Named, containing
from jobmatch.serve.reconcile.recon_query import DESCRIPTION, DESCRIPTION_LETTERS, HINT_NAMES
from jobmatch_core.entities import Occupation
from jobmatch_core.linking.context import KINDS
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH, language_code, language_name

MOST_ENTITIES, MOST_PROPERTIES = 250, 25  # per request; an entity counts once per requested language
_LEVELS = {1: "major group", 2: "sub-major group", 3: "minor group", 4: "unit group"}
Value = dict[str, str]
HINTS = tuple(Named(hint_id, name) for hint_id, name in HINT_NAMES.items())  # properties that queries may give
_DESCRIPTION, _LANGUAGE, _ISCO = HINTS[:3]
HELP = {DESCRIPTION: f"A text about the job; the first {DESCRIPTION_LETTERS:,} characters are read."} | dict.fromkeys(
    KINDS, "What is known beside the title, in a query; it moves the probabilities."
)


@dataclass(frozen=True, slots=True)
class Property:
    """A property of entities."""

    named: Named
    values: Callable[[Taxonomy, Occupation], list[Value]]  # returns its values for an entity
    type: Named | None = None  # type of its values; None unless these are entities


_OF_TITLES = tuple(Property(hint, lambda _taxonomy, _entity: []) for hint in HINTS[3:])  # no entity has values of them


class Setting(Struct, frozen=True):
    """A requested property, with settings."""

    id: str
    settings: dict[str, Any] = {}

    @property
    def limit(self) -> int | None:
        """Maximum number of values; None for all."""
        digits = str(self.settings.get("limit"))
        return int(digits) or None if digits.isascii() and digits.isdigit() and len(digits) < 10 else None

    @property
    def language(self) -> str:
        """Language of the values."""
        return language_code(str(self.settings.get("language", ""))) or ENGLISH


class ExtensionQuery(Struct, frozen=True):
    """Requested properties of entities."""

    # these lengths are for the schema only; `read_extension` refuses longer lists with 413
    ids: Annotated[list[str], Meta(extra_json_schema={"maxItems": MOST_ENTITIES})]
    properties: Annotated[list[Setting], Meta(extra_json_schema={"maxItems": MOST_PROPERTIES})]


@dataclass(frozen=True, slots=True)
class Extension:
    """The values of properties."""

    meta: list[dict[str, Any]] = field(default_factory=list)  # the properties, as both versions describe them
    # id of the entity -> id of the property -> values
    rows: dict[str, dict[str, list[Value]]] = field(default_factory=dict)


def read_extension(text: str | bytes) -> ExtensionQuery:
    """Read a data extension query from JSON; raises HTTPException if it is invalid or too large."""
    query = read_json(text, ExtensionQuery, "The query")
    languages = {setting.language for setting in query.properties[: MOST_PROPERTIES + 1]}
    if len(query.ids) * max(len(languages), 1) > MOST_ENTITIES or len(query.properties) > MOST_PROPERTIES:
        detail = (
            f"Ask for at most {MOST_ENTITIES} entities and {MOST_PROPERTIES} properties at once; an entity counts once "
            "per requested language."
        )
        raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)
    return query


def extend(taxonomy: Taxonomy, query: ExtensionQuery) -> Extension:
    """Return the values of properties; unknown entities have none. Raises HTTPException if a property is unknown."""
    every = chain(_OF_TITLES, entity_properties(taxonomy))
    properties = {entity_property.named.id: entity_property for entity_property in every}
    if unknown := [setting.id for setting in query.properties if setting.id not in properties]:
        raise bad_request(f"There is no property {unknown[0]!r}; known are {', '.join(properties)}.")
    extension = Extension([_meta(properties[setting.id]) for setting in query.properties])
    languages = {setting.language for setting in query.properties}
    for uri in query.ids:
        known_uri = taxonomy.has_concept(uri)
        entities = {language: taxonomy.occupation(uri, language) for language in languages if known_uri}
        extension.rows[uri] = {
            setting.id: properties[setting.id].values(taxonomy, entities[setting.language])[: setting.limit]
            if known_uri
            else []
            for setting in query.properties
        }
    return extension


def entity_properties(taxonomy: Taxonomy) -> Iterator[Property]:
    """Yield the properties that the entities of a taxonomy have."""
    for digits, level in _LEVELS.items():
        yield Property(Named(f"isco-{digits}", f"ISCO-08 {level}"), _group_at(digits), ISCO_GROUP)
    yield Property(_ISCO, lambda _, entity: _texts(entity.isco_path[-1].code if entity.isco_path else ""))
    yield Property(Named("code", "Code"), lambda _, entity: _texts(entity.code))
    yield Property(Named("uri", "URI"), lambda _, entity: _texts(entity.uri))
    yield Property(_LANGUAGE, _languages)
    yield Property(_DESCRIPTION, lambda _, entity: _texts(entity.description))
    yield Property(Named("essential-skills", "Essential skills"), _skills(essential=True))
    yield Property(Named("optional-skills", "Optional skills"), _skills(essential=False))
    for code in taxonomy.manifest.languages:
        yield Property(Named(f"name:{code}", f"Name, {language_name(code)}"), _names(code, preferred=True))
    for code in taxonomy.manifest.languages:
        yield Property(Named(f"names:{code}", f"Other names, {language_name(code)}"), _names(code, preferred=False))


def suggested_properties(taxonomy: Taxonomy, text: str) -> list[Named]:
    """Return the properties, hints first, whose id or name contains a text."""
    names = [entity_property.named for entity_property in entity_properties(taxonomy)]
    return containing([*HINTS, *(named for named in names if named not in HINTS)], text)


def _meta(entity_property: Property) -> dict[str, Any]:
    return asdict(entity_property.named) | ({"type": entity_property.type} if entity_property.type else {})


def _group_at(digits: int) -> Callable[[Taxonomy, Occupation], list[Value]]:
    def values(taxonomy: Taxonomy, entity: Occupation) -> list[Value]:
        return [
            {"id": taxonomy.group_uri(group.code), "name": f"{group.code} {group.name}"}
            for group in entity.isco_path
            if len(group.code) == digits and taxonomy.has_group(group.code)
        ]

    return values


def _skills(essential: bool) -> Callable[[Taxonomy, Occupation], list[Value]]:
    return lambda _, entity: [{"str": skill.name} for skill in entity.skills if skill.essential == essential]


def _names(language: str, preferred: bool) -> Callable[[Taxonomy, Occupation], list[Value]]:
    return lambda _, entity: [
        {"str": name.text} for name in entity.names if name.language == language and name.preferred == preferred
    ]


def _languages(_taxonomy: Taxonomy, entity: Occupation) -> list[Value]:
    return [{"str": code} for code in dict.fromkeys(name.language for name in entity.names)]


def _texts(text: str) -> list[Value]:
    return [{"str": text}] if text else []
