"""Folders of unfinished trainings, and the checkpoints in them."""

from pathlib import Path

import pytest
import torch
from torch import nn

from jobmatch_core.errors import SettingsError
from jobmatch_core.training.checkpoints import check_free, load_checkpoint, open_unfinished, save_checkpoint
from jobmatch_core.training.figures import EpochFigures

EPOCHS = [EpochFigures(2.0, 1.5, 0.25), EpochFigures(1.0, None, 0.5)]


def stepped(seed: int) -> tuple[nn.Linear, torch.optim.Optimizer]:
    """Return a layer and its optimiser after a step."""
    torch.manual_seed(seed)
    layer = nn.Linear(3, 2)
    optimiser = torch.optim.AdamW(layer.parameters(), lr=0.1)
    layer(torch.ones(3)).sum().backward()
    optimiser.step()
    return layer, optimiser


def test_the_latest_epoch_is_kept(tmp_path: Path) -> None:
    """Weights, the optimiser's state and figures come back; the checkpoint before it is gone."""
    layer, optimiser = stepped(1)
    save_checkpoint(tmp_path, *stepped(2), EPOCHS[:1])
    save_checkpoint(tmp_path, layer, optimiser, EPOCHS)
    assert [path.name for path in tmp_path.iterdir()] == ["epoch-2"]
    other, others = stepped(3)
    assert load_checkpoint(tmp_path, other, others) == EPOCHS
    for one, two in zip(layer.parameters(), other.parameters(), strict=True):
        assert torch.equal(one, two)
        assert optimiser.state[one].keys() == others.state[two].keys()
        for name, value in optimiser.state[one].items():
            assert torch.equal(value, others.state[two][name])


def test_nothing_to_resume(tmp_path: Path) -> None:
    """A new folder has no epochs, and the weights stay."""
    layer, optimiser = stepped(1)
    before = layer.weight.clone()
    assert load_checkpoint(open_unfinished(tmp_path / "m", [1], resume=True), layer, optimiser) == []
    assert torch.equal(layer.weight, before)


def test_only_an_equal_training_resumes(tmp_path: Path) -> None:
    """Half of one and half of another would be neither: it is refused, and starts again where that is said."""
    out = tmp_path / "m"
    folder = open_unfinished(out, [{"seed": 1}, "data"], resume=True)
    assert folder == tmp_path / "m.unfinished"
    save_checkpoint(folder, *stepped(1), EPOCHS)
    assert open_unfinished(out, [{"seed": 1}, "data"], resume=True) == folder
    for other in ([{"seed": 2}, "data"], [{"seed": 1}, "other"]):
        with pytest.raises(SettingsError, match="start over with --no-resume"):
            open_unfinished(out, other, resume=True)
    assert (folder / "epoch-2").exists()
    open_unfinished(out, [{"seed": 2}, "data"], resume=False)
    assert [path.name for path in folder.iterdir()] == ["stamp"]


def test_an_existing_folder_is_refused(tmp_path: Path) -> None:
    """It may be an older model."""
    check_free(tmp_path / "new")
    with pytest.raises(SettingsError, match="exists already; remove it"):
        check_free(tmp_path)
