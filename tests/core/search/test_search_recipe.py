"""Recipes of search encoders, and schedules: every batch once, in the order of figure 3."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.errors import DataFileError
from jobmatch_core.search.search_recipe import SCHEDULES, proportional, random_read, read_search_recipe, sequential

SHIPPED = sorted((Path(__file__).parents[3] / "recipes" / "search").glob("*.toml"))
TASK = '[[tasks]]\nname = "clicks"\nkind = "positives"\nfiles = ["clicks.tsv"]\n'


def recipe_of(tmp_path: Path, text: str) -> Path:
    """Write a recipe."""
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_recipes(path: Path) -> None:
    """The name of each is that of its file."""
    assert read_search_recipe(path).name == path.stem


def test_defaults_are_the_papers(tmp_path: Path) -> None:
    """Defaults are those of sections III-B and VI-A."""
    recipe = read_search_recipe(recipe_of(tmp_path, TASK))
    assert (recipe.layers, recipe.dimension, recipe.query_tokens, recipe.document_tokens) == (6, 32, 16, 75)
    assert (recipe.schedule, recipe.tasks[0].negatives, recipe.tasks[0].distance) == ("proportional", "semi-hard", "l1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "tasks"),
        ("tasks = []", "expected at least one"),
        (TASK + TASK, "two tasks have the same name"),
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
        (TASK + "[training]\nepochs = 0", "epochs in"),
    ],
)
def test_what_cannot_be_trained(tmp_path: Path, text: str, said: str) -> None:
    """The error names the key."""
    with pytest.raises(DataFileError, match=said):
        read_search_recipe(recipe_of(tmp_path, text))


COUNTS = st.lists(st.integers(0, 20), max_size=5)


@pytest.mark.parametrize("name", list(SCHEDULES))
@given(counts=COUNTS, seed=st.integers(0, 99))
def test_every_batch_once(name: str, counts: list[int], seed: int) -> None:
    """Each schedule reads every batch once; a seed makes it reproducible."""
    order = SCHEDULES[name](counts, np.random.default_rng(seed))  # type: ignore[index]
    assert Counter(order) == Counter({task: count for task, count in enumerate(counts) if count})
    assert order == SCHEDULES[name](counts, np.random.default_rng(seed))  # type: ignore[index]


def test_sequential_by_hand() -> None:
    """One task after the other."""
    assert sequential([2, 0, 3], np.random.default_rng(1)) == [0, 0, 2, 2, 2]


def test_random_ends_with_the_largest() -> None:
    """Small tasks end early; the batches of the largest remain, as in the paper."""
    order = random_read([5, 200], np.random.default_rng(1))
    assert set(order[-150:]) == {1}


@given(counts=st.lists(st.integers(1, 20), min_size=1, max_size=5), seed=st.integers(0, 99))
def test_proportional_keeps_the_shares(counts: list[int], seed: int) -> None:
    """At every step, each task is read in proportion to its size, to within one batch."""
    order = proportional(counts, np.random.default_rng(seed))
    for task, count in enumerate(counts):
        places = [step for step, each in enumerate(order) if each == task]
        gaps = np.diff([-1, *places, len(order)])
        assert max(gaps) <= 2 * len(order) / count + len(counts)
