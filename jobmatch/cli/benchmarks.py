"""`jobmatch evaluate melo|title-similarity|overlap|compare|build-melo|import-workrb`: ranking benchmarks."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from math import isnan
from pathlib import Path
from typing import Annotated, Any

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_line, print_result, print_table, print_warning, progress_bar
from jobmatch.cli.places import print_home
from jobmatch_core.benchmarks.datasets import melo
from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.datasets.tasks import TASKS, Benchmark, find_benchmarks
from jobmatch_core.benchmarks.scoreboard.comparison import Standing, compare_results, comparison_metric
from jobmatch_core.benchmarks.scoreboard.overlap import OverlapPoints, correlation_words, correlations, measure_overlap
from jobmatch_core.benchmarks.scoreboard.results import (
    MERGED,
    RANKINGS,
    BoardRanking,
    Evaluation,
    Result,
    ResultStore,
    figures_record,
)
from jobmatch_core.benchmarks.scoreboard.run import Campaign
from jobmatch_core.benchmarks.scoreboard.scoreboard import Scoreboard
from jobmatch_core.benchmarks.scoreboard.workrb_results import WorkRBStore, read_workrb_results
from jobmatch_core.benchmarks.systems.catalogue import open_system
from jobmatch_core.metrics.ranking import METRICS
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.text.locales import checked_language

RANKING_WORDS: dict[BoardRanking, str] = {"by_name": "by name", "by_text": "by text", "by_occupation": "by occupation"}

PathArgument = Annotated[Path, typer.Argument(help="Folder of a dataset, or of several.")]
SystemOption = Annotated[
    list[str] | None,
    typer.Option(help="System to measure: a baseline such as char_tf_idf, or encoder:FOLDER; may be repeated."),
]
AgainOption = Annotated[bool, typer.Option(help="Measure again what has a stored result.")]
RankingsOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Measure, and write the rankings by name there: trec_eval's runs and WorkRB's files."
    ),
]


def ranking_command(task: str) -> Callable[..., None]:
    """Return the command that measures systems on the datasets of a task."""

    def command(
        path: PathArgument,
        system: SystemOption = None,
        again: AgainOption = False,
        rankings: RankingsOption = None,
        json: JsonOption = False,
    ) -> None:
        benchmarks = find_benchmarks(task, path)
        evaluations = measured(benchmarks, system or TASKS[task].systems, again=again, hidden=json, rankings=rankings)
        if json:
            print_json({"results": as_json(evaluations)})
            return
        print_evaluations(evaluations)
        print_means(Scoreboard.of([result for evaluation in evaluations for result in evaluation], task, authors=()))

    return command


def overlap(path: PathArgument, json: JsonOption = False) -> None:
    """Measure the edit distance of each MELO query to its nearest correct name, and its correlation with MRR.

    Example: jobmatch evaluate overlap melo/datasets
    """
    reports = [measure_overlap(benchmark.read()) for benchmark in find_benchmarks("melo", path)]
    stored = ResultStore.open().stored()
    for problem in stored.damaged:
        print_warning(problem)
    systems = correlations(Scoreboard.of(stored.results, "melo"), reports)
    if json:
        results = [
            {"dataset": report.dataset, "median": report.median, "shares": report.histogram()[0].tolist()}
            for report in reports
        ]
        print_json({"results": results, "correlations": list(map(_correlation_record, systems))})
        return
    rows = [(report.dataset, f"{len(report.distances):,}", f"{report.median:.3f}") for report in reports]
    print_table(("dataset", "queries", "median of the smallest edit distance (0 to 1)"), rows)
    print_table(
        ("system", "source", "ranking", "datasets", "Spearman"),
        list(map(_correlation_row, systems)),
        title="Correlation of that median with each system's MRR, monolingual datasets",
    )


def _correlation_record(points: OverlapPoints) -> dict[str, Any]:
    return {
        "system": points.system,
        "source": points.source,
        "ranking": points.ranking,
        "datasets": len(points.datasets),
        "spearman": None if isnan(points.correlation) else points.correlation,
    }


def _correlation_row(points: OverlapPoints) -> tuple[str, ...]:
    n = len(points.datasets)
    return points.label, points.source, RANKING_WORDS[points.ranking], f"{n}", correlation_words(points.correlation, n)


def compare(
    task: Annotated[str, typer.Argument(help=f"One of {', '.join(TASKS)}.")],
    first: Annotated[str, typer.Argument(help="A measured system.")],
    second: Annotated[str, typer.Argument(help="Another measured system.")],
    json: JsonOption = False,
) -> None:
    """Compare two measured systems query by query on each dataset (Wilcoxon signed-rank test).

    By average precision for title similarity, by reciprocal rank for the other tasks.

    Example: jobmatch evaluate compare melo char_tf_idf bm25
    """
    reports = compare_results(ResultStore.open(), task, first, second)
    if json:
        print_json({"results": [asdict(report) for report in reports]})
        return
    rows = [
        (
            r.dataset,
            RANKING_WORDS[r.ranking],
            f"{r.queries:,}",
            f"{r.wins:,}",
            f"{r.losses:,}",
            f"{r.difference:+.4f}",
            f"{r.p_value:.2g}",
        )
        for r in reports
    ]
    metric = METRICS[comparison_metric(task)].label
    columns = ("dataset", "ranking", "queries", f"{first} better", f"{second} better", f"difference in {metric}", "p")
    print_table(columns, rows, title=f"By {metric}, query by query; p of the Wilcoxon signed-rank test")


def build_melo(
    crosswalk: Annotated[Path, typer.Argument(help="A crosswalk.json, or its folder, named such as deu_de.")],
    out: Annotated[Path, typer.Argument(help="Folder in which the dataset's folder is written.")],
    taxonomy: Annotated[str, typer.Option(help="Taxonomy of the names; see `jobmatch taxonomy list`.")],
    languages: Annotated[str, typer.Option(help="Languages of the corpus, such as en or de,en.")],
    json: JsonOption = False,
) -> None:
    """Build a MELO dataset from a crosswalk and an imported taxonomy.

    Example: jobmatch evaluate build-melo crosswalks/deu_de datasets --taxonomy esco-1.0.3 --languages en
    """
    codes = [checked_language(code) for code in languages.split(",")]
    dataset = melo.build_melo(crosswalk, TaxonomyStore.open().load(taxonomy), codes, out)
    print_dataset(dataset, out, json=json)


def print_dataset(dataset: RankingDataset, out: Path, *, json: bool) -> None:
    """Print the size of a dataset that was built in a folder."""
    counts = {"queries": len(dataset.queries), "elements": len(dataset.elements), "concepts": len(dataset.concepts)}
    sizes = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    result = {"dataset": dataset.name, "folder": str(out / dataset.name), **counts}
    print_result(result, f"{out / dataset.name}: {sizes}", json=json)


def import_workrb(
    file: Annotated[Path, typer.Argument(help="A results.json that workrb.evaluate wrote.")], json: JsonOption = False
) -> None:
    """Show figures that WorkRB measured on the page 'Scoreboard', beside ours by text.

    Example: jobmatch evaluate import-workrb results/results.json
    """
    measured = read_workrb_results(file)
    settings = Settings.from_environment()
    WorkRBStore.open(settings).save(measured)
    print_home(settings)
    if json:
        results = [
            {"task": result.task, "dataset": result.dataset}
            | {metric: result.values.get(merged) for merged, metric in MERGED.items()}
            for result in measured.results
        ]
        print_json({"model": measured.model, "results": results, "left_out": list(measured.left_out)})
        return
    rows = [
        (
            result.task,
            result.dataset,
            *(f"{result.values[name]:.4f}" if name in result.values else "" for name in MERGED),
        )
        for result in measured.results
    ]
    print_table(("task", "dataset", "MRR", "MAP"), rows, title=f"{measured.model}, measured by WorkRB, each text once")
    if measured.left_out:
        print_line(f"Left out, because the Scoreboard does not have them: {', '.join(measured.left_out)}")


def measured(
    benchmarks: Sequence[Benchmark], systems: Sequence[str], *, again: bool, hidden: bool, rankings: Path | None = None
) -> list[Evaluation]:
    """Measure systems with a progress bar; warn of older results that could not be read."""
    makers = [partial(open_system, name) for name in dict.fromkeys(systems)]
    campaign = Campaign(benchmarks, makers, ResultStore.open(), again=again, rankings=rankings)
    with progress_bar("Measuring", hidden=hidden) as progress:
        evaluations = campaign.run(progress)
    for warning in campaign.warnings:
        print_warning(f"{warning}, and now was")
    print_home(Settings.from_environment())
    return evaluations


def as_json(evaluations: Sequence[Evaluation]) -> list[dict[str, Any]]:
    """Return the figures of each evaluation by name and by occupation, without the outcomes of queries."""
    return [figures_record(result) for evaluation in evaluations for result in evaluation]


def print_evaluations(evaluations: Sequence[Evaluation], remarks: str = "") -> None:
    """Print a row per dataset and system, with remarks above the table and notes below it."""
    rows = [
        (
            by_name.dataset,
            by_name.system,
            f"{by_name.values['mrr']:.4f}",
            f"{by_occupation.values['mrr']:.4f}",
            f"{by_occupation.values['accuracy_at_1']:.4f}",
            f"{by_name.values['map']:.4f}",
            f"{by_name.values['mrr_merged']:.4f}",
            f"{by_name.values['map_merged']:.4f}",
            f"{by_name.seconds:,.1f}",
            f"{by_name.ranking_seconds + by_occupation.ranking_seconds:,.2f}",
        )
        for by_name, by_occupation in evaluations
    ]
    columns = (
        "dataset",
        "system",
        "MRR, name",
        "MRR, occ.",
        "A@1, occ.",
        "MAP, name",
        "MRR, merged",
        "MAP, merged",
        "s",
        "rank s",
    )
    title = (
        "name: by name, equal texts apart as in MELO's code; occ.: by occupation; merged: by name, each text once as "
        "in WorkRB; s: preparation and scores by name; rank s: from scores to both figures"
    )
    print_table(columns, rows, title="; ".join(filter(None, (title, remarks))))
    for models in sorted({_models(by_name) for by_name, _ in evaluations if by_name.model}):
        print_line(models)
    for note in sorted({f"{by_name.system}: {by_name.note}" for by_name, _ in evaluations if by_name.note}):
        print_line(note)


def _models(result: Result) -> str:
    parts = {"encoder": result.encoder, "calibration": result.calibration, "taxonomy": result.taxonomy}
    return f"{result.system}: {', '.join(f'{name} {value}' for name, value in parts.items() if value)}"


def print_means(board: Scoreboard) -> None:
    """Print the mean MRR by setting (monolingual, cross-lingual, multilingual) and ranking, with the best published."""
    for setting in board.settings:
        part = board.chosen(setting)
        for ranking in RANKINGS:
            count, standings = len(part.datasets), part.standings("mrr", ranking)
            rows = [_mean_row(row, count) for row in standings if not row.published]
            best = next((row for row in standings if row.published and row.complete), None)
            if best:
                rows.append(_mean_row(replace(best, label=f"best published: {best.label}"), count))
            title = f"Mean MRR {RANKING_WORDS[ranking]}, {count} {setting} dataset{'s' if count != 1 else ''}"
            print_table(("system", "datasets", "mean MRR", "95%", "encoder, calibration"), rows, title=title)


def _mean_row(row: Standing, n_datasets: int) -> tuple[str, ...]:
    interval = f"{row.interval[0]:.3f} to {row.interval[1]:.3f}" if row.interval else ""
    return row.label, f"{row.datasets} of {n_datasets}", f"{row.value:.4f}", interval, row.model
