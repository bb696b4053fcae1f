"""The training loop of small models: epochs over shuffled rows, without checkpoints.

The title encoder's embedding bag, the classifier of unit groups and the model of titles in context are trained by it.
They have optimisers of their own, which step through the rows of a batch alone or need no clipping, one random
generator for the whole training, and no held-out data; a training that is stopped starts again.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from jobmatch_core.entities import Progress
from jobmatch_core.model_store.saved_model import checked_loss

Rows = NDArray[np.intp]


def run_plain_loop(
    n_rows: int,
    n_batches: int,
    epochs: int,
    *,
    loss: Callable[[Rows], Tensor],
    update: Callable[[Tensor, float], None],
    random: np.random.Generator,
    progress: Progress,
) -> tuple[float, ...]:
    """Take one step per batch, and return the mean loss of each epoch.

    Args:
        n_rows: number of rows, shuffled for each epoch.
        n_batches: number of batches of an epoch, at least 1.
        epochs: passes over all rows.
        loss: returns the loss of a batch, given as its rows.
        update: moves the weights by a loss; given the remaining share of the training, 1 to 0, for the learning rate.
        random: draws the order.

    Raises ModelError if a loss is no longer a finite number.
    """
    n_steps = epochs * n_batches
    losses = []
    for epoch in range(epochs):
        total = 0.0
        for number, rows in enumerate(np.array_split(random.permutation(n_rows), n_batches)):
            step = epoch * n_batches + number
            batch_loss = loss(rows)
            total += checked_loss(batch_loss.item())
            update(batch_loss, 1 - step / n_steps)
            progress(step + 1, n_steps)
        losses.append(total / n_batches)
    return tuple(losses)
