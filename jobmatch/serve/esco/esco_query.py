"""The parameters of a call of ESCO's web service; HAL links to resources and to pages of results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any
from urllib.parse import quote

from starlette.datastructures import URL, QueryParams

from jobmatch.serve.operations import Parameter, bad_request
from jobmatch_core.text.locales import ENGLISH, checked_language

DEFAULT_LIMIT, MOST_RESULTS, MOST_WHOLE, MOST_VALUES, LONGEST_TEXT = 20, 1000, 100, 100, 1000
_LARGEST_OFFSET = 10**9
OCCUPATION, SKILL, CONCEPT, TAXONOMY = "occupation", "skill", "concept", "taxonomy"  # kinds of resources in addresses
TYPES = (OCCUPATION, SKILL, CONCEPT)
FACETS = ("type", "isInScheme", "hasSkillType", "hasReuseLevel")
LATEST = "latest"
_TRUTHS = {"true": True, "1": True, "false": False, "0": False, "": False}
PARAMETERS = [
    Parameter("text", "Text to search for; without it everything is listed.", default=""),
    Parameter("language", "Language of the titles.", default=ENGLISH),
    Parameter("type", "occupation, skill or concept; may be repeated.", default=""),
    Parameter("uri", "URI of a resource.", default=""),
    Parameter("uris", "URIs of several resources; may be repeated, or separated by commas.", default=""),
    Parameter("relation", "Relation to the resource, such as hasEssentialSkill.", default=""),
    Parameter("isInScheme", "URI of a concept scheme; may be repeated, or separated by commas.", default=""),
    Parameter("limit", "Results on a page.", default=str(DEFAULT_LIMIT)),
    Parameter("offset", "Number of the page, from 0.", default="0"),
    Parameter("full", "true for whole resources.", default="false"),
    Parameter("alt", "true to suggest alternative names, too.", default="false"),
    Parameter("selectedVersion", "ESCO's version, such as v1.2.1, or latest.", default=LATEST),
    Parameter("viewObsolete", "Ignored: nothing obsolete is imported.", default="false"),
    Parameter("facet", f"Facet whose values are counted: {', '.join(FACETS)}; may be repeated.", default=""),
    Parameter("_", "Ignored: scripts send a number here to bypass caches.", default=""),
]
_NAMES = [parameter.name for parameter in PARAMETERS]
_OF_OTHERS = {  # parameter -> what other services call it, in lower case
    "text": "q query term keyword search",
    "language": "lang locale",
    "type": "class",
    "selectedVersion": "version",
    "limit": "size pagesize count rows",
    "offset": "page start",
    "uri": "id concepturi",
    "isInScheme": "scheme conceptscheme",
    "relation": "rel",
}
_OTHER_NAMES = {other: name for name, others in _OF_OTHERS.items() for other in others.split()}
PATH = "/esco/api"
Json = dict[str, Any]
_Given = Mapping[str, Sequence[str]]
_SAFE = ":/"  # ESCO does not encode these in a URI that is a parameter


@dataclass(frozen=True, slots=True)
class EscoQuery:
    """The checked parameters of a call."""

    text: str  # text to search for, stripped
    language: str  # two-letter code of the language of titles
    types: tuple[str, ...]  # types in the order of `TYPES`; empty for all
    uris: tuple[str, ...]  # URIs of resources, in order
    several: bool  # answer with a list even for one URI
    relation: str  # relation of related resources
    schemes: tuple[str, ...]  # URIs of concept schemes; empty for all
    limit: int  # results on a page
    page: int  # number of the page, from 0
    full: bool  # answer with whole resources
    alternatives: bool  # suggest alternative names, too
    version: str  # version of ESCO without its `v`; '' for the newest
    facets: tuple[str, ...]  # facets whose values are counted

    @classmethod
    def of(cls, parameters: QueryParams) -> "EscoQuery":
        """Read the parameters of a request; empty ones are ignored.

        Raises:
            HTTPException: a parameter or its value is unknown.
            SettingsError: the language is unknown.
        """
        given = _given(parameters)
        text, version, full = _last(given, "text"), _last(given, "selectedVersion"), _truth(given, "full")
        if len(text) > LONGEST_TEXT:
            raise bad_request(f"text is longer than {LONGEST_TEXT:,} characters.")
        return cls(
            text=text,
            language=checked_language(_last(given, "language") or ENGLISH),
            types=_chosen(given, "type", TYPES),
            uris=_uris(given),
            several="uris" in given,
            relation=_last(given, "relation"),
            schemes=_listed(given, "isInScheme"),
            limit=_number(given, "limit", DEFAULT_LIMIT, 1, MOST_WHOLE if full else MOST_RESULTS),
            page=_number(given, "offset", 0, 0, _LARGEST_OFFSET),
            full=full,
            alternatives=_truth(given, "alt"),
            version="" if version == LATEST else version.removeprefix("v"),
            facets=_chosen(given, "facet", FACETS),
        )

    @property
    def rows(self) -> slice:
        """The slice of the results on the page."""
        return slice(self.page * self.limit, (self.page + 1) * self.limit)


def _given(parameters: QueryParams) -> _Given:
    given: dict[str, list[str]] = {}
    for name, value in parameters.multi_items():
        if stripped := value.strip():
            given.setdefault(name, []).append(stripped)
    for name in given:
        if name not in _NAMES:
            raise bad_request(f"There is no parameter '{name}'{_hint(name)}. Known are {', '.join(_NAMES)}.")
    return given


def _hint(name: str) -> str:
    lowered = {parameter.lower(): parameter for parameter in _NAMES}
    meant = _OTHER_NAMES.get(name.lower()) or next(iter(get_close_matches(name.lower(), lowered, 1)), "")
    return f"; use '{lowered.get(meant, meant)}'" if meant else ""


def _last(given: _Given, name: str) -> str:
    return given[name][-1] if name in given else ""


def _listed(given: _Given, name: str) -> tuple[str, ...]:
    """Return the distinct values of a parameter that may be repeated, or separated by commas."""
    parts = (part.strip() for value in given.get(name, ()) for part in value.split(","))
    values = tuple(dict.fromkeys(part for part in parts if part))
    if len(values) > MOST_VALUES:
        raise bad_request(f"{name} has {len(values):,} values; send at most {MOST_VALUES} at once.")
    return values


def _uris(given: _Given) -> tuple[str, ...]:
    uris = tuple(dict.fromkeys([*given.get("uri", ())[-1:], *_listed(given, "uris")]))
    if len(uris) > MOST_VALUES:
        raise bad_request(f"The request has {len(uris):,} URIs; send at most {MOST_VALUES} at once.")
    return uris


def _chosen(given: _Given, name: str, choices: Sequence[str]) -> tuple[str, ...]:
    values = _listed(given, name)
    if unknown := [value for value in values if value not in choices]:
        raise bad_request(f"Illegal/Unknown {name} parameter values: ('{unknown[0]}'); known are {', '.join(choices)}.")
    return tuple(value for value in choices if value in values)


def _number(given: _Given, name: str, default: int, least: int, most: int) -> int:
    number = _last(given, name)
    if not number:
        return default
    if not (number.isascii() and number.isdigit() and len(number) < 12 and least <= int(number) <= most):
        raise bad_request(f"{name} is '{number}'; expected a whole number from {least} to {most:,}.")
    return int(number)


def _truth(given: _Given, name: str) -> bool:
    truth = _last(given, name).lower()
    if truth not in _TRUTHS:
        raise bad_request(f"{name} is '{truth}'; expected true or false.")
    return _TRUTHS[truth]


@dataclass(frozen=True, slots=True)
class Links:
    """Links to resources in a language and a version of ESCO ('' for the newest), below the address *root*."""

    root: str
    language: str
    version: str

    def resource(self, kind: str, uri: str, title: str, **more: str) -> Json:
        """Return a link to a resource."""
        address = f"{self.root}/resource/{kind}?uri={quote(uri, safe=_SAFE)}&language={self.language}"
        version = f"&selectedVersion=v{quote(self.version)}" if self.version else ""
        return {"href": address + version, "uri": uri, "title": title, **more}


def page_links(address: URL, query: EscoQuery, total: int) -> Json:
    """Return the links to a page of results and to its neighbours."""
    last = max(0, (total - 1) // query.limit)

    def page(number: int) -> Json:
        return {"href": str(address.include_query_params(offset=number, limit=query.limit))}

    links = {"self": {"href": str(address)}, "first": page(0), "last": page(last)}
    if query.page > 0:
        links["prev"] = page(min(query.page - 1, last))
    if query.page < last:
        links["next"] = page(query.page + 1)
    return links
