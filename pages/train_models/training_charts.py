"""Charts of a training: the loss by step, and the change of each figure."""

from collections.abc import Sequence

import plotly.graph_objects as go

from jobmatch.services.run_status import Loss
from jobmatch_core.metrics.comparisons import Outcome, Part
from pages.shared.language import _, numeral
from pages.train_models.words import figure_name, interval

_LINE = "#0072B2"  # Okabe and Ito (2008)
_COLOURS = {Outcome.WORSE: "#D55E00", Outcome.BETTER: "#009E73", Outcome.UNCLEAR: "#999999", Outcome.TOO_FEW: "#999999"}
_SYMBOLS = {
    Outcome.WORSE: "triangle-down",
    Outcome.BETTER: "triangle-up",
    Outcome.UNCLEAR: "circle",
    Outcome.TOO_FEW: "circle-open",
}
_FEW_STEPS = 10  # all of which have a tick
_ROW_HEIGHT, _FRAME_HEIGHT, _LOSS_HEIGHT = 26, 130, 230


def losses(points: Sequence[Loss]) -> go.Figure:
    """Draw the loss over the steps."""
    figure = go.Figure()
    figure.add_scatter(
        x=[point.step for point in points],
        y=[point.loss for point in points],
        mode="lines",
        line={"color": _LINE},
        hovertemplate=_("step %{x:,}: %{y:.3f}<extra></extra>"),
    )
    figure.update_layout(
        title=_("Loss over {step} steps (lower is better)", step=numeral(points[-1].step)),
        height=_LOSS_HEIGHT,
        xaxis={"title": _("step"), "tickformat": ",", "dtick": 1 if points[-1].step <= _FEW_STEPS else None},
        yaxis={"title": _("loss")},
        margin={"l": 50, "r": 10, "t": 50, "b": 40},
    )
    return figure


def differences(part: Part) -> go.Figure:
    """Draw each figure's difference with its interval around the line of no change."""
    figure = go.Figure()
    names = [figure_name(change.figure) for change in part.changes]
    for outcome, colour in _COLOURS.items():
        chosen = [change for change in part.changes if change.outcome is outcome]
        figure.add_scatter(
            x=[change.difference for change in chosen],
            y=[figure_name(change.figure) for change in chosen],
            mode="markers",
            name=_(outcome),
            marker={"color": colour, "symbol": _SYMBOLS[outcome], "size": 10},
            error_x={
                "type": "data",
                "symmetric": False,
                "color": colour,
                "array": [change.high - change.difference if change.known else 0 for change in chosen],
                "arrayminus": [change.difference - change.low if change.known else 0 for change in chosen],
            },
            customdata=[
                _(
                    "{before} to {after} ({interval})",
                    before=numeral(change.before, 3),
                    after=numeral(change.after, 3),
                    interval=interval(change),
                )
                for change in chosen
            ],
            hovertemplate="%{y}: %{customdata}<extra></extra>",
        )
    figure.add_vline(x=0, line_dash="dot", line_color="#999999")
    figure.update_layout(
        title=_("After minus before, with 95% intervals, {n} {unit}", n=numeral(part.n), unit=_(part.unit)),
        height=_FRAME_HEIGHT + _ROW_HEIGHT * len(names),
        xaxis={"title": _("difference (higher is better, unless the figure says otherwise)")},
        yaxis={"automargin": True, "categoryorder": "array", "categoryarray": names[::-1]},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom"},
    )
    return figure
