"""`jobmatch evaluate`: measurements on data with known answers."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli import benchmarks, matching_evaluation, production_rate, questions, search_evaluation
from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_table, progress_bar
from jobmatch.services.encoder_choice import SHIPPED, chosen_encoder
from jobmatch_core.benchmarks.datasets.tasks import TASKS, normalization_benchmark
from jobmatch_core.benchmarks.datasets.title_sets import (
    NormalizationReport,
    evaluate_job_normalization,
    read_titles,
    taxonomy_of_titles,
)
from jobmatch_core.linking import open_linker

LINKER = "linker"
ALL, IN_ENGLISH = "all", "told English"  # languages of the names that the linker matches with vacancy titles
app = typer.Typer(help="Measure on data with known answers.", no_args_is_help=True)
for _name, _task in TASKS.items():
    if _task.help:
        app.command(_name, help=_task.help)(benchmarks.ranking_command(_name))
app.command("compare")(benchmarks.compare)
app.command("overlap")(benchmarks.overlap)
app.command("build-melo")(benchmarks.build_melo)
app.command("import-workrb")(benchmarks.import_workrb)
app.command("matching")(matching_evaluation.matching)
app.command("production-rate")(production_rate.production_rate)
app.command("questions")(questions.questions)
app.command("search")(search_evaluation.search)

EncoderOption = Annotated[str, typer.Option(help="Encoder of the linker: a name, folder or hub:NAME, or none.")]


@app.command("job-normalization")
def job_normalization(
    path: Annotated[Path, typer.Argument(help="CSV file with the columns vacancyTitle and conceptUri.")],
    taxonomy: Annotated[
        str, typer.Option(help="Taxonomy to link to; by default ESCO 1.0.3 or ISCO-08, by the URIs of the file.")
    ] = "",
    encoder: EncoderOption = SHIPPED,
    system: benchmarks.SystemOption = None,
    again: benchmarks.AgainOption = False,
    rankings: benchmarks.RankingsOption = None,
    json: JsonOption = False,
) -> None:
    """Rank a taxonomy's occupations for real vacancy titles, and check the linker's probabilities.

    The linker is measured twice: its probabilities with names of all languages, and both rankings, as in the other
    benchmarks, with English names only.

    Example: jobmatch evaluate job-normalization titles.csv --taxonomy esco-1.0.3
    """
    titles, right = read_titles(path)
    taxonomy = taxonomy or taxonomy_of_titles(path.name, right)
    linker = open_linker(taxonomy, encoder=chosen_encoder(encoder))
    with progress_bar("Linking", hidden=json) as progress:
        report = evaluate_job_normalization(linker, titles, right, progress=progress)
    systems = system or ([LINKER] if encoder == SHIPPED else [])  # under both rankings
    others = benchmarks.measured(
        [normalization_benchmark(path, taxonomy)], systems, again=again, hidden=json, rankings=rankings
    )
    if json:
        result = {"dataset": path.stem, "system": linker.system, "taxonomy": taxonomy, "ranking": "by_occupation"}
        in_english = [
            figures | ({"languages": IN_ENGLISH} if _is_linker(figures["system"]) else {})
            for figures in benchmarks.as_json(others)
        ]
        print_json({"results": [result | {"languages": ALL} | asdict(report), *in_english]})
        return
    _print_linker(report, f"{path.name}, {linker.system}; by occupation; languages: {ALL}")
    if others:
        linkers = sorted({by_name.system for by_name, _ in others if _is_linker(by_name.system)})
        benchmarks.print_evaluations(others, "; ".join(f"{name}: {IN_ENGLISH}" for name in linkers))


def _is_linker(system: str) -> bool:
    return system.partition(":")[0] == LINKER


def _print_linker(report: NormalizationReport, title: str) -> None:
    figures = [(name, f"{value:.4f}") for name, value in asdict(report).items() if isinstance(value, float)]
    print_table(("figure", "value"), [("titles", f"{report.titles:,}"), *figures], title=title)
    bins = [(f"{b.confidence:.2f}", f"{b.accuracy:.2f}", b.count) for b in report.reliability]
    print_table(("mean probability", "share correct", "titles"), bins, title="Reliability")
    points = [(f"{p.coverage:.0%}", f"{p.threshold:.2f}", f"{p.risk:.3f}") for p in report.risk_coverage]
    print_table(("linked", "threshold", "share wrong"), points, title="Risk and coverage")
