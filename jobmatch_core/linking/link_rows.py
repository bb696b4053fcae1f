"""Links as flat rows for files and data frames; docs/cli.md documents the columns, which are stable."""

from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from jobmatch_core.entities import UNIT_GROUP_LEVEL, Candidate, Evidence, GroupOffer, LinkResult, links_html
from jobmatch_core.io.tables import Record
from jobmatch_core.linking.coding import CodeForm, coding, written_code
from jobmatch_core.linking.context import all_context_words
from jobmatch_core.linking.link_answer import evidence_language, linked_job, matched_source
from jobmatch_core.linking.link_words import confidence
from jobmatch_core.linking.other_codes import other_code_columns

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 50  # rows in a notebook


class LinkResults(list[LinkResult]):
    """Links of titles, in the order of the titles; notebooks show them as a table."""

    def to_pandas(self, index: "pd.Index | None" = None) -> "pd.DataFrame":
        """Return a data frame with the titles and the columns of their links, see docs/cli.md.

        Texts have the type `str` and probabilities are floats, with NaN for missing values; `link_alternatives`
        and `link_jobs` hold lists of dicts.

        Args:
            index: index of the data frame, such as that of the titles; 0, 1, 2 and so on by default.
        """
        import pandas as pd  # takes longer than linking a title

        columns = ["title", *link_columns(LinkResult("", (), True, None, "", ()))]
        frame = pd.DataFrame([{"title": result.title} | link_columns(result) for result in self], index, columns)
        lists = dict.fromkeys(["link_alternatives", "link_jobs"], "object")
        floats = dict.fromkeys(["link_probability", "link_code_probability"], "float64")
        return frame.astype(dict.fromkeys(columns, "str") | lists | floats)

    def _repr_html_(self) -> str:
        more = len(self) - _SHOWN
        return links_html(self[:_SHOWN]) + (f"<p>and {more:,} more titles</p>" if more > 0 else "")


def link_columns(result: LinkResult, code_form: CodeForm = CodeForm.SHORT) -> dict[str, Any]:
    """Return the columns that a link adds to a row; None for missing values, as in those of an unlinked title."""
    level, best = result.level, result.best
    matched = group_evidence(result.group) or (result.candidates[0].evidence if result.candidates else None)
    evidence = matched if level else None
    linked_group = result.group if level == UNIT_GROUP_LEVEL else None
    suggested = None if level else result.group
    coded = coding(result)
    columns = {
        "link_uri": best.uri if best else None,
        "link_occupation": best.name if best else None,
        "link_isco": best.isco if best else linked_group and linked_group.code,
        "link_level": level,
        "link_probability": round(result.probability, 4) if level else None,
        "link_confidence": confidence(result),
        "link_matched_name": evidence.name if evidence else None,
        "link_matched_language": evidence_language(evidence) if evidence else None,
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
        "link_coding": coded.state,
        "link_code": coded.group and written_code(coded.group.code, code_form),
        "link_code_level": coded.level,
        "link_code_name": coded.group and coded.group.name,
        "link_code_probability": coded.group and round(coded.group.probability, 4),
        "link_coding_reason": coded.reason,
        "link_context": all_context_words(result.context),
        **other_code_columns(result.also),
    }
    return _none_for_empty(columns)


def beside(row: Record, columns: Record) -> Record:
    """Add the columns of a link to a row; an input column of the same name becomes `NAME (input)`.

    If that name is taken as well, because the file was linked several times, ` (input)` is added until it is free.
    """
    taken = set(row) | set(columns)
    renamed: Record = {}
    for column, value in row.items():
        name = column
        while name in (columns if name == column else taken):
            name += " (input)"
        taken.add(name)
        renamed[name] = value
    return renamed | columns


def group_evidence(group: GroupOffer | None) -> Evidence | None:
    """Return the accepted title behind a unit group as evidence; None without one."""
    return Evidence(group.own.title, "", {}, group.own) if group and group.own else None


def _alternative(candidate: Candidate) -> dict[str, Any]:
    fields = {"uri": candidate.uri, "name": candidate.name, "isco": candidate.isco}
    return _none_for_empty(fields | {"probability": round(candidate.probability, 4)})


def _none_for_empty(columns: dict[str, Any]) -> dict[str, Any]:
    return {name: None if value == "" else value for name, value in columns.items()}
