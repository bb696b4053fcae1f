"""`python -m lab evaluate rankers`: what orders found freelancers best."""

from dataclasses import asdict
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_table
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.towers.matching_metrics import FIGURES
from lab.experiments.ranker_comparison import compare_rankers


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
