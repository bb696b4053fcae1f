"""Reconciliation queries of both versions of the protocol."""

from collections.abc import Collection, Iterable, Mapping
from http import HTTPStatus
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, field
from starlette.exceptions import HTTPException

from jobmatch.serve.operations import bad_request, read_json
from jobmatch_core.linking.context import KINDS, Titled, titled
from jobmatch_core.text.locales import ENGLISH, language_code

BATCH_SIZE = 40  # queries per batch that manifests advertise; maximum number of queries with a description
MOST_QUERIES = 500  # in a batch; an earlier version advertised this, and clients remember it
_LONGEST_TEXT, MOST_LETTERS = 10_000, 15_000  # characters of a query, and of all queries of a batch
DESCRIPTION_LETTERS = 2_000  # characters of a description that are read
_DESCRIPTION_MARKUP = 8_000  # characters of its HTML that are parsed
_CONTEXT_LETTERS = 2_000  # characters of each text beside a title that are read
DEFAULT_LIMIT, _MOST_CANDIDATES = 5, 25
DESCRIPTION, LANGUAGE, ISCO = "description", "language", "isco"
HINT_NAMES = {
    DESCRIPTION: "Description",
    LANGUAGE: "Language",
    ISCO: "ISCO-08 code",
    **{kind: kind.capitalize() for kind in KINDS},
}  # id -> name of the properties that a query may give
TYPE_NAMES = {"occupation": "Occupation", "isco-group": "ISCO-08 group"}

Limit = Annotated[int, Meta(ge=1)]


class ReconQuery(Struct, frozen=True, kw_only=True):
    """A reconciliation query."""

    text: str  # a title, a URI or a code
    type: str = ""  # id of the requested type; '' for any
    limit: int = DEFAULT_LIMIT  # maximum number of candidates
    language: str = ""  # two-letter code of the text's language; '' if unknown
    isco: str = ""  # first digits of the occupation's ISCO-08 code
    description: str = ""  # text about the job, as sent; only the beginning of a long one
    context: dict[str, str] = {}  # what is known beside the title, by name; not read beside a description

    @property
    def titled(self) -> Titled:
        """The text in its context, if it has one."""
        return titled(self.text, self.context)

    @property
    def show(self) -> str:
        """Language of names in the answer."""
        return self.language or ENGLISH


class Hint(Struct, frozen=True):
    """A property's value in a query of version 0.2."""

    pid: str
    v: Any = ""


class OldQuery(Struct, frozen=True):
    """A query of version 0.2. Fields that do not concern a taxonomy of occupations are ignored."""

    query: str = ""
    type: str | list[str] | None = None
    limit: Limit | None = None
    properties: list[Hint] = field(default_factory=list)


class Condition(Struct, frozen=True, rename="camel"):
    """A condition of a query of version 1.0; `v` and `pid` are the names of value and property in earlier drafts."""

    match_type: Literal["name", "property"]
    property_value: Any = UNSET
    property_id: str = ""
    v: Any = UNSET
    pid: str = ""

    def __post_init__(self) -> None:
        """Refuse a condition without a value."""
        if self.property_value is UNSET and self.v is UNSET:
            raise ValueError("Object missing required field `propertyValue`")

    @property
    def values(self) -> list[str]:
        """The value or values."""
        return _texts(self.v if self.property_value is UNSET else self.property_value)


class NewQuery(Struct, frozen=True):
    """A query of version 1.0."""

    conditions: Annotated[list[Condition], Meta(min_length=1)]
    type: str | None = None
    limit: Limit | None = None
    lang: str = ""


class QueryBatch(Struct, frozen=True):
    """Queries of version 1.0."""

    queries: list[NewQuery]


def read_old_batch(text: str) -> dict[str, ReconQuery]:
    """Read the parameter `queries` of version 0.2: JSON, query by key.

    Raises HTTPException if the batch is invalid or too large.
    """
    batch = read_json(text, dict[str, OldQuery], "queries")
    _check_number(len(batch))
    queries = {key: _old_query(query) for key, query in batch.items()}
    _check_work(queries.values())
    return queries


def read_new_batch(batch: QueryBatch) -> list[ReconQuery]:
    """Return the queries of version 1.0; raises HTTPException if a text is too long, or the batch too large."""
    _check_number(len(batch.queries))
    queries = [_new_query(query) for query in batch.queries]
    _check_work(queries)
    return queries


def _new_query(new: NewQuery) -> ReconQuery:
    names = [text for condition in new.conditions if condition.match_type == "name" for text in condition.values]
    hints = {
        condition.property_id or condition.pid: condition.values
        for condition in new.conditions
        if condition.match_type == "property"
    }
    return _query(names[0] if names else "", new.type or "", new.limit, {LANGUAGE: [new.lang], **hints})


def _check_number(number: int) -> None:
    if number > MOST_QUERIES:
        raise _too_large(f"The batch has {number:,} queries; send at most {BATCH_SIZE} at once.")


def _check_work(queries: Collection[ReconQuery]) -> None:
    described = sum(bool(query.description) for query in queries)
    if described > BATCH_SIZE:
        raise _too_large(f"The batch has {described:,} queries with a description; send at most {BATCH_SIZE} at once.")
    check_letters(query.text for query in queries)


def check_letters(names: Iterable[str]) -> None:
    """Raise HTTPException if the names of a request have too many characters in total."""
    letters = sum(map(len, names))
    if letters > MOST_LETTERS:
        raise _too_large(
            f"The names of the queries have {letters:,} characters; send at most {MOST_LETTERS:,} at once."
        )


def _too_large(detail: str) -> HTTPException:
    return HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)


def _old_query(old: OldQuery) -> ReconQuery:
    kinds = [old.type] if isinstance(old.type, str) else old.type or []
    hints = {hint.pid: _texts(hint.v) for hint in old.properties}
    return _query(old.query, kinds[0] if len(kinds) == 1 else "", old.limit, hints)


def _id(text: str, names: Mapping[str, str]) -> str:
    """Return the id of a type or a property by its id or name; OpenRefine may send the name."""
    letters = text.strip().casefold()
    return next((identifier for identifier, name in names.items() if letters in (identifier, name.casefold())), text)


def _query(text: str, kind: str, limit: int | None, hints: Mapping[str, list[str]]) -> ReconQuery:
    given = {_id(name, HINT_NAMES): "\n".join(values).strip() for name, values in hints.items()}
    description, language, isco = (given.get(name, "") for name in (DESCRIPTION, LANGUAGE, ISCO))
    if len(text) > _LONGEST_TEXT:
        raise bad_request(f"A query is longer than {_LONGEST_TEXT:,} characters.")
    return ReconQuery(
        text=text.strip(),
        type=_id(kind, TYPE_NAMES),
        limit=min(limit or DEFAULT_LIMIT, _MOST_CANDIDATES),
        language=language_code(language) or "",
        isco=isco.rpartition("/")[2].removeprefix("C"),  # also from the URI of a group
        description=description[:_DESCRIPTION_MARKUP],
        context={kind: given[kind][:_CONTEXT_LETTERS] for kind in KINDS if given.get(kind)},
    )


def _texts(value: object) -> list[str]:
    values: Iterable[object] = value if isinstance(value, list) else [value]
    return [str(item.get("id", "")) if isinstance(item, dict) else str(item) for item in values if item is not None]
