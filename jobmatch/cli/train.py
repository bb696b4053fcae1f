"""`jobmatch train`: models by recipe."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli import train_descriptions, train_models
from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch.services.shipped_files import recipe_file
from jobmatch_core.io.folder_lock import claimed
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.titles.title_recipe import read_recipe

app = typer.Typer(help="Train models by recipe.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Train models by recipe."""


@app.command("title-encoder")
def title_encoder(
    recipe: Annotated[Path, typer.Argument(parser=recipe_file, help="A TOML file; see recipes/title-encoder.")],
    out: Annotated[Path | None, typer.Option(help="The model's folder; under JOBMATCH_HOME where not given.")] = None,
    data: Annotated[Path, typer.Option(help="The folder in which the recipe's files lie.")] = Path(),
    backbone: Annotated[str | None, typer.Option(help="In place of the recipe's; a folder or hub:NAME.")] = None,
    resume: Annotated[bool, typer.Option(help="Go on with an interrupted training, or start over.")] = True,
    json: JsonOption = False,
) -> None:
    """Train a title encoder in one or two stages.

    Example: jobmatch train title-encoder recipes/title-encoder/minilm-both.toml --out models/minilm-both
    """
    read = read_recipe(recipe)
    read = replace(read, backbone=backbone) if backbone else read
    out = out or Settings.from_environment().models / read.name

    from transformers.utils import logging  # it and torch take seconds

    from jobmatch_core.titles.title_training import train_title_encoder

    logging.set_verbosity_error()  # its remarks on checkpoints are for programmers
    with claimed(out), progress_bar("Training", hidden=json) as progress:
        report = train_title_encoder(read, out, data=data, resume=resume, progress=progress)
    if json:
        print_json({"model": str(out)} | asdict(report))
        return
    figures = [("before", report.before), *((stage.stage, stage.after) for stage in report.stages)]
    rows = [(name, f"{each.mrr:.3f}", _shown(each.mrr_to_english)) for name, each in figures]
    print_table(("after", "MRR", "MRR to English"), rows, title="Left-out names")
    print_line(f"Trained in {report.seconds:,.0f} s: {out}")


@app.command("shipped-encoder")
def shipped_encoder(
    data: Annotated[Path, typer.Argument(help="The folder with esco, onet, isco and parallel, unpacked.")],
    teacher: Annotated[str, typer.Option(help="The encoder that teaches English; a folder or hub:NAME.")],
    out: Annotated[Path | None, typer.Option(help="The model's folder; the shipped one where not given.")] = None,
    json: JsonOption = False,
) -> None:
    """Train the title encoder that comes with jobmatch again, and calibrate the linker with it.

    Example: jobmatch train shipped-encoder data --teacher hub:sentence-transformers/all-MiniLM-L6-v2
    """
    from jobmatch_core.encoders.embedding_cache import EmbeddingCache  # torch takes seconds
    from jobmatch_core.encoders.loading import load_encoder
    from jobmatch_core.retraining.shipped_encoder import shipped_paths, train_shipped_encoder

    shipped, calibration = shipped_paths()
    folder = out or shipped
    file = calibration if out is None else out.with_name(f"{out.name}-calibration.json")
    note = (lambda text: None) if json else print_line
    with claimed(folder), progress_bar("Training", hidden=json) as progress:
        settings = Settings.from_environment()  # the teacher's vectors are cached, in case this is interrupted
        taught_by, store = EmbeddingCache(load_encoder(teacher), settings.caches / "embeddings"), TaxonomyStore.open()
        report = train_shipped_encoder(data, folder, file, taught_by, store, note=note, progress=progress)
    if json:
        print_json({"model": str(folder), "calibration_file": str(file)} | asdict(report))
        return
    print_line(f"Trained in {report.seconds:,.0f} s on {report.texts:,} texts: {folder}")


app.command("snapshot")(train_models.snapshot)
app.command("towers")(train_models.towers)
app.command("linking")(train_models.linking)
app.command("jdan")(train_descriptions.jdan)
app.command("posting-weights")(train_descriptions.posting_weights)


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
