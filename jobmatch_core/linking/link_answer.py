"""Links as JSON for programs, documented in docs/cli.md and stable."""

from collections.abc import Callable
from typing import Any

from jobmatch_core.entities import Evidence, LinkResult
from jobmatch_core.judged_title import OwnName

OWN = "own"  # in place of the language of an own name, and as its source
TAXONOMY, LEXICON = "taxonomy", "lexicon"  # the other sources of matched names
Named = Callable[[str], str]  # returns an annotator's name


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


def matched_source(evidence: Evidence) -> str:
    """Return where the matched name is from: the taxonomy, the lexicon, or people's own names."""
    if evidence.own is not None and not evidence.language:
        return OWN
    return LEXICON if evidence.from_lexicon else TAXONOMY


def language_of(evidence: Evidence) -> str:
    """Return the language of the matched name; `OWN` for an own name, which has no known one."""
    return evidence.language or (OWN if evidence.own else "")


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
