"""Recipes of the title encoder: valid keys, and the errors of invalid ones."""

from collections.abc import Callable
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.titles.title_recipe import read_recipe

SHIPPED = sorted((Path(__file__).parents[3] / "recipes" / "title-encoder").glob("*.toml"))


def test_a_recipe_is_read(recipe_file: Callable[..., Path]) -> None:
    """Sections become records, a single temperature one of several, and a name comes from the file."""
    recipe = read_recipe(recipe_file(names='names = "esco-1.0"\nlanguages = ["en"]'))
    assert recipe.name == "toy"
    assert recipe.data.languages == ("en",)
    assert recipe.stage1 is not None
    assert recipe.stage2 is not None
    assert (recipe.stage1.steps, recipe.stage1.learning_rate) == (12, 0.05)
    assert recipe.stage2.temperature == (0.2,)


@pytest.mark.parametrize("path", SHIPPED, ids=[path.stem for path in SHIPPED])
def test_shipped_recipes_are_whole(path: Path) -> None:
    """Each runs the stages that its name says."""
    recipe = read_recipe(path)
    assert (recipe.stage1 is not None) == path.stem.endswith(("stage1", "both"))
    assert (recipe.stage2 is not None) == path.stem.endswith(("stage2", "both"))


def test_there_are_shipped_recipes() -> None:
    """Three for each of two backbones; the test above looks at them."""
    assert len(SHIPPED) == 6


@pytest.mark.parametrize(
    ("key", "line", "message"),
    [
        ("seed", "sed = 3", "'sed' is unknown in the recipe; expected name, backbone"),
        ("titles", "titels = 6", r"'titels' is unknown in \[held_out\]; expected titles"),
        ("backbone", "", "'backbone' is missing in the recipe"),
        ("names", "", r"'names' is missing in \[data\]"),
        ("seed", 'seed = "3"', "seed is '3'; expected a whole number"),
        ("seed", "seed = true", "seed is True; expected a whole number"),
        ("seed", "seed = 1\nstage1 = 3", None),
        ("seed", 'seed = 1\nprecision = "half"', "precision is 'half'; expected one of bf16, float32, fp16"),
        ("names", 'names = "x"\nlanguages = [1]', "languages is 1; expected a text"),
        ("titles", "titles = 0", r"titles in \[held_out\] is 0; expected more than 0"),
        ("epochs", "epochs = 0", r"epochs in \[stage1\] is 0; expected more than 0"),
        ("epochs", "warmup = 1.5", r"warmup in \[stage1\] is 1.5; expected a share"),
        ("negatives", "negatives = 200", "pool is 128; expected at least as many as negatives, 200"),
        ("negatives", "temperature = 0", r"temperature in \[stage2\] is 0.0; expected more than 0"),
        ("negatives", "temperature = []", r"temperature in \[stage2\] is 0; expected more than 0"),
        ("negatives", "temperature = [0.1, 0.2]", "several temperatures need grid_steps"),
        ("negatives", "grid_steps = 3", "several temperatures need grid_steps"),
        ("negatives", "max_pairs = -1", "max_pairs is -1; expected 0 for all, or more"),
    ],
)
def test_faults_are_named(recipe_file: Callable[..., Path], key: str, line: str, message: str | None) -> None:
    """The error names the key, its value and what is expected; TOML itself refuses a repeated section."""
    with pytest.raises(DataFileError, match=message or "not a TOML file"):
        read_recipe(recipe_file(**{key: line}))


def test_faults_of_the_whole_file(tmp_path: Path) -> None:
    """No section, and a value where a section is expected."""
    path = tmp_path / "r.toml"
    path.write_text('backbone = "x"\n[data]\nnames = "x"', "utf-8")
    with pytest.raises(DataFileError, match=r"there is neither \[stage1\] nor \[stage2\]"):
        read_recipe(path)
    path.write_text('backbone = "x"\ndata = "esco"', "utf-8")
    with pytest.raises(DataFileError, match=r"'data' must be a section \[data\]"):
        read_recipe(path)
