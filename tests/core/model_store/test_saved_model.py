"""Weights with numbers that are not finite, or of another architecture, are refused before use."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import nn

from jobmatch_core.errors import ModelError
from jobmatch_core.model_store.saved_model import check_finite, check_shapes, check_trained, checked_loss

BAD = [float("nan"), float("inf"), float("-inf")]


@pytest.mark.parametrize("value", BAD)
def test_numbers_that_are_not_finite(value: float) -> None:
    """Arrays and tensors in either precision are checked; integers are always finite."""
    whole = {"codes": np.arange(4), "halves": np.ones(3, np.float16), "tensor": torch.ones(2)}
    check_finite(whole)
    for weights in ({"a": np.array([0, value], np.float16)}, {"a": torch.tensor([value])}, {"a": [1.0, value]}):
        with pytest.raises(ValueError, match="a holds numbers that are not finite"):
            check_finite(whole | weights)
    with pytest.raises(ModelError, match="No model was written: it is damaged: a holds"):
        check_trained({"a": torch.tensor([value], dtype=torch.bfloat16)})
    with pytest.raises(ModelError, match=f"its loss became {value}. Choose a lower learning rate"):
        checked_loss(value)
    assert checked_loss(0.5) == 0.5


def test_another_architecture() -> None:
    """Other names, shapes or more layers than weights are refused without allocating the module."""
    weights = nn.Linear(2, 3).state_dict()
    check_shapes(weights, 1, lambda: nn.Linear(2, 3))
    builds: list[tuple[int, Callable[[], nn.Module]]] = [
        (1, lambda: nn.Linear(3, 2)),
        (1, lambda: nn.Linear(2, 3, bias=False)),
        (1, lambda: nn.Linear(10**9, 10**9)),
        (10**6, lambda: pytest.fail("it was built")),
    ]
    for layers, build in builds:
        with pytest.raises(ValueError, match="its weights do not match"):
            check_shapes(weights, layers, build)
