"""The training loop with one weight by hand, and a resumed training against one that never stopped."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import ModelError
from jobmatch_core.training.checkpoints import open_unfinished
from jobmatch_core.training.figures import EpochFigures
from jobmatch_core.training.loop import TrainingLoop, rate_share
from tests.core.training.stopping import Stopped, stop_at


@pytest.mark.parametrize(
    ("warmup", "shares"),
    [
        (0.4, [1 / 4, 2 / 4, 3 / 4, 1, 6 / 6, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6]),
        (0.0, [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]),
        (0.04, [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]),
        (0.14, [1, 1, 8 / 9, 7 / 9, 6 / 9, 5 / 9, 4 / 9, 3 / 9, 2 / 9, 1 / 9]),
    ],
    ids=["four of ten steps", "none", "rounded to none", "rounded to one step"],
)
def test_the_learning_rate_rises_and_falls(warmup: float, shares: list[float]) -> None:
    """Shares of the highest learning rate in ten steps."""
    assert [rate_share(step, 10, warmup) for step in range(10)] == pytest.approx(shares)


class Line(nn.Module):
    """Weights whose loss is their product with the batch, so that the batch is the gradient."""

    def __init__(self, *weights: float) -> None:
        super().__init__()
        self.weights = nn.ParameterList(nn.Parameter(torch.tensor(weight)) for weight in weights)

    def loss(self, batch: tuple[float, ...]) -> Tensor:
        """Return the loss of a batch with a number for each weight."""
        return sum((weight * x for weight, x in zip(self.weights, batch, strict=True)), torch.tensor(0.0))

    @property
    def values(self) -> list[float]:
        """The weights as numbers."""
        return [weight.item() for weight in self.weights]


def line_loop(
    line: Line, epochs: list[list[tuple[float, ...]]], groups: list[dict[str, object]] | None = None, **settings: object
) -> TrainingLoop[tuple[float, ...]]:
    """Return a loop of plain gradient descent at a learning rate of 0.1, which measures the first weight."""
    return TrainingLoop(
        line,
        torch.optim.SGD(groups or [{"params": line.parameters(), "highest": 0.1}]),
        steps=list(map(len, epochs)),
        batches=epochs.__getitem__,
        loss=line.loss,
        validation=lambda: line.values[0],
        warmup=0.5,
        seed=1,
        **settings,  # type: ignore[arg-type]
    )


def test_four_steps_by_hand(tmp_path: Path) -> None:
    """Learning rates 0.05, 0.1, 0.1 and 0.05; the gradient 3 is clipped to 1.

    1 - 0.05 * 1 = 0.95;  0.95 - 0.1 * 0.5 = 0.9;  0.9 + 0.1 * 1 = 1.0;  1.0 - 0.05 * 0.2 = 0.99.
    Losses: 1 * 3 = 3 and 0.95 * 0.5 = 0.475, mean 1.7375;  0.9 * -1 = -0.9 and 1.0 * 0.2 = 0.2, mean -0.35.
    """
    line = Line(1.0)
    steps, losses = [], []
    loop = line_loop(line, [[(3.0,), (0.5,)], [(-1.0,), (0.2,)]], after_step=lambda *step: losses.append(step))
    epochs = loop.run(tmp_path, lambda *step: steps.append(step))
    assert line.values == pytest.approx([0.99], abs=1e-5)
    assert [epoch.loss for epoch in epochs] == pytest.approx([1.7375, -0.35], abs=1e-5)
    assert [epoch.validation_loss for epoch in epochs] == pytest.approx([0.9, 0.99], abs=1e-5)
    assert steps == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert losses == [(step, pytest.approx(loss, abs=1e-5)) for step, loss in ((1, 3), (2, 0.475), (3, -0.9), (4, 0.2))]
    assert not line.training


def test_clipping_looks_at_all_weights_together(tmp_path: Path) -> None:
    """The gradient (3, 4) of length 5 becomes (0.6, 0.8), at a learning rate of 0.1 each."""
    line = Line(1.0, 1.0)
    line_loop(line, [[(3.0, 4.0)]]).run(tmp_path, no_progress)
    assert line.values == pytest.approx([0.94, 0.92], abs=1e-5)


def test_groups_have_their_own_learning_rates(tmp_path: Path) -> None:
    """Highest ones of 0.1 and 0.2, the latter three times; the only step has all of it."""
    line = Line(1.0, 1.0)
    first, second = line.parameters()
    groups: list[dict[str, object]] = [
        {"params": [first], "highest": 0.1},
        {"params": [second], "highest": 0.2, "pace": 3.0},
    ]
    line_loop(line, [[(0.5, 0.5)]], groups).run(tmp_path, no_progress)
    assert line.values == pytest.approx([0.95, 0.7])


def test_sparse_gradients_are_not_clipped(tmp_path: Path) -> None:
    """A row of an embedding has the gradient (3, 4); the other row stays."""
    bag = nn.Embedding(2, 2, sparse=True, _weight=torch.ones(2, 2))
    loop = TrainingLoop(
        bag,
        torch.optim.SGD([{"params": bag.parameters(), "highest": 0.1}]),
        steps=[1],
        batches=lambda epoch: [torch.tensor([1])],
        loss=lambda rows: (bag(rows) * torch.tensor([3.0, 4.0])).sum(),
        validation=lambda: None,
        warmup=0,
        seed=1,
    )
    loop.run(tmp_path, no_progress)
    assert bag.weight.tolist() == [[1, 1], [pytest.approx(0.7), pytest.approx(0.6)]]


def test_a_loss_that_depends_on_no_weight(tmp_path: Path) -> None:
    """Such a step counts for the schedule and changes no weight."""
    line = Line(1.0)
    loop = replace(line_loop(line, [[(0.5,)]]), loss=lambda batch: torch.tensor(7.0))
    assert [epoch.loss for epoch in loop.run(tmp_path, no_progress)] == [7.0]
    assert line.values == [1.0]


def test_modes_of_the_module(tmp_path: Path) -> None:
    """Batches are drawn in evaluation mode and steps taken in training mode, even after a validation among them."""
    line = Line(1.0)
    modes: list[tuple[str, bool]] = []

    def batches(epoch: int) -> list[tuple[float]]:
        modes.append(("batches", line.training))
        return [(0.1,), (0.1,)]

    def loss(batch: tuple[float, ...]) -> Tensor:
        modes.append(("loss", line.training))
        return line.loss(batch)

    def validate(step: int, loss: float) -> None:
        line.eval()

    loop = line_loop(line, [[(0.1,), (0.1,)]], after_step=validate)
    replace(loop, batches=batches, loss=loss).run(tmp_path, no_progress)
    assert modes == [("batches", False), ("loss", True), ("loss", True)]


def noisy_training(folder: Path, progress: Progress = no_progress) -> tuple[Tensor, list[EpochFigures]]:
    """Train a layer with dropout on three epochs of four batches by AdamW; return its weights and figures."""
    torch.manual_seed(1)
    layer = nn.Linear(6, 1)
    module = nn.Sequential(nn.Dropout(0.5), layer)
    data = torch.from_numpy(np.random.default_rng(1).normal(size=(3, 4, 5, 6)).astype(np.float32))
    loop = TrainingLoop(
        module,
        torch.optim.AdamW([{"params": module.parameters(), "highest": 0.1}]),
        steps=[4] * 3,
        batches=lambda epoch: data[epoch],
        loss=lambda batch: ((module(batch)[:, 0] - batch.sum(dim=1)) ** 2).mean(),
        validation=lambda: layer.weight.abs().sum().item(),
        warmup=0.3,
        seed=5,
    )
    epochs = loop.run(folder, progress)
    return layer.weight.detach(), epochs


@pytest.mark.parametrize("step", [2, 4, 5, 8, 9, 12])
def test_a_resumed_training_equals_one_that_never_stopped(tmp_path: Path, step: int) -> None:
    """It goes on from the last whole epoch, to the same weights to the bit; earlier figures are kept."""
    weights, epochs = noisy_training(open_unfinished(tmp_path / "whole", {}, resume=True))
    folder = open_unfinished(tmp_path / "stopped", {}, resume=True)
    with pytest.raises(Stopped):
        noisy_training(folder, stop_at(step))
    steps: list[tuple[int, int]] = []
    resumed, figures = noisy_training(folder, lambda *done: steps.append(done))
    assert steps == [(done, 12) for done in range((step - 1) // 4 * 4 + 1, 13)]
    assert torch.equal(resumed, weights)
    assert [(each.loss, each.validation_loss) for each in figures] == [
        (each.loss, each.validation_loss) for each in epochs
    ]


def test_torchs_random_numbers_go_on_as_they_were(tmp_path: Path) -> None:
    """What an epoch draws is seeded by itself."""
    torch.manual_seed(1)
    nn.Linear(6, 1)
    expected = torch.rand(1)
    noisy_training(tmp_path)
    assert torch.equal(torch.rand(1), expected)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_loss_that_is_no_number(tmp_path: Path, value: float) -> None:
    """The training ends with an error that says what to do."""
    with pytest.raises(ModelError, match=r"its loss became (nan|inf)\. Choose a lower learning rate"):
        line_loop(Line(1.0), [[(value,)]]).run(tmp_path, no_progress)


def test_a_weight_that_is_no_number(tmp_path: Path) -> None:
    """The last step may make a weight NaN without a further loss; no checkpoint is written then."""
    line = Line(1.0)
    loop = line_loop(line, [[(0.5,)]], [{"params": line.parameters(), "highest": np.inf}])
    with pytest.raises(ModelError, match="No model was written"):
        loop.run(tmp_path, no_progress)
    assert list(tmp_path.iterdir()) == []
