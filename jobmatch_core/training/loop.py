"""The training loop of towers, descriptions and search encoders: epochs of steps, each step on one batch.

A step computes the loss, clips the gradient and moves the weights; the learning rate rises linearly in the warm-up and
then decays linearly to zero. After each epoch the held-out data are measured and a checkpoint is written. What is
random in an epoch is seeded by the epoch, so that a training resumed from a checkpoint equals one that never stopped.

Each kind of model gives its batches, its loss and its validation as functions. A title encoder of two stages is trained
by sentence-transformers' trainer instead (`titles.stages`), which brings mixed precision and trackers.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from jobmatch_core.entities import Progress
from jobmatch_core.model_store.saved_model import check_trained, checked_loss
from jobmatch_core.training.checkpoints import load_checkpoint, save_checkpoint
from jobmatch_core.training.figures import EpochFigures, Losses, no_losses

MAX_GRADIENT_NORM = 1.0  # gradient clipping
Batch = TypeVar("Batch")


def rate_share(step: int, n_steps: int, warmup: float) -> float:
    """Return the share of the highest learning rate that a step has: linear warm-up, then linear decay to zero.

    Args:
        step: number of the step, from 0.
        n_steps: number of steps of the training.
        warmup: share of the steps in which the learning rate rises.
    """
    n_warmup = round(warmup * n_steps)
    rising, falling = (step + 1) / max(n_warmup, 1), (n_steps - step) / max(n_steps - n_warmup, 1)
    return min(rising, falling, 1.0)


def epoch_seed(seed: int, epoch: int) -> int:
    """Return the seed of torch's random numbers in an epoch."""
    return int(np.random.SeedSequence((seed, epoch)).generate_state(1)[0])


@dataclass(frozen=True)
class TrainingLoop(Generic[Batch]):
    """A model, and how it is trained.

    Attributes:
        module: all that is trained.
        optimiser: its optimiser. Each parameter group has its highest learning rate in `highest`, and may have a
            factor of the learning rate in `pace`.
        steps: number of steps of each epoch.
        batches: returns the batches of an epoch, counted from 0; the module is in evaluation mode.
        loss: returns the loss of a batch.
        validation: returns the loss on held-out data, None without any; it may leave the module in evaluation mode.
        warmup: share of all steps in which the learning rate rises.
        seed: seed of torch's random numbers, as of dropout.
        after_step: called after each step with its number, from 1, and its loss.
    """

    module: nn.Module
    optimiser: torch.optim.Optimizer
    steps: Sequence[int]
    batches: Callable[[int], Iterable[Batch]]
    loss: Callable[[Batch], Tensor]
    validation: Callable[[], float | None]
    warmup: float
    seed: int
    after_step: Losses = no_losses

    def run(self, folder: Path, progress: Progress) -> list[EpochFigures]:
        """Train all epochs that the checkpoint in a folder has not seen, and return the figures of all.

        Args:
            folder: result of `open_unfinished`.
            progress: called with steps done and steps in total.

        Raises:
            ModelError: a loss or a weight is no longer a finite number.
        """
        epochs = load_checkpoint(folder, self.module, self.optimiser)
        for epoch in range(len(epochs), len(self.steps)):
            begun = time.perf_counter()
            loss, validation_loss = self._epoch(epoch, progress), self.validation()
            check_trained(self.module.state_dict())
            epochs.append(EpochFigures(loss, validation_loss, time.perf_counter() - begun))
            save_checkpoint(folder, self.module, self.optimiser, epochs)
        self.module.eval()
        return epochs

    def _epoch(self, epoch: int, progress: Progress) -> float:
        """Take one step per batch, and return the mean loss."""
        step, n_steps = sum(self.steps[:epoch]), sum(self.steps)
        losses = []
        self.module.eval()
        batches = self.batches(epoch)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(epoch_seed(self.seed, epoch))
            for batch in batches:
                self.module.train()
                self._set_rate(rate_share(step, n_steps, self.warmup))
                losses.append(self._step(batch))
                step += 1
                self.after_step(step, losses[-1])
                progress(step, n_steps)
        return float(np.mean(losses))

    def _set_rate(self, share: float) -> None:
        for group in self.optimiser.param_groups:
            group["lr"] = group["highest"] * share * group.get("pace", 1.0)

    def _step(self, batch: Batch) -> float:
        loss = self.loss(batch)
        checked_loss(loss.item())
        self.optimiser.zero_grad()
        if loss.requires_grad:  # not where no text of the batch is known
            loss.backward()  # type: ignore[no-untyped-call]  # torch does not type it
        # the sparse gradients of n-grams cannot be clipped
        dense = [
            parameter
            for parameter in self.module.parameters()
            if parameter.grad is not None and not parameter.grad.is_sparse
        ]
        torch.nn.utils.clip_grad_norm_(dense, MAX_GRADIENT_NORM)
        with torch.sparse.check_sparse_tensor_invariants(False):  # type: ignore[no-untyped-call]  # else torch warns
            self.optimiser.step()
        return loss.item()
