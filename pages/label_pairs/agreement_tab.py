"""View 'Agreement': coefficients, annotators, weeks, and disagreements to settle."""

from collections.abc import Sequence

import streamlit as st

from jobmatch_core.entities import PairKind
from jobmatch_core.labelling.agreement import TwoAgree, confusion
from jobmatch_core.labelling.agreement_report import AgreementReport
from jobmatch_core.labelling.coefficients import Figure
from pages.label_pairs import disputes, label_charts, quotas_part
from pages.shared import resources, sign_in
from pages.shared.annotator import shown
from pages.shared.label_words import KINDS, when, zone
from pages.shared.widgets import finished, readable

KIND_KEY = "label_kind"
_PAIR_KEY = "label_two"


def show() -> None:
    """Draw the view.

    Raises:
        JobMatchError: the store or a marketplace cannot be used.
    """
    kind = choose_kind()
    report = finished(resources.measuring_agreement(kind, zone().key), "Measuring agreement")
    _figures(report)
    if report.twos and report.overall.pairs:
        _people(report)
        _charts(report)
    if sign_in.may("settle"):
        _workload(kind)
        quotas_part.show()
    disputes.show(report.disputes)


def choose_kind() -> PairKind:
    """Draw what kinds of pairs there are judgments of, where there are several."""
    judged = resources.label_store().kinds()
    kinds = [kind for kind in KINDS if kind in judged] or [PairKind.PROJECT_FREELANCER]
    if st.session_state.get(KIND_KEY) not in kinds:
        st.session_state[KIND_KEY] = kinds[0]
    if len(kinds) == 1:
        return kinds[0]
    chosen = st.segmented_control(
        "Pair type", kinds, key=KIND_KEY, format_func=KINDS.__getitem__, required=True, persist_state="session"
    )
    return PairKind(chosen or kinds[0])


def _figures(report: AgreementReport) -> None:
    overall = report.overall
    if not overall.pairs:
        st.info(
            "**No pair has been judged by two people yet**, so there is no agreement to measure. "
            f"{_judged_once(len(report.table.keys))} Ask a second person to choose the queue 'Second "
            "opinion' on 'Label' under their own name (top right).",
            icon=":material/group:",
        )
        return
    st.caption(
        f"{overall.pairs:,} pairs were judged by two or more people; adjudications and skips are excluded. Each "
        "figure is 1 for full agreement; kappa and alpha are 0 for agreement by chance."
    )
    people = len(report.table.annotators)
    kappa = (
        ("Cohen's kappa", report.twos[0].kappa) if people == 2 else
        ("Fleiss' kappa", overall.fleiss)
    )  # fmt: skip
    figures = [("Same verdict", overall.percent), kappa, ("Krippendorff's alpha", overall.alpha)]
    if people == 2:
        figures.insert(2, ("Fleiss' kappa", overall.fleiss))
    for column, (name, figure) in zip(st.columns(len(figures)), figures, strict=True):
        column.metric(name, _value(figure, percent=name == "Same verdict"), border=True, help=_HELP[name])
        column.caption(_range(figure, percent=name == "Same verdict"))
    if overall.alpha.value is not None:
        st.markdown(_verdict(overall.alpha.value))


def _judged_once(count: int) -> str:
    if not count:
        return "Nobody has judged one yet."
    return "1 pair has one verdict." if count == 1 else f"{count:,} pairs have one verdict."


_HELP = {
    "Same verdict": "Share of pairs on which two annotators gave the same verdict.",
    "Cohen's kappa": "Agreement of the two annotators beyond chance, given how often each of them uses each verdict.",
    "Fleiss' kappa": "Agreement of all annotators beyond chance; every pair has the same weight.",
    "Krippendorff's alpha": "Agreement of all annotators beyond chance, for any number of judgments per pair.",
}


def _verdict(alpha: float) -> str:
    """Return an interpretation of alpha by Krippendorff's thresholds (Content Analysis, 2004, chapter 11)."""
    if alpha >= 0.8:
        return "Alpha is 0.8 or more: the labels are reliable."
    if alpha >= 0.667:
        return "Alpha is between 0.667 and 0.8: good enough for tentative conclusions. Settle the disagreements below."
    return (
        "Alpha is below 0.667: annotators understand the guidelines differently. Settle the disagreements below "
        "and clarify the guidelines."
    )


