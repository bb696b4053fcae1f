"""`python -m lab evaluate judged-titles`: what judgments bring to the linker."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption, SeedOption
from jobmatch.cli.output import print_json, print_table, progress_bar
from jobmatch_core.linking import open_linker


def judged_titles(
    titles: Annotated[Path, typer.Argument(help="A CSV with the columns vacancyTitle and conceptUri.")],
    judged: Annotated[list[int] | None, typer.Option(min=2, help="Number of judged titles; may be repeated.")] = None,
    taxonomy: Annotated[str, typer.Option(help="Taxonomy with the occupations.")] = "esco-1.0.3",
    seed: SeedOption = 1,
    json: JsonOption = False,
) -> None:
    """Judge titles whose occupation is known, teach the linker by that, and measure it on other titles.

    Example: python -m lab evaluate judged-titles titles.csv --judged 300 --judged 3000
    """
    from lab.experiments.judged_titles import judge_titles  # torch takes seconds

    counts = sorted(set(judged or (100, 300, 1000, 3000)))
    linker = open_linker(taxonomy)
    with progress_bar("Judging and retraining", hidden=json) as progress:
        points = judge_titles(linker, titles, counts, seed=seed, progress=progress)
    if json:
        print_json({"taxonomy": taxonomy, "results": [asdict(point) for point in points]})
        return
    rows = [
        (
            f"{point.judged:,}",
            point.state,
            f"{point.accuracy:.3f}",
            f"{point.mrr:.3f}",
            f"{point.linked:.0%}",
            "-" if point.precision is None else f"{point.precision:.3f}",
            f"{point.ece:.3f}",
            "-" if point.head_strength is None else f"{point.head_strength:g}",
        )
        for point in points
    ]
    columns = ("judged", "linker", "accuracy", "MRR", "linked", "right of linked", "calibration error", "head moved by")
    print_table(columns, rows, title=f"{points[0].titles:,} other titles, {taxonomy}")
