"""Roughly how long a training will take: from earlier ones, and from its size."""

from pathlib import Path

import pytest

from jobmatch.services.launch import earlier_seconds, linking_seconds, search_recipes, tower_seconds
from jobmatch.services.run_status import RunState, RunStatus
from jobmatch.services.runs import Run, TrainingRequest
from jobmatch_core.errors import SettingsError
from jobmatch_core.towers.tower_recipe import TowerRecipe, TowerTraining


def run(state: RunState, seconds: int, *, recipe: str = "titles", source: str = "demo") -> Run:
    """Return a training that took some seconds."""
    status = RunStatus(state, "2026-11-21T09:00:00+00:00", f"2026-11-21T09:{seconds // 60:02}:{seconds % 60:02}+00:00")
    return Run(Path("run"), TrainingRequest("towers", "m", recipe, source, "", "", "ann"), status)


def test_the_latest_of_the_same() -> None:
    """Trainings of another recipe or marketplace, and failed ones, are ignored."""
    runs = [
        run(RunState.STOPPED, 5),
        run(RunState.DONE, 10, recipe="retrain"),
        run(RunState.DONE, 20, source="other"),
        run(RunState.DONE, 125),
        run(RunState.DONE, 300),
    ]
    assert earlier_seconds(runs, "towers", "titles", "demo") == 125
    assert earlier_seconds(runs, "linking", "titles", "demo") is None


def test_recipes_of_search_that_need_no_files(tmp_path: Path) -> None:
    """They train on the log alone, or also on installed taxonomies."""
    assert "search-log" in [file.name for file, _ in search_recipes()]
    logged, named, filed = (
        f'[[tasks]]\nname = "{name}"\nkind = "positives"\n{data}\n'
        for name, data in (("log", 'made = "search-log"'), ("names", 'made = "names"'), ("file", 'files = ["x.tsv"]'))
    )
    sources = '[data]\nonet = "onet"\n'
    contents = {"a": logged, "b": named, "c": logged + named, "d": logged + filed, "e": logged + sources}
    for name, content in contents.items():
        (tmp_path / f"{name}.toml").write_text(content, "utf-8")
    assert [file.name for file, _ in search_recipes(tmp_path)] == ["a", "c"]
    with pytest.raises(SettingsError, match="There are no recipes"):
        search_recipes(tmp_path / "none")


def test_by_size() -> None:
    """Five epochs of 400 projects, twice: 400 s plus 20 s; None for other encoders."""
    recipe = TowerRecipe("r", training=TowerTraining(epochs=5))
    assert tower_seconds(recipe, 500) == pytest.approx(420)
    assert tower_seconds(TowerRecipe("r", backbone="minilm"), 500) is None
    assert linking_seconds(1500) == pytest.approx(60)
