"""An audit in plain words: the worst finding, all findings, examples, errors on judged titles, what is not known."""

import streamlit as st

from jobmatch_core.audit.judged_errors import GroupErrors
from jobmatch_core.audit.matching_audit import SELECTED, CueResult
from jobmatch_core.audit.report import FLOOR, MATCHING, PUBLISHED, UNKNOWN, AuditReport, Finding, findings, method
from jobmatch_core.audit.report_comparison import GOAL
from jobmatch_core.audit.title_audit import TitleResult
from jobmatch_core.metrics.comparisons import FEWEST_TOLD
from pages.shared.composed import composed
from pages.shared.language import N_, _, capital, language_name, numeral, percent, plural
from pages.shared.tables import show_table
from pages.shared.widgets import plain

_MOST_EXAMPLES = 12
_SHARES = (
    N_("First selected"),
    N_("Second selected"),
    N_("Left the first ten"),
    N_("Same link"),
    N_("Masculine linked"),
    N_("Feminine linked"),
)
_FIGURES = (N_("Rankings alike"), N_("Impact ratio"), N_("Candidates alike"), N_("Calibration error"))


def show(report: AuditReport) -> None:
    """Draw the report."""
    worst_first = findings(report)
    if not worst_first:
        st.info(_("Nothing in this sample has a cue, so nothing was compared."), icon=":material/info:")
        return
    _headline(worst_first)
    st.markdown(_("**Rankings of both versions, the worst first**"))
    counted = _("Projects") if report.kind == MATCHING else _("Titles")
    _table([_ranking_row(finding, counted) for finding in worst_first], "rankings")
    st.caption(_(PUBLISHED))
    if report.kind == MATCHING:
        _selection(report, worst_first)
        _examples_of_profiles(report, worst_first)
    else:
        _links(report)
        _examples_of_titles(report)
        _errors(report)
    st.markdown(_("**What this audit cannot know**"))
    st.markdown("\n".join(f"- {plain(_(sentence))}" for sentence in UNKNOWN))
    with st.expander(_("How it was measured")):
        st.markdown("\n\n".join(plain(composed(sentence), limit=1000) for sentence in method(report)))
        st.caption(
            plain(
                _(
                    "jobmatch {version}, seed {seed}; {subject}; {data}, SHA-256 {data_hash}",
                    version=report.version,
                    seed=report.seed,
                    subject=report.subject,
                    data=report.data,
                    data_hash=report.data_hash or _("unknown"),
                )
            )
        )


def _headline(worst_first: list[Finding]) -> None:
    below = [finding for finding in worst_first if finding.below_floor]
    st.markdown(_("### Worst finding: {what}", what=plain(composed(worst_first[0].what))))
    st.markdown(plain(capital(composed(worst_first[0].sentence)), limit=1500))
    st.caption(
        plural(
            "{n} of {all} findings is below {floor}, the floor; the goal is {goal}, and 1 means that a cue changes "
            "nothing.",
            "{n} of {all} findings are below {floor}, the floor; the goal is {goal}, and 1 means that a cue changes "
            "nothing.",
            len(below),
            all=numeral(len(worst_first)),
            floor=numeral(FLOOR, 2),
            goal=numeral(GOAL, 2),
        )
    )


def _ranking_row(finding: Finding, counted: str) -> dict[str, object]:
    overlap = finding.overlap
    return {
        _("What"): composed(finding.what),
        _("Verdict"): _verdict(finding),
        _("Rankings alike"): overlap.mean,
        _("95% interval"): _("{low} to {high}", low=numeral(overlap.low, 3), high=numeral(overlap.high, 3)),
        _("Impact ratio"): finding.impact_ratio,
        counted: overlap.n,
    }


def _verdict(finding: Finding) -> str:
    if finding.by_design:
        return _("may differ by design")
    if finding.equality >= GOAL:
        return _("alike")
    return _("nearly alike") if finding.equality >= FLOOR else _("differs")


def _selection(report: AuditReport, worst_first: list[Finding]) -> None:
    results = {result.cue: result for result in report.cues}
    st.markdown(
        _(
            "**Who is selected among the first {selected}, and who is seen, where equal profiles compete**",
            selected=SELECTED,
        )
    )
    _table([_selection_row(results[finding.what]) for finding in worst_first], "selection")
    st.caption(
        _(
            "Half of the profiles, drawn by chance, have the one version and half the other, then the "
            "reverse, so both groups are the same people. An impact ratio below 0.8 is called adverse by "
            "the four-fifths rule; where the interval of 'second to first' contains 1, the difference is "
            "within chance. Exposure counts how high the profiles stand."
        )
    )


def _selection_row(result: CueResult) -> dict[str, object]:
    impact = result.impact
    ratio, exposure = impact.second_to_first, impact.exposure
    return {
        _("Cue"): _(result.cue),
        _("First"): _(result.first_group),
        _("Second"): _(result.second_group),
        _("First selected"): 100 * impact.first_rate,
        _("Second selected"): 100 * impact.second_rate,
        _("Impact ratio"): impact.impact_ratio,
        _("Second to first"): _with_interval(*(numeral(value, 3) for value in (ratio.value, ratio.low, ratio.high))),
        _("Chance"): _("within") if ratio.low <= 1 <= ratio.high else _("beyond"),
        _("Exposure, second to first"): _with_interval(
            *(numeral(value, 3) for value in (exposure.value, exposure.low, exposure.high))
        ),
        _("Ranks moved"): result.moved,
        _("Left the first ten"): 100 * result.left,
        _("Profiles"): result.profiles,
    }


