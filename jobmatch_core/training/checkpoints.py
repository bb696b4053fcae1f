"""Checkpoints of an unfinished training: weights, optimiser state and figures after each epoch."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from jobmatch_core.errors import SettingsError
from jobmatch_core.io.folders import atomic_folder, make_folder, recover, remove_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.training.figures import EpochFigures

_STAMP_FILE = "stamp"
_WEIGHTS, _OPTIMISER, _FIGURES = "model.safetensors", "optimiser.safetensors", "figures.json"


def check_free(out: Path) -> None:
    """Raise SettingsError if a model's folder exists already."""
    if out.exists():
        raise SettingsError(f"{out} exists already; remove it, or say with --out where else to write the model.")


def open_unfinished(out: Path, determined_by: object, *, resume: bool) -> Path:
    """Return `OUT.unfinished`, empty for a new training.

    *determined_by*, JSON values, must be the same to resume. Raises SettingsError if an unfinished training with
    another recipe or other data lies there.
    """
    folder = out.with_name(f"{out.name}.unfinished")
    stamp = hashlib.sha256(json.dumps(determined_by).encode()).hexdigest()
    stamp_file = folder / _STAMP_FILE
    if folder.exists() and not resume:
        remove_whole(folder)
    if stamp_file.exists() and stamp_file.read_text("utf-8") != stamp:
        raise SettingsError(
            f"{folder} holds an unfinished training by another recipe or on other data; finish it with that, start "
            "over with --no-resume, or say with --out where else to write the model."
        )
    make_folder(folder)
    stamp_file.write_text(stamp, "utf-8")
    return folder


def save_checkpoint(
    folder: Path, module: nn.Module, optimiser: torch.optim.Optimizer, epochs: Sequence[EpochFigures]
) -> None:
    """Write the state after an epoch atomically as `epoch-N`, and remove older checkpoints."""
    with atomic_folder(folder / f"epoch-{len(epochs)}") as temporary:
        save_file(module.state_dict(), temporary / _WEIGHTS)
        save_file(_state(module, optimiser), temporary / _OPTIMISER)
        (temporary / _FIGURES).write_text(json_text([asdict(epoch) for epoch in epochs]), "utf-8")
    for older in _checkpoints(folder)[:-1]:
        remove_whole(older)


def load_checkpoint(folder: Path, module: nn.Module, optimiser: torch.optim.Optimizer) -> list[EpochFigures]:
    """Restore the latest checkpoint and return its epochs; none without a checkpoint."""
    recover(folder)
    checkpoints = _checkpoints(folder)
    if not checkpoints:
        return []
    module.load_state_dict(load_file(checkpoints[-1] / _WEIGHTS))
    _restore(module, optimiser, load_file(checkpoints[-1] / _OPTIMISER))
    return list(read_record(checkpoints[-1] / _FIGURES, tuple[EpochFigures, ...]))


def _checkpoints(folder: Path) -> list[Path]:
    return sorted(folder.glob("epoch-*"), key=lambda path: int(path.name.partition("-")[2]))


def _state(module: nn.Module, optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    return {
        f"{name}/{what}": value
        for name, weight in module.named_parameters()
        for what, value in optimiser.state.get(weight, {}).items()
    }


def _restore(module: nn.Module, optimiser: torch.optim.Optimizer, state: dict[str, Tensor]) -> None:
    weights = dict(module.named_parameters())
    for key, value in state.items():
        name, _, what = key.rpartition("/")
        optimiser.state[weights[name]][what] = value if what == "step" else value.to(weights[name].device)
