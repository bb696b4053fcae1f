"""Files that ship with the package but lie outside it in a checkout: the app, and the recipes of trainings."""

from pathlib import Path

RECIPES = "recipes"
_PACKAGE = Path(__file__).parents[1]


def app_folder() -> Path:
    """Return the folder of `app.py`, `pages` and `recipes`: part of an installed package, or the top of a checkout."""
    installed = _PACKAGE / "_app"  # see pyproject.toml
    return installed if installed.is_dir() else _PACKAGE.parent


def recipe_file(given: str | Path) -> Path:
    """Return the file that *given* names; `recipes/...` means the shipped one where the working directory has none."""
    path = Path(given)
    shipped = app_folder() / path
    ours = path.parts[:1] == (RECIPES,) and ".." not in path.parts
    return shipped if ours and not path.exists() and shipped.is_file() else path
