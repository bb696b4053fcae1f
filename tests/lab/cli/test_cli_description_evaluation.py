"""`python -m lab evaluate descriptions`: recipes trained, measured on job normalization, kept and shown."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.core.descriptions.made_postings import made_postings
from tests.jobmatch.cli.conftest import Ended

Run = Callable[..., Result]
RECIPE = (
    'train_backbone = false\n[data]\npostings = ["postings.jsonl"]\n[network]\nlayers = 1\n'
    "[training]\nepochs = 1\nbatch_size = 8\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Postings, a recipe, and two titles of bakers with the occupation that they mean."""
    rows = [json.dumps({"title": each.title, "description": each.description}) for each in made_postings(40)]
    (tmp_path / "postings.jsonl").write_text("\n".join(rows), "utf-8")
    (tmp_path / "tiny.toml").write_text(RECIPE, "utf-8")
    taxonomy = TaxonomyStore.open().load(BUNDLED_ID)
    baker = taxonomy.uris[taxonomy.isco_codes.index("7512")]
    (tmp_path / "titles.csv").write_text(f"vacancyTitle,conceptUri\nbakers,{baker}\nfine cakes,{baker}\n", "utf-8")
    return tmp_path


def test_measured_kept_and_shown(cli: Run, folder: Path) -> None:
    """The backbone as it was, then each seed; what is there is not trained again; `--most` is another setting."""
    words = ("evaluate", "descriptions", folder / "titles.csv", folder / "tiny.toml", "--data", folder)
    result = cli(*words, "--seeds", 2, "--json")
    assert result.stderr.startswith("Home: ")
    found = json.loads(result.stdout)
    assert (found["dataset"], found["taxonomy"]) == ("titles", BUNDLED_ID)
    assert [(run["recipe"], run["seed"]) for run in found["runs"]][1:] == [("tiny", 1), ("tiny", 2)]
    assert [row["recipe"] for row in found["results"]][1:] == ["tiny"]
    assert found["runs"][1]["postings"] == 38
    again = json.loads(cli(*words, "--seeds", 2, "--json").stdout)
    assert again["runs"] == found["runs"]
    shown = cli(*words, "--seeds", 1).stdout
    assert "2 titles" in shown
    assert "tiny" in shown
    fewer = json.loads(cli(*words, "--seeds", 1, "--most", 20, "--json").stdout)
    assert 0 < fewer["runs"][1]["postings"] < 20
    assert fewer["runs"][0] == found["runs"][0]


def test_models_that_are_there(cli: Run, run_main: Callable[..., Ended], folder: Path) -> None:
    """Measured without a recipe, also by what describes the occupations; with neither nothing is measured."""
    words = ("evaluate", "descriptions", folder / "titles.csv")
    found = json.loads(cli(*words, "--model", "mean", "--described", BUNDLED_ID, "--json").stdout)
    assert [(run["variant"], run["ranked_by"]) for run in found["runs"]] == [
        ("sentence-mean", "name"),
        ("sentence-mean", "name and description"),
    ]
    assert found["results"][0]["seeds"] == 1
    ended = run_main(*words)
    assert (ended.code, "name recipes, or models" in ended.err) == (2, True)


def test_a_file_without_titles(run_main: Callable[..., Ended], folder: Path) -> None:
    """The error names the missing column."""
    (folder / "titles.csv").write_text("title\nbaker\n", "utf-8")
    ended = run_main("evaluate", "descriptions", folder / "titles.csv", folder / "tiny.toml", "--data", folder)
    assert ended.code == 2
    assert "vacancyTitle" in ended.err
