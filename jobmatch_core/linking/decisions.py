"""People's decisions on the links of a list: the right occupation, the right unit group, or none of these."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from jobmatch_core.entities import (
    OCCUPATION_LEVEL,
    UNIT_GROUP_LEVEL,
    Candidate,
    Evidence,
    GroupOffer,
    LinkLevel,
    LinkResult,
)
from jobmatch_core.io.tables import Record
from jobmatch_core.judged_title import Rejection
from jobmatch_core.linking.coding import CODED, coding
from jobmatch_core.linking.link_words import CONFIDENCES
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS

ACCEPTED, CHANGED, NONE_OF_THESE = "accepted", "changed", "none of these"
DECISIONS = (ACCEPTED, CHANGED, NONE_OF_THESE)
EMPTY = "empty"  # of a row without a title
STATUSES = (*CONFIDENCES, EMPTY, *DECISIONS)
_LINKER = "linker"  # where an answer is from
_NONE = "none"  # in files, in place of NONE_OF_THESE
ANSWER_COLUMNS = ("esco_uri", "esco_occupation", "isco", "isco_group", "level", "coding", "code", "answer_from")

Choice = Candidate | GroupOffer


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's decision on a link."""

    choice: Choice | None  # the right occupation or unit group; None for 'none of these'
    by: str = ""  # annotator; '' in lists of older releases
    at: str = ""  # UTC, ISO 8601; '' if unknown


def offered_group(result: LinkResult) -> GroupOffer | None:
    """Return the unit group that a title is linked to; None if it is linked to an occupation, or not linked."""
    return result.group if result.level == UNIT_GROUP_LEVEL else None


def offered(result: LinkResult) -> Choice | None:
    """Return what a link proposes: its unit group, its occupation, or else the best guess; None without candidates."""
    return offered_group(result) or (result.candidates[0] if result.candidates else None)


def enough_group(result: LinkResult, named: Callable[[str], str], found: Candidate | None = None) -> GroupOffer | None:
    """Return the unit group of the likeliest occupation, where a group may be enough; None without one.

    There is none where the title is linked to that group, or where the group is one of the candidates.

    Args:
        result: the answer of the linker.
        found: the first hit of a search, whose group is meant then; None without a search.
    """
    first = found or (result.candidates[0] if result.candidates else None)
    code, linked = first.isco if first else "", offered_group(result)
    if len(code) != UNIT_DIGITS or (linked and (found is None or linked.code == code)):
        return None
    together = sum(candidate.probability for candidate in result.candidates if candidate.isco == code)
    group = GroupOffer(code, named(code), min(together, 1.0))
    offered_uris = {candidate.uri for candidate in result.candidates} | ({found.uri} if found else set())
    return None if group.uri in offered_uris else group


def identity(choice: Choice) -> tuple[LinkLevel, str]:
    """Return the level and the URI: in ISCO-08 itself a unit group and an occupation share a URI."""
    return OCCUPATION_LEVEL if isinstance(choice, Candidate) else UNIT_GROUP_LEVEL, choice.uri


def choice_for(result: LinkResult, candidate: Candidate) -> Choice:
    """Return the link's own unit group or candidate with an occupation's URI.

    If it has none, return the occupation without probability and scores, which belong to another title.
    """
    group = offered_group(result)
    if group is not None and group.uri == candidate.uri:
        return group
    own = next((proposed for proposed in result.candidates if proposed.uri == candidate.uri), None)
    evidence = Evidence(candidate.evidence.name, candidate.evidence.language, {})
    return own or replace(candidate, probability=0.0, evidence=evidence)


def decision_kind(result: LinkResult, decision: Decision) -> str:
    """Return the kind of a decision, one of DECISIONS."""
    if decision.choice is None:
        return NONE_OF_THESE
    shown = offered(result)
    return ACCEPTED if shown is not None and identity(shown) == identity(decision.choice) else CHANGED


