"""Cards of models: what reports of any release say, which is in use, and launches with their words."""

import json
import shutil
from pathlib import Path

import pytest

from jobmatch.services.launch import start_linking, tower_recipes
from jobmatch.services.runs import TrainingRequest, TrainingRuns
from jobmatch.services.training_job import LinkingJob, TrainingJob
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.errors import SettingsError
from jobmatch_core.labelling.snapshot import Snapshots
from jobmatch_core.linking import open_linker
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.candidates import feature_names
from jobmatch_core.linking.linking_model import LinkingModel, save_linking_model
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retraining.promotion import cards
from jobmatch_core.settings import Settings
from tests.core.labelling.made_judgments import judgment

LABELS = {"snapshot": "s", "sha256": "0", "trained": 8, "held_out": 2, "later": 0, "left_out": 0}


FEATURES = tuple(feature_names(["char", "word", "encoder"]))


def store(home: Path, name: str, report: object, encoder: str | None = None) -> None:
    """Store a linking model with a report."""
    folder = home / "models" / name
    calibration = Calibration(FEATURES, (1.0,) * len(FEATURES), 0.0, 0.5, {})
    save_linking_model(folder, LinkingModel(calibration), shipped_encoder().name if encoder is None else encoder, {})
    (folder / "report.json").write_text(report if isinstance(report, str) else json.dumps(report), "utf-8")


def test_what_a_report_says(tmp_path: Path) -> None:
    """The one in use is marked; the one that comes with jobmatch stands last."""
    store(tmp_path, "a", {"created": "2026-11-21T09:00:00+00:00", "labels": LABELS})
    settings = Settings(tmp_path)
    first, last = cards(ModelKind.LINKING, settings)
    assert (first.name, first.created, first.in_use, first.built_in) == ("a", "2026-11-21T09:00:00+00:00", False, False)
    assert first.labels is not None
    assert (first.labels.trained, first.comparison) == (8, None)
    assert (last.name, last.in_use, last.built_in) == ("shipped", True, True)
    Registry(settings).promote(ModelKind.LINKING, "a", who="ann")
    assert [card.in_use for card in cards(ModelKind.LINKING, settings)] == [True, False]


def test_the_promoted_one_is_gone(tmp_path: Path) -> None:
    """One is in use nevertheless: the one that comes with jobmatch."""
    store(tmp_path, "a", {})
    Registry(Settings(tmp_path)).promote(ModelKind.LINKING, "a", who="ann")
    shutil.rmtree(tmp_path / "models" / "a")
    assert [(card.name, card.in_use) for card in cards(ModelKind.LINKING, Settings(tmp_path))] == [("shipped", True)]


def test_linking_models_that_cannot_be_used(tmp_path: Path) -> None:
    """It is said why, and they are not told to be in use, even when promoted."""
    store(tmp_path, "damaged", {})
    store(tmp_path, "other", {}, encoder="")
    Registry(Settings(tmp_path)).promote(ModelKind.LINKING, "damaged", who="ann")
    (tmp_path / "models" / "damaged" / "model.safetensors").write_bytes(b"x")
    found = {card.name: card for card in cards(ModelKind.LINKING, Settings(tmp_path))}
    assert [name for name, card in found.items() if card.in_use] == ["shipped"]
    assert found["other"].fault.endswith("(it was fitted for letters and words alone)")
    assert "it is damaged" in found["damaged"].fault


def test_the_features_are_those_of_the_pages(linker_home: Path) -> None:
    """A model that was fitted for the linker as pages open it has no fault."""
    assert open_linker(settings=Settings(linker_home)).calibration.features == FEATURES


@pytest.mark.parametrize(
    "report", ["{", "[]", {"labels": {"new": 1}, "comparison": 3, "created": None}, {"labels": []}]
)
def test_reports_of_other_releases(tmp_path: Path, report: object) -> None:
    """What cannot be read is not told; the model is listed with the date of its folder."""
    store(tmp_path, "a", report)
    card = cards(ModelKind.LINKING, Settings(tmp_path))[0]
    assert (card.labels, card.comparison) == (None, None)
    assert card.created.startswith("20")


def test_recipes_come_with_what_they_are(tmp_path: Path) -> None:
    """Those that labels are for first; without any it is said where they should be."""
    names = [each.name for each in tower_recipes()]
    assert names[:2] == ["retrain", "titles"]
    assert names[2:] == sorted(names[2:])
    assert tower_recipes()[0].purpose == "Improve the model with new labels"
    experiments = [each.purpose.startswith("Experiment: ") for each in tower_recipes()]
    assert experiments == [False] * 3 + [True] * (len(names) - 3)
    (tmp_path / "mine.toml").write_text("[tower]\nhead = false\n", "utf-8")
    assert [each.purpose for each in tower_recipes(tmp_path)] == ["mine"]
    (tmp_path / "mine.toml").unlink()
    with pytest.raises(SettingsError, match="There are no recipes in"):
        tower_recipes(tmp_path)


def test_a_launch_says_what_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model's folder is one that is not there yet."""
    seen: list[tuple[TrainingRequest, TrainingJob]] = []
    monkeypatch.setattr(TrainingRuns, "start", lambda self, asked, job: seen.append((asked, job)))
    judged = judgment("+", of=Pair(PairKind.TITLE_OCCUPATION, "isco-08", "nurse", "http://x"))
    snapshot = Snapshots(Settings(tmp_path)).freeze([judged]).name
    start_linking(TrainingRuns(Settings(tmp_path)), taxonomy="isco-08", snapshot=snapshot, start="shipped", who="ann")
    [(asked, job)] = seen
    assert asked == TrainingRequest("linking", asked.model, "", "isco-08", snapshot, "shipped", "ann")
    assert job == LinkingJob(snapshot, "isco-08", str(tmp_path / "models" / asked.model))
