"""Two-stage training of a title encoder by a recipe, from its data section and backbone to a model folder.

Paper: Deniz et al. (2024), section 3.2. Stage 1 draws titles to the vectors of their skills, stage 2 contrasts similar
and dissimilar titles. An interrupted run continues from `OUT.unfinished`.
"""

import hashlib
import os
import shutil
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from transformers import set_seed

from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.io.folders import atomic_file, atomic_folder, remove_whole, write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.titles.occupation_names import HeldOutFigures, OccupationNames, leave_out, measure
from jobmatch_core.titles.similarity_pairs import SimilarityPairs, similarity_pairs
from jobmatch_core.titles.skill_bags import (
    ONET_FILES,
    SkillBag,
    TitleTargets,
    onet_bags,
    posting_bags,
    skill_vectors,
    table_bags,
    taxonomy_bags,
    title_targets,
    with_translations,
)
from jobmatch_core.titles.stages import Conditions, NTXentLoss, SkillVectorLoss, TargetBatches, TupleBatches, run_stage
from jobmatch_core.titles.subword import OWN, load_backbone, pack_own, untrained_own
from jobmatch_core.titles.title_recipe import DataRecipe, Recipe, Schedule, Stage1Recipe, Stage2Recipe
from jobmatch_core.titles.training_report import StageReport, TrainingReport
from jobmatch_core.training.checkpoints import check_free, open_unfinished

_ENCODE_BATCH = 256


@dataclass(frozen=True, slots=True)
class TrainingCorpus:
    """The data of a training."""

    names: OccupationNames  # names to train on
    titles: OccupationNames  # held-out names
    relations: Taxonomy  # the taxonomy with the skills
    data_hash: str  # SHA-256 of all files that are read


def open_corpus(recipe: Recipe, store: TaxonomyStore, folder: Path) -> TrainingCorpus:
    """Load a recipe's taxonomies, and hold names out.

    Args:
        recipe: the recipe with the data section.
        folder: folder of the recipe's files.

    Raises:
        TaxonomyError: a taxonomy is not installed, or has no names in one of the languages.
        DataFileError: one of the other files is missing.
    """
    data = recipe.data
    taxonomy = store.load(data.names)
    relations = store.load(data.relations) if data.relations else taxonomy
    names, titles = leave_out(
        OccupationNames.of(taxonomy, data.languages, relations), recipe.held_out.titles, recipe.seed
    )
    digest = hashlib.sha256(f"{taxonomy.manifest.source_hash} {relations.manifest.source_hash}".encode())
    for path in _files(data, folder):
        if not path.is_file():
            raise DataFileError(path, f"there is no such file in {path.parent}; give its folder with --data")
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return TrainingCorpus(names, titles, relations, digest.hexdigest())


def skill_bags(corpus: TrainingCorpus, data: DataRecipe, folder: Path) -> list[SkillBag]:
    """Return the bags of all sources of a recipe.

    Raises:
        TaxonomyError: the taxonomy has no skills.
        DataFileError: a file is not what was expected.
    """
    bags = taxonomy_bags(corpus.names, corpus.relations)
    if data.onet:
        bags += onet_bags(folder / data.onet)
    if data.postings:
        bags += posting_bags(folder / data.postings)
    if data.skills_table:
        bags += table_bags(folder / data.skills_table)
    return with_translations(bags, folder / data.translations) if data.translations else bags


def _files(data: DataRecipe, folder: Path) -> list[Path]:
    onet = [folder / data.onet / file for file in ONET_FILES] if data.onet else []
    return onet + [folder / file for file in (data.postings, data.skills_table, data.translations) if file]


def train_title_encoder(
    recipe: Recipe,
    out: Path,
    *,
    data: Path = Path(),
    store: TaxonomyStore | None = None,
    resume: bool = True,
    progress: Progress = no_progress,
) -> TrainingReport:
    """Train a model and write its complete folder, with `report.json`.

    Args:
        recipe: data and settings of the training.
        out: the model's folder, which must not exist yet.
        store: the store with the taxonomies; the one under `JOBMATCH_HOME` by default.

    Raises:
        SettingsError: the folder exists, another training is unfinished there, the backbone cannot be loaded,
            the machine lacks a package or device, or several processes were launched.
        TaxonomyError: a taxonomy is not installed, or lacks what a stage needs.
        DataFileError: a file of the recipe is not what was expected.
    """
    check_free(out)
    _check_machine(recipe)
    corpus = open_corpus(recipe, store or TaxonomyStore.open(), data)
    unfinished = open_unfinished(out, [asdict(recipe), corpus.data_hash], resume=resume)
    training = _Training(recipe, corpus, data, unfinished, progress)
    own = recipe.backbone == OWN
    model = untrained_own(corpus.names.texts, recipe.seed) if own else load_backbone(recipe.backbone)
    before = training.figures_before(model)
    stages: list[StageReport] = []
    trials: list[StageReport] = []
    if recipe.stage1 is not None:
        model, stage = training.stage1(recipe.stage1, model)
        stages.append(stage)
    if recipe.stage2 is not None:
        model, stage, trials = training.stage2(recipe.stage2, model)
        stages.append(stage)
    packed = pack_own(model)
    with atomic_folder(out, replace=False) as folder:
        model.save_pretrained(str(folder), create_model_card=False)
        if packed:
            stages[-1] = replace(stages[-1], after=training.measured(load_backbone(folder)))
        report = TrainingReport(
            recipe=recipe,
            data_hash=corpus.data_hash,
            titles=(len(corpus.names.texts), len(corpus.titles.texts)),
            before=before,
            trials=tuple(trials),
            stages=tuple(stages),
            seconds=sum(run.outcome.seconds for run in (*trials, *stages)),
        )
        report.save(folder)
    remove_whole(unfinished)
    return report