def decision_columns(result: LinkResult, decision: Decision | None, named: Callable[[str], str] = str) -> Record:
    """Return the columns of a decision, all None without one; *named* returns an annotator's name."""
    choice = decision.choice if decision else None
    kind = decision_kind(result, decision) if decision else None
    return {
        "decision": _NONE if kind == NONE_OF_THESE else kind,
        "decided_by": (decision and decision.by and named(decision.by)) or None,
        "decided_at": (decision and decision.at) or None,
        "decided_level": choice and identity(choice)[0],
        "decided_uri": choice and choice.uri,
        "decided_isco": (choice and isco_code(choice)) or None,
        "decided_name": choice and choice.name,
    }


def answer_columns(result: LinkResult, decision: Decision | None, group_name: Callable[[str], str]) -> Record:
    """Return the final answer of a row: what was decided, or else what the linker links it to.

    All columns are None where the decision is 'none of these'. Where nothing is decided or linked, `coding` says why,
    and a title that is partly coded has its `code`.

    Args:
        decision: the decision on it; None without one.
        group_name: returns the name of an ISCO-08 group; its code or '' if it has none.
    """
    choice = decision.choice if decision else offered(result) if result.level else None
    coded = coding(result)
    if choice is None:
        nothing: Record = dict.fromkeys(ANSWER_COLUMNS)
        if decision:
            return nothing
        group = coded.group
        return nothing | {"coding": coded.state, "code": group and group.code, "answer_from": group and _LINKER}
    occupation = choice if isinstance(choice, Candidate) else None
    code = isco_code(choice)
    name = choice.name if isinstance(choice, GroupOffer) else group_name(code) if code else ""
    return {
        "esco_uri": occupation and occupation.uri,
        "esco_occupation": occupation and occupation.name,
        "isco": code or None,
        "isco_group": name if name not in ("", code) else None,
        "level": identity(choice)[0],
        "coding": CODED if code else None,
        "code": code or None,
        "answer_from": "decision" if decision else _LINKER,
    }


def isco_code(choice: Choice) -> str:
    """Return the ISCO-08 code of an occupation or group, '' without one."""
    return choice.isco if isinstance(choice, Candidate) else choice.code


def renamed_decision(decision: Decision, taxonomy: Taxonomy, language: str) -> Decision:
    """Return a decision with the name of its occupation or group in a language.

    Raises TaxonomyError if the taxonomy has no such occupation.
    """
    choice = decision.choice
    if choice is None:
        return decision
    if isinstance(choice, GroupOffer):
        return replace(decision, choice=replace(choice, name=taxonomy.group_name(choice.code, language)))
    return replace(decision, choice=replace(choice, name=_occupation_name(choice, taxonomy, language)))


def renamed_result(result: LinkResult, taxonomy: Taxonomy, language: str) -> LinkResult:
    """Return a link with all names in a language; raises as `renamed_decision`."""
    group, coded = result.group, result.coded
    return replace(
        result,
        candidates=tuple(
            replace(candidate, name=_occupation_name(candidate, taxonomy, language)) for candidate in result.candidates
        ),
        group=replace(group, name=taxonomy.group_name(group.code, language)) if group else None,
        coded=replace(coded, name=taxonomy.group_name(coded.code, language)) if coded else None,
        context=tuple(
            replace(said, group=taxonomy.group_name(said.code, language)) if said.code else said
            for said in result.context
        ),
        jobs=tuple(renamed_result(job, taxonomy, language) for job in result.jobs),
        rejected=tuple(
            replace(rejection, name=_occupation_name(rejection, taxonomy, language)) for rejection in result.rejected
        ),
    )


def _occupation_name(occupation: Candidate | Rejection, taxonomy: Taxonomy, language: str) -> str:
    return taxonomy.name(taxonomy.number(occupation.uri), language)


def uses_earlier_decisions(result: LinkResult) -> bool:
    """Return whether earlier decisions shaped a link: that of an occupation or group, or that no occupation fits."""
    shown = offered(result)
    own = shown.evidence.own if isinstance(shown, Candidate) else shown and shown.own
    return bool(result.rejected or result.no_occupation or own)