def _value(figure: Figure, *, percent: bool = False) -> str:
    if figure.value is None:
        return "–"
    return f"{figure.value:.0%}" if percent else f"{figure.value:.2f}"


def _range(figure: Figure, *, percent: bool) -> str:
    if figure.value is None:
        return figure.reason
    if figure.low is None or figure.high is None:
        return f"{figure.n} pair, too few for an interval"
    low, high = (f"{end:.0%}" if percent else f"{end:.2f}" for end in (figure.low, figure.high))
    return f"95 % interval {low} to {high}, {figure.n:,} pairs"


def _people(report: AgreementReport) -> None:
    st.markdown("## By annotator")
    rows = [
        {
            "Annotator": shown(one.annotator), "Verdicts": one.verdicts, "Shared pairs": one.percent.n,
            "Same verdict as others": one.percent.value, "Kappa with others": one.kappa.value,
            "Alpha without this annotator": one.alpha_without.value,
        }
        for one in report.ones
    ]  # fmt: skip
    st.dataframe(
        readable(rows), hide_index=True, key="label_people",
        column_config={
            "Same verdict as others": st.column_config.ProgressColumn(min_value=0.0, max_value=1.0, format="percent"),
            "Kappa with others": st.column_config.NumberColumn(
                format="%.2f", help="Cohen's kappa with all other annotators, combined into one"
            ),
            "Alpha without this annotator": st.column_config.NumberColumn(
                format="%.2f", help="Krippendorff's alpha of all other annotators. If it is well above the overall "
                    "alpha, the guidelines may be unclear to this annotator."
            ),
        },
    )  # fmt: skip


def _workload(kind: PairKind) -> None:
    found = resources.annotators_work(kind)
    if not found:
        return
    total, quotas = sum(each.verdicts for each in found), resources.label_store().quotas()
    with st.expander("Workload and pace"):
        rows = [
            {"Annotator": shown(each.annotator), "Verdicts": each.verdicts, "Share": each.verdicts / max(total, 1),
             "Quota": quotas.share(each.annotator), "Skipped": each.skipped,
             "Last 7 days": each.week, "Seconds a verdict": each.seconds, "Verdicts an hour": each.per_hour,
             "Last": when(each.last)}
            for each in found
        ]  # fmt: skip
        st.dataframe(
            readable(rows), hide_index=True, key="label_workload",
            column_config={
                "Share": st.column_config.NumberColumn(format="percent"),
                "Quota": st.column_config.NumberColumn(format="percent", help="The wished share; see 'Quotas' below"),
                "Seconds a verdict": st.column_config.NumberColumn(format="%.0f", help="Median"),
                "Verdicts an hour": st.column_config.NumberColumn(
                    format="%.0f", help="While judging: pauses of more than ten minutes are left out"
                ),
            },
        )  # fmt: skip


def _charts(report: AgreementReport) -> None:
    twos = [two for two in report.twos if two.percent.n]
    left, right = st.columns(2)
    with left:
        two = _two(twos)
        st.plotly_chart(label_charts.confusion(confusion(report.table, two.first, two.second)), key="label_confusion")
    with right:
        st.space("medium")
        st.plotly_chart(label_charts.over_time(report.weeks), key="label_weeks")


def _two(twos: Sequence[TwoAgree]) -> TwoAgree:
    names = {f"{two.first}\n{two.second}": two for two in twos}
    if st.session_state.get(_PAIR_KEY) not in names:
        st.session_state[_PAIR_KEY] = next(iter(names))
    chosen = st.selectbox(
        "Two annotators", list(names), key=_PAIR_KEY, persist_state="session",
        format_func=lambda name: f"{shown(names[name].first)} and {shown(names[name].second)}: "
        f"kappa {_value(names[name].kappa)}, {names[name].kappa.n:,} pairs",
    )  # fmt: skip
    return names[chosen]
