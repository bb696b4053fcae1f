"""Reading of recipes: a TOML file becomes a record of checked values, with errors for users."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import read_toml

ABOVE, LEAST, SHARE = "expected more than 0", "expected 0 or more", "expected a share, such as 0.1"
Limits = Mapping[str, Mapping[str, str]]  # for each section the numbers in it, each with one of the three above
_Recipe = TypeVar("_Recipe")


def read_recipe_file(path: Path, kind: type[_Recipe], check: Callable[[_Recipe], None]) -> _Recipe:
    """Read a recipe; its name defaults to the file's name.

    Args:
        path: a TOML file.
        kind: the recipe's dataclass, with a field `name`.
        check: raises a ValueError if values have the right types but cannot be used.

    Raises:
        DataFileError: it is missing or no TOML; a key is unknown, missing, or has a value that cannot be used.
    """
    try:
        recipe = record_of(kind, {"name": path.stem} | _table(path), "the recipe", lone_values=True)
        check(recipe)
    except ValueError as error:
        raise DataFileError(path, str(error)) from error
    return recipe


def check_name(name: str) -> None:
    """Raise ValueError for a name that cannot be a folder's name."""
    if not name or Path(name).name != name:
        raise ValueError(f"name is {name!r}; expected one that a folder can have")


def check_seed(seed: int) -> None:
    """Raise ValueError for a number that cannot seed a random generator."""
    if not 0 <= seed < 2**32:
        raise ValueError(f"seed is {seed}; expected a whole number from 0 to {2**32 - 1}")


def check_limits(recipe: object, limits: Limits) -> None:
    """Raise ValueError for numbers that are too low or too high."""
    for section, names in limits.items():
        for name, expected in names.items():
            value = getattr(getattr(recipe, section), name)
            if value < 0 or (value == 0 and expected == ABOVE) or (value >= 1 and expected == SHARE):
                raise ValueError(f"{name} in [{section}] is {value}; {expected}")


def _table(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path)
    except OSError as error:
        raise DataFileError(path, f"the recipe cannot be read ({error.strerror or error})") from error
    except ValueError as error:
        raise DataFileError(path, f"this is not a TOML file ({error})") from error
