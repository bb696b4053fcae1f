"""`jobmatch train towers`: what the command prints, and where it puts what."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jobmatch_core.cli.train import app
from jobmatch_core.entities import Freelancer, Interaction, NamedSkill, Project
from jobmatch_core.errors import JobMatchError, MarketplaceError, SettingsError
from jobmatch_core.matching.marketplace import Block
from jobmatch_core.matching.marketplace_store import MarketplaceStore
from jobmatch_core.matching.skill_truth import Need
from jobmatch_core.matching.two_towers import TwoTowers

RECIPE = """
[tower]
width = 8
heads = 2
[sampling]
projects = 2
weak_negatives = 1
[training]
epochs = 2
"""


@pytest.fixture
def recipe(tmp_path: Path, jobmatch_home: Path) -> Path:
    """A small recipe, and a stored marketplace of ten projects, `tiny`."""
    jobs = [("nurse", "2221"), ("developer", "2512")]
    projects, freelancers, interactions = [], [], []
    for number in range(10):
        job, category = jobs[number % 2]
        skill = (NamedSkill(job, job),)
        day = f"2026-01-{number + 1:02}"
        projects.append(Project(f"p{number}", "en", job, job, "", "", "", category, "", skill, (), created=day))
        freelancers.append(Freelancer(f"f{number}", "en", job, "", "", "", "", category, "", skill))
        for other in range(number % 2, 10, 2):
            interactions.append(Interaction(f"p{number}", f"f{other}", other % 4 < 2, day))
    block = Block(
        projects, freelancers, interactions, needs=[Need((0,), ())] * 10, mastered=[(0,)] * 10, skills=("care",)
    )
    MarketplaceStore.open().save("tiny", [block], origin={}, generated=True)
    path = tmp_path / "small.toml"
    path.write_text(RECIPE, "utf-8")
    return path


def run(*words: str) -> str:
    """Run the command and return its standard output; nothing may be said elsewhere."""
    result = CliRunner().invoke(app, ["towers", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def test_json(recipe: Path, jobmatch_home: Path) -> None:
    """One object with the keys of docs/cli.md; the latest projects are kept, the model lies where `match` looks."""
    report = json.loads(run(str(recipe), "--marketplace", "tiny", "--json"))
    assert report["model"] == str(jobmatch_home / "models" / "small")
    assert sum(report["projects"]) == 8
    assert report["interactions"] == 50 - 2 * 5
    assert [len(report["epochs"]), report["generated"]] == [2, True]
    assert set(report) == {
        "model", "recipe", "marketplace", "generated", "data_hash", "backbone", "versions", "projects", "freelancers",
        "interactions", "weights", "before", "epochs", "seconds", "peak_memory_mb",
    }  # fmt: skip
    assert TwoTowers.load(Path(report["model"])).config.width == 8


def test_figures_for_people(recipe: Path, tmp_path: Path) -> None:
    """An epoch a line, where the model is, and that the people are made up; a second run does not overwrite it."""
    words = (str(recipe), "--marketplace", "tiny", "--out", str(tmp_path / "m"))
    shown = " ".join(run(*words).split())
    assert "of left-out projects" in shown
    assert "on 7 projects" in shown
    assert "tiny is a generated one" in shown
    assert (tmp_path / "m" / "report.json").exists()
    with pytest.raises(SettingsError, match="exists already"):
        run(*words)


def test_all_of_a_marketplace(recipe: Path, tmp_path: Path) -> None:
    """Where nothing is kept for a test."""
    recipe.write_text("share_test = 0\n" + RECIPE, "utf-8")
    report = json.loads(run(str(recipe), "--marketplace", "tiny", "--out", str(tmp_path / "m"), "--json"))
    assert sum(report["projects"]) == 10


@pytest.mark.parametrize(
    ("words", "kind"),
    [(("--marketplace", "none"), MarketplaceError), (("--marketplace", "tiny", "--backbone", "none"), JobMatchError)],
)
def test_what_is_not_there(recipe: Path, jobmatch_home: Path, words: tuple[str, ...], kind: type[Exception]) -> None:
    """It is named, and nothing is written."""
    with pytest.raises(kind, match="none"):
        run(str(recipe), *words)
    assert not (jobmatch_home / "models").exists()
