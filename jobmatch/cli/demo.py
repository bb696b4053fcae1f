"""`jobmatch demo`: the app on made-up data, in a home of its own."""

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jobmatch.cli.output import is_terminal, print_note, progress_bar
from jobmatch.cli.serve import check_free, open_app
from jobmatch.services.demo_home import demo_folder
from jobmatch_core.settings import Settings

if TYPE_CHECKING:
    from jobmatch_core.entities import Progress

# replace the user's settings: label store and vectors lie in the demo's home, and lists are kept
_ENVIRONMENT = {"JOBMATCH_DB": "", "JOBMATCH_VECTOR_URL": "", "JOBMATCH_VECTOR_KEY": "", "JOBMATCH_KEEP_DAYS": "0"}


def demo(
    home: Annotated[
        Path | None, typer.Option(help="Folder of the demo; by default your own folder's name with -demo added.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Build the demo again; what was done in it is lost.")] = False,
    build: Annotated[bool, typer.Option("--build-only", help="Build the demo and do not open it.")] = False,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8501,
    headless: Annotated[bool, typer.Option("--headless", help="Do not open a browser.")] = False,
) -> None:
    """Open the app on a made-up month of a small agency; your own data stays untouched.

    Example: jobmatch demo
    """
    from jobmatch.services.demo_building import open_demo  # the databases' libraries take a second

    if not build:
        check_free("127.0.0.1", port)
    own = Settings.from_environment()
    settings = Settings((home.expanduser().resolve() if home else demo_folder(own)), keep_days=0)
    os.environ.update(_ENVIRONMENT, JOBMATCH_HOME=str(settings.home))  # also for the training's process
    open_demo(settings, own, step=_step, fresh=fresh)
    print_note(f"The demo is in {settings.home}. All of its data is made up.")
    print_note("To start it again, run the same command; to delete it, delete that folder.")
    if not build:
        open_app(port=port, headless=headless)


def _step(what: str) -> "AbstractContextManager[Progress]":
    if not is_terminal():  # where no bar is drawn
        print_note(what)
    return progress_bar(what)
