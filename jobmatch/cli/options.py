"""Options that several commands share, and what their values must be."""

from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

from jobmatch_core.errors import SettingsError

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")]
SeparatorOption = Annotated[
    str, typer.Option(help="Character between the cells of CSV, such as ; or tab; detected if not given.")
]
EncodingOption = Annotated[
    str | None, typer.Option(help="Text encoding, such as cp1252; detected by the letters if not given.")
]
PostingModelOption = Annotated[
    str,
    typer.Option(
        help="jdan, mean, max, document, a trained one's name or folder, or encoders' words with + between them."
    ),
]
HeaderRowOption = Annotated[
    int | None, typer.Option(min=0, help="Row with the columns' names, from 1, or 0 for none; detected if not given.")
]
SheetOption = Annotated[str | None, typer.Option(help="The workbook's sheet; chosen by its content if not given.")]
SeedOption = Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Of everything random; any whole number.")]


def finite(number: float | None) -> float | None:
    """Return the number of an option; refuse NaN and infinity, which no range excludes."""
    if number is not None and not isfinite(number):
        raise typer.BadParameter(f"{number} is not a finite number.")
    return number


def check_apart(out: Path | None, *read: Path | None) -> None:
    """Refuse to write what is read.

    Raises:
        SettingsError: the output is one of the files that are read.
    """
    for path in read:
        if out is not None and path is not None and out.exists() and path.exists() and out.samefile(path):
            raise SettingsError(f"{out} is to be read, and would be replaced; give --out another name.")
