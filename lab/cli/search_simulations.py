"""`python -m lab evaluate search-bias` and `interleaving`: simulated searches with known relevance."""

from dataclasses import asdict
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption, SeedOption, finite
from jobmatch.cli.output import print_json, print_table
from lab.experiments.interleaving_simulation import simulate_interleaving
from lab.experiments.position_bias_simulation import ITEMS, NOISE, SIMULATED_QUERIES, simulate_bias

BiasOption = Annotated[
    float, typer.Option(min=0, max=3, callback=finite, help="Decay of attention with the rank; 0 for none.")
]
_ERRORS = (NOISE, 0.35, 0.3, 0.2, 0.1)


def search_bias(
    searches: Annotated[int, typer.Option(min=100, max=2_000_000, help="Number of simulated searches.")] = 200_000,
    bias: BiasOption = 1.0,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Simulate searches with known relevance and known position bias, and see which order the choices give back.

    Example: python -m lab evaluate search-bias --searches 20000
    """
    simulation = simulate_bias(searches, bias, seed)
    if json:
        print_json(asdict(simulation))
        return
    rows = [(order.by, f"{order.ndcg:.3f}", f"{order.tau:.3f}") for order in simulation.orders]
    print_table(
        ("order by", "nDCG@10", f"Kendall's tau (n = {ITEMS}, mean of {SIMULATED_QUERIES} queries)"),
        rows,
        title=f"{searches:,} searches, {simulation.choices:,} choices",
    )
    ranks = [
        (rank, f"{true_effect:.3f}", f"{estimated:.3f}")
        for rank, (true_effect, estimated) in enumerate(
            zip(simulation.actual, simulation.estimated, strict=True), start=1
        )
    ]
    print_table(("rank", "looked at", "as swaps tell"), ranks)


def interleaving(
    comparisons: Annotated[int, typer.Option(min=1, max=10_000, help="Comparisons with each candidate.")] = 100,
    most: Annotated[int, typer.Option(min=10, max=100_000, help="Searches after which one ends undecided.")] = 3000,
    bias: BiasOption = 1.0,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Simulate online comparisons of a search model with candidates of known quality.

    Example: python -m lab evaluate interleaving --comparisons 20
    """
    runs = simulate_interleaving(_ERRORS, comparisons, most, bias, seed)
    if json:
        print_json({"comparisons": comparisons, "most": most, "runs": [asdict(run) for run in runs]})
        return
    rows = [
        (
            f"{run.error:.2f}",
            f"{run.in_use:.3f}",
            f"{run.candidate:.3f}",
            f"{run.better:.0%}",
            f"{run.worse:.0%}",
            f"{run.wrong:.0%}",
            "-" if run.searches is None else f"{run.searches:,}",
            "-" if run.ab_test is None else f"{run.ab_test:,}",
        )
        for run in runs
    ]
    heads = ("error", "nDCG in use", "nDCG candidate", "called better", "called worse", "wrong", "searches", "A/B test")
    print_table(heads, rows, title=f"{comparisons:,} comparisons with each candidate, of at most {most:,} searches")
