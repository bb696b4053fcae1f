"""Options that several commands share, and checks of their values."""

from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

from jobmatch_core.errors import SettingsError
from jobmatch_core.text.locales import checked_language

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")]
SeparatorOption = Annotated[str, typer.Option(help="CSV separator, such as ; or tab; detected by default.")]
EncodingOption = Annotated[str | None, typer.Option(help="Text encoding, such as cp1252; detected by default.")]
PostingModelOption = Annotated[
    str, typer.Option(help="jdan, mean, max, document, the name or folder of a trained model, or encoders joined by +.")
]
HeaderRowOption = Annotated[
    int | None, typer.Option(min=0, help="Row with the column names, from 1; 0 for none; detected by default.")
]
SheetOption = Annotated[str | None, typer.Option(help="Sheet of the workbook; chosen by its content by default.")]
TitleColumnOption = Annotated[
    str | None, typer.Option(help="Column with the titles; detected by its content by default.")
]
MatchedLanguagesOption = Annotated[str, typer.Option(help="Match only names in these languages, such as de,en.")]
SeedOption = Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Random seed, a whole number.")]


def finite(number: float | None) -> float | None:
    """Return the number of an option; refuse NaN and infinity, which ranges do not exclude."""
    if number is not None and not isfinite(number):
        raise typer.BadParameter(f"{number} is not a finite number.")
    return number


def check_apart(out: Path | None, *read: Path | None) -> None:
    """Refuse an output that is one of the input files; raises SettingsError."""
    for path in read:
        if out is not None and path is not None and out.exists() and path.exists() and out.samefile(path):
            raise SettingsError(f"{out} is an input file and would be replaced; give --out another name.")


def language_list(text: str) -> tuple[str, ...]:
    """Return the codes of languages with commas between them; raises SettingsError for an unknown one."""
    return tuple(checked_language(code) for code in text.split(",") if code.strip())
