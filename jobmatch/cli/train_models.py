"""`jobmatch train snapshot|towers|linking`: models that learn from labels and can be promoted."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch.services.run_status import reported
from jobmatch.services.shipped_files import recipe_file
from jobmatch_core.io.folder_lock import claimed
from jobmatch_core.labelling.label_source import opened_labels
from jobmatch_core.labelling.snapshot_store import Snapshots, open_snapshot
from jobmatch_core.linking import open_linker
from jobmatch_core.linking.linking_model import linking_model_in_use
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.metrics.before_after import BeforeAfter, Change
from jobmatch_core.model_store.registry import ModelKind, Registry
from jobmatch_core.model_store.watch import Watch
from jobmatch_core.retrieval.match_models import model_in_use
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID
from jobmatch_core.towers.tower_recipe import read_tower_recipe

OutOption = Annotated[Path | None, typer.Option(help="The model's folder; under JOBMATCH_HOME where not given.")]
RunOption = Annotated[
    Path | None, typer.Option(help="Write how far it has come to this folder's status.json, as the app's trainings do.")
]


def snapshot(json: JsonOption = False) -> None:
    """Freeze the labels that count now under JOBMATCH_HOME/snapshots, for trainings to read.

    Example: jobmatch train snapshot
    """
    settings = Settings.from_environment()
    with opened_labels(settings) as labels:
        frozen = Snapshots(settings).freeze(labels.as_recorded())
    if json:
        print_json({"snapshot": frozen.name} | (asdict(frozen.manifest) if frozen.manifest else {}))
    elif frozen.manifest:
        classes = frozen.manifest.classes
        print_line(f"{frozen.name}: {classes['positive']:,} positive labels, {classes['negative']:,} negative")


def towers(
    recipe: Annotated[Path, typer.Argument(parser=recipe_file, help="A TOML file; see recipes/towers.")],
    marketplace: Annotated[str, typer.Option(help="To learn from; see `jobmatch marketplace list`.")] = "demo",
    snapshot: Annotated[
        Path | None, typer.Option(help="Learn from these frozen labels, too: a name under JOBMATCH_HOME, or a folder.")
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--from", help="Start from this model; with --snapshot the one in use if not given."),
    ] = None,
    out: OutOption = None,
    backbone: Annotated[
        str | None, typer.Option(help="In place of the recipe's: titles, a folder, or hub:NAME.")
    ] = None,
    compare: Annotated[bool, typer.Option(help="Measure it beside the model in use.")] = True,
    resume: Annotated[bool, typer.Option(help="Go on with an interrupted training, or start over.")] = True,
    run: RunOption = None,
    json: JsonOption = False,
) -> None:
    """Train the two towers that match projects and freelancers, on a history and on labels.

    Example: jobmatch train towers recipes/towers/titles.toml --marketplace demo

    Example: jobmatch train towers recipes/towers/retrain.toml --snapshot 2026-11-21-093000
    """
    with _watched(run, json) as watch:
        settings = Settings.from_environment()
        in_use = model_in_use(settings)
        read = read_tower_recipe(recipe)
        given = start if start is not None else read.start or (in_use if snapshot else "")
        read = replace(read, backbone=backbone or read.backbone, start=given)
        out = out or settings.models / read.name
        labels = open_snapshot(snapshot, settings) if snapshot else None

        market = MarketplaceStore.open(settings).load(marketplace)
        if labels or run:  # before there is a newer model, which would be in use where nobody has promoted one yet
            Registry(settings).keep_in_use(ModelKind.TOWERS, in_use)

        from jobmatch_core.retraining.tower_retraining import retrain_towers  # torch takes seconds

        with claimed(out):
            report = retrain_towers(
                read, market, out, labels=labels, against=in_use if compare else None, settings=settings, resume=resume,
                watch=watch,
            )  # fmt: skip
    if json:
        print_json({"model": str(out)} | asdict(report))
        return
    rows = [("0", "-", _shown(report.before), "-")]
    for number, each in enumerate(report.epochs, start=1):
        rows.append((str(number), _shown(each.loss), _shown(each.validation_loss), f"{each.seconds:,.0f}"))
    print_table(("epoch", "loss", "of left-out projects", "seconds"), rows)
    _print_comparison(report.comparison)
    print_line(f"Trained in {report.seconds:,.0f} s on {report.projects[0]:,} projects: {out}")
    if report.generated:
        print_line(f"The marketplace {marketplace} is a generated one.")


def linking(
    snapshot: Annotated[Path, typer.Option(help="Frozen labels: a name under JOBMATCH_HOME, or a folder.")],
    taxonomy: Annotated[str, typer.Option(help="Whose links were judged; see `jobmatch taxonomy list`.")] = BUNDLED_ID,
    out: OutOption = None,
    run: RunOption = None,
    json: JsonOption = False,
) -> None:
    """Fit the linker's concept head and probabilities again on judged links, held near to how it answers now.

    Example: jobmatch train linking --snapshot 2026-11-21-093000 --taxonomy esco-1.0.3
    """
    with _watched(run, json) as watch:
        settings = Settings.from_environment()
        labels = open_snapshot(snapshot, settings)
        watch.stage("Reading the names of occupations")
        linker = open_linker(taxonomy, settings=settings, progress=watch.progress)
        in_use = linking_model_in_use(linker.calibration.features, linker.encoder_name, settings)
        out = out or settings.models / f"linking-{labels.name}"
        Registry(settings).keep_in_use(ModelKind.LINKING, in_use)

        from jobmatch_core.retraining.linker_retraining import retrain_linker  # torch takes seconds

        with claimed(out):
            report = retrain_linker(linker, in_use, labels, out, watch=watch)
    if json:
        print_json({"model": str(out)} | asdict(report))
        return
    _print_comparison(report.comparison)
    print_line(f"Fitted in {report.seconds:,.0f} s on {report.titles[0]:,} judged titles: {out}")


def _print_comparison(comparison: BeforeAfter | None) -> None:
    if comparison is None:
        return
    rows = [
        (part.name, change.figure, f"{change.before:.3f}", f"{change.after:.3f}", _interval(change),
         "worse" if change.worse else "better" if change.better else "")
        for part in comparison.parts
        for change in part.changes
    ]  # fmt: skip
    columns = ("on", "figure", "before", "after", "95 % of the difference", "")
    print_table(columns, rows, title=f"{comparison.before} and {comparison.after}")


def _interval(change: Change) -> str:
    return f"{change.low:+.3f} to {change.high:+.3f}" if change.known else "too few to say"


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


@contextmanager
def _watched(run: Path | None, json: bool) -> Iterator[Watch]:
    """Yield callbacks to a run's status file, if there is one, or else to the terminal."""
    if run is not None:
        with reported(run, typer.echo) as writer:
            yield Watch(writer.stage, writer.progress, writer.losses)
        return
    with progress_bar("Training", hidden=json) as progress:
        yield Watch(progress=progress)
