"""Shipped files that are outside the package in a checkout: the app and the recipes of trainings."""

from pathlib import Path

RECIPES = "recipes"
_PACKAGE = Path(__file__).parents[1]


def app_folder() -> Path:
    """Return the folder of `app.py`, `pages` and `recipes`: in an installed package, or the root of a checkout."""
    installed = _PACKAGE / "_app"  # see pyproject.toml
    return installed if installed.is_dir() else _PACKAGE.parent


def recipe_file(name: str | Path) -> Path:
    """Return the path of a recipe; `recipes/...` is the shipped one if the working directory has no such file."""
    path = Path(name)
    shipped = app_folder() / path
    may_be_shipped = path.parts[:1] == (RECIPES,) and ".." not in path.parts
    return shipped if may_be_shipped and not path.exists() and shipped.is_file() else path
