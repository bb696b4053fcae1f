"""TOML files as tables, with errors for people."""

import tomllib
from pathlib import Path
from typing import Any

from jobmatch_core.errors import DataFileError


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a recipe says.

    Raises:
        DataFileError: it is missing or no TOML.
    """
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise DataFileError(path, f"the recipe cannot be read ({error.strerror or error})") from error
    except ValueError as error:
        raise DataFileError(path, f"this is not a TOML file ({error})") from error