def _examples_of_profiles(report: AuditReport, worst_first: list[Finding]) -> None:
    places = {finding.what: place for place, finding in enumerate(worst_first)}
    examples = [(result.cue, example) for result in report.cues for example in result.examples]
    examples.sort(key=lambda pair: (places[pair[0]], -pair[1].moved))
    st.markdown(_("**Worst examples: the same profile in both versions**"))
    if not examples:
        st.caption(_("No profile among the first ten moved, or an earlier release made this audit."))
        return
    rows: list[dict[str, object]] = [
        {
            _("Cue"): _(cue),
            _("Profile"): example.title or example.freelancer,
            _("Ranks"): _(
                "{first_rank} and {second_rank}",
                first_rank=numeral(example.first_rank),
                second_rank=numeral(example.second_rank),
            ),
            _("First version"): example.first,
            _("Second version"): example.second,
            _("Project"): example.project,
            _("Id"): example.freelancer,
        }
        for cue, example in examples[:_MOST_EXAMPLES]
    ]
    _table(rows, "examples")


def _links(report: AuditReport) -> None:
    st.markdown(_("**Links of both forms by language**"))
    ordered = sorted(report.titles, key=lambda result: result.same)
    _table([_links_row(result) for result in ordered], "links")
    st.caption(
        _(
            "Attested: the taxonomy has both forms as names. By rule: the feminine form was made by the "
            "language's rules, and some of them are wrong."
        )
    )


def _links_row(result: TitleResult) -> dict[str, object]:
    return {
        _("Language"): language_name(result.language),
        _("Forms"): _("attested") if result.attested else _("by rule"),
        _("Same link"): 100 * result.same,
        _("Masculine linked"): 100 * result.masculine_linked,
        _("Feminine linked"): 100 * result.feminine_linked,
        _("Titles"): result.titles,
    }


def _examples_of_titles(report: AuditReport) -> None:
    examples = [(result.language, example) for result in report.titles for example in result.examples]
    examples.sort(key=lambda pair: (pair[1].masculine_link == pair[1].feminine_link, pair[1].overlap))
    st.markdown(_("**Worst examples: the same title in both forms**"))
    if not examples:
        st.caption(_("All forms have the same candidates, or an earlier release made this audit."))
        return
    rows: list[dict[str, object]] = [
        {
            _("Language"): language_name(language),
            _("Masculine"): example.masculine,
            _("linked to"): example.masculine_link or _("nothing"),
            _("Feminine"): example.feminine,
            _("linked to "): example.feminine_link or _("nothing"),
            _("Candidates alike"): example.overlap,
        }
        for language, example in examples[:_MOST_EXAMPLES]
    ]
    _table(rows, "examples")


def _errors(report: AuditReport) -> None:
    st.markdown(_("**Errors on judged titles, by language and gendered form**"))
    if not report.errors:
        st.caption(
            _(
                "Nobody judged titles of this taxonomy one by one before this audit. Judge links on 'Link "
                "titles', or give a table of coded titles on the command line: `jobmatch audit titles "
                "--coded FILE`."
            )
        )
        return
    _table([_errors_row(errors) for errors in report.errors], "errors")
    st.caption(
        _(
            "A group with fewer than {fewest_told} judged titles is too small to say anything. 'Too "
            "sure' is the mean probability minus the share of right answers. People judge the titles "
            "that they come across, so these are no figures for all titles.",
            fewest_told=FEWEST_TOLD,
        )
    )


def _errors_row(errors: GroupErrors) -> dict[str, object]:
    names = {"all": _("all titles"), "language": language_name(errors.group) if errors.group else _("language unknown")}
    right, sure = errors.right, errors.too_sure
    return {
        _("Group"): names.get(errors.grouping, errors.group),
        _("Titles"): errors.titles,
        _("First answer right"): _with_interval(*(percent(value, 1) for value in (right.mean, right.low, right.high)))
        if right
        else _("too few to say"),
        _("Too sure"): _with_interval(*(numeral(value, 3, signed=True) for value in (sure.mean, sure.low, sure.high)))
        if sure
        else "",
        _("Calibration error"): errors.calibration_error,
    }


def _with_interval(value: str, low: str, high: str) -> str:
    return _("{value} ({low} to {high})", value=value, low=low, high=high)


def _table(rows: list[dict[str, object]], key: str) -> None:
    formats = dict.fromkeys(map(_, _SHARES), "%.1f%%") | dict.fromkeys(map(_, _FIGURES), "%.3f")
    moved = st.column_config.NumberColumn(format="%.1f", help=_("Of the first ten, on average"))
    show_table(rows, f"audit_{key}", formats=formats, columns={_("Ranks moved"): moved})
