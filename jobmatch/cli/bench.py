"""`jobmatch bench`: speed and memory of the linker on this machine, compared with RapidFuzz."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_figures, progress_bar
from jobmatch_core.benchmarks.link_speed import measure_link_speed
from jobmatch_core.taxonomy.readers import expected_sources


def bench(
    source: Annotated[
        Path | None, typer.Argument(help=f"Taxonomy: {expected_sources()}; the bundled one by default.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure import, load, one title, many titles and memory, and RapidFuzz over the same names.

    Example: jobmatch bench "ESCO dataset - v1.1.1" --json
    """
    with progress_bar("Measuring", hidden=json) as progress:
        speed = measure_link_speed(source, progress=progress)
    print_figures(asdict(speed), json=json)
