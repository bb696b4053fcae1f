"""An audit in plain words: the worst finding, all findings, examples, errors on judged titles, what is not known."""

import streamlit as st

from jobmatch_core.audit.judged_errors import GroupErrors
from jobmatch_core.audit.matching_audit import SELECTED, CueResult
from jobmatch_core.audit.report import FLOOR, MATCHING, PUBLISHED, UNKNOWN, AuditReport, Finding, findings, method
from jobmatch_core.audit.report_comparison import GOAL
from jobmatch_core.audit.title_audit import TitleResult
from jobmatch_core.metrics.comparisons import FEWEST_TOLD
from jobmatch_core.text.locales import language_name
from pages.shared.tables import show_table
from pages.shared.widgets import plain

_MOST_EXAMPLES = 12
_SHARES = (
    "First selected",
    "Second selected",
    "Left the first ten",
    "Same link",
    "Masculine linked",
    "Feminine linked",
)
_FIGURES = ("Rankings alike", "Impact ratio", "Candidates alike", "Calibration error")


def show(report: AuditReport) -> None:
    """Draw the report."""
    worst_first = findings(report)
    if not worst_first:
        st.info("Nothing in this sample has a cue, so nothing was compared.", icon=":material/info:")
        return
    _headline(worst_first)
    st.markdown("**Rankings of both versions, the worst first**")
    counted = "Projects" if report.kind == MATCHING else "Titles"
    _table([_ranking_row(finding, counted) for finding in worst_first], "rankings")
    st.caption(PUBLISHED)
    if report.kind == MATCHING:
        _selection(report, worst_first)
        _examples_of_profiles(report, worst_first)
    else:
        _links(report)
        _examples_of_titles(report)
        _errors(report)
    st.markdown("**What this audit cannot know**")
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in UNKNOWN))
    with st.expander("How it was measured"):
        st.markdown("\n\n".join(plain(sentence, limit=1000) for sentence in method(report)))
        st.caption(
            plain(
                f"jobmatch {report.version}, seed {report.seed}; {report.subject}; {report.data}, SHA-256 "
                f"{report.data_hash or 'unknown'}"
            )
        )


def _headline(worst_first: list[Finding]) -> None:
    below = [finding for finding in worst_first if finding.below_floor]
    counted = f"{len(below):,} of {len(worst_first):,} findings {'is' if len(below) == 1 else 'are'}"
    st.markdown(f"### Worst finding: {plain(worst_first[0].what)}")
    sentence = worst_first[0].sentence
    st.markdown(plain(sentence[:1].upper() + sentence[1:], limit=1500))
    st.caption(f"{counted} below {FLOOR}, the floor; the goal is {GOAL}, and 1 means that a cue changes nothing.")


def _ranking_row(finding: Finding, counted: str) -> dict[str, object]:
    overlap = finding.overlap
    return {
        "What": finding.what,
        "Verdict": _verdict(finding),
        "Rankings alike": overlap.mean,
        "95% interval": f"{overlap.low:.3f} to {overlap.high:.3f}",
        "Impact ratio": finding.impact_ratio,
        counted: overlap.n,
    }


def _verdict(finding: Finding) -> str:
    if finding.by_design:
        return "may differ by design"
    if finding.equality >= GOAL:
        return "alike"
    return "nearly alike" if finding.equality >= FLOOR else "differs"


def _selection(report: AuditReport, worst_first: list[Finding]) -> None:
    results = {result.cue: result for result in report.cues}
    st.markdown(f"**Who is selected among the first {SELECTED}, and who is seen, where equal profiles compete**")
    _table([_selection_row(results[finding.what]) for finding in worst_first], "selection")
    st.caption(
        "Half of the profiles, drawn by chance, have the one version and half the other, then the reverse, so both "
        "groups are the same people. An impact ratio below 0.8 is called adverse by the four-fifths rule; where the "
        "interval of 'second to first' contains 1, the difference is within chance. Exposure counts how high the "
        "profiles stand."
    )


def _selection_row(result: CueResult) -> dict[str, object]:
    impact = result.impact
    ratio, exposure = impact.second_to_first, impact.exposure
    return {
        "Cue": result.cue,
        "First": result.first_group,
        "Second": result.second_group,
        "First selected": 100 * impact.first_rate,
        "Second selected": 100 * impact.second_rate,
        "Impact ratio": impact.impact_ratio,
        "Second to first": f"{ratio.value:.3f} ({ratio.low:.3f} to {ratio.high:.3f})",
        "Chance": "within" if ratio.low <= 1 <= ratio.high else "beyond",
        "Exposure, second to first": f"{exposure.value:.3f} ({exposure.low:.3f} to {exposure.high:.3f})",
        "Ranks moved": result.moved,
        "Left the first ten": 100 * result.left,
        "Profiles": result.profiles,
    }


