"""A linking model: the part of the linker that is trained on judged titles, in a folder that can be promoted.

config.json         the features' names, the encoder, the threshold, the occupations with moved vectors
model.safetensors   the weights, the utility of 'none of these', the moves of the concept head
report.json         how it was fitted, and the effect
"""

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import ModelError
from jobmatch_core.io.records import read_record
from jobmatch_core.linking.calibration import SURE, Calibration
from jobmatch_core.linking.relevance_feedback import HeadMoves
from jobmatch_core.metrics.calibration import PrecisionPoint
from jobmatch_core.model_store.registry import BUILT_IN, ModelKind, Registry
from jobmatch_core.model_store.saved_model import (
    CONFIG_FILE,
    WEIGHTS_FILE,
    as_model_error,
    model_written,
    read_weights,
)
from jobmatch_core.settings import Settings

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LinkingModel:
    """The fusion's weights and threshold, and the moves of the concept head; None if it is unchanged."""

    calibration: Calibration
    moves: HeadMoves | None = None


@dataclass(frozen=True, slots=True)
class _Config:
    """Content of `config.json`; `moved` are the URIs of the occupations with moved vectors."""

    features: tuple[str, ...]
    encoder: str
    threshold: float
    held_out: dict[str, float]
    moved: tuple[str, ...] = ()
    unit_threshold: float = SURE
    curve: tuple[PrecisionPoint, ...] = ()
    unit_curve: tuple[PrecisionPoint, ...] = ()
    exact_name: float | None = None


def save_linking_model(folder: Path, model: LinkingModel, encoder: str, report: Mapping[str, object]) -> None:
    """Write a complete folder; an existing one stays.

    Raises:
        OSError: the disk refuses, or the folder exists.
    """
    calibration, moves = model.calibration, model.moves
    config = _Config(
        features=calibration.features,
        encoder=encoder,
        threshold=calibration.threshold,
        held_out=calibration.held_out,
        moved=moves.uris if moves else (),
        unit_threshold=calibration.unit_threshold,
        curve=calibration.curve,
        unit_curve=calibration.unit_curve,
        exact_name=calibration.exact_name,
    )
    weights = {"weights": np.array(calibration.weights), "none": np.array([calibration.none])}
    if moves:
        weights["moves"] = moves.vectors
    with model_written(folder, asdict(config), report) as temporary:
        save_file(weights, temporary / WEIGHTS_FILE)


def load_linking_model(folder: Path, encoder: str, features: tuple[str, ...]) -> LinkingModel:
    """Read the folder that `save_linking_model` wrote.

    Args:
        folder: folder of the model.
        encoder: name of the encoder in use; '' for none.
        features: names of the features in use.

    Raises:
        ModelError: it is missing or damaged, or was fitted for another encoder or other features.
    """
    with as_model_error(f"The linking model {folder.name} cannot be used here", "Train a new one, or roll back."):
        config = read_record(folder / CONFIG_FILE, _Config)
        if (config.features, config.encoder) != (features, encoder):
            raise ValueError(f"it was fitted for {config.encoder or 'letters and words alone'}")
        tensors = read_weights(folder / WEIGHTS_FILE, load_file)
        calibration = Calibration(
            features=features,
            weights=tuple(float(weight) for weight in tensors["weights"]),
            none=float(tensors["none"][0]),
            threshold=config.threshold,
            held_out=config.held_out,
            unit_threshold=config.unit_threshold,
            curve=config.curve,
            unit_curve=config.unit_curve,
            exact_name=config.exact_name,
        )
        return LinkingModel(calibration, _moves(config.moved, tensors.get("moves")))


def _moves(uris: tuple[str, ...], vectors: FloatArray | None) -> HeadMoves | None:
    """Return the moves of the head; raises ValueError if uris and vectors do not match."""
    if vectors is None:
        return None
    if vectors.shape[:1] != (len(uris),):
        raise ValueError("the vectors in the file do not match its list of occupations")
    return HeadMoves(uris, vectors)


def promoted_model(features: tuple[str, ...], encoder: str, settings: Settings) -> LinkingModel | None:
    """Return the promoted model; None if there is none for these features and this encoder.

    Raises:
        ModelError: the history of promotions is damaged.
    """
    registry = Registry(settings)
    name = registry.promoted(ModelKind.LINKING)
    if name in ("", BUILT_IN[ModelKind.LINKING]):
        return None
    try:
        return load_linking_model(registry.folder(name), encoder, features)
    except ModelError as error:
        _log.warning("%s The index's own calibration is used instead.", error)
        return None


def linking_model_in_use(features: tuple[str, ...], encoder: str, settings: Settings) -> str:
    """Return the name of the model of `promoted_model`, or of the one that comes with jobmatch."""
    found = promoted_model(features, encoder, settings)
    return Registry(settings).promoted(ModelKind.LINKING) if found else BUILT_IN[ModelKind.LINKING]
