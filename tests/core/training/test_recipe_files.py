"""Reading of recipes, and the checks that are the same for every kind."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.training.recipe_files import ABOVE, TRAINING_LIMITS, check_recipe, read_recipe_file


@dataclass(frozen=True)
class Settings:
    """The settings of the loop."""

    epochs: int = 2
    learning_rate: float = 0.1
    warmup: float = 0.0
    weight_decay: float = 0.0
    validation: float = 0.0


@dataclass(frozen=True)
class Stage:
    """A section that may be missing."""

    steps: int


@dataclass(frozen=True)
class Recipe:
    """A recipe of the least kind of model."""

    name: str
    seed: int = 1
    training: Settings = field(default_factory=Settings)
    stage: Stage | None = None


def check(recipe: Recipe) -> None:
    """Check all that it says."""
    check_recipe(recipe, {"training": TRAINING_LIMITS, "stage": {"steps": ABOVE}})


def written(folder: Path, text: str) -> Path:
    """Write a recipe."""
    path = folder / "mine.toml"
    path.write_text(text, "utf-8")
    return path


def test_what_is_not_said_is_the_default(tmp_path: Path) -> None:
    """The name is the file's; a section that may be missing is not checked."""
    assert read_recipe_file(written(tmp_path, ""), Recipe, check) == Recipe("mine")
    text = 'name = "x"\n[training]\nwarmup = 0.99\nlearning_rate = 1\n[stage]\nsteps = 3\n'
    read = read_recipe_file(written(tmp_path, text), Recipe, check)
    assert read == Recipe("x", training=Settings(warmup=0.99, learning_rate=1.0), stage=Stage(3))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('name = "a/b"', "name is 'a/b'; expected one that a folder can have"),
        ('name = ""', "name is ''; expected one that a folder can have"),
        ("seed = -1", "seed is -1; expected a whole number from 0 to 4294967295"),
        (f"seed = {2**32}", "expected a whole number from 0 to 4294967295"),
        ("[training]\nepochs = 0", r"epochs in \[training\] is 0; expected more than 0"),
        ("[training]\nlearning_rate = 0", r"learning_rate in \[training\] is 0.0; expected more than 0"),
        ("[training]\nweight_decay = -1", r"weight_decay in \[training\] is -1.0; expected 0 or more"),
        ("[training]\nwarmup = 1", r"warmup in \[training\] is 1.0; expected a share, such as 0.1"),
        ("[training]\nvalidation = -0.1", r"validation in \[training\] is -0.1; expected a share"),
        ("[stage]\nsteps = 0", r"steps in \[stage\] is 0; expected more than 0"),
        ("[training]\nepoch = 2", r"'epoch' is unknown in \[training\]; expected epochs, learning_rate"),
        ("[stage]", r"'steps' is missing in \[stage\]"),
        ("seed", "this is not a TOML file"),
    ],
)
def test_what_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    """Said with the key, its value and what is expected."""
    with pytest.raises(DataFileError, match=message):
        read_recipe_file(written(tmp_path, text), Recipe, check)


def test_a_recipe_that_is_not_there(tmp_path: Path) -> None:
    """Said of its file."""
    with pytest.raises(DataFileError, match=r"gone\.toml: the recipe cannot be read"):
        read_recipe_file(tmp_path / "gone.toml", Recipe, check)
