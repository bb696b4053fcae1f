"""`python -m lab evaluate rankers` and `ranker-refit`: what orders found freelancers best, and what judgments bring."""

from dataclasses import asdict
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_line, print_table
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.towers.matching_metrics import FIGURES
from lab.experiments.ranker_comparison import compare_rankers
from lab.experiments.ranker_refit import measure_refit


def rankers(
    marketplace: Annotated[str, typer.Argument(help="Marketplace; see `jobmatch marketplace list`.")],
    json: JsonOption = False,
) -> None:
    """Fit rankers on the past of a marketplace and measure them on its latest projects.

    Example: python -m lab evaluate rankers demo
    """
    rows = compare_rankers(MarketplaceStore.open(Settings.from_environment()).load(marketplace))
    if json:
        print_json({"marketplace": marketplace, "results": [asdict(row) for row in rows]})
        return
    figures = [(label, *(_cell(getattr(row.figures, name)) for row in rows)) for name, label in FIGURES.items()]
    print_table(("", *(row.ranker for row in rows)), figures, title=f"{marketplace}: pools of the untrained encoder")


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def ranker_refit(
    marketplace: Annotated[str, typer.Argument(help="Generated marketplace; see `jobmatch marketplace list`.")],
    projects: Annotated[int, typer.Option(help="Number of past projects that are judged.")] = 40,
    json: JsonOption = False,
) -> None:
    """Refit the second stage on simulated judgments, and measure the list on the latest projects.

    Example: python -m lab evaluate ranker-refit demo --projects 40
    """
    row = measure_refit(MarketplaceStore.open(Settings.from_environment()).load(marketplace), projects)
    if json:
        print_json({"marketplace": marketplace} | asdict(row))
        return
    changes = [
        (change.figure, change.n, _cell(change.before), _cell(change.after), f"{change.low:+.3f} to {change.high:+.3f}")
        for change in row.lists.changes
    ]
    title = f"{marketplace}: {row.projects:,} judged projects, {row.judgments:,} judgments"
    print_table(("figure", "projects", "before", "after", "95 % of the difference"), changes, title=title)
    print_line(row.ranker.words)
