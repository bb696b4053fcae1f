"""`jobmatch train search-encoder`: the encoder of queries and documents."""

from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.train_models import OutOption, RunOption
from jobmatch.cli.training import run_and_show
from jobmatch.services.shipped_files import recipe_file
from jobmatch.services.training_job import SearchJob


def search_encoder(
    recipe: Annotated[Path, typer.Argument(parser=recipe_file, help="A TOML file; see recipes/search.")],
    data: Annotated[Path, typer.Option(help="The folder in which the recipe's files lie.")] = Path(),
    out: OutOption = None,
    backbone: Annotated[
        str | None, typer.Option(help="In place of the recipe's: titles, a folder, or hub:NAME.")
    ] = None,
    start: Annotated[
        str | None, typer.Option("--from", help="Start from this search encoder, in place of the recipe's.")
    ] = None,
    teacher: Annotated[
        str | None, typer.Option(help="In place of the recipe's: a search encoder, or any other encoder.")
    ] = None,
    resume: Annotated[bool, typer.Option(help="Go on with an interrupted training, or start over.")] = True,
    run: RunOption = None,
    json: JsonOption = False,
) -> None:
    """Train the encoder of queries and documents on several tasks at once.

    Example: jobmatch train search-encoder recipes/search/clicks.toml --data data --from search
    """
    job = SearchJob(
        recipe=str(recipe), data=str(data), out=str(out or ""), backbone=backbone or "", start=start or "",
        teacher=teacher or "", resume=resume,
    )  # fmt: skip
    run_and_show(job, json, run=run)
