"""Reads recipes from TOML files and checks their values."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import read_toml

ABOVE, LEAST, SHARE = "expected more than 0", "expected 0 or more", "expected a share, such as 0.1"
Limits = Mapping[str, Mapping[str, str]]  # for each section the numbers in it, each with one of the three above
# limits of the section [training] of models trained by `training.loop`
TRAINING_LIMITS = dict.fromkeys(("epochs", "learning_rate"), ABOVE) | {"weight_decay": LEAST}
TRAINING_LIMITS |= dict.fromkeys(("warmup", "validation"), SHARE)


class BaseRecipe(Protocol):
    """A recipe of any kind of model: a dataclass with the keys and sections of its file.

    Recipes inherit no fields: their order is stored in reports and identifies an unfinished training.
    """

    @property
    def name(self) -> str:
        """Name of the model; the file's name by default."""

    @property
    def seed(self) -> int:
        """Seed of all random generators."""


_Recipe = TypeVar("_Recipe", bound=BaseRecipe)


def read_recipe_file(path: Path, kind: type[_Recipe], check: Callable[[_Recipe], None]) -> _Recipe:
    """Read a recipe; its name defaults to the file's name.

    Args:
        path: a TOML file.
        kind: the recipe's dataclass, with a field `name`.
        check: raises ValueError for values of the right type that are not allowed.

    Raises DataFileError if the file is missing or not TOML, or a key is unknown, missing or invalid.
    """
    try:
        recipe = record_of(kind, {"name": path.stem} | _table(path), "the recipe", lone_values=True)
        check(recipe)
    except ValueError as error:
        raise DataFileError(path, str(error)) from error
    return recipe


def check_recipe(recipe: BaseRecipe, limits: Limits) -> None:
    """Raise ValueError for an unusable name, an invalid seed, or a number outside its limits.

    *limits* are by section; sections that are None in the recipe are skipped.
    """
    if not recipe.name or Path(recipe.name).name != recipe.name:
        raise ValueError(f"name is {recipe.name!r}; expected one that a folder can have")
    if not 0 <= recipe.seed < 2**32:
        raise ValueError(f"seed is {recipe.seed}; expected a whole number from 0 to {2**32 - 1}")
    for section, expected in limits.items():
        if (values := getattr(recipe, section)) is not None:
            _check_limits(section, values, expected)


def _check_limits(section: str, values: object, limits: Mapping[str, str]) -> None:
    for name, expected in limits.items():
        value = getattr(values, name)
        if value < 0 or (value == 0 and expected == ABOVE) or (value >= 1 and expected == SHARE):
            raise ValueError(f"{name} in [{section}] is {value}; {expected}")


def _table(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path)
    except OSError as error:
        raise DataFileError(path, f"the recipe cannot be read ({error.strerror or error})") from error
    except ValueError as error:
        raise DataFileError(path, f"this is not a TOML file ({error})") from error
