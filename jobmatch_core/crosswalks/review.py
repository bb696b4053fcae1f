"""Review of a crosswalk: proposals, what people decided about each source code, and what follows from both.

Somebody decides about a source code as a whole: which concepts it is mapped to, with which relations. The last decision
of each reviewer counts. A code is disputed while two reviewers differ.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec import Struct, structs

from jobmatch_core.crosswalks.conflicts import IsBelow, is_never_below, problems_of
from jobmatch_core.crosswalks.mapping import CLOSE, DISPUTED, EXACT, NONE, PROPOSED, REVIEWED, MappingSet
from jobmatch_core.crosswalks.mapping import Mapping as CodeMapping
from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.crosswalks.sssom import SssomFile

BY_PERSON = "semapv:ManualMappingCuration"
OPEN = "open"  # state of a code without any mapping
TO_REVIEW, SECOND_REVIEW = "to review", "second review"


class Target(Struct, frozen=True):
    """A concept that a reviewer mapped a code to."""

    name: str
    relation: str  # one of `RELATIONS`, but not `none`


class CodeDecision(Struct, frozen=True):
    """What a reviewer decided about a code."""

    code: str  # the source code
    by: str  # the reviewer
    at: str  # UTC, ISO 8601
    # by URI of the concept; empty for a code without any concept, None for a withdrawn decision
    targets: dict[str, Target] | None
    comment: str = ""  # why, in the reviewer's words


@dataclass(frozen=True, slots=True)
class Conflict:
    """Mappings that cannot all be right."""

    code: str  # a source code of them
    text: str  # what is wrong, and what to do


class CrosswalkReview:
    """The codes of a list with their mappings."""

    def __init__(self, codes: Sequence[SourceCode], proposed: MappingSet) -> None:
        """Begin with proposals; those that a file says were reviewed count as decisions of their reviewers."""
        self.codes = {code.code: code for code in codes}  # the source codes by code, in the order of the list
        self.proposed = proposed  # the mappings before anybody decided here
        self._proposed: dict[str, list[CodeMapping]] = defaultdict(list)
        for item in proposed.mappings:
            self._proposed[item.source].append(item)
        self._decisions: dict[str, dict[str, CodeDecision]] = {}  # code -> reviewer -> the last decision
        self._known = {code: tuple(self._proposed[code]) for code in self.codes}
        self.replay(_earlier(self._proposed))

    def replay(self, decisions: Iterable[CodeDecision]) -> None:
        """Apply decisions in their order; those on codes that the list lacks are ignored."""
        for decision in decisions:
            if decision.code not in self.codes:
                continue
            of_code = self._decisions.setdefault(decision.code, {})
            if decision.targets is None:
                of_code.pop(decision.by, None)
            else:
                of_code[decision.by] = decision
            self._known[decision.code] = self._decided(decision.code)

    def decisions(self, code: str) -> list[CodeDecision]:
        """Return the last decision of each reviewer of a code, the first reviewer first."""
        return list(self._decisions.get(code, {}).values())

    def mappings(self, code: str) -> tuple[CodeMapping, ...]:
        """Return the mappings of a code: as decided, or else as proposed."""
        return self._known[code]

    def state(self, code: str) -> str:
        """Return a code's state: `OPEN` or one of `STATES`."""
        states = {item.state for item in self._known[code]}
        return next((state for state in (DISPUTED, PROPOSED, REVIEWED) if state in states), OPEN)

    def tree(self) -> list[tuple[str, int]]:
        """Return the codes with their depth, each below the one that it is part of."""
        below: dict[str, list[str]] = defaultdict(list)
        for source in self.codes.values():
            below[source.parent if source.parent in self.codes else ""].append(source.code)
        depths: dict[str, int] = {}
        left = [(code, 0) for code in (*reversed(self.codes), *reversed(below[""]))]  # the first ones are in circles
        while left:
            code, depth = left.pop()
            if code not in depths:
                depths[code] = depth
                left += [(child, depth + 1) for child in reversed(below[code])]
        return list(depths.items())

    def waiting_for(self, reviewer: str) -> dict[str, list[str]]:
        """Return the codes that nobody has decided on, those that others alone have, and those disputed."""
        views: dict[str, list[str]] = {TO_REVIEW: [], SECOND_REVIEW: [], DISPUTED: []}
        for code in self.codes:
            of_code = self._decisions.get(code, {})
            if self.state(code) == DISPUTED:
                views[DISPUTED].append(code)
            if not of_code:
                views[TO_REVIEW].append(code)
            elif reviewer not in of_code:
                views[SECOND_REVIEW].append(code)
        return views

    def draft(self, code: str, reviewer: str) -> dict[str, Target]:
        """Return what a reviewer may confirm: their own last decision, or else the proposal, never another's."""
        own = self._decisions.get(code, {}).get(reviewer)
        if own is not None and own.targets is not None:
            return dict(own.targets)
        return _targets(item for item in self._proposed[code] if not item.reviewer)

    def whole(self, named: Callable[[str], str] = str) -> MappingSet:
        """Return the crosswalk as it stands; *named* returns a reviewer's name."""
        known = self._known | {code: self._decided(code, named) for code in self._decisions if named is not str}
        return replace(self.proposed, mappings=tuple(item for items in known.values() for item in items))

    def conflicts(self, is_below: IsBelow = is_never_below) -> list[Conflict]:
        """Return what contradicts itself; *is_below* as in `problems_of`."""
        mappings = self.whole()
        file = SssomFile(mappings, tuple(range(len(mappings.mappings))), ())
        return [Conflict(mappings.mappings[found.line].source, found.text) for found in problems_of(file, is_below)]

    def _decided(self, code: str, named: Callable[[str], str] = str) -> tuple[CodeMapping, ...]:
        decisions = [structs.replace(decision, by=named(decision.by)) for decision in self.decisions(code)]
        if not decisions:
            return tuple(self._proposed[code])
        given = [decision.targets or {} for decision in decisions]
        names = {uri: target.name for targets in given for uri, target in targets.items()}
        return tuple(self._mapping(code, uri, name, decisions) for uri, name in (names or {"": ""}).items())

    def _mapping(self, code: str, uri: str, name: str, decisions: Sequence[CodeDecision]) -> CodeMapping:
        relations = [_relation(decision, uri) for decision in decisions]
        relation = next((each for each in reversed(relations) if each != NONE), NONE)
        before = next((item for item in self._proposed[code] if item.target == uri), None)
        as_proposed = before is not None and before.relation == relation
        reviewers = [decision.by for decision in decisions]
        return CodeMapping(
            code,
            uri,
            relation,
            source_name=self.codes[code].name,
            target_name=name,
            probability=before.probability if before and as_proposed else None,
            justification=BY_PERSON,
            state=REVIEWED if len(set(relations)) == 1 else DISPUTED,
            reviewer=reviewers[0],
            second_reviewer=next(iter(reviewers[1:]), ""),
            date=max(decision.at for decision in decisions)[:10],
            tool=before.tool if before and as_proposed else "",
            version=before.version if before and as_proposed else "",
            comment=_comment(decisions, relations),
        )


