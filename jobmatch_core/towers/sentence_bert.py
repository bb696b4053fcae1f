"""S-BERT on concatenated text, fully fine-tuned on triplets of past interactions.

Paper: Jouanneau et al. (2024), sections 4.1 and 4.3, the model whose categories and skills collapse in table 1. It is
trained by sentence-transformers' own trainer, with which the towers are compared.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from math import inf
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from datasets import Dataset
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainingArguments
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.errors import SettingsError
from jobmatch_core.towers.document_pairs import DocumentPairs
from jobmatch_core.towers.documents import Document
from jobmatch_core.towers.dual_losses import dual_a_triplet
from jobmatch_core.towers.sampling import PAPER_TRIPLETS, Batch, freelancer_freelancer, project_freelancer
from jobmatch_core.training.sentence_trainer import CheckedTrainer

_NUMBER = "number"
Features = dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class RetrainingSetting:
    """Settings of an S-BERT's training."""

    steps: int = 200  # number of batches of `PAPER_TRIPLETS`
    learning_rate: float = 2e-5  # peak learning rate; decays linearly to zero
    warmup: float = 0.1  # share of warm-up steps
    margin: float = 1.0  # triplet margin; 1 as in Reimers and Gurevych (2019), section 3
    max_tokens: int = 256  # maximum number of tokens of a document; the rest is truncated


@dataclass(frozen=True)
class RetrainedSBert:
    """An S-BERT that reads all sections of a document as one text."""

    model: SentenceTransformer
    name: str = "sbert-triplet"

    def encode(self, documents: Sequence[Document]) -> FloatArray:
        """Return L2-normalised row vectors, shape (document, dimension)."""
        texts = [document.whole for document in documents]
        vectors = self.model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)


class TripletBatches:
    """Batches from row numbers: the texts of projects and freelancers, and their relations as the label."""

    valid_label_columns = ("label",)  # required by sentence-transformers' trainer

    def __init__(self, batches: Sequence[Batch], pairs: DocumentPairs, model: SentenceTransformer) -> None:
        self._batches = batches
        self._pairs = pairs
        self._model = model

    def __call__(self, rows: Sequence[dict[str, int]]) -> dict[str, Any]:
        """Return the features of one batch, and relations of the shape (project + freelancer, freelancer)."""
        [row] = rows
        batch = self._batches[row[_NUMBER]]
        to_freelancers = project_freelancer(self._pairs.interactions, batch.projects, batch.freelancers)
        among = freelancer_freelancer(to_freelancers)
        return {
            **self._features("project", [self._pairs.projects[row].whole for row in batch.projects]),
            **self._features("freelancer", [self._pairs.freelancers[row].whole for row in batch.freelancers]),
            "label": torch.from_numpy(np.concatenate([to_freelancers, among])),
        }

    def _features(self, column: str, texts: list[str]) -> dict[str, Any]:
        return {f"{column}_{key}": value for key, value in self._model.preprocess(texts).items()}


class DualTripletLoss(nn.Module):
    """Equation 11 for the trainer, on L2-normalised vectors."""

    def __init__(self, model: SentenceTransformer, margin: float) -> None:
        super().__init__()
        self.model = model
        self.margin = margin

    def forward(self, features: Iterable[Features], labels: Tensor) -> Tensor:
        """Return the loss of projects and freelancers with the relations of `TripletBatches`."""
        projects, freelancers = (
            functional.normalize(self.model(feature)["sentence_embedding"], dim=-1) for feature in features
        )
        to_freelancers, among = labels[: len(projects)], labels[len(projects) :]
        return dual_a_triplet(projects, freelancers, to_freelancers, among, self.margin)


def retrain_sentence_bert(
    model: SentenceTransformer,
    pairs: DocumentPairs,
    setting: RetrainingSetting,
    *,
    seed: int,
    progress: Progress = no_progress,
) -> RetrainedSBert:
    """Train all weights of a model, in place; *progress* is called with steps done and in total.

    Raises SettingsError if no project has a positive, so there are no triplets.
    """
    if setting.max_tokens < (model.max_seq_length or 0) < inf:  # a bag of words has no limit, and accepts none
        model.max_seq_length = setting.max_tokens
    batches = list(islice(_endless(pairs, seed), setting.steps))
    with TemporaryDirectory() as folder:
        trainer = CheckedTrainer(
            model=model,
            args=_arguments(setting, seed, folder),
            train_dataset=Dataset.from_dict({_NUMBER: range(setting.steps)}),
            loss=DualTripletLoss(model, setting.margin),
            data_collator=TripletBatches(batches, pairs, model),
            progress=progress,
        )
        trainer.train()
    return RetrainedSBert(model.eval())


def _endless(pairs: DocumentPairs, seed: int) -> Iterator[Batch]:
    sampler = pairs.sampler(PAPER_TRIPLETS)
    if not len(sampler):
        raise SettingsError("No project has a freelancer who was interested; there is nothing to train on.")
    for epoch in count():
        yield from sampler.batches((seed, epoch))


def _arguments(setting: RetrainingSetting, seed: int, folder: str) -> SentenceTransformerTrainingArguments:
    return SentenceTransformerTrainingArguments(
        output_dir=folder,
        max_steps=setting.steps,
        per_device_train_batch_size=1,
        learning_rate=setting.learning_rate,
        lr_scheduler_type="linear",
        warmup_steps=round(setting.warmup * setting.steps),
        seed=seed,
        save_strategy="no",
        logging_strategy="no",
        report_to=[],
        disable_tqdm=True,
        dataloader_pin_memory=torch.cuda.is_available(),
    )
