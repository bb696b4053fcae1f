"""One stage of training with sentence-transformers' trainer, which handles checkpoints, resumption and devices.

Added here: a loss's own weights are saved in checkpoints too, and an incomplete checkpoint of a crash is not resumed
from.
"""

import logging
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from safetensors.torch import load_file, save_file
from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments
from torch import nn
from transformers import PrinterCallback, TrainerCallback, TrainerState

from jobmatch_core.entities import Progress
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.weights import check_trained, checked_loss
from jobmatch_core.titles.stage_batches import NUMBER, TargetBatches, TupleBatches
from jobmatch_core.titles.title_recipe import Precision, Schedule

_log = logging.getLogger(__name__)
_LOSS_FILE = "loss.safetensors"
_STATE_FILE = "trainer_state.json"  # the last file that is written of a checkpoint
_LOSSES_LOGGED = 100  # in total


@dataclass(frozen=True, slots=True)
class LossPoint:
    """The mean loss of the steps up to this one, since the last point."""

    step: int
    loss: float


@dataclass(frozen=True, slots=True)
class StageOutcome:
    """Result of a stage: its losses, the step it was resumed at (0 if it was not), and the seconds since then."""

    losses: tuple[LossPoint, ...]
    resumed_at: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Conditions:
    """Settings shared by all stages of a training."""

    seed: int
    precision: Precision
    report_to: tuple[str, ...]
    run_name: str


def run_stage(
    loss: nn.Module,
    batches: TargetBatches | TupleBatches,
    schedule: Schedule,
    conditions: Conditions,
    folder: Path,
    progress: Progress,
) -> StageOutcome:
    """Train the loss's model in place, from the last complete checkpoint in *folder* if there is one.

    Args:
        loss: a loss with the model as its `model`.
        batches: the training data.
        schedule: steps, batch size, learning rate and so on.
        conditions: seed, precision and reporting.
        folder: for checkpoints.
        progress: called with steps done and steps in total.
    """
    arguments = _arguments(schedule, conditions, folder)
    rows = schedule.steps * arguments.train_batch_size * arguments.world_size
    trainer = _StageTrainer(
        model=loss.model,
        args=arguments,
        train_dataset=Dataset.from_dict({NUMBER: range(rows)}),
        loss=loss,
        data_collator=batches,
        callbacks=[_Reporter(progress)],
    )
    trainer.remove_callback(PrinterCallback)
    checkpoint = last_checkpoint(folder)
    begun = time.perf_counter()
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    check_trained(trainer.model.state_dict())
    return StageOutcome(
        losses=tuple(LossPoint(each["step"], each["loss"]) for each in trainer.state.log_history if "loss" in each),
        resumed_at=int(checkpoint.name.rpartition("-")[2]) if checkpoint else 0,
        seconds=time.perf_counter() - begun,
    )


def last_checkpoint(folder: Path) -> Path | None:
    """Return the latest complete checkpoint, None where there is none."""
    found = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]), reverse=True)
    return next((path for path in found if _is_whole(path)), None)


def _is_whole(checkpoint: Path) -> bool:
    try:
        read_json(checkpoint / _STATE_FILE)
    except (OSError, ValueError):
        _log.warning("%s was cut short and is not used.", checkpoint)
        return False
    return True


def _arguments(schedule: Schedule, conditions: Conditions, folder: Path) -> SentenceTransformerTrainingArguments:
    return SentenceTransformerTrainingArguments(
        output_dir=str(folder),
        run_name=conditions.run_name,
        max_steps=schedule.steps,
        per_device_train_batch_size=schedule.batch_size,
        learning_rate=schedule.learning_rate,
        lr_scheduler_type="linear",
        warmup_steps=round(schedule.warmup * schedule.steps),
        seed=conditions.seed,
        bf16=conditions.precision == "bf16",
        fp16=conditions.precision == "fp16",
        save_strategy="steps",
        save_steps=schedule.checkpoint_every,
        save_total_limit=2,  # the older one serves where the newer was cut short
        logging_strategy="steps",
        logging_steps=max(1, schedule.steps // _LOSSES_LOGGED),
        report_to=list(conditions.report_to),
        disable_tqdm=True,
        dataloader_pin_memory=torch.cuda.is_available(),
    )


class _StageTrainer(SentenceTransformerTrainer):  # type: ignore[misc]  # its package is not typed
    """A trainer that saves a loss's own weights in checkpoints, without pickled settings or a model card."""

    def compute_loss(self, *inputs: object, **options: object) -> Any:  # noqa: ANN401  # as the library's
        """Return the loss; raise ModelError if it is not a finite number."""
        found = super().compute_loss(*inputs, **options)
        checked_loss((found[0] if isinstance(found, tuple) else found).item())
        return found

    def _save(self, output_dir: str | None = None, state_dict: object = None) -> None:
        folder = Path(output_dir or self.args.output_dir)
        self.model.save_pretrained(str(folder), create_model_card=False)
        if weights := self._loss_weights():
            save_file(weights, folder / _LOSS_FILE)

    def _load_from_checkpoint(self, checkpoint_path: str) -> None:
        super()._load_from_checkpoint(checkpoint_path)
        if self._loss_weights():
            self.loss.load_state_dict(load_file(Path(checkpoint_path) / _LOSS_FILE), strict=False)

    def _loss_weights(self) -> dict[str, torch.Tensor]:
        weights = self.loss.state_dict()
        return {name: weight.contiguous() for name, weight in weights.items() if not name.startswith("model.")}

    def add_model_card_callback(self, default_args_dict: dict[str, object]) -> None:
        """Add no model card: it would describe row numbers."""


class _Reporter(TrainerCallback):  # type: ignore[misc]  # its package is not typed
    """Callback that reports the steps."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def on_step_end(self, args: object, state: TrainerState, control: object, **kwargs: object) -> None:
        """Report the number of steps done."""
        self._progress(state.global_step, state.max_steps)
