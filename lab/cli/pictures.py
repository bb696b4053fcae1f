"""`python -m lab pictures`: pictures of the pages for the documents."""

from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.output import print_line


def pictures(
    only: Annotated[
        list[str] | None, typer.Option(help="A picture, such as 'search' or 'walk'; all by default.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder of the documents.")] = Path("docs"),
) -> None:
    """Take the pictures of the pages from the app, whose home is a demo's.

    Example: JOBMATCH_HOME=demo python -m lab pictures --only search
    """
    from lab.speed.page_pictures import take_pictures  # playwright is a dependency of the development alone

    for path in take_pictures(out, only or ()):
        print_line(str(path))
