"""The models to choose from."""

import json
import os
from pathlib import Path

from jobmatch_core.matching.match_models import UNTRAINED
from jobmatch_core.matching.model_choices import ModelChoice, model_choices
from jobmatch_core.settings import Settings


def test_the_untrained_one_is_always_there(tmp_path: Path) -> None:
    """It needs nothing."""
    assert model_choices(Settings(tmp_path)) == [ModelChoice(UNTRAINED, 0)]
    assert not ModelChoice(UNTRAINED, 0).trained


def test_trained_ones_come_first(tmp_path: Path) -> None:
    """And are another choice once they are trained anew; other models are none."""
    for name, config in (("towers", {"tower": {}}), ("titles", {})):
        folder = tmp_path / "models" / name
        folder.mkdir(parents=True)
        (folder / "config.json").write_text(json.dumps(config), "utf-8")
    [unfinished, _] = model_choices(Settings(tmp_path))
    assert (unfinished.word, unfinished.stamp, unfinished.trained) == ("towers", 0, True)
    weights = tmp_path / "models" / "towers" / "model.safetensors"
    weights.write_bytes(b"1")
    before = model_choices(Settings(tmp_path))
    os.utime(weights, ns=(1, 1))
    assert [each.word for each in before] == ["towers", UNTRAINED]
    assert before != model_choices(Settings(tmp_path))
