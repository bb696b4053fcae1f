"""Task 'Your titles': what share of the user's coded titles can be coded automatically, by the share of wrong codes."""

from collections.abc import Sequence
from itertools import chain

import streamlit as st

from jobmatch.services.background_call import Background
from jobmatch.services.linking import linking_service
from jobmatch.services.production_rate import CodedSample, ProductionReport, ProductionStudy, coder_label, link_command
from jobmatch_core.benchmarks.production.coders import LINKER
from jobmatch_core.benchmarks.production.coding_report import FEWEST, LEVEL_NAMES, CodingFigures
from jobmatch_core.errors import JobMatchError
from jobmatch_core.io.download_names import download_name
from jobmatch_core.metrics.production_rate import ERRORS, RatePoint
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from pages.scoreboard import rate_chart, sample_form
from pages.scoreboard.measuring import CampaignJob, follow
from pages.shared import link_settings, sign_in
from pages.shared.choices import select_segment
from pages.shared.downloads import csv_heading
from pages.shared.language import _, capital, language_name, numeral, percent, plural
from pages.shared.tables import show_table
from pages.shared.taxonomy_choice import name_of
from pages.shared.widgets import error_box, plain

_JOB_KEY, _DONE_KEY, _ERROR_KEY = "rate_job", "rate_done", "rate_error"
_Job = CampaignJob[ProductionStudy]


def show() -> None:
    """Draw the form, the running work, or the figures of the last sample."""
    # each state draws in its own place; an empty place removes the elements of the previous state
    job: _Job | None = st.session_state.get(_JOB_KEY)
    done: _Job | None = st.session_state.get(_DONE_KEY)
    if job is None and done is None:
        with st.container():
            if not sign_in.may("measure"):
                st.caption(sign_in.needed_for("measure"))
            elif (sample := sample_form.show()) is not None:
                _start(sample)
        return
    st.empty()
    if job is not None:
        with st.container():
            _running(job)
    st.empty()
    if done is not None:
        with st.container():
            _done(done)


def _start(sample: CodedSample) -> None:
    study = ProductionStudy(sample, linking_service())
    st.session_state[_JOB_KEY] = CampaignJob(study, Background(study.run))
    st.rerun()


def _running(job: _Job) -> None:
    # the linker's figures are there within seconds, those of the coders that it is compared with may take minutes
    place, report = st.container(), job.campaign.report
    if report is not None:
        _figures(report, stopped=False)
    with place:
        follow(job, "rate_stop", lambda: _step(job), _("Stop"), news=lambda: job.campaign.report is not report)
    if job.background.wait(0):
        st.session_state[_DONE_KEY] = job
        del st.session_state[_JOB_KEY]
    st.rerun()


def _step(job: _Job) -> str:
    work = job.background
    doing = plain(job.campaign.doing) or _("Loading")
    return (
        _("{doing} … {done} of {total}", doing=doing, done=numeral(work.done), total=numeral(work.total))
        if work.total
        else f"{doing} …"
    )


def _done(job: _Job) -> None:
    try:
        report = job.background.result()
    except JobMatchError as error:
        error_box(error)
        report = None
    else:
        if report is None:
            st.info(_("Stopped before the linker had coded all titles."), icon=":material/pause_circle:")
        else:
            _figures(report, stopped=job.campaign.stopped)
    st.button(
        _("New sample"),
        key="rate_new",
        icon=":material/restart_alt:",
        type="secondary" if report else "primary",
        on_click=st.session_state.pop,
        args=(_DONE_KEY, None),
        help=_("The figures of this sample are not stored; download them first."),
    )


def _figures(report: ProductionReport, *, stopped: bool) -> None:
    if stopped:
        st.info(_("Stopped. The coders measured so far are shown."), icon=":material/pause_circle:")
    error = select_segment(
        _("Target error"),
        {error: percent(error) for error in ERRORS},
        _ERROR_KEY,
        label_shown=True,
        explanation=_("Greatest share of wrong codes among the titles that are coded automatically."),
    )
    st.markdown(_sentence(report, error))
    st.caption(_facts(report, error))
    _target_precision(report, error)
    st.plotly_chart(rate_chart.production(report.finest), key="rate_chart")
    st.caption(
        _(
            "The bars are the linker's 95% bootstrap intervals. Nearest name: the code of the most "
            "similar name of the taxonomy."
        )
    )
    _tables(report)


def _point(figures: CodingFigures, error: float) -> RatePoint:
    return next(point for point in figures.rates if point.error == error)


def _sentence(report: ProductionReport, error: float) -> str:
    linker = report.finest[0]
    point = _point(linker, error)
    if not point.rate:
        return _(
            "## None of your {titles} titles can be coded with at most {error} wrong codes\n\nAt every "
            "score, more of the linker's codes are wrong.",
            titles=numeral(linker.titles),
            error=percent(error),
        )
    return _(
        "## Of your {titles} titles, {rate} can be coded with at most {error} wrong codes (95%: "
        "{low} to {high})\n\n{others}",
        titles=numeral(linker.titles),
        rate=percent(point.rate),
        error=percent(error),
        low=percent(point.low),
        high=percent(point.high),
        others=_others(report, error),
    )


def _others(report: ProductionReport, error: float) -> str:
    rates = {figures.coder: _point(figures, error).rate for figures in report.finest}
    others = [f"{_(coder_label(name))}: {percent(rate)}" for name, rate in rates.items() if name != LINKER]
    return plain(" · ".join(others))


