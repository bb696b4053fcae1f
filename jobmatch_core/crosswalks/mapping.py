"""Mappings of a source code to a target concept, and the set that they form."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from jobmatch_core.entities import OtherCode
from jobmatch_core.errors import SettingsError
from jobmatch_core.linking.other_codes import OtherCodes

EXACT, NARROWER, BROADER, CLOSE, NONE = "exact", "narrower", "broader", "close", "none"
RELATIONS = (EXACT, NARROWER, BROADER, CLOSE, NONE)
_BEST_FIRST = (EXACT, BROADER, NARROWER, CLOSE)  # the first two hold the whole occupation
PREDICTED = (EXACT, NARROWER, BROADER, CLOSE)  # of a right pair, in the order of models' classes
PROPOSED, REVIEWED, DISPUTED = "proposed", "reviewed", "disputed"
STATES = (PROPOSED, REVIEWED, DISPUTED)
BY_TOOL = "semapv:CompositeMatching"
# probability from which a candidate is proposed: the several concepts of a code share it; chosen by the F1 of proposals
# on the 13 national crosswalks that also chose the model of relations
PROPOSED_FROM = 0.2
SOURCE_BASE, TARGET_BASE = "urn:jobmatch:source:", "urn:jobmatch:target:"
CC_BY = "https://creativecommons.org/licenses/by/4.0/"  # licence of a crosswalk unless another one is given
SENTENCES = MappingProxyType(
    {
        EXACT: "means the same as",
        NARROWER: "is narrower than",
        BROADER: "is broader than",
        CLOSE: "overlaps with",
        NONE: "does not match",
    }
)  # between the source and the target


@dataclass(frozen=True, slots=True)
class Mapping:
    """One mapping; the relation is that of the source: a *narrower* source is part of the target."""

    source: str  # code of the source list
    target: str  # URI of the concept; '' for a source code that has no concept at all (`none`)
    relation: str  # one of `RELATIONS`
    # source_name, target_name: names of both
    source_name: str = ""
    target_name: str = ""
    probability: float | None = None  # of this relation, from 0 to 1; None if nobody estimated it
    justification: str = BY_TOOL  # a term of the vocabulary SEMAPV, such as `BY_TOOL`
    state: str = PROPOSED  # one of `STATES`
    reviewer: str = ""  # who reviewed it; '' for nobody
    second_reviewer: str = ""  # who reviewed it again; '' for nobody
    date: str = ""  # ISO date of the mapping; '' if unknown
    tool: str = ""  # tool that proposed it; '' for none
    version: str = ""  # version of the tool
    licence: str = ""  # URI of the licence of this mapping; '' for that of the set
    comment: str = ""  # why, in the reviewers' words

    def __post_init__(self) -> None:
        """Raise SettingsError for a relation or state that does not exist."""
        if self.relation not in RELATIONS:
            raise SettingsError(f"{self.relation!r} is no relation; use one of {', '.join(RELATIONS)}.")
        if self.state not in STATES:
            raise SettingsError(f"{self.state!r} is no state of a mapping; use one of {', '.join(STATES)}.")


@dataclass(frozen=True, slots=True)
class MappingSet:
    """A crosswalk: its mappings and what holds for all of them."""

    mappings: Sequence[Mapping]  # in the order of the file
    id: str = ""  # URI of the set; '' if missing
    licence: str = ""  # URI of the licence; '' if missing
    title: str = ""  # for people
    source_base: str = SOURCE_BASE  # start of the URIs of source codes, such as `https://example.org/occupations/`
    # source_version, target_version: versions of both classifications; '' if unknown
    source_version: str = ""
    target_version: str = ""
    target_base: str = TARGET_BASE  # start of the URIs of concepts whose ids are not URIs

    def other_codes(self) -> OtherCodes:
        """Return the codes of each concept, best first: exact, then broader, narrower, close; no disputed ones."""
        counting = [item for item in self.mappings if item.relation in _BEST_FIRST and item.state != DISPUTED]
        counting.sort(key=lambda item: (_BEST_FIRST.index(item.relation), -(item.probability or 0.0)))
        return tuple((item.target, OtherCode(item.source, item.source_name, item.relation)) for item in counting)

    def reviewed(self) -> "MappingSet":
        """Return the set without mappings that nobody reviewed, and without disputed ones."""
        return replace(self, mappings=tuple(item for item in self.mappings if item.state == REVIEWED))
