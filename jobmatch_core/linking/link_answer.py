"""Links as JSON: the stable types of the answers of command line and API, documented in docs/cli.md."""

from collections.abc import Callable, Iterable

from msgspec import Struct

from jobmatch_core.entities import Evidence, LinkLevel, LinkResult
from jobmatch_core.judged_title import OwnName
from jobmatch_core.linking.coding import coding

OWN = "own"  # language and source of an own name
TAXONOMY, LEXICON = "taxonomy", "lexicon"  # other sources of matched names
Named = Callable[[str], str]  # returns an annotator's name
_DIGITS = 4  # of a probability


class Accepted(Struct, frozen=True):
    """The accepted title behind a candidate, or behind the decision that no occupation fits."""

    title: str
    by: tuple[str, ...]
    on: str


class MatchedName(Struct, frozen=True, omit_defaults=True):
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


class LinkedGroup(Struct, frozen=True, omit_defaults=True):
    """An ISCO group; `accepted` if people accepted it for the title."""

    code: str
    name: str
    probability: float
    accepted: Accepted | None = None


class LinkedCode(Struct, frozen=True):
    """How a title is coded: `state`, and the group of ISCO-08 with its level, or the reason why there is none."""

    state: str
    code: str | None
    level: str | None
    name: str | None
    probability: float | None
    reason: str


class Rejected(Struct, frozen=True):
    """An occupation or unit group that is not offered for a title, because people rejected it."""

    uri: str
    name: str
    isco: str
    by: tuple[str, ...]
    on: str


class LinkedJob(Struct, frozen=True):
    """What one job of a title of several is linked to."""

    title: str
    level: LinkLevel
    uri: str | None
    name: str | None
    isco: str | None
    probability: float | None


class SaidByContext(Struct, frozen=True):
    """What a text beside a title says: the unit group that it speaks for, '' for a text of unknown words."""

    kind: str
    text: str
    isco: str
    group: str
    log_odds: float


class LinkedAlso(Struct, frozen=True):
    """A code of another classification for the link; `relation` is that of the code to what is linked."""

    code: str
    name: str
    relation: str


class Link(Struct, frozen=True, omit_defaults=True):
    """The answer to a title."""

    title: str
    abstained: bool
    reason: str
    level: LinkLevel
    seniority: str
    group: LinkedGroup | None
    set_aside: tuple[str, ...]
    jobs: tuple[LinkedJob, ...]
    candidates: tuple[LinkCandidate, ...]
    coding: LinkedCode
    rejected: tuple[Rejected, ...] = ()
    no_occupation: Accepted | None = None
    context: tuple[SaidByContext, ...] = ()
    also: tuple[LinkedAlso, ...] = ()


class LinkAnswer(Struct, frozen=True):
    """Links, in the order of the titles, as `jobmatch link --json` prints them."""

    taxonomy: str
    results: tuple[Link, ...]


def link_answer(taxonomy: str, results: Iterable[LinkResult], named: Named = str) -> LinkAnswer:
    """Return links to a taxonomy of this id as an answer; *named* returns an annotator's name."""
    return LinkAnswer(taxonomy, tuple(answered_link(result, named) for result in results))


def answered_link(result: LinkResult, named: Named = str) -> Link:
    """Return one title's link as it stands in an answer; *named* returns an annotator's name."""
    group = result.group
    return Link(
        title=result.title,
        abstained=result.abstained,
        reason=result.reason,
        level=result.level,
        seniority=result.seniority.value,
        group=LinkedGroup(group.code, group.name, round(group.probability, _DIGITS), _accepted(group.own, named))
        if group
        else None,
        set_aside=result.set_aside,
        jobs=tuple(map(linked_job, result.jobs)),
        candidates=tuple(
            LinkCandidate(
                uri=candidate.uri,
                name=candidate.name,
                isco=candidate.isco,
                probability=round(candidate.probability, _DIGITS),
                evidence=MatchedName(
                    name=candidate.evidence.name,
                    language=evidence_language(candidate.evidence),
                    source=matched_source(candidate.evidence),
                    read_as=candidate.evidence.read_as,
                    accepted=_accepted(candidate.evidence.own, named),
                ),
                scores=candidate.evidence.scores,
            )
            for candidate in result.candidates
        ),
        coding=linked_code(result),
        rejected=tuple(
            Rejected(
                uri=rejection.uri,
                name=rejection.name,
                isco=rejection.isco,
                by=tuple(map(named, rejection.own.by)),
                on=rejection.own.on.isoformat(),
            )
            for rejection in result.rejected
        ),
        no_occupation=_accepted(result.no_occupation, named),
        context=tuple(
            SaidByContext(said.kind, said.text, said.code, said.group, round(said.log_odds, _DIGITS))
            for said in result.context
        ),
        also=tuple(LinkedAlso(other.code, other.name, other.relation) for other in result.also),
    )


def linked_code(result: LinkResult) -> LinkedCode:
    """Return how a title is coded as it stands in an answer; codes are short, such as `25`."""
    coded = coding(result)
    group = coded.group
    return LinkedCode(
        coded.state,
        group.code if group else None,
        coded.level or None,
        (group.name or None) if group else None,
        round(group.probability, _DIGITS) if group else None,
        coded.reason,
    )


def linked_job(job: LinkResult) -> LinkedJob:
    """Return the link of one job of a title that names several; a unit group has no URI."""
    best = job.best
    group = job.group if best is None and job.level else None
    return LinkedJob(
        title=job.title,
        level=job.level,
        uri=best.uri if best else None,
        name=best.name if best else group.name if group else None,
        isco=best.isco if best else group.code if group else None,
        probability=round(job.probability, _DIGITS) if job.level else None,
    )


def matched_source(evidence: Evidence) -> str:
    """Return the source of the matched name: taxonomy, lexicon, or own names."""
    if evidence.own is not None and not evidence.language:
        return OWN
    return LEXICON if evidence.from_lexicon else TAXONOMY


def evidence_language(evidence: Evidence) -> str:
    """Return the language of the matched name; `OWN` for an own name, whose language is unknown."""
    return evidence.language or (OWN if evidence.own else "")


def _accepted(own: OwnName | None, named: Named) -> Accepted | None:
    return Accepted(own.title, tuple(map(named, own.by)), own.on.isoformat()) if own else None
