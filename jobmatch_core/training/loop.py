"""The training loop of towers, descriptions and search encoders.

Each epoch is seeded by its number and ends with a validation and a checkpoint, so that a resumed training equals an
uninterrupted one. Title encoders are trained by sentence-transformers' trainer instead (`titles.stages`).
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
    """Return the share of the peak learning rate at a step (from 0): linear warm-up, then linear decay to zero.

    *warmup* is the share of the steps that are warm-up.
    """
    n_warmup = round(warmup * n_steps)
    rising, falling = (step + 1) / max(n_warmup, 1), (n_steps - step) / max(n_steps - n_warmup, 1)
    return min(rising, falling, 1.0)


def epoch_seed(seed: int, epoch: int) -> int:
    """Return the seed of torch's random numbers in an epoch."""
    return int(np.random.SeedSequence((seed, epoch)).generate_state(1)[0])


@dataclass(frozen=True)
class TrainingLoop(Generic[Batch]):
    """A model, its optimiser, data and loss."""

    module: nn.Module  # all trained weights
    # has the peak learning rate of each parameter group in `highest` and optionally a factor in `pace`
    optimiser: torch.optim.Optimizer
    steps: Sequence[int]  # number of steps of each epoch
    # returns the batches of an epoch, counted from 0; the module is in evaluation mode
    batches: Callable[[int], Iterable[Batch]]
    loss: Callable[[Batch], Tensor]  # returns the loss of a batch
    # returns the loss on held-out data, None without any; may leave the module in evaluation mode
    validation: Callable[[], float | None]
    warmup: float  # share of all steps that are warm-up
    seed: int  # random seed of torch, such as for dropout
    after_step: Losses = no_losses  # called after each step with its number, from 1, and its loss

    def run(self, folder: Path, progress: Progress) -> list[EpochFigures]:
        """Train the epochs after the checkpoint in a folder of `open_unfinished`; return the figures of all epochs.

        Raises ModelError if a loss or a weight is no longer a finite number.
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
