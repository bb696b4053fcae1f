"""Cards of models: what reports of any release say, which is in use, and launches with their words."""

import json
from pathlib import Path

import pytest

from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings
from jobmatch_core.training.launch import start_linking, tower_recipes
from jobmatch_core.training.model_cards import cards
from jobmatch_core.training.registry import ModelKind, Registry
from jobmatch_core.training.runs import Asked, TrainingRuns

LABELS = {"snapshot": "s", "sha256": "0", "trained": 8, "held_out": 2, "later": 0, "left_out": 0}


def store(home: Path, name: str, report: object) -> None:
    """Store a linking model with a report."""
    folder = home / "models" / name
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"features": []}), "utf-8")
    (folder / "model.safetensors").write_bytes(b"1")
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
    assert all(each.told for each in tower_recipes()[:2])
    with pytest.raises(SettingsError, match="There are no recipes in"):
        tower_recipes(tmp_path)


def test_a_launch_says_what_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model's folder is one that is not there yet."""
    seen: list[tuple[Asked, list[str]]] = []
    monkeypatch.setattr(TrainingRuns, "start", lambda self, asked, words: seen.append((asked, [*map(str, words)])))
    start_linking(TrainingRuns(Settings(tmp_path)), taxonomy="isco-08", snapshot="s", start="shipped", who="ann")
    [(asked, words)] = seen
    assert asked == Asked("linking", asked.model, "", "isco-08", "s", "shipped", "ann")
    assert words[:6] == ["train", "linking", "--taxonomy", "isco-08", "--snapshot", "s"]
    assert words[-1] == str(tmp_path / "models" / asked.model)
