"""`jobmatch train`: models by recipe."""

from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli import train_descriptions, train_models, training
from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_line
from jobmatch.cli.training import run_and_show
from jobmatch.services.shipped_files import recipe_file
from jobmatch.services.training_job import ShippedEncoderJob, TitleEncoderJob
from jobmatch_core.model_store.watch import no_stage

app = typer.Typer(help="Train models by recipe.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Train models by recipe."""


@app.command("title-encoder")
def title_encoder(
    recipe: Annotated[Path, typer.Argument(parser=recipe_file, help="A TOML file; see recipes/title-encoder.")],
    out: Annotated[Path | None, typer.Option(help="The model's folder; under JOBMATCH_HOME where not given.")] = None,
    data: Annotated[Path, typer.Option(help="The folder in which the recipe's files lie.")] = Path(),
    backbone: Annotated[
        str | None, typer.Option(help="In place of the recipe's: titles, a name, a folder, or hub:NAME.")
    ] = None,
    resume: Annotated[bool, typer.Option(help="Go on with an interrupted training, or start over.")] = True,
    json: JsonOption = False,
) -> None:
    """Train a title encoder in one or two stages.

    Example: jobmatch train title-encoder recipes/title-encoder/minilm-both.toml --out models/minilm-both
    """
    job = TitleEncoderJob(
        recipe=str(recipe), data=str(data), out=str(out or ""), backbone=backbone or "", resume=resume
    )  # fmt: skip
    run_and_show(job, json)


@app.command("shipped-encoder")
def shipped_encoder(
    data: Annotated[Path, typer.Argument(help="The folder with esco, onet, isco, parallel and titles_coded.")],
    teacher: Annotated[
        str | None,
        typer.Option(
            help="Start from random weights, taught English by this encoder: a name or folder, or hub:NAME. "
            "Without it the training goes on from the shipped encoder."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The model's folder; the shipped one where not given.")] = None,
    json: JsonOption = False,
) -> None:
    """Train the title encoder that comes with jobmatch again, and calibrate the linker with it.

    Example: jobmatch train shipped-encoder data --teacher hub:sentence-transformers/all-MiniLM-L6-v2
    """
    job = ShippedEncoderJob(str(data), teacher or "", str(out or ""))
    run_and_show(job, json, stage=no_stage if json else print_line)


app.command("job")(training.job)
app.command("snapshot")(train_models.snapshot)
app.command("towers")(train_models.towers)
app.command("linking")(train_models.linking)
app.command("search-encoder")(train_models.search_encoder)
app.command("jdan")(train_descriptions.jdan)
app.command("posting-weights")(train_descriptions.posting_weights)
app.command("hint-weights")(train_descriptions.hint_weights)
