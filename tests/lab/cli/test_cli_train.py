"""`python -m lab train`: where it puts what comes with jobmatch."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jobmatch_core.errors import JobMatchError
from jobmatch_core.taxonomy import TaxonomyStore
from lab.cli.train import app
from lab.shipping.concept_training import ConceptRecipe
from lab.shipping.shipped_encoder import ShippedReport, shipped_paths


@pytest.fixture
def short_training(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Train nothing, but note what was asked for and report as if; the training has tests of its own."""
    asked: list[tuple[Any, ...]] = []
    report = ShippedReport(
        recipe=ConceptRecipe(),
        group_recipe=ConceptRecipe(),
        teacher="tiny",
        start="",
        data_hash="0",
        texts=1234,
        features=5,
        left_out=6,
        group_titles=9,
        gendered_endings=3,
        losses={},
        calibration={},
        seconds=7.0,
        peak_memory_mb=8.0,
        versions={},
    )

    def train(*words: Any, note: Callable[[str], None], teacher: Any, start: Any, **options: Any) -> ShippedReport:
        asked.append((*words, start, teacher))
        note("Calibrating")
        return report

    monkeypatch.setattr("lab.cli.train.train_shipped_encoder", train)
    return asked


def test_shipped_encoder_elsewhere(tmp_path: Path, backbone: Path, short_training: list[tuple[Any, ...]]) -> None:
    """With --out the shipped one stays; the calibration lies beside the folder. One object, nothing else."""
    out = tmp_path / "models" / "mine"
    words = ["shipped-encoder", str(tmp_path), "--teacher", str(backbone), "--out", str(out), "--json"]
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["model"] == str(out)
    assert answer["calibration_file"] == str(tmp_path / "models" / "mine-calibration.json")
    assert (answer["texts"], answer["recipe"]["dimension"]) == (1234, 256)
    assert result.stderr == ""
    [(data, folder, calibration, store, start, teacher)] = short_training
    assert start is None
    assert (data, folder, calibration) == (tmp_path, out, Path(answer["calibration_file"]))
    assert teacher.name.startswith("tiny-")
    assert isinstance(store, TaxonomyStore)


def test_shipped_encoder_in_its_place(tmp_path: Path, backbone: Path, short_training: list[tuple[Any, ...]]) -> None:
    """Without --out both shipped files are meant; people are told what is being done."""
    words = ["shipped-encoder", str(tmp_path), "--teacher", str(backbone)]
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert "Calibrating" in result.stdout
    assert "Trained in 7 s on 1,234 texts" in result.stdout
    assert short_training[0][1:3] == shipped_paths()


def test_a_training_starts_in_one_way(tmp_path: Path) -> None:
    """From random weights, taught, or from an encoder."""
    words = ["shipped-encoder", str(tmp_path), "--teacher", "titles", "--start", "titles"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert "leave out --start" in " ".join(result.output.split())


def test_shipped_encoder_without_a_teacher(tmp_path: Path, short_training: list[tuple[Any, ...]]) -> None:
    """The training goes on from the shipped encoder, which needs none."""
    for words in ([], ["--start", "titles"]):
        result = CliRunner().invoke(app, ["shipped-encoder", str(tmp_path), *words], catch_exceptions=False)
        assert result.exit_code == 0, result.output
    [default, named] = short_training
    assert (default[-2:], named[-1]) == ((None, None), None)
    assert named[-2].name.startswith("jobmatch-titles-")


def test_shipped_encoder_without_data(tmp_path: Path, backbone: Path) -> None:
    """What is missing is named, before anything is trained or written."""
    words = ["shipped-encoder", str(tmp_path), "--teacher", str(backbone), "--out", str(tmp_path / "m")]
    with pytest.raises(JobMatchError, match=r"labels_v1\.0\.3"):
        CliRunner().invoke(app, words, catch_exceptions=False)
    assert not (tmp_path / "m").exists()