def with_target(draft: Mapping[str, Target], uri: str, name: str) -> dict[str, Target]:
    """Return a draft with another concept: exact if it is the only one, else as the others, but not exact twice."""
    others = [target.relation for target in draft.values()]
    relation = next((each for each in others if each != EXACT), CLOSE if others else EXACT)
    return {**draft, uri: draft.get(uri) or Target(name, relation)}


def _relation(decision: CodeDecision, uri: str) -> str:
    target = (decision.targets or {}).get(uri)
    return target.relation if target else NONE


def _comment(decisions: Sequence[CodeDecision], relations: Sequence[str]) -> str:
    differ = len(set(relations)) > 1
    parts = [
        ": ".join(filter(None, (decision.by if differ else "", relation if differ else "", decision.comment)))
        for decision, relation in zip(decisions, relations, strict=True)
    ]
    return "; ".join(filter(None, dict.fromkeys(parts)))


def _targets(items: Iterable[CodeMapping]) -> dict[str, Target]:
    return {item.target: Target(item.target_name, item.relation) for item in items if item.relation != NONE}


def _earlier(proposed: Mapping[str, Sequence[CodeMapping]]) -> list[CodeDecision]:
    decisions = []
    for code, items in proposed.items():
        reviewed = [item for item in items if item.reviewer and item.state == REVIEWED]
        for reviewer in dict.fromkeys(name for item in reviewed for name in (item.reviewer, item.second_reviewer)):
            own = [item for item in reviewed if reviewer in (item.reviewer, item.second_reviewer)]
            if reviewer:
                at = max(item.date for item in own)
                comment = next((item.comment for item in own if item.comment), "")
                decisions.append(CodeDecision(code, reviewer, at, _targets(own), comment))
    return decisions
