"""Folders of trained models: written atomically, read as untrusted input.

config.json         everything needed to build the model
model.safetensors   its weights
report.json         training report
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
_MOST_LETTERS = 800  # of a library's error message
_Weights = TypeVar("_Weights", bound=Mapping[str, Any])


def check_finite(weights: Mapping[str, Any]) -> None:
    """Raise ValueError, naming the array, for arrays or tensors in main memory with a NaN or infinite number."""
    for name, values in weights.items():
        array = np.asarray(values)
        if array.dtype.kind == "O" or not np.isfinite(array).all():
            raise ValueError(f"it is damaged: {name} holds numbers that are not finite")


def check_shapes(weights: Mapping[str, Any], layers: int, build: "Callable[[], nn.Module]") -> None:
    """Refuse weights with other names or shapes than those of a module that *build* returns, before it takes memory.

    Raises ValueError if names or shapes differ.
    """
    import torch

    shapes = {name: tuple(weight.shape) for name, weight in weights.items()}
    if layers <= len(shapes):
        with torch.device("meta"):
            if shapes == {name: tuple(weight.shape) for name, weight in build().state_dict().items()}:
                return
    raise ValueError("its weights do not match its config.json")


def checked_loss(loss: float) -> float:
    """Return the loss of a step; raise ModelError if it is not finite."""
    if not math.isfinite(loss):
        raise ModelError(
            f"The training was stopped and no model was written: its loss became {loss}. Choose a lower learning "
            "rate, and start again with --no-resume."
        )
    return loss


def check_trained(weights: Mapping[str, Any]) -> None:
    """Raise ModelError for trained weights with a NaN or infinite number."""
    try:
        check_finite(
            {name: weight.detach().cpu().float() for name, weight in weights.items() if weight.is_floating_point()}
        )
    except ValueError as error:
        raise ModelError(
            f"No model was written: {error}. Choose a lower learning rate, and start again with --no-resume."
        ) from error


@contextmanager
def model_written(
    folder: Path, config: Mapping[str, object], report: Mapping[str, object], *, replace: bool = False
) -> Iterator[Path]:
    """Yield a temporary folder for the weights; it is put in place whole, with its configuration and report.

    Raises OSError if the folder cannot be written, or exists and may not be replaced.
    """
    with atomic_folder(folder, replace=replace) as temporary:
        yield temporary
        for name, values in ((CONFIG_FILE, config), (REPORT_FILE, dict(report))):
            (temporary / name).write_text(json_text(values, ensure_ascii=False, indent=2), "utf-8")


@contextmanager
def as_model_error(problem: str, remedy: str) -> Iterator[None]:
    """Turn any error of a damaged folder into a ModelError: the problem, its cause in brackets, the remedy."""
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


def weights_digest(folder: Path, file: str = WEIGHTS_FILE, *, before: bytes = b"", after: bytes = b"") -> str:
    """Return eight hexadecimal digits of the SHA-256 of a file of weights between two byte strings."""
    return hashlib.sha256(before + (folder / file).read_bytes() + after).hexdigest()[:8]
