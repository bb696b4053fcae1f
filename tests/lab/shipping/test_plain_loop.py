"""The loop without checkpoints, by hand."""

import numpy as np
import pytest
import torch

from jobmatch_core.entities import no_progress
from jobmatch_core.errors import ModelError
from lab.shipping.plain_loop import run_plain_loop


def test_two_epochs_of_two_batches() -> None:
    """Each epoch has all five rows in another order; a batch's loss is the number of its rows, 3 and 2."""
    seen: list[list[int]] = []
    left: list[float] = []
    steps: list[tuple[int, int]] = []

    def loss(rows: np.ndarray) -> torch.Tensor:
        seen.append(rows.tolist())
        return torch.tensor(float(len(rows)))

    losses = run_plain_loop(
        5,
        2,
        2,
        loss=loss,
        update=lambda loss, share: left.append(share),
        random=np.random.default_rng(1),
        progress=lambda *step: steps.append(step),
    )
    assert losses == (2.5, 2.5)
    assert left == [1, 0.75, 0.5, 0.25]
    assert steps == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert list(map(len, seen)) == [3, 2, 3, 2]
    assert sorted(seen[0] + seen[1]) == sorted(seen[2] + seen[3]) == [0, 1, 2, 3, 4]
    assert seen[0] + seen[1] != seen[2] + seen[3]


def test_a_loss_that_is_no_number_moves_nothing() -> None:
    """It is refused before the weights are moved by it."""

    def update(loss: torch.Tensor, left: float) -> None:
        raise AssertionError

    with pytest.raises(ModelError, match="its loss became nan"):
        run_plain_loop(
            5,
            2,
            2,
            loss=lambda rows: torch.tensor(np.nan),
            update=update,
            random=np.random.default_rng(1),
            progress=no_progress,
        )
