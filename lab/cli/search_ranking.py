"""`python -m lab evaluate search-ranking`: what a second stage would bring to the app's search."""

from dataclasses import asdict
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_table
from jobmatch_core.benchmarks.retrieval.search_queries import own_set
from jobmatch_core.benchmarks.retrieval.search_runs import OWN_SETS
from jobmatch_core.metrics.comparisons import FigureChange
from jobmatch_core.search.search_models import load_search_encoder
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from lab.experiments.search_ranking import measure_search_ranking


def search_ranking(
    only: Annotated[str, typer.Option("--set", help=f"One of {', '.join(OWN_SETS)}; both by default.")] = "",
    json: JsonOption = False,
) -> None:
    """Order what the app's search finds by cross-fitted weights of all that is known, and compare both orders.

    Example: python -m lab evaluate search-ranking --set freelancers
    """
    if only and only not in OWN_SETS:
        raise typer.BadParameter(f"There is no set {only!r}; give one of {', '.join(OWN_SETS)}.")
    settings = Settings.from_environment()
    encoder, store = load_search_encoder(settings=settings), TaxonomyStore.open(settings)
    rows = [measure_search_ranking(own_set(name, store), encoder) for name in ((only,) if only else OWN_SETS)]
    if json:
        print_json({"model": encoder.name, "results": [asdict(row) for row in rows]})
        return
    figures = [
        (row.set, row.change.n, f"{row.change.before:.3f}", f"{row.change.after:.3f}", _interval(row.change))
        for row in rows
    ]
    print_table(("set", "queries", "search", "second stage", "95 % of the difference"), figures, title="nDCG@10")
    weights = [(name, *(f"{row.weights[name]:.2f}" for row in rows)) for name in rows[0].weights]
    print_table(("weight of", *(row.set for row in rows)), weights)


def _interval(change: FigureChange) -> str:
    return f"{change.low:+.3f} to {change.high:+.3f}"
