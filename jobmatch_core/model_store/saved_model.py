"""Folders of models that were trained here: how they are written whole, and how they are read with suspicion.

    config.json         all that is needed to build the model
    model.safetensors   its weights
    report.json         how it was trained

What the files say differs from kind to kind; the rooms that train a kind of model know it. Weights must have the
expected shapes and finite numbers, in training and in files.
"""

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from safetensors import SafetensorError

from jobmatch_core.errors import JobMatchError, ModelError
from jobmatch_core.io.folders import atomic_folder
from jobmatch_core.io.text_files import check_regular, json_text

if TYPE_CHECKING:
    from torch import nn


CONFIG_FILE, WEIGHTS_FILE, REPORT_FILE = "config.json", "model.safetensors", "report.json"
_DAMAGE = (JobMatchError, OSError, ValueError, ArithmeticError, LookupError, TypeError, RuntimeError, SafetensorError)
_MOST_LETTERS = 800  # of a library's account of the damage


def check_finite(weights: Mapping[str, Any]) -> None:
    """Refuse arrays or tensors in main memory with a number that is NaN or infinite.

    Raises:
        ValueError: a number is not finite; the message names its array.
    """
    for name, values in weights.items():
        array = np.asarray(values)
        if array.dtype.kind == "O" or not np.isfinite(array).all():
            raise ValueError(f"it is damaged: {name} holds numbers that are not finite")


def check_shapes(weights: Mapping[str, Any], layers: int, build: "Callable[[], nn.Module]") -> None:
    """Refuse weights with other names or shapes than an architecture's, before the architecture takes any memory.

    Args:
        weights: name -> array, as read from a file.
        layers: number of layers of the architecture, each with several weights.
        build: returns the architecture's module.

    Raises:
        ValueError: names or shapes differ.
    """
    import torch

    shapes = {name: tuple(weight.shape) for name, weight in weights.items()}
    if layers <= len(shapes):
        with torch.device("meta"):
            if shapes == {name: tuple(weight.shape) for name, weight in build().state_dict().items()}:
                return
    raise ValueError("its weights are not those that its config.json describes")


def checked_loss(loss: float) -> float:
    """Return the loss of a step.

    Raises:
        ModelError: it is not a finite number, so training cannot continue.
    """
    if not math.isfinite(loss):
        raise ModelError(
            f"The training was stopped and no model was written: its loss became {loss}. Choose a lower learning "
            "rate, and start over with --no-resume."
        )
    return loss


def check_trained(weights: Mapping[str, Any]) -> None:
    """Refuse trained weights with a number that is NaN or infinite.

    Raises:
        ModelError: a number is not finite.
    """
    try:
        check_finite(
            {name: weight.detach().cpu().float() for name, weight in weights.items() if weight.is_floating_point()}
        )
    except ValueError as error:
        raise ModelError(
            f"No model was written: {error}. Choose a lower learning rate, and start again with --no-resume."
        ) from error


_Weights = TypeVar("_Weights", bound=Mapping[str, Any])


@contextmanager
def model_written(
    folder: Path, config: Mapping[str, object], report: Mapping[str, object], *, replace: bool = False
) -> Iterator[Path]:
    """Yield a temporary folder for the weights; it is put in place whole, with its configuration and report.

    Args:
        folder: folder of the model.
        config: content of `config.json`.
        report: content of `report.json`.
        replace: replace an existing folder.

    Raises:
        OSError: the disk refuses, or the folder exists and must not be replaced.
    """
    with atomic_folder(folder, replace=replace) as temporary:
        yield temporary
        for name, values in ((CONFIG_FILE, config), (REPORT_FILE, dict(report))):
            (temporary / name).write_text(json_text(values, ensure_ascii=False, indent=2), "utf-8")


@contextmanager
def as_model_error(problem: str, remedy: str) -> Iterator[None]:
    """Turn whatever a damaged folder raises into a ModelError: the problem, its cause in brackets, the remedy.

    A damaged folder raises whatever the reader of the damaged part raises.
    """
    try:
        yield
    except _DAMAGE as error:
        cause = " ".join(str(error).split())[:_MOST_LETTERS].rstrip(".")
        raise ModelError(f"{problem} ({cause}). {remedy}") from error


def read_weights(path: Path, load_file: Callable[[Path], _Weights]) -> _Weights:
    """Return a file's weights by name, read by the safetensors reader of NumPy or of torch.

    Raises:
        OSError: the file cannot be read.
        SafetensorError: the file is damaged.
        ValueError: a number is not finite.
    """
    check_regular(path)
    weights = load_file(path)
    check_finite(weights)
    return weights


def weights_digest(folder: Path, *, before: bytes = b"", after: bytes = b"") -> str:
    """Return eight hexadecimal digits of the SHA-256 of the weights' file, between what else determines the vectors."""
    return hashlib.sha256(before + (folder / WEIGHTS_FILE).read_bytes() + after).hexdigest()[:8]
