"""`jobmatch train search-encoder` end to end: JSON, figures for people, a job in a folder, promotion."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import Result

from jobmatch.services.training_job import SearchJob, read_job
from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.search.search_models import load_search_encoder, search_model_in_use
from jobmatch_core.settings import Settings
from tests.core.search.made_pairs import LABELLED, POSITIVES, TRANSLATIONS

Cli = Callable[..., Result]
RECIPE = """
name = "mine"
dimension = 16
[[tasks]]
name = "clicks"
kind = "positives"
files = ["clicks.jsonl"]
shape = "jsonl"
[[tasks]]
name = "inference"
kind = "pairs"
files = ["inference.tsv"]
[[tasks]]
name = "translations"
kind = "translations"
files = ["translations.tsv"]
shape = "parallel"
[training]
epochs = 1
batch_size = 8
learning_rate = 0.05
features = 200
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """Write a recipe with its data."""
    clicks = [{"query": each.query, "document": each.document, "weight": 1.5} for each in POSITIVES]
    (tmp_path / "clicks.jsonl").write_text("\n".join(map(json.dumps, clicks)), "utf-8")
    labelled = [f"{each.query}\t{each.document}\t{each.label}" for each in LABELLED]
    (tmp_path / "inference.tsv").write_text("\n".join(labelled), "utf-8")
    (tmp_path / "translations.tsv").write_text("\n".join(f"{each.query}\t{each.document}" for each in TRANSLATIONS))
    path = tmp_path / "mine.toml"
    path.write_text(RECIPE, "utf-8")
    return path


def test_train_promote_and_use(cli: Cli, recipe: Path, jobmatch_home: Path, tmp_path: Path) -> None:
    """The shipped model stays in use until the trained one is promoted, and again after a rollback."""
    settings = Settings(jobmatch_home)
    answer = json.loads(cli("train", "search-encoder", recipe, "--data", tmp_path, "--json").stdout)
    assert answer["model"] == str(jobmatch_home / "models" / "mine")
    assert [task["trained"] + task["held_out"] for task in answer["tasks"]] == [24, 72, 6]
    assert search_model_in_use(settings) == "search"
    listed = json.loads(cli("models", "list", "--json").stdout)["models"]
    assert [(each["model"], each["in_use"]) for each in listed if each["kind"] == "search"] == [
        ("mine", False),
        ("search", True),
    ]
    cli("models", "promote", "mine", "--kind", "search", "--who", "ann")
    assert load_search_encoder("", settings).dimension == 16
    cli("models", "rollback", "--kind", "search", "--who", "ann")
    assert search_model_in_use(settings) == "search"


def test_figures_for_people(cli: Cli, recipe: Path, tmp_path: Path) -> None:
    """A row per task, also with the trained model as teacher; a second run does not overwrite it."""
    words = ("train", "search-encoder", recipe, "--data", tmp_path, "--out", tmp_path / "m")
    shown = cli(*words).stdout
    assert "On held-out pairs" in shown
    assert all(name in shown for name in ("clicks", "inference", "translations", "proportional"))
    with pytest.raises(SettingsError, match="exists already"):
        cli(*words)
    taught = tmp_path / "student.toml"
    task = '[[tasks]]\nname = "t"\nkind = "taught"\nfiles = ["translations.tsv"]\nshape = "parallel"\n'
    taught.write_text(f"dimension = 16\n{task}[training]\nepochs = 1\nleast_texts = 1\n", "utf-8")
    with pytest.raises(DataFileError, match="names no teacher"):
        cli("train", "search-encoder", taught, "--data", tmp_path)
    taught.write_text(f'teacher = "titles"\n{taught.read_text("utf-8")}', "utf-8")
    model = str(tmp_path / "m")
    told = cli("train", "search-encoder", taught, "--data", tmp_path, "--from", model, "--teacher", model, "--json")
    assert json.loads(told.stdout)["teacher"].startswith("m-")


def test_names_of_tasks_stay_whole_in_a_narrow_terminal(
    cli: Cli, recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In 80 columns, after a training and in the list of models."""
    monkeypatch.setattr("jobmatch.cli.output._out", Console(width=80))
    recipe.write_text(
        recipe.read_text("utf-8").replace('"translations"\nkind', '"translations-of-names"\nkind'), "utf-8"
    )
    for words in (("train", "search-encoder", recipe, "--data", tmp_path), ("models", "list")):
        shown = cli(*words).stdout
        assert all(name in shown for name in ("clicks", "inference", "translations-of-names")), shown


def test_a_job_in_a_folder(cli: Cli, recipe: Path, tmp_path: Path) -> None:
    """As the app's trainings write it."""
    run = tmp_path / "run"
    run.mkdir()
    words = ("train", "search-encoder", recipe, "--data", tmp_path, "--out", tmp_path / "m", "--run", run)
    cli(*words)
    assert read_job(run / "job.json") == SearchJob(str(recipe), str(tmp_path / "m"), data=str(tmp_path))
    assert json.loads((run / "status.json").read_text("utf-8"))["state"] == "done"
