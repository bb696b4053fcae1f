"""Training of the two towers by a recipe (Jouanneau et al. 2024, sections 3.2 and 4.3).

`OUT.unfinished`, beside the model's folder, has the state after the last epoch, from which an interrupted run resumes.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from jobmatch_core.encoders.loading import load_token_encoder
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import MarketplaceError, SettingsError
from jobmatch_core.io.folders import remove_whole
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.metrics.comparisons import BeforeAfter
from jobmatch_core.model_store.saved_model import checked_loss
from jobmatch_core.token_vectors import TokenEncoder
from jobmatch_core.towers.document_pairs import DocumentPairs
from jobmatch_core.towers.documents import Document, Kind
from jobmatch_core.towers.dual_losses import LOSSES
from jobmatch_core.towers.sampling import (
    Batch,
    BatchSampler,
    Rows,
    Sampling,
    freelancer_freelancer,
    project_freelancer,
    project_weak_negatives,
    with_weak_negatives,
)
from jobmatch_core.towers.tower_recipe import TowerRecipe, TowerReport
from jobmatch_core.towers.two_towers import TwoTowers
from jobmatch_core.training.checkpoints import check_free, open_unfinished
from jobmatch_core.training.figures import EpochFigures, LabelCounts, Losses, no_losses
from jobmatch_core.training.loop import TrainingLoop
from jobmatch_core.training.ranker_report import RankerReport

_ENCODE_BATCH = 32  # documents
_SHARED = ("section", "empty")  # weights that all documents share


@dataclass(frozen=True)
class TowerBatch:
    """Projects and freelancers of a step, with their relations."""

    # projects, freelancers: documents
    projects: list[Document]
    freelancers: list[Document]
    to_freelancers: Tensor  # (project, freelancer) relations of equation 7, with weak negatives if sampled
    among_freelancers: Tensor  # (freelancer, freelancer) relations of equation 8, or of equation 9 with weak negatives


@dataclass(frozen=True)
class Completion:
    """What completes trained towers before their folder is written."""

    ranker: RankerReport  # report of the second stage
    write: Callable[[Path], None]  # writes its files into the folder
    comparison: BeforeAfter | None = None  # comparison with the model in use; None if not requested


class TowerBatches:
    """Batches of some of a marketplace's projects."""

    def __init__(self, pairs: DocumentPairs, projects: Rows, sampling: Sampling) -> None:
        self._pairs = pairs
        self._weak = sampling.weak_negatives > 0  # else categories make no relations at all
        self._weak_for_projects = self._weak and sampling.project_weak_negatives
        categories = [[document.category for document in kind] for kind in (pairs.projects, pairs.freelancers)]
        self._sampler = BatchSampler(pairs.interactions, projects, categories[0], categories[1], sampling)

    def __len__(self) -> int:
        return len(self._sampler)

    def epoch(self, seed: tuple[int, ...]) -> Iterator[TowerBatch]:
        """Return the batches of an epoch, determined by the seed."""
        return map(self._filled, self._sampler.batches(seed))

    def _filled(self, batch: Batch) -> TowerBatch:
        projects = [self._pairs.projects[row] for row in batch.projects]
        freelancers = [self._pairs.freelancers[row] for row in batch.freelancers]
        categories = [freelancer.category for freelancer in freelancers]
        relations = project_freelancer(self._pairs.interactions, batch.projects, batch.freelancers)
        among = freelancer_freelancer(relations)
        if self._weak:
            among = with_weak_negatives(among, categories)
        if self._weak_for_projects:
            relations = project_weak_negatives(relations, [project.category for project in projects], categories)
        return TowerBatch(
            projects=projects,
            freelancers=freelancers,
            to_freelancers=torch.from_numpy(relations),
            among_freelancers=torch.from_numpy(among),
        )


def split_projects(pairs: DocumentPairs, share: float, seed: int) -> tuple[Rows, Rows]:
    """Return the rows of training and of a share of validation projects (section 4.2: 80 and 20 %).

    Projects without a positive are left out, because they do not contribute to the loss.
    """
    positives = (pairs.interactions > 0).sum(axis=1)
    order = np.random.default_rng(seed).permutation(np.flatnonzero(positives))
    first = round(len(order) * share)
    return np.sort(order[first:]), np.sort(order[:first])


