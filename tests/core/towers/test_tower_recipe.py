"""Recipes of towers: those of the project are valid, and errors name the mistake."""

import subprocess
import sys
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.towers.dual_losses import LOSSES
from jobmatch_core.towers.sampling import Sampling
from jobmatch_core.towers.tower_recipe import TowerConfig, TowerRecipe, TowerTraining, read_tower_recipe

RECIPES = sorted((Path(__file__).parents[3] / "recipes" / "towers").glob("*.toml"))


def written(folder: Path, text: str) -> Path:
    """Write a recipe."""
    path = folder / "mine.toml"
    path.write_text(text, "utf-8")
    return path


def test_the_recipes_that_come_along() -> None:
    """Each recipe differs from the default in the listed settings."""
    recipes = {path.stem: read_tower_recipe(path) for path in RECIPES}
    titles = recipes["titles"]
    assert titles == TowerRecipe("titles"), "the default is what the classes say"
    changed = {name: _differences(titles, recipe) for name, recipe in recipes.items() if name != "titles"}
    assert changed == {
        "minilm": {"backbone"},
        "no-sections": {"tower.section_embeddings"},
        "no-head": {"tower.head"},
        "no-skip": {"tower.skip"},
        "no-weighting": {"tower.weighted_pooling"},
        "no-weak-negatives": {"sampling.weak_negatives"},
        "no-project-weak-negatives": {"sampling.project_weak_negatives"},
        "triplet": {"sampling.weak_negatives", "training.loss"},
        "retrain": {"training.epochs", "training.learning_rate"},
        "paper-sampling": {f"sampling.{name}" for name in Sampling.__dataclass_fields__} | {"training.epochs"},
    }


def _differences(one: TowerRecipe, other: TowerRecipe) -> set[str]:
    parts = {"tower": TowerConfig, "sampling": Sampling, "training": TowerTraining}
    differing = {
        f"{part}.{name}"
        for part, kind in parts.items()
        for name in kind.__dataclass_fields__
        if getattr(getattr(one, part), name) != getattr(getattr(other, part), name)
    }
    return differing | {
        name for name in ("backbone", "seed", "share_test") if getattr(one, name) != getattr(other, name)
    }


def test_an_empty_recipe_is_the_default(tmp_path: Path) -> None:
    """Its name is that of the file."""
    assert read_tower_recipe(written(tmp_path, "")) == TowerRecipe("mine")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour = 1", "'colour' is unknown in the recipe"),
        ("[tower]\ncolour = 1", r"'colour' is unknown in \[tower\]"),
        ("[tower]\nheads = 0", r"heads in \[tower\] is 0; expected more than 0"),
        ("[tower]\ndropout = 1.0", "dropout .* expected a share"),
        ("[tower]\nwidth = -1", "width .* expected 0 or more"),
        ("[sampling]\npositives = 0", "positives .* more than 0"),
        ("[training]\nvalidation = -0.1", "validation .* expected a share"),
        ('[training]\nloss = "cosine"', "loss is 'cosine'; expected one of infonce, "),
        ("share_test = 1", "share_test is 1.0; expected a share"),
    ],
)
def test_mistakes(tmp_path: Path, text: str, message: str) -> None:
    """The error has the key, the value and the expected values."""
    with pytest.raises(DataFileError, match=f"mine.toml: .*{message}"):
        read_tower_recipe(written(tmp_path, text))


def test_a_loss_is_one_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recipe may name a new loss, and errors list it."""
    monkeypatch.setitem(LOSSES, "cosine", LOSSES["triplet"])
    assert read_tower_recipe(written(tmp_path, '[training]\nloss = "cosine"')).training.loss == "cosine"
    with pytest.raises(DataFileError, match=r"loss is 'sine'; expected one of infonce, .*, cosine"):
        read_tower_recipe(written(tmp_path, '[training]\nloss = "sine"'))


@pytest.mark.thorough
def test_recipes_are_read_without_torch(tmp_path: Path) -> None:
    """Pages list them without training."""
    code = (
        "import sys; from pathlib import Path; from jobmatch_core.towers.tower_recipe import read_tower_recipe\n"
        f"read_tower_recipe(Path({str(written(tmp_path, ''))!r})); print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
