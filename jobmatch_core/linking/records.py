"""Link results as flat rows for files and as JSON for programs, and counts of them.

Rows and JSON are documented in docs/cli.md and stable. A list of links is counted by confidence, by probability and by
ISCO-08 group.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jobmatch_core.entities import UNIT_GROUP_LEVEL, Candidate, Evidence, GroupOffer, LinkResult
from jobmatch_core.io.tables import Record
from jobmatch_core.judged_title import OwnName, Rejection
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import language_name

OWN = "own"  # in place of the language of an own name, and as its source
TAXONOMY, LEXICON = "taxonomy", "lexicon"  # the other sources of matched names
SURE, LIKELY, UNSURE, TO_CHECK = "sure", "likely", "unsure", "to check"
SURE_FROM, _LIKELY_FROM = 0.8, 0.5
_NAMED = 3  # rejected occupations


def confidence_word(probability: float) -> str:
    """Return the word for a probability: sure (from 0.8), likely (from 0.5), unsure."""
    return SURE if probability >= SURE_FROM else LIKELY if probability >= _LIKELY_FROM else UNSURE


def confidence(result: LinkResult) -> str:
    """Return the word for a link's confidence; 'to check' if the linker abstained."""
    return confidence_word(result.probability) if result.level else TO_CHECK


def job_in_words(job: LinkResult) -> str:
    """Return what one job of a title is linked to: 'driver: 8322 Car, taxi and van drivers'."""
    found = job_record(job)
    return f"{job.title}: {found['isco']} {found['name']}" if job.level else f"{job.title}: not linked"


def job_record(job: LinkResult) -> dict[str, Any]:
    """Return what one job of a title of several is linked to; without a URI if to a unit group."""
    group = job.group if job.best is None and job.level else None
    return {
        "title": job.title,
        "level": job.level,
        "uri": job.best.uri if job.best else None,
        "name": job.best.name if job.best else group.name if group else None,
        "isco": job.best.isco if job.best else group.code if group else None,
        "probability": round(job.probability, 4) if job.level else None,
    }


def linked_evidence(result: LinkResult) -> Evidence | None:
    """Return what matched of a link: of a unit group that people accepted for the title, that title."""
    return group_evidence(result.group) or (result.candidates[0].evidence if result.candidates else None)


def group_evidence(group: GroupOffer | None) -> Evidence | None:
    """Return the accepted title behind a unit group; None where there is none."""
    return Evidence(group.own.title, "", {}, group.own) if group and group.own else None


Named = Callable[[str], str]  # returns an annotator's name


def matched_words(evidence: Evidence, named: Named = str) -> str:
    """Return a description of the matched name: its language and source, who accepted it when, the title's reading."""
    words = [language_name(evidence.language) if evidence.language else "a name of your own"]
    if evidence.from_lexicon:
        words.append("from the lexicon")
    if evidence.own is not None:
        words.append(acceptance(evidence.own, named))
    if evidence.read_as:
        words.append(f"title read as: {evidence.read_as}")
    return ", ".join(words)


def matched_source(evidence: Evidence) -> str:
    """Return where the matched name is from: the taxonomy, the lexicon, or people's own names."""
    if evidence.own is not None and not evidence.language:
        return OWN
    return LEXICON if evidence.from_lexicon else TAXONOMY


def language_of(evidence: Evidence) -> str:
    """Return the language of the matched name; `OWN` for an own name, which has no known one."""
    return evidence.language or (OWN if evidence.own else "")


def acceptance(own: OwnName, named: Named = str) -> str:
    """Return who accepted a title when: 'accepted by Ann and Bob on 21 Nov 2026'."""
    return f"accepted by {_listed([*map(named, own.by)])} on {own.on.day} {own.on:%b %Y}"


def rejected_words(rejected: Sequence[Rejection], named: Named = str) -> str:
    """Return what was rejected for a title, '' if nothing: 'rejected earlier: cook and chef (by Ann, 21 Nov 2026)'."""
    if not rejected:
        return ""
    names = [each.name for each in rejected[:_NAMED]]
    more = [f"{len(rejected) - _NAMED} more"] if len(rejected) > _NAMED else []
    by = dict.fromkeys(named(annotator) for each in rejected for annotator in each.own.by)
    on = max(each.own.on for each in rejected)
    return f"rejected earlier: {_listed([*names, *more])} (by {_listed(list(by))}, {on.day} {on:%b %Y})"


