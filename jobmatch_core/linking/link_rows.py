"""Links as flat rows for files, documented in docs/cli.md and stable."""

from typing import Any

from msgspec.structs import asdict

from jobmatch_core.entities import UNIT_GROUP_LEVEL, Candidate, Evidence, GroupOffer, LinkResult
from jobmatch_core.io.tables import Record
from jobmatch_core.linking.confidence import confidence
from jobmatch_core.linking.link_answer import language_of, linked_job, matched_source


def link_columns(result: LinkResult) -> dict[str, Any]:
    """Return the columns that a link adds to a row; None where there is nothing to say, also of an unlinked title."""
    level, best = result.level, result.best
    evidence = linked_evidence(result) if level else None
    linked_group = result.group if level == UNIT_GROUP_LEVEL else None
    suggested = None if level else result.group
    columns = {
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
        "link_jobs": [_none_for_empty(asdict(linked_job(job))) for job in result.jobs],
    }
    return _none_for_empty(columns)


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


def linked_evidence(result: LinkResult) -> Evidence | None:
    """Return what matched of a link: of a unit group that people accepted for the title, that title."""
    return group_evidence(result.group) or (result.candidates[0].evidence if result.candidates else None)


def group_evidence(group: GroupOffer | None) -> Evidence | None:
    """Return the accepted title behind a unit group; None where there is none."""
    return Evidence(group.own.title, "", {}, group.own) if group and group.own else None


def _alternative(candidate: Candidate) -> dict[str, Any]:
    probability = round(candidate.probability, 4)
    found = {"uri": candidate.uri, "name": candidate.name, "isco": candidate.isco, "probability": probability}
    return _none_for_empty(found)


def _none_for_empty(columns: dict[str, Any]) -> dict[str, Any]:
    return {name: None if value == "" else value for name, value in columns.items()}
