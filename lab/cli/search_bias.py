"""`python -m lab evaluate search-bias`: what corrections of position bias give back, simulated."""

from dataclasses import asdict
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption, SeedOption, finite
from jobmatch.cli.output import print_json, print_table
from lab.experiments.position_bias_simulation import ITEMS, SIMULATED_QUERIES, simulate_bias


def search_bias(
    searches: Annotated[int, typer.Option(min=100, max=2_000_000, help="Number of simulated searches.")] = 200_000,
    bias: Annotated[
        float, typer.Option(min=0, max=3, callback=finite, help="Decay of attention with the rank; 0 for none.")
    ] = 1.0,
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
