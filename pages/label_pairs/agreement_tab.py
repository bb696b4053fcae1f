"""View 'Agreement': coefficients, annotators, weeks, quotas, and disagreements to settle."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from jobmatch_core.entities import PairKind
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.agreement import AgreementReport, Confusion, PeriodAgreement, TwoAgree, confusion
from jobmatch_core.labelling.coefficients import CoefficientFigure
from jobmatch_core.quotas import MOST_JUDGMENTS, NO_QUOTAS, Quotas
from jobmatch_core.text.folding import plotly_text, visible
from pages.label_pairs import disputes
from pages.shared import resources, sign_in
from pages.shared.annotator import annotator_name, given_name, shown
from pages.shared.choices import select, select_segment
from pages.shared.judging import KINDS, verdict_word, when, zone
from pages.shared.language import N_, _, numeral, percent, plural
from pages.shared.tables import show_table
from pages.shared.widgets import errors_deferred, finished, plain, show_deferred_error

_SCALE = ((0.0, "rgba(0, 114, 178, 0.04)"), (1.0, "rgba(0, 114, 178, 0.85)"))  # Okabe and Ito (2008)
_ALPHA, _PERCENT = "#0072B2", "#E69F00"
_HEIGHT = 360
_TICKS = 6  # at most, of the weeks
_RELIABLE, _TENTATIVE = 0.8, 0.667  # Krippendorff, Content Analysis (2004), chapter 11
_NAME_LENGTH = 24
_JUDGMENTS_KEY, _PEOPLE_KEY, _SHARE_KEY = "label_quota_judgments", "label_quota_people", "label_quota_share"
_SEEN_KEY = "label_quotas_seen"
_KIND_KEY = "label_kind"
_PAIR_KEY = "label_two"
_SECOND_PERSON = {  # what a second person does, so that agreement can be measured
    PairKind.PROJECT_FREELANCER: N_("choose the queue 'Second opinion' on 'Label'"),
    PairKind.TITLE_OCCUPATION: N_("judge the same titles on 'Link titles'"),
    PairKind.TITLE_TITLE: N_("judge the same pairs in the tool that they were imported from"),
}
_SAME = N_("Same verdict")
_HELP = {
    _SAME: N_("Share of pairs on which two annotators gave the same verdict."),
    N_("Cohen's kappa"): N_(
        "Agreement of the two annotators beyond chance, given how often each of them uses each verdict."
    ),
    N_("Fleiss' kappa"): N_("Agreement of all annotators beyond chance; every pair has the same weight."),
    N_("Krippendorff's alpha"): N_("Agreement of all annotators beyond chance, for any number of judgments per pair."),
}


def _confusion_chart(counted: Confusion, kind: PairKind) -> go.Figure:
    words = [verdict_word(verdict, kind) for verdict in counted.verdicts]
    first, second = _name(counted.first), _name(counted.second)
    figure = go.Figure(
        go.Heatmap(
            z=counted.counts.tolist(),
            x=words,
            y=words,
            colorscale=_SCALE,
            showscale=False,
            texttemplate="%{z:,}",
            textfont={"size": 16},
            xgap=2,
            ygap=2,
            hovertemplate=_(
                "{first}: %{{y}}<br>{second}: %{{x}}<br>%{{z:,}} pairs<extra></extra>", first=first, second=second
            ),
        )
    )
    figure.update_layout(
        title=_("Verdicts of both annotators, {sum} pairs", sum=numeral(int(counted.counts.sum()))),
        height=_HEIGHT,
        xaxis={"title": _("verdict of {second}", second=second), "showgrid": False},
        yaxis={"title": _("verdict of {first}", first=first), "showgrid": False, "autorange": "reversed"},
    )
    return figure


def _week_chart(weeks: Sequence[PeriodAgreement]) -> go.Figure:
    # by the week of a pair's last verdict
    shared = [week for week in weeks if week.agreement.pairs]
    figure = go.Figure()
    for name, colour, symbol, dash in (
        (_("same verdict"), _PERCENT, "square", "dot"),
        (_("Krippendorff's alpha"), _ALPHA, "circle", "solid"),
    ):
        figures = [week.agreement.percent if colour == _PERCENT else week.agreement.alpha for week in shared]
        figure.add_scatter(
            x=[week.start for week in shared],
            y=[agreement.value for agreement in figures],
            mode="lines+markers",
            name=name,
            line={"color": colour, "dash": dash},
            marker={"symbol": symbol, "size": 9},
            customdata=[week.agreement.pairs for week in shared],
            hovertemplate=_("week of %{x|%d %b %Y}: %{y:.2f}, %{customdata:,} pairs") + f"<extra>{name}</extra>",
        )
    total = sum(week.agreement.pairs for week in shared)
    lowest = min((week.agreement.alpha.value or 0.0 for week in shared), default=0.0)
    figure.update_layout(
        title=_("Agreement by week, {total} pairs", total=numeral(total)),
        height=_HEIGHT,
        xaxis={
            "title": _("week starting on Monday"),
            "tickvals": [week.start for week in shared[:: len(shared) // _TICKS + 1]],
            "tickformat": _("%d %b %Y"),
        },
        yaxis={"title": _("agreement"), "range": [min(0.0, lowest) - 0.05, 1.05]},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom"},
    )
    return figure


def _name(annotator: str) -> str:
    name = plotly_text(shown(annotator))
    return name if len(name) <= _NAME_LENGTH else f"{name[:_NAME_LENGTH]}…"


def _quotas() -> None:
    history = resources.label_store().quotas_history(limit=1)
    quotas = history[0].quotas if history else NO_QUOTAS
    _adopt(quotas)
    with st.expander(_("Quotas")):
        st.caption(
            _(
                "'My queue' on 'Label' gives annotators their share of the pairs and then ends. Without it, "
                "anyone may take the next pair."
            )
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.number_input(_("Judgments per pair"), 1, MOST_JUDGMENTS, key=_JUDGMENTS_KEY)
            people = st.multiselect(
                _("Annotators with a share"),
                _possible_annotators(quotas),
                key=_PEOPLE_KEY,
                accept_new_options=True,
                format_func=lambda annotator: visible(shown(annotator)),
                placeholder=_("Choose, or type a name"),
            )
        for name in people:
            st.number_input(
                _("Share of {name}, in %", name=plain(shown(name), limit=60)),
                0.0,
                100.0,
                step=5.0,
                key=f"{_SHARE_KEY}_{name}",
                help=_("Of all judgments; with 2 judgments per pair at most 50, since nobody judges a pair twice."),
            )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(_("Save quotas"), key="label_quota_save", icon=":material/save:", on_click=_save)
            if history:
                st.caption(
                    _("Set by {author}, {when}", author=plain(history[0].author, limit=60), when=when(history[0].at))
                )


def _adopt(quotas: Quotas) -> None:
    # once for each version, so that what is typed stays until the next one
    if st.session_state.get(_SEEN_KEY) == quotas and _JUDGMENTS_KEY in st.session_state:
        return
    st.session_state[_SEEN_KEY] = quotas
    st.session_state[_JUDGMENTS_KEY] = quotas.judgments
    st.session_state[_PEOPLE_KEY] = [name for name, _unused in quotas.shares]
    for name, share in quotas.shares:
        st.session_state[f"{_SHARE_KEY}_{name}"] = round(100 * share, 4)


def _possible_annotators(quotas: Quotas) -> list[str]:
    store = resources.label_store()
    names = {*store.counts().by_annotator, *(person.id for person in store.access.people())}
    names |= {name for name, _unused in quotas.shares} | {given_name()}
    return sorted(names - {""}, key=lambda name: shown(name).casefold())


def _save() -> None:
    with errors_deferred():
        state = st.session_state
        shares = tuple((str(name), float(state[f"{_SHARE_KEY}_{name}"]) / 100) for name in state[_PEOPLE_KEY])
        try:
            quotas = Quotas(int(state[_JUDGMENTS_KEY]), shares)
        except LabellingError as error:
            message = str(error)
            for annotator, _unused in shares:
                message = message.replace(repr(annotator), repr(shown(annotator)))
            raise LabellingError(message) from error
        resources.label_store().set_quotas(quotas, annotator_name())
        st.toast(_("Saved the quotas."), icon=":material/check:")


def show() -> None:
    """Draw the view; raises JobMatchError if the store or a marketplace cannot be used."""
    show_deferred_error()
    kind = choose_kind()
    report = finished(resources.measuring_agreement(kind, zone().key), _("Measuring agreement"))
    _figures(report, kind)
    if report.overall.pairs:
        disputes.show(report.disputes)
    if report.twos and report.overall.pairs:
        _people(report)
        two = _two([two for two in report.twos if two.percent.n])
        left, right = st.columns(2)
        left.plotly_chart(_confusion_chart(confusion(report.table, two.first, two.second), kind), key="label_confusion")
        right.plotly_chart(_week_chart(report.weeks), key="label_weeks")
    if sign_in.may("settle"):
        _workload(kind)
        _quotas()


def choose_kind() -> PairKind:
    """Draw the kinds of the judged pairs if there are several; return the selected one."""
    judged = resources.label_store().kinds()
    labels = {kind: _(label) for kind, label in KINDS.items() if kind in judged}
    if len(labels) < 2:
        return next(iter(labels), PairKind.PROJECT_FREELANCER)
    return PairKind(select_segment(_("Pair type"), labels, _KIND_KEY, label_shown=True))


def _figures(report: AgreementReport, kind: PairKind) -> None:
    overall = report.overall
    if not overall.pairs:
        st.info(
            _(
                "**No pair has been judged by two people yet**, so there is no agreement to measure. "
                "{judged_once} Ask a second person to {second_person} under their own name.",
                judged_once=_judged_once(len(report.table.keys)),
                second_person=_(_SECOND_PERSON[kind]),
            ),
            icon=":material/group:",
        )
        return
    st.caption(
        _(
            "{pairs} judged by two or more people; adjudications and skips excluded. Kappa and alpha are "
            "1 for full agreement and 0 for agreement by chance.",
            pairs=_pairs(overall.pairs),
        )
    )
    people = len(report.table.annotators)
    kappa = ("Cohen's kappa", report.twos[0].kappa) if people == 2 else ("Fleiss' kappa", overall.fleiss)
    figures = [(_SAME, overall.percent), kappa, ("Krippendorff's alpha", overall.alpha)]
    if people == 2:
        figures.insert(2, ("Fleiss' kappa", overall.fleiss))
    for column, (name, figure) in zip(st.columns(len(figures)), figures, strict=True):
        column.metric(_(name), _value(figure, is_share=name == _SAME), border=True, help=_(_HELP[name]))
        column.caption(_range(figure, is_share=name == _SAME))
    if overall.alpha.value is not None:
        st.markdown(_verdict(overall.alpha))


def _judged_once(count: int) -> str:
    if not count:
        return _("Nobody has judged one yet.")
    return plural("{n} pair has one verdict.", "{n} pairs have one verdict.", count)


def _verdict(alpha: CoefficientFigure) -> str:
    settle = (
        _("Settle the disagreements below") if sign_in.may("settle") else _("Let a reviewer settle the disagreements")
    )
    value, low, high = alpha.value or 0.0, alpha.low, alpha.high
    if low is None or high is None or low < _TENTATIVE <= high:
        return _(
            "{pairs} are too few to tell whether the labels are reliable: alpha should be {tentative} or "
            "more, and its interval reaches from below to above that.",
            pairs=_pairs(alpha.n),
            tentative=numeral(_TENTATIVE, 3),
        )
    if value >= _RELIABLE:
        return _("Alpha is {reliable} or more: the labels are reliable.", reliable=numeral(_RELIABLE, 1))
    if value >= _TENTATIVE:
        return _(
            "Alpha is between {tentative} and {reliable}: good enough for tentative conclusions. {settle}.",
            tentative=numeral(_TENTATIVE, 3),
            reliable=numeral(_RELIABLE, 1),
            settle=settle,
        )
    return _(
        "Alpha is below {tentative}: annotators understand the guidelines differently. {settle} and "
        "clarify the guidelines.",
        tentative=numeral(_TENTATIVE, 3),
        settle=settle,
    )


def _value(figure: CoefficientFigure, *, is_share: bool = False) -> str:
    if figure.value is None:
        return "–"
    return percent(figure.value) if is_share else _signed(figure.value)


def _range(figure: CoefficientFigure, *, is_share: bool) -> str:
    if figure.value is None:
        return _(figure.reason)
    if figure.low is None or figure.high is None:
        return plural("{n} pair, too few for an interval", "{n} pairs, too few for an interval", figure.n)
    low, high = (percent(end) if is_share else _signed(end) for end in (figure.low, figure.high))
    return _("95% interval {low} to {high}, {n} pairs", low=low, high=high, n=numeral(figure.n))


def _people(report: AgreementReport) -> None:
    st.markdown(_("## By annotator"))
    rows = [
        {
            _("Annotator"): shown(one.annotator),
            _("Verdicts"): one.verdicts,
            _("Shared pairs"): one.percent.n,
            _("Same verdict as others"): _rounded(one.percent.value),
            _("Kappa with others"): one.kappa.value,
            _("Alpha without this annotator"): one.alpha_without.value,
        }
        for one in report.ones
    ]
    frame = pd.DataFrame(rows)
    if len(rows) < 3:  # without one of two nobody is left to agree
        frame = frame.drop(columns=_("Alpha without this annotator"))
    columns = {
        _("Same verdict as others"): st.column_config.ProgressColumn(min_value=0.0, max_value=1.0, format="percent"),
        _("Kappa with others"): st.column_config.NumberColumn(
            format="%.2f", help=_("Cohen's kappa with all other annotators, combined into one")
        ),
        _("Alpha without this annotator"): st.column_config.NumberColumn(
            format="%.2f",
            help=_(
                "Krippendorff's alpha of all other annotators. If it is well above the overall alpha, the "
                "guidelines may be unclear to this annotator."
            ),
        ),
    }
    show_table(frame, "label_people", columns=columns, nothing="–")


def _workload(kind: PairKind) -> None:
    workloads = resources.annotators_work(kind)
    if not workloads:
        return
    total, quotas = sum(workload.verdicts for workload in workloads), resources.label_store().quotas()
    with st.expander(_("Workload and pace")):
        rows = [
            {
                _("Annotator"): shown(workload.annotator),
                _("Verdicts"): workload.verdicts,
                _("Share"): _rounded(workload.verdicts / max(total, 1)),
                _("Quota"): _rounded(quotas.share(workload.annotator)),
                _("Skipped"): workload.skipped,
                _("Last 7 days"): workload.week,
                _("Seconds per verdict"): workload.seconds,
                _("Verdicts per hour"): workload.per_hour,
                _("Last"): when(workload.last),
            }
            for workload in workloads
        ]
        columns = {
            _("Quota"): st.column_config.NumberColumn(format="percent", help=_("The target share; see 'Quotas' below")),
            _("Seconds per verdict"): st.column_config.NumberColumn(
                format="%.1f", help=_("Median, from seeing the pair to judging it")
            ),
            _("Verdicts per hour"): st.column_config.NumberColumn(
                format="%.0f", help=_("At the median, without the time between two pairs")
            ),
        }
        show_table(rows, "label_workload", formats={_("Share"): "percent"}, columns=columns, nothing="–")


def _two(twos: Sequence[TwoAgree]) -> TwoAgree:
    if len(twos) == 1:
        return twos[0]
    names = {f"{two.first}\n{two.second}": two for two in twos}
    chosen = select(
        _("Two annotators"),
        list(names),
        _PAIR_KEY,
        format_func=lambda name: _(
            "{first} and {second}: kappa {value}, {pairs}",
            first=shown(names[name].first),
            second=shown(names[name].second),
            value=_value(names[name].kappa),
            pairs=_pairs(names[name].kappa.n),
        ),
    )
    return names[chosen]


def _signed(figure: float) -> str:
    return numeral(figure, 2).replace("-", "−")


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(100 * share) / 100  # whole percents, rounded as in the figures above


def _pairs(count: int) -> str:
    return plural("{n} pair", "{n} pairs", count)
