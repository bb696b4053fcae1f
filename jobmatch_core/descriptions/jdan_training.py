"""Training of a model of titles and descriptions by a recipe, from postings to a model folder.

Paper: Laosaengpha et al. (2024), section 2.3 and appendix B.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import torch
from torch import nn

from jobmatch_core.descriptions.aggregators import VARIANTS, PostingEncoder, PostingReading
from jobmatch_core.descriptions.description_model import ENCODER_FOLDER, DescriptionModel, rounded
from jobmatch_core.descriptions.jdan_backbones import Backbone, FrozenBackbone, open_trained
from jobmatch_core.descriptions.jdan_data import JdanBatches, NumberedPostings, Rows
from jobmatch_core.descriptions.jdan_objectives import Contrastive, objective_of
from jobmatch_core.descriptions.jdan_recipe import JdanRecipe, JdanReport, TitleRetrieval
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.encoders.loading import load_encoder
from jobmatch_core.entities import Encoder, Progress, no_progress
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.folders import remove_whole
from jobmatch_core.metrics.ranking import mean_reciprocal_rank, recall_at
from jobmatch_core.model_store.saved_model import checked_loss
from jobmatch_core.training.checkpoints import check_free, open_unfinished
from jobmatch_core.training.figures import EpochFigures
from jobmatch_core.training.loop import TrainingLoop

_BLOCK = 1024  # postings


def train_jdan(
    recipe: JdanRecipe,
    postings: Sequence[Posting],
    out: Path,
    *,
    encoder: Encoder | None = None,
    resume: bool = True,
    progress: Progress = no_progress,
) -> JdanReport:
    """Train a model and write its complete folder, with `report.json`.

    Unfinished files are in `OUT.unfinished`; an interrupted training resumes after its last complete epoch.

    Raises:
        SettingsError: the folder exists, another training is unfinished there, the architecture does not fit the
            backbone, or there are fewer than two postings to train on.
        LinkingError: a frozen backbone cannot be loaded.
        ModelError: the folder of a frozen title encoder is damaged.
    """
    check_free(out)
    encoder = encoder or load_encoder(recipe.backbone)
    training = _Training(recipe, postings, encoder)
    data_hash = _hash_of(postings)
    unfinished = open_unfinished(out, [asdict(recipe), encoder.name, data_hash], resume=resume)
    before, epochs = training.run(unfinished, progress)
    model = training.model(unfinished)
    left_out = training.left_out
    untrained = DescriptionModel(encoder, recipe.backbone, "sentence-mean")
    report = JdanReport(
        recipe=recipe,
        data_hash=data_hash,
        backbone=encoder.name,
        postings=(training.n_trained, len(left_out)),
        texts=training.n_texts,
        weights=training.n_weights,
        before=before,
        epochs=tuple(epochs),
        untrained=title_retrieval(untrained, left_out),
        trained=title_retrieval(model, left_out),
        seconds=sum(epoch.seconds for epoch in epochs),
    )
    model.save(out, asdict(report), save_encoder=training.backbone.save if recipe.train_backbone else None)
    remove_whole(unfinished)
    return report


class _Training:
    def __init__(self, recipe: JdanRecipe, postings: Sequence[Posting], encoder: Encoder) -> None:
        self._recipe = recipe
        self._encoder = encoder
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.backbone: Backbone = (
            open_trained(recipe, self._device) if recipe.train_backbone else FrozenBackbone(encoder, self._device)
        )
        self._reading = PostingReading(VARIANTS[recipe.variant].parts, recipe.most_parts, self.backbone.separator)
        numbered = NumberedPostings.of(postings, self._reading, with_names=recipe.training.name_weight > 0)
        trained, validated = numbered.split(recipe.training.validation, recipe.seed)
        size, by_names = recipe.training.batch_size, recipe.training.name_weight > 0
        self._epochs = _epochs(recipe, JdanBatches(numbered, trained, size, by_names=by_names))
        self._validated = JdanBatches(numbered, validated, size).epoch((recipe.seed,))
        self.n_trained, self.n_texts = len(trained), len(numbered.texts)
        self.left_out = [numbered.postings[row] for row in validated]
        self.backbone.prepare(numbered.texts)
        with torch.random.fork_rng(devices=[]):  # the seed applies inside this block only
            torch.manual_seed(recipe.seed)
            self._objective = objective_of(recipe, self.backbone, numbered, self._device)
        parts = {"backbone": self.backbone.module, "objective": self._objective.module}
        self._module = nn.ModuleDict({name: part for name, part in parts.items() if part is not None})
        self.n_weights = sum(parameter.numel() for parameter in self._module.parameters())

    def run(self, folder: Path, progress: Progress) -> tuple[float | None, list[EpochFigures]]:
        settings = self._recipe.training
        optimiser = torch.optim.AdamW(
            [{"params": part.parameters(), "highest": self._highest(name)} for name, part in self._module.items()],
            weight_decay=settings.weight_decay,
            # the plain loop would read a table of millions of weights five times per step
            fused=self._device.type == "cpu",
        )
        loop = TrainingLoop(
            self._module,
            optimiser,
            steps=list(map(len, self._epochs)),
            batches=self._batches,
            loss=lambda batch: self._objective.loss(*batch),
            validation=self._validation_loss,
            warmup=settings.warmup,
            seed=self._recipe.seed,
        )
        return self._validation_loss(), loop.run(folder, progress)

    def model(self, folder: Path) -> DescriptionModel:
        encoder = self._encoder
        if self._recipe.train_backbone:
            self.backbone.save(folder / ENCODER_FOLDER)
            encoder = load_encoder(str(folder / ENCODER_FOLDER))
        network = self._objective.network if isinstance(self._objective, Contrastive) else None
        return DescriptionModel(
            encoder,
            self._recipe.backbone,
            self._recipe.variant,
            # the limit of parts only saves training time; the model may read more
            reading=replace(self._reading, most=max(self._reading.most, PostingReading(self._reading.parts).most)),
            network=rounded(network.cpu()) if network else None,
            name=self._recipe.name,
        )

    def _batches(self, epoch: int) -> list[tuple[Rows, np.random.Generator]]:
        self._objective.begin_epoch(np.concatenate(self._epochs[epoch]))
        random = np.random.default_rng((self._recipe.seed, epoch))
        return [(rows, random) for rows in self._epochs[epoch]]

    def _highest(self, part: str) -> float:
        settings = self._recipe.training
        return (settings.backbone_learning_rate if part == "backbone" else 0) or settings.learning_rate

    def _validation_loss(self) -> float | None:
        self._module.eval()
        random = np.random.default_rng(self._recipe.seed)
        with torch.inference_mode():
            losses = [checked_loss(self._objective.loss(rows, random).item()) for rows in self._validated]
        return sum(losses) / len(losses) if losses else None


# drawn in advance, so that the number of steps is known
def _epochs(recipe: JdanRecipe, batches: JdanBatches) -> list[list[Rows]]:
    epochs = [batches.epoch((recipe.seed, number)) for number in range(recipe.training.epochs)]
    if not all(epochs):
        raise SettingsError(
            "Training needs at least two postings with different titles and with the parts that the variant reads; "
            "check the columns of the tables in [data]."
        )
    return epochs


def _hash_of(postings: Iterable[Posting]) -> str:
    digest = hashlib.sha256()
    for posting in postings:
        digest.update(
            repr((posting.title, posting.description, posting.skills, posting.occupation_name)).encode(
                "utf-8", "surrogatepass"
            )
        )
    return digest.hexdigest()


def title_retrieval(model: PostingEncoder, postings: Sequence[Posting]) -> TitleRetrieval | None:
    """Rank all of the postings' titles by each description's vector; None without postings.

    The right title ranks last among titles of equal score, so that a constant model gains nothing.
    """
    if not postings:
        return None
    titles: dict[str, int] = {}
    right = np.array([titles.setdefault(posting.title, len(titles)) for posting in postings])
    encoded = model.encode_titles(list(titles))
    ranks = []
    for start in range(0, len(postings), _BLOCK):
        scores = model.encode_postings(postings[start : start + _BLOCK]) @ encoded.T
        own = np.take_along_axis(scores, right[start : start + _BLOCK, None], axis=1)
        ranks.append((scores >= own).sum(axis=1).astype(np.float64))
    all_ranks = np.concatenate(ranks)
    return TitleRetrieval(
        postings=len(postings),
        titles=len(titles),
        recall_at_1=recall_at(all_ranks, 1),
        recall_at_10=recall_at(all_ranks, 10),
        mrr=mean_reciprocal_rank(all_ranks),
    )
