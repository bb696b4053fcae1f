"""Options that several commands share, and what their values must be."""

from math import isfinite
from typing import Annotated, Literal

import typer

from jobmatch_core.encoders import load_encoder
from jobmatch_core.entities import Encoder
from jobmatch_core.errors import SettingsError
from jobmatch_core.languages import LANGUAGE_NAMES, language_code

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")]
PostingModelOption = Annotated[
    str,
    typer.Option(
        help="jdan, mean, max, document, a trained one's name or folder, or encoders' folders with + between them."
    ),
]


def finite(number: float | None) -> float | None:
    """Return the number of an option; refuse NaN and infinity, which no range excludes."""
    if number is not None and not isfinite(number):
        raise typer.BadParameter(f"{number} is no finite number.")
    return number


SHIPPED, NO_ENCODER = "shipped", "none"


def chosen_encoder(name: str) -> Encoder | Literal["shipped"] | None:
    """Return the encoder that a user's word stands for, as `open_linker` takes it.

    Raises:
        LinkingError: it cannot be loaded from here.
    """
    if name == SHIPPED:
        return "shipped"
    return None if name == NO_ENCODER else load_encoder(name)


def checked_language(code: str) -> str:
    """Return the two-letter code that a user's code stands for.

    Raises:
        SettingsError: it is not a language known here.
    """
    found = language_code(code)
    if found is None:
        raise SettingsError(f"{code!r} is not a language known here; known are {', '.join(LANGUAGE_NAMES)}.")
    return found
