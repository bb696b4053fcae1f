"""A calibration as a model that can be promoted: a folder.

config.json         the features' names, the encoder, the taxonomy, the threshold
model.safetensors   the weights, and the utility of 'none of these'
report.json         how it was fitted, and what that changed
"""

import json
import logging
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from jobmatch_core.errors import ModelError
from jobmatch_core.folders import written_whole
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.settings import Settings
from jobmatch_core.training.registry import BUILT_IN, ModelKind, Registry

_log = logging.getLogger(__name__)
CONFIG_FILE, WEIGHTS_FILE, REPORT_FILE = "config.json", "model.safetensors", "report.json"


def save_calibration(folder: Path, calibration: Calibration, encoder: str, report: Mapping[str, object]) -> None:
    """Write a folder, whole; one that is there stays.

    Raises:
        OSError: the disk refuses, or there is one already.
    """
    config = {
        "features": calibration.features,
        "encoder": encoder,
        "threshold": calibration.threshold,
        "held_out": calibration.held_out,
    }
    weights = {"weights": np.array(calibration.weights), "none": np.array([calibration.none])}
    with written_whole(folder, replace=False) as temporary:
        save_file(weights, temporary / WEIGHTS_FILE)
        for name, values in ((CONFIG_FILE, config), (REPORT_FILE, dict(report))):
            (temporary / name).write_text(json.dumps(values, ensure_ascii=False, indent=2), "utf-8")


def load_calibration(folder: Path, encoder: str, features: tuple[str, ...]) -> Calibration:
    """Read what `save_calibration` wrote.

    Args:
        folder: of the model.
        encoder: the name of the encoder beside which it is to serve; '' for none.
        features: the names of what it is to weigh.

    Raises:
        ModelError: it is missing or damaged, or was fitted for another encoder or other features.
    """
    try:
        config = json.loads((folder / CONFIG_FILE).read_text("utf-8"))
        told = tuple(config["features"]), config["encoder"]
        if told != (features, encoder):
            raise ValueError(f"it was fitted for {config['encoder'] or 'letters and words alone'}")
        tensors = load_file(folder / WEIGHTS_FILE)
        return Calibration(
            features=features,
            weights=tuple(float(weight) for weight in tensors["weights"]),
            none=float(tensors["none"][0]),
            threshold=config["threshold"],
            held_out=config["held_out"],
        )
    except (OSError, ValueError, LookupError, TypeError, SafetensorError) as error:
        raise ModelError(
            f"The linking model {folder.name} cannot be used here ({error}). Train one anew, or roll back."
        ) from error


def promoted_calibration(features: tuple[str, ...], encoder: str, settings: Settings) -> Calibration | None:
    """Return the promoted calibration where one is promoted and serves for these features beside this encoder.

    Raises:
        ModelError: the history of promotions is damaged.
    """
    registry = Registry(settings)
    name = registry.promoted(ModelKind.LINKING)
    if name in ("", BUILT_IN[ModelKind.LINKING]):
        return None
    try:
        return load_calibration(registry.folder(name), encoder, features)
    except ModelError as error:
        _log.warning("%s The calibration that comes with the index is taken.", error)
        return None


def calibration_in_use(features: tuple[str, ...], encoder: str, settings: Settings) -> str:
    """Return the name of the calibration that `promoted_calibration` gives, or of the one that comes with jobmatch."""
    found = promoted_calibration(features, encoder, settings)
    return Registry(settings).promoted(ModelKind.LINKING) if found else BUILT_IN[ModelKind.LINKING]
