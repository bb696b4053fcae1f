"""The models to choose from."""

import json
import os
from pathlib import Path
from typing import Any

from jobmatch_core.encoders.loading import TITLES, shipped_encoder
from jobmatch_core.model_store.model_spec import UNTRAINED, ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retrieval.match_models import ModelChoice, model_choices, model_in_use
from jobmatch_core.settings import Settings
from jobmatch_core.towers.documents import SECTIONS
from tests.hostile_models import NO_WEIGHTS

TOWERS = {
    "tower": {},
    "sections": SECTIONS,
    "backbone": TITLES,
    "backbone_name": shipped_encoder().name,
}


def store(home: Path, name: str, config: dict[str, Any]) -> None:
    """Write what a model says of itself."""
    folder = home / "models" / name
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config), "utf-8")


def test_the_untrained_one_is_always_there(tmp_path: Path) -> None:
    """It needs nothing."""
    assert model_choices(Settings(tmp_path)) == [ModelChoice(UNTRAINED)]
    assert not ModelChoice(UNTRAINED).trained


def test_trained_ones_come_first(tmp_path: Path) -> None:
    """Other models are none."""
    for name, config in (("towers", TOWERS), ("titles", {})):
        store(tmp_path, name, config)
    [towers, untrained] = model_choices(Settings(tmp_path))
    assert (towers.word, towers.trained, untrained.word) == ("towers", True, UNTRAINED)


def test_the_promoted_one_comes_first(tmp_path: Path) -> None:
    """Trained ones by their age behind it; the untrained one, too, may be promoted; one that is damaged stays last."""
    for number, name in enumerate(("old", "new")):
        store(tmp_path, name, TOWERS)
        (tmp_path / "models" / name / "model.safetensors").write_bytes(NO_WEIGHTS)
        os.utime(tmp_path / "models" / name, (number + 1, number + 1))
    registry, settings = Registry(Settings(tmp_path)), Settings(tmp_path)

    def words() -> list[str]:
        return [each.word for each in model_choices(settings)]

    assert words() == ["new", "old", UNTRAINED]
    registry.promote(ModelKind.TOWERS, "old", who="ann")
    assert (words(), model_in_use(settings)) == (["old", "new", UNTRAINED], "old")
    registry.promote(ModelKind.TOWERS, UNTRAINED, who="ann")
    assert (words(), model_in_use(settings)) == ([UNTRAINED, "new", "old"], UNTRAINED)
    registry.roll_back(ModelKind.TOWERS, who="ann")
    (tmp_path / "models" / "old" / "config.json").write_text(json.dumps({"tower": {}}), "utf-8")
    assert words() == ["new", UNTRAINED, "old"]
    assert model_in_use(settings) == "new"  # with a warning in the log


def test_those_that_cannot_be_used_come_last(tmp_path: Path) -> None:
    """Behind the untrained one, so that the first can always be taken; with the reason."""
    store(tmp_path, "towers", TOWERS | {"backbone_name": "jobmatch-titles-00000000"})
    untrained, towers = model_choices(Settings(tmp_path))
    assert (untrained.word, untrained.fault) == (UNTRAINED, "")
    assert towers.word == "towers"
    assert towers.fault.startswith("it was trained over jobmatch-titles-00000000, and now there is jobmatch-titles-")
