"""Properties of occupations and ISCO groups: the values that data extension adds to a table, and the hints."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.exceptions import HTTPException

from jobmatch.serve.operations import bad_request, read_json
from jobmatch.serve.reconcile.recon_candidates import ISCO_GROUP, Named, found_by_prefix
from jobmatch.serve.reconcile.recon_query import DESCRIPTION, DESCRIPTION_LETTERS, HINT_NAMES
from jobmatch_core.entities import Occupation
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH, language_code, language_name

MOST_ENTITIES, MOST_PROPERTIES = 250, 25  # of a request; an entity counts once in each language that is asked for
_LEVELS = {1: "major group", 2: "sub-major group", 3: "minor group", 4: "unit group"}
Value = dict[str, str]
HINTS = tuple(Named(each, name) for each, name in HINT_NAMES.items())
_DESCRIPTION, _LANGUAGE, _ISCO = HINTS
HELP = {DESCRIPTION: f"Of a text about the job, the first {DESCRIPTION_LETTERS:,} letters are read."}


@dataclass(frozen=True, slots=True)
class Property:
    """A property of entities.

    Attributes:
        named: its id and name.
        values: what an entity has of it.
        type: type of its values, if these are entities.
    """

    named: Named
    values: Callable[[Taxonomy, Occupation], list[Value]]
    type: Named | None = None


class Setting(Struct, frozen=True):
    """A property that is asked for, with settings."""

    id: str
    settings: dict[str, Any] = {}

    @property
    def limit(self) -> int | None:
        """Maximum number of values; None for all."""
        given = self.settings.get("limit")
        number = int(given) if isinstance(given, int | float | str) and str(given).isascii() and _whole(given) else 0
        return number or None

    @property
    def language(self) -> str:
        """Language of the values."""
        return language_code(str(self.settings.get("language", ""))) or ENGLISH


class ExtensionQuery(Struct, frozen=True):
    """Properties of entities that are asked for."""

    # the lengths are only described here: `read_extension` refuses longer lists with 413
    ids: Annotated[list[str], Meta(extra_json_schema={"maxItems": MOST_ENTITIES})]
    properties: Annotated[list[Setting], Meta(extra_json_schema={"maxItems": MOST_PROPERTIES})]


@dataclass(frozen=True, slots=True)
class Extension:
    """The values of properties.

    Attributes:
        meta: the properties, as both versions describe them.
        rows: id of the entity -> id of the property -> values.
    """

    meta: list[dict[str, Any]] = field(default_factory=list)
    rows: dict[str, dict[str, list[Value]]] = field(default_factory=dict)


def read_extension(text: str | bytes) -> ExtensionQuery:
    """Read a data extension query from JSON; raises HTTPException if it is none, or too large a one."""
    query = read_json(text, ExtensionQuery, "The query")
    languages = {setting.language for setting in query.properties[: MOST_PROPERTIES + 1]}
    if len(query.ids) * max(len(languages), 1) > MOST_ENTITIES or len(query.properties) > MOST_PROPERTIES:
        detail = (
            f"Ask for at most {MOST_ENTITIES} entities and {MOST_PROPERTIES} properties at once; an entity counts once "
            "in each language that is asked for."
        )
        raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)
    return query


def extended(taxonomy: Taxonomy, query: ExtensionQuery) -> Extension:
    """Return the values of properties; unknown entities have none.

    Raises:
        HTTPException: a property is unknown.
    """
    known = {each.named.id: each for each in properties_of(taxonomy)}
    if unknown := [each.id for each in query.properties if each.id not in known]:
        raise bad_request(f"There is no property {unknown[0]!r}; known are {', '.join(known)}.")
    extension = Extension([_meta(known[each.id]) for each in query.properties])
    languages = {each.language for each in query.properties}
    for uri in query.ids:
        found = {each: taxonomy.occupation(uri, each) for each in languages} if taxonomy.has_concept(uri) else {}
        extension.rows[uri] = {
            each.id: known[each.id].values(taxonomy, found[each.language])[: each.limit] if found else []
            for each in query.properties
        }
    return extension


def properties_of(taxonomy: Taxonomy) -> Iterator[Property]:
    """Yield the properties that the entities of a taxonomy have."""
    for digits, level in _LEVELS.items():
        yield Property(Named(f"isco-{digits}", f"ISCO-08 {level}"), _group_at(digits), ISCO_GROUP)
    yield Property(_ISCO, lambda _, entity: _texts(entity.isco_path[-1].code if entity.isco_path else ""))
    yield Property(Named("code", "Code"), lambda _, entity: _texts(entity.code))
    yield Property(Named("uri", "URI"), lambda _, entity: _texts(entity.uri))
    yield Property(_LANGUAGE, lambda _, entity: [{"str": code} for code in dict.fromkeys(_languages(entity))])
    yield Property(_DESCRIPTION, lambda _, entity: _texts(entity.description))
    yield Property(Named("essential-skills", "Essential skills"), _skills(essential=True))
    yield Property(Named("optional-skills", "Optional skills"), _skills(essential=False))
    for code in taxonomy.manifest.languages:
        yield Property(Named(f"name:{code}", f"Name, {language_name(code)}"), _names(code, preferred=True))
    for code in taxonomy.manifest.languages:
        yield Property(Named(f"names:{code}", f"Other names, {language_name(code)}"), _names(code, preferred=False))


def suggested_properties(taxonomy: Taxonomy, prefix: str) -> list[Named]:
    """Return the properties, hints first, whose id or name contains some letters."""
    hints = {each.id for each in HINTS}
    others = [each.named for each in properties_of(taxonomy) if each.named.id not in hints]
    return found_by_prefix([*HINTS, *others], prefix)


def _meta(found: Property) -> dict[str, Any]:
    meta: dict[str, Any] = {"id": found.named.id, "name": found.named.name}
    return meta | ({"type": {"id": found.type.id, "name": found.type.name}} if found.type else {})


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


def _languages(entity: Occupation) -> Iterator[str]:
    return (name.language for name in entity.names)


def _texts(text: str) -> list[Value]:
    return [{"str": text}] if text else []


def _whole(given: object) -> bool:
    return not isinstance(given, bool) and str(given).isdigit() and len(str(given)) < 10
