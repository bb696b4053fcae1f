"""The trained part of the skill extractor: weights of spans and of features, without any name of a skill.

config.json         weights of the features, threshold, name of the encoder that they were fitted with
model.safetensors   weights of the span tagger, half precision
report.json         data and figures of the training
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from jobmatch_core.descriptions.skill_features import FEATURES
from jobmatch_core.descriptions.skill_spans import N_FEATURES, SpanTagger
from jobmatch_core.entities import FloatArray
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.saved_model import (
    CONFIG_FILE,
    WEIGHTS_FILE,
    as_model_error,
    check_finite,
    model_written,
    read_weights,
)

_KEY = "skill_features"  # of config.json


@dataclass(frozen=True, slots=True)
class FeatureWeights:
    """Logistic regression over the features of a sentence and a skill."""

    weights: dict[str, float]  # weight of each feature by its name
    bias: float  # the intercept
    threshold: float  # the probability from which a skill counts as found
    encoder: str  # name of the encoder that they were fitted with

    def __post_init__(self) -> None:
        """Raise ValueError for other features than `FEATURES`, or numbers that are not finite."""
        if tuple(self.weights) != FEATURES:
            raise ValueError("its features are those of another release")
        check_finite({"weights": [*self.weights.values(), self.bias, self.threshold]})

    def probabilities(self, features: FloatArray) -> FloatArray:
        """Return the probability that the sentence asks for the skill, (skill,), of (skill, feature)."""
        logits = features @ np.array(list(self.weights.values()), dtype=np.float32) + np.float32(self.bias)
        return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class SkillModel:
    """A trained span tagger and the weights of the features."""

    tagger: SpanTagger
    features: FeatureWeights

    def save(self, folder: Path, report: Mapping[str, object], *, replace: bool = False) -> None:
        """Write a complete folder.

        Raises OSError if the disk refuses, or the folder exists and must not be replaced.
        """
        tensors: dict[str, NDArray[Any]] = {
            "weights": self.tagger.weights.astype(np.float16),
            "bias": self.tagger.bias.astype(np.float32),
        }
        with model_written(folder, {_KEY: asdict(self.features)}, report, replace=replace) as temporary:
            save_file(tensors, temporary / WEIGHTS_FILE)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the folder that `save` wrote; raises ModelError if the folder holds no such model, or a damaged one."""
        with as_model_error(f"{folder} holds no model of skills", "Install jobmatch again, or train it again."):
            features = record_of(FeatureWeights, read_json(folder / CONFIG_FILE)[_KEY], f"[{_KEY}]")
            tensors = read_weights(folder / WEIGHTS_FILE, load_file)
            weights, bias = tensors["weights"].astype(np.float32), tensors["bias"]
            if weights.shape != (N_FEATURES, 2) or bias.shape != (2,):
                raise ValueError("its weights do not match its config.json")
            return cls(SpanTagger(weights, bias), features)