class _Training:
    def __init__(self, recipe: Recipe, corpus: TrainingCorpus, data: Path, folder: Path, progress: Progress) -> None:
        self._recipe = recipe
        self._corpus = corpus
        self._data = data
        self._folder = folder
        self._progress = progress
        self._done = 0
        self._total = _steps_in_all(recipe)
        self._conditions = Conditions(recipe.seed, recipe.precision, recipe.report_to, recipe.name)

    def figures_before(self, model: SentenceTransformer) -> HeldOutFigures:
        path = self._folder / "before.json"
        if path.exists():
            return read_record(path, HeldOutFigures)
        figures = self.measured(model)
        write_text_whole(path, json_text(asdict(figures)))
        return figures

    def stage1(self, stage: Stage1Recipe, model: SentenceTransformer) -> tuple[SentenceTransformer, StageReport]:
        """Run stage 1: draw titles to the vectors of their skills."""
        targets = self._targets(stage)
        set_seed(self._recipe.seed)  # for the projection
        loss = SkillVectorLoss(model, stage.dimensions)
        batches = TargetBatches(targets, model.preprocess)
        return self._once("stage1", loss, batches, stage, len(targets.titles))

    def stage2(
        self, stage: Stage2Recipe, model: SentenceTransformer
    ) -> tuple[SentenceTransformer, StageReport, list[StageReport]]:
        """Run stage 2: contrast similar and dissimilar titles, at the temperature that the held-out titles choose."""
        pairs = similarity_pairs(
            self._corpus.names,
            seed=self._recipe.seed,
            across_languages=stage.across_languages,
            max_pairs=stage.max_pairs,
        )
        trials, temperature = [], stage.temperature[0]
        if len(stage.temperature) > 1:
            trial = replace(stage, steps=stage.grid_steps)
            trials = [
                self._contrast(f"stage2-trial-{temperature}", trial, deepcopy(model), pairs, temperature)[1]
                for temperature in stage.temperature
            ]
            scores = [trial.after.score for trial in trials]
            temperature = stage.temperature[int(np.argmax(scores))]
        model, report = self._contrast("stage2", stage, model, pairs, temperature)
        return model, report, trials

    def _contrast(
        self, name: str, stage: Stage2Recipe, model: SentenceTransformer, pairs: SimilarityPairs, temperature: float
    ) -> tuple[SentenceTransformer, StageReport]:
        loss = NTXentLoss(model, temperature)
        batches = TupleBatches(pairs, model.preprocess, negatives=stage.negatives, pool=stage.pool)
        return self._once(name, loss, batches, stage, len(pairs))

    def _once(
        self,
        name: str,
        loss: SkillVectorLoss | NTXentLoss,
        batches: TargetBatches | TupleBatches,
        schedule: Schedule,
        examples: int,
    ) -> tuple[SentenceTransformer, StageReport]:
        """Train, measure and store the model; or load the one that an earlier run stored."""
        stored = self._folder / name
        if stored.exists():
            model, report = load_backbone(stored), StageReport.load(stored)
        else:
            checkpoints = self._folder / f"{name}-checkpoints"
            outcome = run_stage(loss, batches, schedule, self._conditions, checkpoints, self._step)
            model = loss.model
            temperature = loss.temperature if isinstance(loss, NTXentLoss) else None
            report = StageReport(name, temperature, examples, schedule.steps, outcome, self.measured(model))
            with atomic_folder(stored) as folder:
                model.save_pretrained(str(folder), create_model_card=False)
                report.save(folder)
            shutil.rmtree(checkpoints)
        self._done += schedule.steps
        return model, report

    def _step(self, done: int, total: int) -> None:
        self._progress(self._done + done, self._total)

    def _targets(self, stage: Stage1Recipe) -> TitleTargets:
        bags = skill_bags(self._corpus, self._recipe.data, self._data)
        path = self._folder / "skill_vectors.npy"
        if path.exists():
            return title_targets(bags, np.load(path))
        vectors = skill_vectors(bags, dimensions=stage.dimensions, epochs=stage.epochs, seed=self._recipe.seed)
        with atomic_file(path) as temporary:
            np.save(temporary, vectors)
        return title_targets(bags, vectors)

    def measured(self, model: SentenceTransformer) -> HeldOutFigures:
        def encode(texts: Sequence[str]) -> FloatArray:
            vectors = model.encode(
                list(texts), batch_size=_ENCODE_BATCH, normalize_embeddings=True, show_progress_bar=False
            )
            return np.asarray(vectors, dtype=np.float32)

        return measure(encode, self._corpus.names, self._corpus.titles)


def _check_machine(recipe: Recipe) -> None:
    """Refuse what this machine cannot do, and several processes: each would write, and remove, what the others do."""
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:  # as accelerate's and torch's launchers set it
        raise SettingsError(
            "A training runs in one process; start `jobmatch train` by itself, without accelerate launch, torchrun or "
            "the like."
        )
    for package in recipe.report_to:
        if find_spec(package) is None:
            raise SettingsError(f"report_to names {package!r}, which is not installed: pip install {package}")
    if recipe.precision == "fp16" and not torch.accelerator.is_available():
        raise SettingsError("precision is fp16, for which there is no device here; take float32, or bf16.")


def _steps_in_all(recipe: Recipe) -> int:
    steps = recipe.stage1.steps if recipe.stage1 else 0
    if recipe.stage2:
        steps += recipe.stage2.steps + recipe.stage2.grid_steps * len(recipe.stage2.temperature)
    return steps