def _listed(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def beside(row: Record, columns: Record) -> Record:
    """Put the columns of a link beside a row; a column of the same name in the row becomes `NAME (input)`.

    If that name is taken as well, because the file was linked several times, ` (input)` is added until it is not.
    """
    taken = set(row) | set(columns)
    kept: Record = {}
    for column, value in row.items():
        name = column
        while name in (columns if name == column else taken):
            name += " (input)"
        taken.add(name)
        kept[name] = value
    return kept | columns


def link_columns(result: LinkResult) -> dict[str, Any]:
    """Return the columns that a link adds to a row; None where there is nothing to say, also of an unlinked title."""
    level, best = result.level, result.best
    evidence = linked_evidence(result) if level else None
    linked_group = result.group if level == UNIT_GROUP_LEVEL else None
    suggested = None if level else result.group
    return _none_for_empty({
        "link_uri": best.uri if best else None,
        "link_occupation": best.name if best else None,
        "link_isco": best.isco if best else linked_group and linked_group.code,
        "link_level": level,
        "link_probability": round(result.probability, 4) if level else None,
        "link_confidence": confidence(result),
        "link_matched_name": evidence.name if evidence else None,
        "link_matched_language": language_of(evidence) if evidence else None,
        "link_group": linked_group and linked_group.name,
        "link_alternatives": [_alternative(candidate) for candidate in result.candidates if candidate != best],
        "link_taxonomy": result.taxonomy,
        "link_seniority": str(result.seniority),
        "link_matched_source": matched_source(evidence) if evidence else None,
        "link_read_as": evidence.read_as if evidence else None,
        "link_reason": result.reason,
        "link_suggested_isco": suggested and suggested.code,
        "link_suggested_group": suggested and suggested.name,
        "link_jobs": [_none_for_empty(job_record(job)) for job in result.jobs],
    })  # fmt: skip


def _alternative(candidate: Candidate) -> dict[str, Any]:
    probability = round(candidate.probability, 4)
    found = {"uri": candidate.uri, "name": candidate.name, "isco": candidate.isco, "probability": probability}
    return _none_for_empty(found)


def _none_for_empty(columns: dict[str, Any]) -> dict[str, Any]:
    return {name: None if value == "" else value for name, value in columns.items()}


def to_json(result: LinkResult, named: Named = str) -> dict[str, Any]:
    """Return a result as the command line's JSON."""
    rejected = [
        {"uri": each.uri, "name": each.name, "isco": each.isco} | _judged_to_json(each.own, named)
        for each in result.rejected
    ]
    return {
        "title": result.title,
        "abstained": result.abstained,
        "reason": result.reason,
        "level": result.level,
        "seniority": str(result.seniority),
        "group": None
        if result.group is None
        else {
            "code": result.group.code,
            "name": result.group.name,
            "probability": round(result.group.probability, 4),
            **({"accepted": _accepted_to_json(result.group.own, named)} if result.group.own else {}),
        },
        "set_aside": list(result.set_aside),
        "jobs": [job_record(job) for job in result.jobs],
        "candidates": [
            {
                "uri": candidate.uri,
                "name": candidate.name,
                "isco": candidate.isco,
                "probability": round(candidate.probability, 4),
                "evidence": _evidence_to_json(candidate.evidence, named),
                "scores": candidate.evidence.scores,
            }
            for candidate in result.candidates
        ],
        **({"rejected": rejected} if rejected else {}),
    }


def _evidence_to_json(evidence: Evidence, named: Named) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": evidence.name,
        "language": language_of(evidence),
        "source": matched_source(evidence),
    }
    if evidence.read_as:
        found["read_as"] = evidence.read_as
    if evidence.own is None:
        return found
    return found | {"accepted": _accepted_to_json(evidence.own, named)}


def _accepted_to_json(own: OwnName, named: Named) -> dict[str, Any]:
    return {"title": own.title} | _judged_to_json(own, named)


def _judged_to_json(own: OwnName, named: Named) -> dict[str, Any]:
    return {"by": [*map(named, own.by)], "on": own.on.isoformat()}


CONFIDENCES = (SURE, LIKELY, UNSURE, TO_CHECK)


@dataclass(frozen=True, slots=True)
class StatusCount:
    """Number of rows of a status, and their share of all in per cent; the shares of all statuses add up to 100."""

    word: str
    count: int
    percent: int


@dataclass(frozen=True, slots=True)
class ProbabilityBin:
    """Number of links with a probability from `start` up to `end`."""

    start: float
    end: float
    count: int


@dataclass(frozen=True, slots=True)
class GroupCount:
    """Number of links in an ISCO-08 group; `parent` is the code one level above, '' at the top."""

    code: str
    name: str
    parent: str
    count: int


def count_statuses(words: Iterable[str], order: Sequence[str]) -> list[StatusCount]:
    """Count statuses in an order that has all of them; what rounding leaves over goes to the largest remainders."""
    counts = Counter(words)
    total = sum(counts.values()) or 1
    percents = {word: 100 * counts[word] // total for word in order}
    left_over = 100 - sum(percents.values()) if counts else 0
    for word in sorted(order, key=lambda word: -(100 * counts[word] % total))[:left_over]:
        percents[word] += 1
    return [StatusCount(word, counts[word], percents[word]) for word in order]


def count_probabilities(probabilities: Sequence[float], *, n_bins: int = 20) -> list[ProbabilityBin]:
    """Count probabilities in bins of one width from 0 to 1."""
    counts, edges = np.histogram(np.asarray(probabilities, dtype=float), bins=n_bins, range=(0.0, 1.0))
    return [
        ProbabilityBin(round(float(start), 4), round(float(end), 4), int(count))
        for start, end, count in zip(edges, edges[1:], counts, strict=False)
    ]


def count_groups(taxonomy: Taxonomy, codes: Iterable[str], *, show: str) -> list[GroupCount]:
    """Count ISCO-08 codes in their groups of every level.

    Args:
        taxonomy: names the groups.
        codes: one ISCO-08 code per link; empty ones are not counted.
        show: language of the names.

    Returns:
        Groups that have at least one link, by code; a group's count is the sum over its subgroups and
        over codes that end at it.
    """
    counts = Counter(code[:digits] for code in codes for digits in range(1, len(code) + 1))
    return [
        GroupCount(code, taxonomy.group_name(code, show), code[:-1], counts[code]) for code in sorted(counts)
    ]  # fmt: skip


def seconds_left(done: int, total: int, elapsed: float) -> float | None:
    """Return the estimated seconds for the rest at the speed so far, or None if nothing is done yet."""
    return elapsed / done * (total - done) if done else None
