"""The parameters of a call of ESCO's web service; addresses of resources and of pages of results as HAL links."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any
from urllib.parse import quote

from starlette.datastructures import URL, QueryParams

from jobmatch.serve.operations import Parameter, bad_request
from jobmatch_core.text.locales import ENGLISH, checked_language

DEFAULT_LIMIT, MOST_RESULTS, MOST_WHOLE, MOST_URIS, LONGEST_TEXT = 20, 1000, 100, 100, 1000
_LARGEST_OFFSET = 10**9
TYPES = ("occupation", "skill", "concept")
_TRUTHS = {"true": True, "1": True, "false": False, "0": False, "": False}
PARAMETERS = [
    Parameter("text", "What is searched for; everything is listed without it.", default=""),
    Parameter("language", "Language of the titles.", default=ENGLISH),
    Parameter("type", "occupation, skill or concept; may be repeated.", default=""),
    Parameter("uri", "URI of a resource.", default=""),
    Parameter("uris", "URIs of several resources; may be repeated, or separated by commas.", default=""),
    Parameter("relation", "Relation of the related resources, such as hasEssentialSkill.", default=""),
    Parameter("isInScheme", "URI of a concept scheme; may be repeated, or separated by commas.", default=""),
    Parameter("limit", "Results on a page.", default=str(DEFAULT_LIMIT)),
    Parameter("offset", "Number of the page, from 0.", default="0"),
    Parameter("full", "true for whole resources.", default="false"),
    Parameter("alt", "true to suggest by alternative names too.", default="false"),
    Parameter("selectedVersion", "ESCO's version, such as v1.2.1, or latest.", default="latest"),
    Parameter("viewObsolete", "Is read and has no effect: nothing obsolete is imported.", default="false"),
    Parameter("facet", "Is read and has no effect.", default=""),
]
_NAMES = [parameter.name for parameter in PARAMETERS]
_OTHER_WORDS: Mapping[str, str] = {
    "q": "text", "query": "text", "term": "text", "keyword": "text", "search": "text",
    "lang": "language", "locale": "language", "class": "type", "version": "selectedVersion",
    "size": "limit", "pagesize": "limit", "count": "limit", "rows": "limit", "page": "offset", "start": "offset",
    "id": "uri", "concepturi": "uri", "scheme": "isInScheme", "conceptscheme": "isInScheme", "rel": "relation",
}  # fmt: skip  # lower-cased words of other services -> ESCO's


@dataclass(frozen=True, slots=True)
class EscoQuery:
    """A call's parameters, checked.

    Attributes:
        text: what is searched for, without blanks around it.
        language: two-letter code of the language of titles.
        types: the types that are searched, in the order of `TYPES`.
        uris: URIs of what is asked for, in order.
        relation: relation of related resources.
        schemes: URIs of concept schemes; all where empty.
        limit: results on a page.
        page: number of the page, from 0.
        full: answer with whole resources.
        alternatives: suggest by alternative names too.
        version: version of ESCO without its `v`; '' for the newest.
    """

    text: str
    language: str
    types: tuple[str, ...]
    uris: tuple[str, ...]
    relation: str
    schemes: tuple[str, ...]
    limit: int
    page: int
    full: bool
    alternatives: bool
    version: str

    @classmethod
    def of(cls, parameters: QueryParams) -> "EscoQuery":
        """Read the parameters of a request.

        Raises:
            HTTPException: one is unknown, or has a value that means nothing.
            SettingsError: the language is unknown.
        """
        for name in parameters:
            if name not in _NAMES:
                raise bad_request(f"There is no parameter '{name}'{_hint(name)}. Known are {', '.join(_NAMES)}.")
        text, version = parameters.get("text", "").strip(), parameters.get("selectedVersion", "")
        full = _truth(parameters, "full")
        if len(text) > LONGEST_TEXT:
            raise bad_request(f"text is longer than {LONGEST_TEXT:,} letters.")
        return cls(
            text=text,
            language=checked_language(parameters.get("language") or ENGLISH),
            types=_types(_listed(parameters, "type")),
            uris=_uris(parameters),
            relation=parameters.get("relation", ""),
            schemes=_listed(parameters, "isInScheme"),
            limit=_number(parameters, "limit", DEFAULT_LIMIT, 1, MOST_WHOLE if full else MOST_RESULTS),
            page=_number(parameters, "offset", 0, 0, _LARGEST_OFFSET),
            full=full,
            alternatives=_truth(parameters, "alt"),
            version="" if version == "latest" else version.removeprefix("v"),
        )

    @property
    def rows(self) -> slice:
        """The results of the page that is asked for."""
        return slice(self.page * self.limit, (self.page + 1) * self.limit)


def _hint(name: str) -> str:
    """Return ESCO's parameter that was probably meant, as the end of a sentence."""
    lowered = {known.lower(): known for known in _NAMES}
    meant = _OTHER_WORDS.get(name.lower()) or next(iter(get_close_matches(name.lower(), lowered, 1)), "")
    return f"; use '{lowered.get(meant, meant)}'" if meant else ""


