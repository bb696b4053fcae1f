"""One stage of a title encoder's training: its batches, its loss, and sentence-transformers' trainer.

The trainer provides checkpoints, mixed precision, trackers and devices; added here: checkpoints include a loss's
weights, and incomplete ones are ignored. Its dataset holds only numbers, by which examples are drawn reproducibly.

Losses: Deniz et al. (2024), section 3.2, equations 1 to 3. Unlike SimCLR's NT-Xent and sentence-transformers'
multiple-negatives ranking loss, no other title of the batch is a negative.
"""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from safetensors.torch import load_file, save_file
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainingArguments
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.entities import Progress
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.saved_model import check_trained
from jobmatch_core.titles.similarity_pairs import SimilarityPairs
from jobmatch_core.titles.skill_bags import TitleTargets
from jobmatch_core.titles.title_recipe import Precision, Schedule
from jobmatch_core.training.sentence_trainer import CheckedTrainer

NUMBER = "number"

Preprocess = Callable[[list[str]], dict[str, Any]]
Rows = Sequence[dict[str, int]]
Batch = dict[str, Any]


_LOSS_FILE = "loss.safetensors"
_STATE_FILE = "trainer_state.json"  # the last file that is written of a checkpoint
_LOSSES_LOGGED = 100  # in total
_log = logging.getLogger(__name__)
Features = dict[str, Tensor]


class TargetBatches:
    """Batches of stage 1: a title and the vector of its bag; numbers beyond the last title begin again."""

    valid_label_columns = ("label",)  # asked for by sentence-transformers' trainer

    def __init__(self, targets: TitleTargets, preprocess: Preprocess) -> None:
        self._targets = targets
        self._preprocess = preprocess

    def __call__(self, rows: Rows) -> Batch:
        """Return the features of the titles and their targets, shape (batch, dimension)."""
        numbers = [row[NUMBER] % len(self._targets.titles) for row in rows]
        titles = self._preprocess([self._targets.titles[number] for number in numbers])
        vectors = self._targets.vectors[self._targets.bags[numbers]]
        return _named("title", titles) | {"label": torch.from_numpy(vectors)}


class TupleBatches:
    """Batches of stage 2: an anchor, a positive and the anchor's negatives, drawn by the number."""

    valid_label_columns = ()

    def __init__(self, pairs: SimilarityPairs, preprocess: Preprocess, *, negatives: int, pool: int) -> None:
        """Store D2, a model's function from texts to features, and the sizes of a tuple's and a title's negatives."""
        self._pairs = pairs
        self._preprocess = preprocess
        self._negatives = negatives
        self._pool = pool

    def __call__(self, rows: Rows) -> Batch:
        """Return the features of anchors, positives, and all negatives in one, the first anchor's first."""
        tuples = [self._pairs.draw(row[NUMBER], self._negatives, self._pool) for row in rows]
        columns = {
            "anchor": [sample.anchor for sample in tuples],
            "positive": [sample.positive for sample in tuples],
            "negatives": list(chain.from_iterable(sample.negatives for sample in tuples)),
        }
        batch: Batch = {}
        for name, texts in columns.items():
            batch |= _named(name, self._preprocess(texts))
        return batch


def _named(column: str, features: dict[str, Any]) -> Batch:
    """Return features under the names of sentence-transformers' own collator."""
    return {f"{column}_{key}": value for key, value in features.items()}


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
    """
    arguments = _arguments(schedule, conditions, folder)
    rows = schedule.steps * arguments.train_batch_size * arguments.world_size
    trainer = _StageTrainer(
        model=loss.model,
        args=arguments,
        train_dataset=Dataset.from_dict({NUMBER: range(rows)}),
        loss=loss,
        data_collator=batches,
        progress=progress,
    )
    checkpoint = last_checkpoint(folder)
    begun = time.perf_counter()
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    check_trained(trainer.model.state_dict())
    return StageOutcome(
        losses=tuple(LossPoint(entry["step"], entry["loss"]) for entry in trainer.state.log_history if "loss" in entry),
        resumed_at=int(checkpoint.name.rpartition("-")[2]) if checkpoint else 0,
        seconds=time.perf_counter() - begun,
    )


def last_checkpoint(folder: Path) -> Path | None:
    """Return the latest complete checkpoint, None where there is none."""
    checkpoints = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]), reverse=True)
    return next((path for path in checkpoints if _is_whole(path)), None)


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


class _StageTrainer(CheckedTrainer):
    """A trainer that saves a loss's own weights in checkpoints, without pickled settings."""

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