def _facts(report: ProductionReport, error: float) -> str:
    sample, linker = report.sample, report.finest[0]
    point, left_out = _point(linker, error), sample.coded.left_out
    facts = [
        _(
            "{name}, linked to {taxonomy}; figures for {level}. Titles accepted on 'Link titles' are not used.",
            name=sample.name,
            taxonomy=name_of(sample.taxonomy),
            level=_(LEVEL_NAMES[linker.digits]),
        ),
        plural(
            "{n} row is left out, without a title or an ISCO-08 code.",
            "{n} rows are left out, without a title or an ISCO-08 code.",
            left_out,
        )
        if left_out
        else "",
        _(
            "Thresholds look better on the titles that they were chosen on: where each half of the "
            "titles is coded by the other half's threshold, {new_rate} are coded, {new_error} of them "
            "wrong.",
            new_rate=percent(point.new_rate),
            new_error=percent(point.new_error, 1),
        )
        if point.new_error is not None
        else "",
        _("Two people agree on {agreement} of the titles.", agreement=percent(linker.agreement))
        if linker.agreement is not None
        else "",
    ]
    return plain(" ".join(filter(None, facts)), limit=1000)


def _target_precision(report: ProductionReport, error: float) -> None:
    precision = report.precision(error, link_settings.PRECISIONS)
    if precision is None:
        st.info(_no_precision(report, error), icon=":material/info:")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            _(
                "Target precision for 'Link titles': **{precision}**, the lowest that codes no title below "
                "the threshold of {error} wrong unit groups.",
                precision=numeral(precision, 2),
                error=percent(error),
            )
        )
        if st.button(
            _("Use on Link titles"),
            key="rate_use",
            type="primary",
            icon=":material/link:",
            on_click=link_settings.hand_over,
            args=(report.sample.taxonomy, precision),
            help=_(
                "Opens the page with this taxonomy and target precision, names in all languages, and no "
                "links to ISCO groups."
            ),
        ):
            st.switch_page("pages/link_titles/link_titles.py")


def _no_precision(report: ProductionReport, error: float) -> str:
    linker = report.finest[0]
    if linker.digits != UNIT_DIGITS:
        return _("'Link titles' links to unit groups, so a target precision needs a sample with codes of four digits.")
    if not report.calibration.curve:
        return _(
            "An older version fitted the linker of this taxonomy, so no target precision can be set; train it again."
        )
    if not _point(linker, error).rate:
        return _(
            "No target precision reaches {error} wrong codes on these titles, because no threshold of "
            "the linker does. Choose a greater target error.",
            error=percent(error),
        )
    if (precision := report.precision(error)) is None:
        return _(
            "No target precision has a threshold as high as these titles need for {error} wrong codes.",
            error=percent(error),
        )
    return _(
        "This needs a target precision above the {precision} of 'Link titles'. On the command line: "
        "`{command} --file FILE`.",
        precision=numeral(link_settings.PRECISIONS[-1], 2),
        command=link_command(report.sample.taxonomy, precision),
    )


def _tables(report: ProductionReport) -> None:
    csv_heading(
        _("**By level of ISCO-08**"),
        report.records,
        download_name(report.sample.name.rpartition(".")[0], " production rates.csv"),
        "rate_download",
        _("All figures with intervals, by coder, level and language"),
    )
    _table([{_("Level"): capital(_(LEVEL_NAMES[figure.digits]))} | _row(figure) for figure in report.totals], "levels")
    if not report.sample.coded.languages:
        return
    st.markdown(_("**By language: {level}**", level=_(LEVEL_NAMES[report.finest[0].digits])))
    if not report.by_language:
        st.caption(_("No language has {fewest} titles, the fewest for figures of its own.", fewest=FEWEST))
        return
    rows = [{_("Language"): language_name(figure.language)} | _row(figure) for figure in report.by_language]
    _table(rows, "languages")
    st.caption(_("Languages with at least {fewest} titles.", fewest=FEWEST))


def _row(figure: CodingFigures) -> dict[str, object]:
    agreement = {} if figure.agreement is None else {_("People agree"): figure.agreement}
    return {
        _("Coder"): _(coder_label(figure.coder)),
        _("Titles"): figure.titles,
        _("First"): figure.first,
        _("Among 5"): figure.among_5,
        _("Among 10"): figure.among_10,
        **{_("{error} wrong", error=percent(point.error)): point.rate for point in figure.rates},
        **agreement,
    }


def _table(rows: Sequence[dict[str, object]], key: str) -> None:
    shares = [
        name
        for name in dict.fromkeys(chain.from_iterable(rows))
        if name not in (_("Level"), _("Language"), _("Coder"), _("Titles"))
    ]
    helps = {
        _("First"): _("Share of titles whose right code comes first"),
        _("Among 5"): _("Share of titles whose right code is among 5"),
        _("Among 10"): _("Share of titles whose right code is among 10"),
        _("People agree"): _("Share of titles with a common code of both people"),
    }
    of_error = _("Share of titles coded with at most this share of wrong codes")
    columns = {name: st.column_config.NumberColumn(format="percent", help=helps.get(name, of_error)) for name in shares}
    show_table(rows, f"rate_{key}", columns=columns)
