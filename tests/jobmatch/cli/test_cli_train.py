"""`jobmatch train`: what the command prints, and where it puts what."""

import json
from pathlib import Path

import pytest
from sentence_transformers import SentenceTransformer
from typer.testing import CliRunner

from jobmatch.cli.train import app
from jobmatch_core.errors import SettingsError
from jobmatch_core.taxonomy import TaxonomyStore

JOBS = """concept_id,language,preferred,alternatives,parent,description
nurse,en,nurse,ward carer|staff sister,2221,
doctor,en,doctor,physician|general medic,2211,
baker,en,baker,bread maker|oven hand,7512,
mason,en,mason,bricklayer|wall builder,7112,
"""
RECIPE = """
backbone = "elsewhere"
[data]
names = "jobs-1"
[held_out]
titles = 2
[stage2]
steps = 3
batch_size = 4
learning_rate = 0.01
negatives = 2
"""


@pytest.fixture
def recipe(tmp_path: Path, jobmatch_home: Path) -> Path:
    """A recipe of stage 2 on a small installed taxonomy."""
    (tmp_path / "jobs.csv").write_text(JOBS, "utf-8")
    TaxonomyStore.open().import_from(tmp_path / "jobs.csv")
    path = tmp_path / "toy.toml"
    path.write_text(RECIPE, "utf-8")
    return path


def test_json(recipe: Path, backbone: Path, jobmatch_home: Path) -> None:
    """Only one object on standard output; by default the model is stored in the home."""
    result = CliRunner().invoke(
        app, ["title-encoder", str(recipe), "--backbone", str(backbone), "--json"], catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["model"] == str(jobmatch_home / "models" / "toy")
    assert report["recipe"]["backbone"] == str(backbone)
    assert report["stages"][0]["steps"] == 3
    assert result.stderr == ""
    assert SentenceTransformer(report["model"], device="cpu").encode(["nurse"]).shape == (1, 4)


def test_figures_for_people(recipe: Path, backbone: Path, tmp_path: Path) -> None:
    """Before and after, and the place of the model; a second run does not overwrite it."""
    words = ["title-encoder", str(recipe), "--backbone", str(backbone), "--out", str(tmp_path / "m")]
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert "before" in result.stdout
    assert "stage2" in result.stdout
    assert (tmp_path / "m" / "report.json").exists()
    with pytest.raises(SettingsError, match="exists already"):
        CliRunner().invoke(app, words, catch_exceptions=False)
