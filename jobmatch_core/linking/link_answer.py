"""Links as JSON for programs: the types of the command line's and the API's answers, which are stable.

docs/cli.md documents them, and the OpenAPI description follows from them. A field with a default is left out of the
JSON where it has that value.
"""

from collections.abc import Callable, Iterable

from msgspec import Struct

from jobmatch_core.entities import Evidence, GroupOffer, LinkLevel, LinkResult
from jobmatch_core.judged_title import OwnName, Rejection

OWN = "own"  # in place of the language of an own name, and as its source
TAXONOMY, LEXICON = "taxonomy", "lexicon"  # the other sources of matched names
Named = Callable[[str], str]  # returns an annotator's name
_DIGITS = 4  # of a probability


class Accepted(Struct, frozen=True):
    """The accepted title behind a candidate."""

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
    rejected: tuple[Rejected, ...] = ()


class LinkAnswer(Struct, frozen=True):
    """Links, in the order of the titles, as `jobmatch link --json` prints them."""

    taxonomy: str
    results: tuple[Link, ...]


def link_answer(taxonomy: str, results: Iterable[LinkResult], named: Named = str) -> LinkAnswer:
    """Return links to a taxonomy of this id as an answer; *named* returns an annotator's name."""
    return LinkAnswer(taxonomy, tuple(answered_link(result, named) for result in results))


def answered_link(result: LinkResult, named: Named = str) -> Link:
    """Return one title's link as it stands in an answer; *named* returns an annotator's name."""
    return Link(
        title=result.title,
        abstained=result.abstained,
        reason=result.reason,
        level=result.level,
        seniority=result.seniority.value,
        group=_group(result.group, named) if result.group else None,
        set_aside=result.set_aside,
        jobs=tuple(map(linked_job, result.jobs)),
        candidates=tuple(
            LinkCandidate(
                uri=candidate.uri,
                name=candidate.name,
                isco=candidate.isco,
                probability=round(candidate.probability, _DIGITS),
                evidence=_matched_name(candidate.evidence, named),
                scores=candidate.evidence.scores,
            )
            for candidate in result.candidates
        ),
        rejected=tuple(_rejected(rejection, named) for rejection in result.rejected),
    )


def linked_job(job: LinkResult) -> LinkedJob:
    """Return what one job of a title of several is linked to; without a URI if to a unit group."""
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
    """Return where the matched name is from: the taxonomy, the lexicon, or people's own names."""
    if evidence.own is not None and not evidence.language:
        return OWN
    return LEXICON if evidence.from_lexicon else TAXONOMY


def language_of(evidence: Evidence) -> str:
    """Return the language of the matched name; `OWN` for an own name, which has no known one."""
    return evidence.language or (OWN if evidence.own else "")


def _matched_name(evidence: Evidence, named: Named) -> MatchedName:
    return MatchedName(
        name=evidence.name,
        language=language_of(evidence),
        source=matched_source(evidence),
        read_as=evidence.read_as,
        accepted=_accepted(evidence.own, named),
    )


def _group(group: GroupOffer, named: Named) -> LinkedGroup:
    return LinkedGroup(group.code, group.name, round(group.probability, _DIGITS), _accepted(group.own, named))


def _accepted(own: OwnName | None, named: Named) -> Accepted | None:
    return Accepted(own.title, tuple(map(named, own.by)), own.on.isoformat()) if own else None


def _rejected(rejection: Rejection, named: Named) -> Rejected:
    own = rejection.own
    return Rejected(rejection.uri, rejection.name, rejection.isco, tuple(map(named, own.by)), own.on.isoformat())
