"""`python -m lab evaluate skills` and `python -m lab train skill-extractor` on made files."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from jobmatch_core.descriptions.skill_model import SkillModel
from jobmatch_core.settings import Settings
from tests.lab.shipping.made_skill_spans import write_skill_spans
from tests.made_taxonomy import install, skilled_taxonomy

Run = Callable[..., Result]


@pytest.fixture
def spans(tmp_path: Path) -> Path:
    """Give a folder of made spans; the made taxonomy is installed."""
    taxonomy = skilled_taxonomy()
    install(taxonomy, Settings.from_environment().home)
    (tmp_path / "spans").mkdir()
    return write_skill_spans(tmp_path / "spans")


@pytest.mark.thorough
def test_skills_are_measured(cli: Run, spans: Path) -> None:
    """Four systems on both sets; another encoder gets weights of its own."""
    measured = ("evaluate", "skills", spans, "--taxonomy", "skilled-1")
    found = json.loads(cli(*measured, "--json").stdout)
    assert [row["set"] for row in found["ranked"]] == ["tech"] * 4 + ["house"] * 4
    assert found["ranked"][3]["system"] == "skill extractor"
    assert found["ranked"][3]["r_precision"][2] > 0.8
    assert found["found"]["tech"]["linked"] == 14
    assert "RP@5" in cli(*measured, "--encoder", "titles").stdout


def test_the_extractor_is_trained(cli: Run, spans: Path, tmp_path: Path) -> None:
    """The folder holds a model that can be opened, and keeps its card when it is trained again."""
    out = tmp_path / "skills"
    words = ("train", "skill-extractor", spans, "--taxonomy", "skilled-1", "--out", out)
    assert "linked sentences" in cli(*words).stdout
    (out / "README.md").write_text("card", "utf-8")
    cli(*words)
    assert SkillModel.load(out).features.threshold > 0
    assert (out / "README.md").read_text("utf-8") == "card"