def _examples_of_profiles(report: AuditReport, worst_first: list[Finding]) -> None:
    places = {finding.what: place for place, finding in enumerate(worst_first)}
    examples = [(result.cue, example) for result in report.cues for example in result.examples]
    examples.sort(key=lambda pair: (places[pair[0]], -pair[1].moved))
    st.markdown("**Worst examples: the same profile in both versions**")
    if not examples:
        st.caption("No profile among the first ten moved, or an earlier release made this audit.")
        return
    rows: list[dict[str, object]] = [
        {
            "Cue": cue,
            "Profile": example.title or example.freelancer,
            "Ranks": f"{example.first_rank:,} and {example.second_rank:,}",
            "First version": example.first,
            "Second version": example.second,
            "Project": example.project,
            "Id": example.freelancer,
        }
        for cue, example in examples[:_MOST_EXAMPLES]
    ]
    _table(rows, "examples")


def _links(report: AuditReport) -> None:
    st.markdown("**Links of both forms by language**")
    ordered = sorted(report.titles, key=lambda result: result.same)
    _table([_links_row(result) for result in ordered], "links")
    st.caption(
        "Attested: the taxonomy has both forms as names. By rule: the feminine form was made by the language's rules, "
        "and some of them are wrong."
    )


def _links_row(result: TitleResult) -> dict[str, object]:
    return {
        "Language": language_name(result.language),
        "Forms": "attested" if result.attested else "by rule",
        "Same link": 100 * result.same,
        "Masculine linked": 100 * result.masculine_linked,
        "Feminine linked": 100 * result.feminine_linked,
        "Titles": result.titles,
    }


def _examples_of_titles(report: AuditReport) -> None:
    examples = [(result.language, example) for result in report.titles for example in result.examples]
    examples.sort(key=lambda pair: (pair[1].masculine_link == pair[1].feminine_link, pair[1].overlap))
    st.markdown("**Worst examples: the same title in both forms**")
    if not examples:
        st.caption("All forms have the same candidates, or an earlier release made this audit.")
        return
    rows: list[dict[str, object]] = [
        {
            "Language": language_name(language),
            "Masculine": example.masculine,
            "linked to": example.masculine_link or "nothing",
            "Feminine": example.feminine,
            "linked to ": example.feminine_link or "nothing",
            "Candidates alike": example.overlap,
        }
        for language, example in examples[:_MOST_EXAMPLES]
    ]
    _table(rows, "examples")


def _errors(report: AuditReport) -> None:
    st.markdown("**Errors on judged titles, by language and gendered form**")
    if not report.errors:
        st.caption(
            "Nobody judged titles of this taxonomy one by one before this audit. Judge links on 'Link titles', or give "
            "a table of coded titles on the command line: `jobmatch audit titles --coded FILE`."
        )
        return
    _table([_errors_row(errors) for errors in report.errors], "errors")
    st.caption(
        f"A group with fewer than {FEWEST_TOLD} judged titles is too small to say anything. 'Too sure' is the mean "
        "probability minus the share of right answers. People judge the titles that they come across, so these are no "
        "figures for all titles."
    )


def _errors_row(errors: GroupErrors) -> dict[str, object]:
    names = {"all": "all titles", "language": language_name(errors.group) if errors.group else "language unknown"}
    right, sure = errors.right, errors.too_sure
    return {
        "Group": names.get(errors.grouping, errors.group),
        "Titles": errors.titles,
        "First answer right": f"{right.mean:.1%} ({right.low:.1%} to {right.high:.1%})" if right else "too few to say",
        "Too sure": f"{sure.mean:+.3f} ({sure.low:+.3f} to {sure.high:+.3f})" if sure else "",
        "Calibration error": errors.calibration_error,
    }


def _table(rows: list[dict[str, object]], key: str) -> None:
    formats = dict.fromkeys(_SHARES, "%.1f%%") | dict.fromkeys(_FIGURES, "%.3f")
    moved = st.column_config.NumberColumn(format="%.1f", help="Of the first ten, on average")
    show_table(rows, f"audit_{key}", formats=formats, columns={"Ranks moved": moved})
