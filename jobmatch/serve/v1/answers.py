"""Answers of `/api/v1` as types, for its description; a test compares them with the answers that are given."""

from typing import Any, Literal

from msgspec import Struct

from jobmatch_core.descriptions.nearest import Near
from jobmatch_core.taxonomy import Manifest


class Accepted(Struct, frozen=True):
    """The accepted title behind a candidate."""

    title: str
    by: list[str]
    on: str


class MatchedName(Struct, frozen=True):
    """The name that led to a candidate."""

    name: str
    language: str
    source: str
    read_as: str = ""
    accepted: Accepted | None = None


class LinkCandidate(Struct, frozen=True):
    """An occupation that a title may mean."""

    uri: str
    name: str
    isco: str
    probability: float
    evidence: MatchedName
    scores: dict[str, float]


class LinkedGroup(Struct, frozen=True):
    """An ISCO group."""

    code: str
    name: str
    probability: float


class Link(Struct, frozen=True):
    """The answer to a title."""

    title: str
    abstained: bool
    reason: str
    level: Literal["occupation", "unit group", ""]
    seniority: str
    group: LinkedGroup | None
    set_aside: list[str]
    candidates: list[LinkCandidate]


class LinkAnswer(Struct, frozen=True):
    """Links, in the order of the titles, as `jobmatch link --json` prints them."""

    taxonomy: str
    results: list[Link]


class Sentence(Struct, frozen=True):
    """A sentence of a posting, with its weight and the effect of leaving it out."""

    start: int
    end: int
    text: str
    form: str
    role: str
    weight: float | None
    shift: float | None
    occupations_changed: int | None


class DescribeAnswer(Struct, frozen=True):
    """Description of a posting, as `jobmatch describe --json` prints it."""

    title: str
    model: str
    sentences: list[Sentence]
    layers: int
    heads: int
    rank_correlation: float | None
    nearest_titles: list[Near]
    link: Link


class MatchAnswer(Struct, frozen=True):
    """Freelancers for a project, as `jobmatch match --json` prints them."""

    marketplace: str
    generated: bool
    model: str
    project: dict[str, Any]
    matches: list[dict[str, Any]]


class SearchAnswer(Struct, frozen=True, rename={"kind": "in"}):
    """Search results, as `jobmatch search --json` prints them."""

    query: str
    kind: str
    source: str
    model: str
    hits: list[dict[str, Any]]


class TaxonomiesAnswer(Struct, frozen=True):
    """The installed taxonomies."""

    taxonomies: list[Manifest]


class DecisionAnswer(Struct, frozen=True):
    """The judgments that were recorded; their ids serve to withdraw them."""

    judgments: list[str]


class JobAnswer(Struct, frozen=True):
    """A job: what it is, and how far."""

    id: str
    name: str
    state: str
    done: int
    total: int
    error: str
    updated: str
    column: str
    encoding: str
    header_row: int
    taxonomy: str
    created: str
