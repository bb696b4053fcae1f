"""The trained part: probabilities by hand, saved and read again, and folders that are damaged."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.descriptions.skill_extractor import SHIPPED_SKILLS
from jobmatch_core.descriptions.skill_features import FEATURES
from jobmatch_core.descriptions.skill_model import FeatureWeights, SkillModel
from jobmatch_core.errors import ModelError
from jobmatch_core.titles.encoder import shipped_encoder
from tests.core.descriptions.test_skill_spans import tagger_of

WEIGHTS = FeatureWeights(dict.fromkeys(FEATURES, 0.0) | {"covered": 2.0}, -1.0, 0.5, "letters")


def test_probabilities_by_hand() -> None:
    """A covered name has the logit 2 - 1, another -1."""
    features = np.zeros((2, len(FEATURES)), dtype=np.float32)
    features[0, FEATURES.index("covered")] = 1
    assert WEIGHTS.probabilities(features) == pytest.approx([1 / (1 + np.exp(-1)), 1 / (1 + np.exp(1))])


def test_saved_and_loaded_it_is_the_same(tmp_path: Path) -> None:
    """Weights of words, weights of features, threshold; the report lies beside."""
    model = SkillModel(tagger_of("java"), WEIGHTS)
    model.save(tmp_path / "skills", {"sentences": 3})
    again = SkillModel.load(tmp_path / "skills")
    assert again.features == WEIGHTS
    assert np.array_equal(again.tagger.weights, model.tagger.weights)
    assert json.loads((tmp_path / "skills" / "report.json").read_text("utf-8")) == {"sentences": 3}


@pytest.mark.parametrize("file", ["config.json", "model.safetensors"])
def test_a_damaged_folder_is_refused(file: str, tmp_path: Path) -> None:
    """The error says what to do."""
    SkillModel(tagger_of("java"), WEIGHTS).save(tmp_path / "skills", {})
    (tmp_path / "skills" / file).write_text("{", "utf-8")
    with pytest.raises(ModelError, match="train it again"):
        SkillModel.load(tmp_path / "skills")


def test_other_features_are_refused() -> None:
    """Weights of another release have other names; numbers must be finite."""
    with pytest.raises(ValueError, match="another release"):
        replace(WEIGHTS, weights={"covered": 1.0})
    with pytest.raises(ValueError, match="finite"):
        replace(WEIGHTS, bias=float("nan"))


def test_the_shipped_model_fits_the_shipped_encoder() -> None:
    """If the title encoder was trained again, `python -m lab train skill-extractor` is due; the card says its size."""
    assert SkillModel.load(SHIPPED_SKILLS).features.encoder == shipped_encoder().name
    assert (SHIPPED_SKILLS / "model.safetensors").stat().st_size < 300_000
