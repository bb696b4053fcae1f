"""Output of `jobmatch labels agreement`."""

from dataclasses import asdict
from typing import Any

from jobmatch.cli.output import print_line, print_table
from jobmatch_core.entities import PairKind
from jobmatch_core.labelling.agreement import Agreement, AgreementReport, Dispute
from jobmatch_core.labelling.coefficients import CoefficientFigure

_DISPUTES_SHOWN = 20
_MEASURES = ("percent", "fleiss", "alpha")
_NAMES = {"percent": "same verdict", "fleiss": "Fleiss' kappa", "alpha": "Krippendorff's alpha"}


def agreement_to_json(kind: PairKind, report: AgreementReport) -> dict[str, Any]:
    """Return the coefficients of a kind of pair, as docs/cli.md describes them."""
    return {
        "kind": kind.value,
        "annotators": list(report.table.annotators),
        "overall": _overall(report.overall),
        "two_by_two": [asdict(two) for two in report.twos],
        "against_others": [asdict(one) for one in report.ones],
        "weeks": [{"start": week.start.isoformat(), **_overall(week.agreement)} for week in report.weeks],
        "disputes": [_dispute(dispute) for dispute in report.disputes],
    }


def print_agreement(kind: PairKind, report: AgreementReport) -> None:
    """Print the coefficients of a kind of pair as tables."""
    overall = report.overall
    rows = [(_NAMES[name], *_cells(getattr(overall, name))) for name in _MEASURES]
    heads = ("measure", "value", "95% interval", "pairs")
    print_table(heads, rows, title=f"{kind}: agreement of {len(report.table.annotators)} annotators")
    if reasons := sorted({figure.reason for name in _MEASURES if (figure := getattr(overall, name)).reason}):
        print_line(f"Not defined: {'; '.join(reasons)}.")
    if not overall.pairs:
        return
    shared = [
        (two.first, two.second, _value(two.percent), _value(two.kappa), two.percent.n)
        for two in report.twos
        if two.percent.n
    ]
    print_table(
        ("annotator", "annotator", "same verdict", "Cohen's kappa", "pairs"), shared, title="Pairs of annotators"
    )
    others = [
        (one.annotator, one.verdicts, _value(one.percent), _value(one.kappa), _value(one.alpha_without))
        for one in report.ones
    ]
    columns = ("annotator", "verdicts", "same as others", "Cohen's kappa", "alpha without them")
    print_table(columns, others, title="Each annotator against the others")
    weeks = [(week.start.isoformat(), week.agreement.pairs, _value(week.agreement.alpha)) for week in report.weeks]
    print_table(("week from", "pairs", "Krippendorff's alpha"), weeks, title="By week")
    _print_disputes(report)


def _print_disputes(report: AgreementReport) -> None:
    if not report.disputes:
        print_line("There are no disagreements.")
        return
    rows = [
        (
            dispute.pair.left,
            dispute.pair.right,
            dispute.pair.source,
            ", ".join(f"{judgment.annotator}: {judgment.verdict}" for judgment in dispute.judgments),
        )
        for dispute in report.disputes[:_DISPUTES_SHOWN]
    ]
    print_table(("left", "right", "of", "verdicts"), rows, title=f"To adjudicate: {len(report.disputes):,}")


def _cells(figure: CoefficientFigure) -> tuple[str, str, int]:
    between = "" if figure.low is None or figure.high is None else f"{figure.low:.2f} to {figure.high:.2f}"
    return _value(figure), between, figure.n


def _value(figure: CoefficientFigure) -> str:
    return "–" if figure.value is None else f"{figure.value:.2f}"


def _overall(agreement: Agreement) -> dict[str, Any]:
    return {"pairs": agreement.pairs, **{name: asdict(getattr(agreement, name)) for name in _MEASURES}}


def _dispute(dispute: Dispute) -> dict[str, Any]:
    pair = dispute.pair
    return {
        "source": pair.source,
        "left": pair.left,
        "right": pair.right,
        "heat": dispute.heat,
        "verdicts": {judgment.annotator: judgment.verdict for judgment in dispute.judgments},
    }