def negative_cosine(outputs: Tensor, targets: Tensor) -> Tensor:
    """Return minus the mean cosine of outputs and targets, both (batch, dimension): equation 1.

    Raises ValueError if the shapes differ, which would broadcast.
    """
    if outputs.shape != targets.shape:
        raise ValueError(f"outputs {tuple(outputs.shape)} and targets {tuple(targets.shape)} must have one shape")
    return -functional.cosine_similarity(outputs.float(), targets.float(), dim=-1).mean()


def nt_xent(anchor: Tensor, positive: Tensor, negatives: Tensor, temperature: float) -> Tensor:
    """Return the mean of -log(d(z, z+) / (d(z, z+) + sum of d(z, z-))), d(a, b) = exp(cos(a, b) / temperature).

    Equation 3: the negatives are each anchor's own, none come from the batch.

    Args:
        anchor: (batch, dimension).
        positive: (batch, dimension).
        negatives: (batch, negative, dimension).
        temperature: above 0; the lower, the more the nearest negatives weigh.

    Raises:
        ValueError: the temperature is not above 0, or the shapes do not fit.
    """
    if temperature <= 0:
        raise ValueError(f"the temperature is {temperature}, but must be above 0")
    if anchor.shape != positive.shape or negatives.shape[::2] != anchor.shape:
        shapes = ", ".join(str(tuple(tensor.shape)) for tensor in (anchor, positive, negatives))
        raise ValueError(f"expected (batch, dim), (batch, dim) and (batch, negative, dim), but got {shapes}")
    others = torch.cat([positive.unsqueeze(1), negatives], dim=1)
    logits = functional.cosine_similarity(anchor.unsqueeze(1).float(), others.float(), dim=-1) / temperature
    return (logits.logsumexp(dim=1) - logits[:, 0]).mean()


class SkillVectorLoss(nn.Module):
    """Equation 1 for the trainer; a learned projection, not part of the model, adapts to another target dimension."""

    def __init__(self, model: SentenceTransformer, target_dimension: int) -> None:
        """Wrap a model; a projection is added only if the dimensions differ."""
        super().__init__()
        self.model = model
        dimension = model.get_embedding_dimension()
        same = dimension == target_dimension
        self.head: nn.Module = nn.Identity() if same else nn.Linear(dimension, target_dimension, bias=False)

    def forward(self, features: Iterable[Features], labels: Tensor) -> Tensor:
        """Return the loss of titles, given as one element of *features*, and targets (batch, target_dimension)."""
        (titles,) = features
        return negative_cosine(self.head(self.model(titles)["sentence_embedding"]), labels)


class NTXentLoss(nn.Module):
    """Equation 3 for the trainer."""

    def __init__(self, model: SentenceTransformer, temperature: float) -> None:
        super().__init__()
        self.model = model
        self.temperature = temperature

    def forward(self, features: Iterable[Features], labels: Tensor | None = None) -> Tensor:
        """Return the loss of anchors, positives and negatives.

        Args:
            features: features of the anchors, of the positives, and of the negatives: in one element with all of the
                first anchor's, then the second's, and so on; or in several elements with one for each anchor.
        """
        anchor, positive, *negatives = (self.model(titles)["sentence_embedding"] for titles in features)
        batch, dimension = anchor.shape
        grouped = torch.cat([tensor.view(batch, -1, dimension) for tensor in negatives], dim=1)
        return nt_xent(anchor, positive, grouped, self.temperature)
