"""Checks of model weights: expected shapes and finite numbers, in training and in files."""

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jobmatch_core.errors import ModelError

if TYPE_CHECKING:
    from torch import nn


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

    found = {name: tuple(each.shape) for name, each in weights.items()}
    if layers <= len(found):
        with torch.device("meta"):
            if found == {name: tuple(each.shape) for name, each in build().state_dict().items()}:
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
        check_finite({name: each.detach().cpu().float() for name, each in weights.items() if each.is_floating_point()})
    except ValueError as error:
        raise ModelError(
            f"No model was written: {error}. Choose a lower learning rate, and start again with --no-resume."
        ) from error