def train_towers(
    recipe: TowerRecipe,
    marketplace: Marketplace,
    out: Path,
    *,
    encoder: TokenEncoder | None = None,
    start: TwoTowers | None = None,
    labels: LabelCounts | None = None,
    complete: Callable[[TwoTowers], Completion] | None = None,
    resume: bool = True,
    progress: Progress = no_progress,
    losses: Losses = no_losses,
) -> TowerReport:
    """Train both towers and write their folder, with `report.json`.

    Args:
        recipe: architecture and settings of the training.
        marketplace: training data without test projects (`document_pairs.temporal_split`).
        out: the model's folder, which must not exist yet.
        encoder: the backbone, if it is loaded already.
        start: towers whose backbone, architecture and weights to start from; random weights by default.
        labels: numbers of a snapshot's labels in the marketplace, for the report.
        complete: fits the second stage and measures the trained towers, for the folder and the report.
        losses: called with the step, from 1, and its loss.

    Raises:
        SettingsError: the folder exists, another training is unfinished there, or the architecture does not match
            the backbone.
        MarketplaceError: no project has a freelancer who was interested.
        ModelError: the backbone cannot be loaded.
        DataFileError: an interaction names an unknown project or freelancer.
    """
    check_free(out)
    pairs = DocumentPairs.of(marketplace)
    training = _Training(recipe, pairs, _initial_towers(recipe, encoder, start))
    data_hash, start_name = _data_hash(pairs), start.name if start else ""
    backbone = training.towers.encoder.name
    unfinished = open_unfinished(out, [asdict(recipe), backbone, data_hash, start_name], resume=resume)
    before, epochs = training.run(unfinished, progress, losses)
    completion = complete(training.towers) if complete else None
    report = TowerReport(
        recipe=recipe,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        start=start_name,
        marketplace=marketplace.name,
        generated=marketplace.generated,
        data_hash=data_hash,
        backbone=backbone,
        projects=training.n_projects,
        freelancers=len(pairs.freelancers),
        interactions=pairs.interactions.nnz,
        weights=sum(parameter.numel() for parameter in training.towers.module.parameters()),
        before=before,
        epochs=tuple(epochs),
        seconds=sum(epoch.seconds for epoch in epochs),
        labels=labels,
        comparison=completion.comparison if completion else None,
        ranker=completion.ranker if completion else None,
    )
    training.towers.save(out, asdict(report), write=completion.write if completion else None)
    remove_whole(unfinished)
    return report


class _Training:
    def __init__(self, recipe: TowerRecipe, pairs: DocumentPairs, towers: TwoTowers) -> None:
        self.towers = towers
        self._recipe = recipe
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._module = towers.module.to(self._device)
        trained, validated = split_projects(pairs, recipe.training.validation, recipe.seed)
        self.n_projects = len(trained), len(validated)
        if not len(trained):
            raise MarketplaceError("No project has a freelancer who was interested; there is nothing to train on.")
        self._trained = TowerBatches(pairs, trained, recipe.sampling)
        self._validated = TowerBatches(pairs, validated, recipe.sampling)

    def run(self, folder: Path, progress: Progress, losses: Losses) -> tuple[float | None, list[EpochFigures]]:
        # returns the validation loss before training and the figures of each epoch
        settings = self._recipe.training
        loop = TrainingLoop(
            self._module,
            torch.optim.AdamW(self._groups(), weight_decay=settings.weight_decay),
            steps=[len(self._trained)] * settings.epochs,
            batches=lambda epoch: self._trained.epoch((self._recipe.seed, epoch)),
            loss=self._loss,
            validation=self._validation_loss,
            warmup=settings.warmup,
            seed=self._recipe.seed,
            after_step=losses,
        )
        return self._validation_loss(), loop.run(folder, progress)

    def _groups(self) -> list[dict[str, object]]:
        named = list(self._module.named_parameters())
        shared = [weight for name, weight in named if name.rpartition(".")[2] in _SHARED]
        matrices = [weight for name, weight in named if name.rpartition(".")[2] not in _SHARED]
        rate = self._recipe.training.learning_rate
        return [
            {"params": matrices, "highest": rate},
            {"params": shared, "highest": rate, "pace": self._recipe.training.section_pace},
        ]

    def _validation_loss(self) -> float | None:
        # over the same batches each time
        self._module.eval()
        with torch.inference_mode():
            losses = [checked_loss(self._loss(batch).item()) for batch in self._validated.epoch((self._recipe.seed,))]
        return sum(losses) / len(losses) if losses else None

    def _loss(self, batch: TowerBatch) -> Tensor:
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._device.type == "cuda"):
            projects = self._vectors("project", batch.projects)
            freelancers = self._vectors("freelancer", batch.freelancers)
        relations = batch.to_freelancers.to(self._device), batch.among_freelancers.to(self._device)
        settings = self._recipe.training
        return LOSSES[settings.loss](projects, freelancers, *relations, settings)

    def _vectors(self, kind: Kind, documents: list[Document]) -> Tensor:
        # documents of similar length are encoded together, because padding costs as much as tokens
        order = sorted(range(len(documents)), key=lambda number: len(documents[number].whole))
        blocks = (order[start : start + _ENCODE_BATCH] for start in range(0, len(order), _ENCODE_BATCH))
        tower = self.towers.towers[kind]
        parts = [tower(self.towers.batch([documents[number] for number in block])) for block in blocks]
        return torch.cat(parts)[torch.tensor(order).argsort()]


def _initial_towers(recipe: TowerRecipe, encoder: TokenEncoder | None, start: TwoTowers | None) -> TwoTowers:
    if start is not None:
        towers = TwoTowers(start.encoder, start.backbone, start.config, name=recipe.name)
        towers.module.load_state_dict(start.module.state_dict())
        return towers
    encoder = encoder or load_token_encoder(recipe.backbone)
    try:
        return TwoTowers(encoder, recipe.backbone, recipe.tower, seed=recipe.seed, name=recipe.name)
    except ValueError as error:
        raise SettingsError(f"The recipe's [tower] cannot be built over {encoder.name}: {error}.") from error


def _data_hash(pairs: DocumentPairs) -> str:
    digest = hashlib.sha256()
    for document in (*pairs.projects, *pairs.freelancers):
        content = repr((document.id, document.category, document.texts))
        digest.update(content.encode("utf-8", "surrogatepass"))
    for array in (pairs.interactions.indptr, pairs.interactions.indices, pairs.interactions.data):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
