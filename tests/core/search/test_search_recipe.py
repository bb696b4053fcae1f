"""Recipes of search encoders: all that ship can be read, and what cannot be trained is said with its key."""

from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.search.search_recipe import read_search_recipe

SHIPPED = sorted((Path(__file__).parents[3] / "recipes" / "search").glob("*.toml"))
TASK = '[[tasks]]\nname = "clicks"\nkind = "positives"\nfiles = ["clicks.tsv"]\n'


def recipe_of(tmp_path: Path, text: str) -> Path:
    """Write a recipe."""
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_recipes(path: Path) -> None:
    """Each has the name of its file."""
    assert read_search_recipe(path).name == path.stem


def test_defaults_are_the_papers(tmp_path: Path) -> None:
    """Of sections III-B and VI-A."""
    recipe = read_search_recipe(recipe_of(tmp_path, TASK))
    assert (recipe.layers, recipe.dimension, recipe.query_tokens, recipe.document_tokens) == (6, 32, 16, 75)
    assert (recipe.schedule, recipe.tasks[0].negatives, recipe.tasks[0].distance) == ("proportional", "semi-hard", "l1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "tasks"),
        ("tasks = []", "expected one"),
        (TASK + TASK, "two tasks have one name"),
        (TASK.replace('files = ["clicks.tsv"]', ""), "either files or made"),
        (TASK + 'made = "skills"', "either files or made"),
        (TASK.replace("positives", "taught"), "names no teacher"),
        (TASK.replace("positives", "clicks"), "kind"),
        (TASK + "weight = 0", "weight of the task 'clicks' is 0"),
        (TASK + "most = -1", "most of the task"),
        (TASK + 'distance = "l3"', "distance"),
        ("dimension = 33\n" + TASK, "even number"),
        ("layers = 0\n" + TASK, "layers is 0"),
        ('schedule = "chance"\n' + TASK, "schedule"),
        ('name = "a/b"\n' + TASK, "name is"),
        (TASK + "[training]\nepochs = 0", "epochs in"),
        (TASK + "[training]\nvalidation = 1", "validation in"),
    ],
)
def test_what_cannot_be_trained(tmp_path: Path, text: str, said: str) -> None:
    """Is said with its key."""
    with pytest.raises(DataFileError, match=said):
        read_search_recipe(recipe_of(tmp_path, text))
