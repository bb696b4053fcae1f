"""Files that ship with the package: found in a checkout and in an installed package."""

from pathlib import Path

import pytest

from jobmatch.services import shipped_files
from jobmatch.services.shipped_files import app_folder, recipe_file

ROOT = Path(__file__).parents[3]


def test_a_checkout() -> None:
    """The app is at its root."""
    assert app_folder() == ROOT
    assert (app_folder() / "app.py").is_file()


def test_an_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app is a folder of the package."""
    (tmp_path / "_app").mkdir()
    monkeypatch.setattr(shipped_files, "_PACKAGE", tmp_path)
    assert app_folder() == tmp_path / "_app"


def test_recipes_are_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shipped one is used if the working directory has none of this name."""
    monkeypatch.chdir(tmp_path)
    name = Path("recipes/towers/titles.toml")
    assert recipe_file(str(name)) == ROOT / name
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).touch()
    assert recipe_file(str(name)) == name


@pytest.mark.parametrize("given", ["recipes/towers/no-such.toml", "recipes/../README.md", "README.md", "recipes", ""])
def test_nothing_else_is_looked_up(given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other names are files of the working directory."""
    monkeypatch.chdir(tmp_path)
    assert recipe_file(given) == Path(given)
