"""Training jobs on the command line: run with a progress bar; their report as tables or JSON."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar, three_decimals
from jobmatch.services.training_job import (
    JdanJob,
    LinkingJob,
    SearchJob,
    TitleEncoderJob,
    TowersJob,
    Trained,
    TrainingJob,
    run_job,
)
from jobmatch_core.metrics.comparisons import BeforeAfter
from jobmatch_core.settings import Settings
from jobmatch_core.training.figures import Watch

if TYPE_CHECKING:
    from jobmatch_core.descriptions.jdan_recipe import JdanReport
    from jobmatch_core.retraining.linker_retraining import LinkerReport
    from jobmatch_core.search.search_recipe import SearchReport
    from jobmatch_core.titles.training_report import TrainingReport
    from jobmatch_core.towers.tower_recipe import TowerReport


def job(
    file: Annotated[Path, typer.Argument(help="The job.json in the folder of a run, as the app writes it.")],
    json: JsonOption = False,
) -> None:
    """Run a training job from its file; its progress is written to status.json beside it.

    Example: jobmatch train job var/training/20261121-093000-000000/job.json
    """
    _show(*run_job(file, typer.echo), json)


def run_and_show(job: TrainingJob, json: bool, *, run: Path | None = None) -> None:
    """Run a job in this process and print its report; its progress is a bar, or written to the folder *run*."""
    if run is not None:
        _show(*run_job(job.write(run), typer.echo), json)
        return
    with progress_bar("Training", hidden=json) as progress:
        trained = job.train(Settings.from_environment(), Watch(progress=progress))
    _show(job, trained, json)


def _show(done: TrainingJob, trained: Trained[Any], json: bool) -> None:
    if not json:
        _FIGURES[type(done)](done, trained)
        return
    print_json({"model": str(trained.model)} | asdict(trained.report))


def _show_towers(done: TowersJob, trained: "Trained[TowerReport]") -> None:
    report = trained.report
    _print_epochs(report, "projects")
    _print_comparison(report.comparison)
    if report.ranker is not None:
        print_line(f"The list of freelancers: {report.ranker.words}")
    if report.labels is not None:
        print_line(f"Labels: {report.labels.origins}.")
    print_line(f"Trained in {report.seconds:,.0f} s on {report.projects[0]:,} projects: {trained.model}")
    if report.generated:
        print_line(f"The marketplace {done.marketplace} is generated.")


def _show_linking(done: LinkingJob, trained: "Trained[LinkerReport]") -> None:
    report = trained.report
    _print_comparison(report.comparison)
    print_line(f"Labels: {report.labels.origins}.")
    print_line(f"Fitted in {report.seconds:,.0f} s on {report.titles[0]:,} judged titles: {trained.model}")


def _show_title_encoder(done: TitleEncoderJob, trained: "Trained[TrainingReport]") -> None:
    report = trained.report
    figures = [("before", report.before), *((stage.stage, stage.after) for stage in report.stages)]
    rows = [(name, f"{scores.mrr:.3f}", three_decimals(scores.mrr_to_english)) for name, scores in figures]
    print_table(("after", "MRR", "MRR to English"), rows, title="Held-out names")
    print_line(f"Trained in {report.seconds:,.0f} s: {trained.model}")


def _show_jdan(done: JdanJob, trained: "Trained[JdanReport]") -> None:
    report = trained.report
    _print_epochs(report, "postings")
    for name, scores in (("untrained mean", report.untrained), ("trained", report.trained)):
        if scores is not None:
            print_line(f"Titles of {scores.postings:,} held-out descriptions, {name}: MRR {scores.mrr:.3f}")
    print_line(f"Trained in {report.seconds:,.0f} s on {report.postings[0]:,} postings: {trained.model}")


def _show_search_encoder(done: SearchJob, trained: "Trained[SearchReport]") -> None:
    report = trained.report
    rows = [
        (
            task.name,
            f"{task.trained:,}",
            f"{task.held_out:,}",
            _before_after(task.loss_before, task.loss_after),
            _before_after(task.mrr_before, task.mrr_after),
        )
        for task in report.tasks
    ]
    print_table(("task", "pairs", "held out", "loss", "MRR"), rows, title="On held-out pairs, before -> after")
    _print_comparison(report.comparison)
    print_line(f"Trained in {report.seconds:,.0f} s, {report.recipe.schedule}: {trained.model}")


_FIGURES: dict[type[TrainingJob], Callable[[Any, Trained[Any]], None]] = {
    TowersJob: _show_towers,
    LinkingJob: _show_linking,
    TitleEncoderJob: _show_title_encoder,
    JdanJob: _show_jdan,
    SearchJob: _show_search_encoder,
}


def _print_epochs(report: "TowerReport | JdanReport", examples: str) -> None:
    rows = [("0", "-", three_decimals(report.before), "-")]
    for number, epoch in enumerate(report.epochs, start=1):
        losses = (three_decimals(epoch.loss), three_decimals(epoch.validation_loss))
        rows.append((str(number), *losses, f"{epoch.seconds:,.0f}"))
    print_table(("epoch", "loss", f"on held-out {examples}", "seconds"), rows)


def _print_comparison(comparison: BeforeAfter | None) -> None:
    if comparison is None:
        return
    rows = [
        (
            part.name,
            change.figure,
            f"{change.before:.3f}",
            f"{change.after:.3f}",
            f"{change.low:+.3f} to {change.high:+.3f}" if change.known else "-",
            change.outcome,
        )
        for part in comparison.parts
        for change in part.changes
    ]
    columns = ("on", "figure", "before", "after", "95% of the difference", "verdict")
    print_table(columns, rows, title=f"{comparison.before} and {comparison.after}")


def _before_after(before: float | None, after: float | None) -> str:
    return "-" if before is None else f"{three_decimals(before)} -> {three_decimals(after)}"
