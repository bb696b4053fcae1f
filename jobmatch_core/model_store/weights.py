"""Weights of models, in training and from a file: of the shapes that are expected, and finite, every one."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors.numpy import load_file

from jobmatch_core.errors import ModelError
from jobmatch_core.io.text_files import check_regular

if TYPE_CHECKING:
    from torch import nn


def check_finite(weights: Mapping[str, Any]) -> None:
    """Refuse arrays or tensors in main memory in which a number is NaN or infinite.

    Raises:
        ValueError: one is; its name is said.
    """
    for name, values in weights.items():
        array = np.asarray(values)
        if array.dtype.kind == "O" or not np.isfinite(array).all():
            raise ValueError(f"it is damaged: {name} holds numbers that are not finite")


def check_weights_file(path: Path) -> None:
    """Refuse a safetensors file as `check_finite`; an OSError, SafetensorError where it cannot be read."""
    check_regular(path)
    check_finite(load_file(path))


def check_shapes(weights: Mapping[str, Any], layers: int, build: "Callable[[], nn.Module]") -> None:
    """Refuse weights that are not those of an architecture, before it takes any memory.

    Args:
        weights: as they were read.
        layers: of the architecture, each of which has several weights.
        build: makes it.

    Raises:
        ValueError: names or shapes differ.
    """
    import torch

    told = {name: tuple(each.shape) for name, each in weights.items()}
    if layers <= len(told):
        with torch.device("meta"):
            if told == {name: tuple(each.shape) for name, each in build().state_dict().items()}:
                return
    raise ValueError("its weights are not those that its config.json describes")


def checked_loss(loss: float) -> float:
    """Return the loss of a step.

    Raises:
        ModelError: it is no finite number, so that nothing more can be learned.
    """
    if not math.isfinite(loss):
        raise ModelError(
            f"The training was stopped and no model was written: its loss became {loss}. Choose a lower learning rate, "
            "and begin anew with --no-resume."
        )
    return loss


def check_trained(weights: Mapping[str, Any]) -> None:
    """Refuse what was trained where a weight is NaN or infinite.

    Raises:
        ModelError: one is.
    """
    try:
        check_finite({name: each.detach().cpu().float() for name, each in weights.items() if each.is_floating_point()})
    except ValueError as error:
        raise ModelError(
            f"No model was written: {error}. Choose a lower learning rate, and begin anew with --no-resume."
        ) from error