def _listed(parameters: QueryParams, name: str) -> tuple[str, ...]:
    """Return the values of a parameter that may be repeated or hold several, each once."""
    values = (value.strip() for given in parameters.getlist(name) for value in given.split(","))
    return tuple(dict.fromkeys(value for value in values if value))


def _uris(parameters: QueryParams) -> tuple[str, ...]:
    uri = parameters.get("uri", "").strip()
    uris = (uri, *_listed(parameters, "uris")) if uri else _listed(parameters, "uris")
    if len(uris) > MOST_URIS:
        raise bad_request(f"These are {len(uris):,} URIs; ask for at most {MOST_URIS} at once.")
    return uris


def _types(wanted: tuple[str, ...]) -> tuple[str, ...]:
    if unknown := [each for each in wanted if each not in TYPES]:
        raise bad_request(f"Illegal/Unknown type parameter values: ('{unknown[0]}'); known are {', '.join(TYPES)}.")
    return tuple(each for each in TYPES if each in wanted) or TYPES


def _number(parameters: QueryParams, name: str, default: int, least: int, most: int) -> int:
    given = parameters.get(name, "").strip()
    if not given:
        return default
    if not (given.isascii() and given.isdigit() and len(given) < 12 and least <= int(given) <= most):
        raise bad_request(f"{name} is '{given}'; expected a whole number from {least} to {most:,}.")
    return int(given)


def _truth(parameters: QueryParams, name: str) -> bool:
    given = parameters.get(name, "").strip().lower()
    if given not in _TRUTHS:
        raise bad_request(f"{name} is '{given}'; expected true or false.")
    return _TRUTHS[given]


Json = dict[str, Any]
PATH = "/esco/api"
OCCUPATION, SKILL, CONCEPT, TAXONOMY = "occupation", "skill", "concept", "taxonomy"  # of resources, as in addresses
_SAFE = ":/"  # in a URI that is a parameter: ESCO leaves them as they are


@dataclass(frozen=True, slots=True)
class Links:
    """Links to resources.

    Attributes:
        root: address of the service, without a slash at its end.
        language: language of the linked resources.
        version: version of ESCO that was asked for; '' for the newest.
    """

    root: str
    language: str
    version: str

    def resource(self, kind: str, uri: str, title: str, **more: str) -> Json:
        """Return a link to a resource."""
        address = f"{self.root}/resource/{kind}?uri={quote(uri, safe=_SAFE)}&language={self.language}"
        version = f"&selectedVersion=v{quote(self.version)}" if self.version else ""
        return {"href": address + version, "uri": uri, "title": title, **more}


def page_links(address: URL, query: EscoQuery, total: int) -> Json:
    """Return the links to a page of results, and to those before and after it."""
    last = max(0, (total - 1) // query.limit)

    def page(number: int) -> Json:
        return {"href": str(address.include_query_params(offset=number, limit=query.limit))}

    links = {"self": {"href": str(address)}, "first": page(0), "last": page(last)}
    if query.page > 0:
        links["prev"] = page(min(query.page - 1, last))
    if query.page < last:
        links["next"] = page(query.page + 1)
    return links
