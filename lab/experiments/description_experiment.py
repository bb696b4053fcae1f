"""The experiment of Laosaengpha et al. (2024), tables 1, 2, 5 and 8: what titles learn from descriptions or skills.

Each recipe is trained with each seed, and its encoder of titles is measured on job normalization as the paper does: an
occupation is its preferred English name, and all of the taxonomy's are ranked for each vacancy title by the cosine. Of
equal scores the right one is taken to stand last. Beyond the paper, an occupation may also be its name and its
description with its skills, summed up as the model sums up postings: half of this one's cosine is added.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core import __version__
from jobmatch_core.benchmarks.datasets.title_sets import read_titles
from jobmatch_core.benchmarks.retrieval.run_store import RunStore
from jobmatch_core.descriptions.aggregators import VARIANTS, PostingEncoder
from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.descriptions.jdan_data import occupation_postings
from jobmatch_core.descriptions.jdan_recipe import Gradients, JdanRecipe
from jobmatch_core.descriptions.jdan_training import train_jdan
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.encoders.loading import load_encoder
from jobmatch_core.entities import Encoder, Progress, no_progress
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.folders import remove_whole
from jobmatch_core.io.text_files import read_json
from jobmatch_core.metrics.ranking import mean_reciprocal_rank, recall_at
from jobmatch_core.model_store.saved_model import REPORT_FILE
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.training.reports import current_versions
from lab.experiments.description_runs import UNTRAINED, DescriptionRun, RankedBy

ReadPostings = Callable[[JdanRecipe], Sequence[Posting]]
DESCRIPTION_WEIGHT = 0.5  # beside a name; chosen on every third title of job normalization
_BLOCK = 1000  # titles
_PARTS = 1000  # of a run, in reports of progress


@dataclass(frozen=True, slots=True)
class NormalizationTask:
    """Vacancy titles and what is ranked for them."""

    name: str  # name of the file of titles
    titles: list[str]  # that are asked for
    right: NDArray[np.intp]  # (title,) the place of its occupation in *names*, -1 where the taxonomy does not have it
    names: list[str]  # preferred English names, one an occupation
    # of the occupations, with a line a skill; None where they are ranked by their names alone
    descriptions: list[str] | None
    data_hash: str  # SHA-256 of all of these

    @classmethod
    def read(cls, path: Path, taxonomy: Taxonomy) -> Self:
        """Read the titles of job normalization, to rank the taxonomy's occupations by their names.

        Raises DataFileError if the file is damaged or has no rows.
        """
        titles, uris = read_titles(path)
        concepts = taxonomy.occupation_numbers.tolist()
        places = {taxonomy.uris[concept]: place for place, concept in enumerate(concepts)}
        names = [taxonomy.name(concept, ENGLISH) for concept in concepts]
        right = np.array([places.get(uri, -1) for uri in uris], dtype=np.intp)
        digest = hashlib.sha256(json.dumps([titles, right.tolist(), names]).encode()).hexdigest()
        return cls(path.stem, titles, right, names, None, digest)

    def described_by(self, described: Taxonomy, taxonomy: Taxonomy) -> Self:
        """Return the task with occupations ranked by name and description.

        Args:
            described: the taxonomy that has descriptions and skills.

        Raises SettingsError if none of the occupations is described.
        """
        texts = {posting.id.rpartition("/")[0]: posting.description for posting in occupation_postings(described)}
        descriptions = [texts.get(taxonomy.uris[concept], "") for concept in taxonomy.occupation_numbers.tolist()]
        if not any(descriptions):
            raise SettingsError(f"{described.id} describes no occupation of {taxonomy.id}; name another taxonomy.")
        digest = hashlib.sha256(json.dumps([self.data_hash, descriptions, DESCRIPTION_WEIGHT]).encode()).hexdigest()
        return replace(self, descriptions=descriptions, data_hash=digest)

    @property
    def ranked_by(self) -> RankedBy:
        """The text of an occupation."""
        return "name" if self.descriptions is None else "name and description"

    def ranks(self, model: PostingEncoder) -> NDArray[np.float64]:
        """Return the rank of each title's occupation, infinite where the taxonomy does not have it."""
        occupations = model.encode_titles(self.names)
        described = [place for place, text in enumerate(self.descriptions or ()) if text]
        if self.descriptions is not None:
            postings = [Posting("", "", self.descriptions[place]) for place in described]
            occupations[described] += DESCRIPTION_WEIGHT * model.encode_postings(postings)
        ranks = np.full(len(self.titles), np.inf)
        for start in range(0, len(self.titles), _BLOCK):
            scores = model.encode_titles(self.titles[start : start + _BLOCK]) @ occupations.T
            right = self.right[start : start + _BLOCK]
            own = np.take_along_axis(scores, np.maximum(right, 0)[:, None], axis=1)
            ranks[start : start + _BLOCK] = np.where(right >= 0, (scores >= own).sum(axis=1), np.inf)
        return ranks


@dataclass(frozen=True, slots=True)
class _Subject:
    """A model that is measured, the name of the backbone that it began with, and how it was trained."""

    model: DescriptionModel
    backbone: str
    postings: int = 0
    train_s: float = 0.0
    gradients: Gradients = "all"
    name_weight: float = 0.0


class DescriptionExperiment:
    """Trains and measures recipes, keeping each run as soon as it is there."""

    def __init__(
        self,
        tasks: Sequence[NormalizationTask],
        postings_of: ReadPostings,
        store: RunStore[DescriptionRun],
        *,
        again: bool = False,
    ) -> None:
        """Take what is measured on.

        Args:
            tasks: the titles, once for each way in which occupations are ranked.
            postings_of: reads what a recipe is trained on.
            store: store of the runs; a stored one of the same recipe, data, seed and release is not measured again.
            again: measure all.
        """
        self._tasks = tasks
        self._postings_of = postings_of
        self._store = store
        self._again = again

    def run(
        self, recipes: Sequence[JdanRecipe], n_seeds: int, *, progress: Progress = no_progress
    ) -> list[DescriptionRun]:
        """Measure each backbone as it is, and each recipe with the seeds 1 to n.

        Raises:
            DataFileError: the stored runs, the postings or the titles cannot be read.
            SettingsError: a recipe cannot be trained.
            JobMatchError: a backbone cannot be loaded.
        """
        runs: list[DescriptionRun] = []
        backbones = {word: load_encoder(word) for word in dict.fromkeys(recipe.backbone for recipe in recipes)}
        for word, encoder in backbones.items():
            model = DescriptionModel(encoder, word, "sentence-mean")
            runs += self._runs(encoder.name, UNTRAINED, 0, [encoder.name], partial(_Subject, model, encoder.name))
        done, total = 0, len(recipes) * n_seeds * _PARTS
        for recipe in recipes:
            postings = self._postings_of(recipe)
            data_hash = hashlib.sha256(repr(list(postings)).encode("utf-8", "surrogatepass")).hexdigest()
            for seed in range(1, n_seeds + 1):
                part = _part(progress, done, total)
                encoder = backbones[recipe.backbone]
                runs += self._trained(replace(recipe, seed=seed), encoder, postings, data_hash, part)
                done += _PARTS
        return runs

    def measure(self, models: Sequence[DescriptionModel]) -> list[DescriptionRun]:
        """Measure models that are there already; raises DataFileError if the stored runs cannot be read."""
        runs: list[DescriptionRun] = []
        for model in models:
            runs += self._runs(model.name, model.variant, 0, [model.name], partial(_Subject, model, model.encoder.name))
        return runs

    def _trained(
        self, recipe: JdanRecipe, encoder: Encoder, postings: Sequence[Posting], data_hash: str, progress: Progress
    ) -> list[DescriptionRun]:
        determined_by = [asdict(replace(recipe, seed=0)), encoder.name, data_hash, __version__]
        folder = self._store.folder / "models" / f"{recipe.name}-{recipe.seed}-{_digest(determined_by)}"
        if self._again and folder.exists():
            remove_whole(folder)

        def train() -> _Subject:
            if not folder.exists():  # else it was trained, but the process was stopped before all was measured
                train_jdan(recipe, postings, folder, encoder=encoder, resume=not self._again, progress=progress)
            report = read_json(folder / REPORT_FILE)
            model = DescriptionModel.load(folder)
            how = recipe.training
            return _Subject(
                model, report["backbone"], report["postings"][0], report["seconds"], how.gradients, how.name_weight
            )

        runs = self._runs(recipe.name, recipe.variant, recipe.seed, determined_by, train)
        progress(1, 1)
        if folder.exists():
            remove_whole(folder)
        return runs

    def _runs(
        self, recipe: str, variant: str, seed: int, determined_by: Sequence[object], subject_of: Callable[[], _Subject]
    ) -> list[DescriptionRun]:
        """Return one run per task, measuring those that are not stored; if all are, nothing is loaded or trained."""
        subject: _Subject | None = None
        runs = []
        for task in self._tasks:
            if task.descriptions is not None and not _reads_descriptions(variant):
                continue
            setting = _digest([*determined_by, task.data_hash, __version__])
            run = self._kept(task, recipe, seed, setting)
            if run is None:
                subject = subject or subject_of()
                run = _measured(task, subject, recipe, variant, seed, setting)
                self._store.add(task.name, run)
            runs.append(run)
        return runs

    def _kept(self, task: NormalizationTask, recipe: str, seed: int, setting: str) -> DescriptionRun | None:
        if self._again:
            return None
        wanted = (recipe, seed, setting)
        stored = self._store.runs(task.name)
        return next((run for run in stored if (run.recipe, run.seed, run.setting) == wanted), None)


def _measured(
    task: NormalizationTask, subject: _Subject, recipe: str, variant: str, seed: int, setting: str
) -> DescriptionRun:
    ranks = task.ranks(subject.model)
    return DescriptionRun(
        recipe=recipe,
        variant=variant,
        backbone=subject.backbone,
        seed=seed,
        setting=setting,
        ranked_by=task.ranked_by,
        gradients=subject.gradients,
        name_weight=subject.name_weight,
        postings=subject.postings,
        titles=len(ranks),
        occupations=len(task.names),
        recall_at_5=recall_at(ranks, 5),
        recall_at_10=recall_at(ranks, 10),
        mrr=mean_reciprocal_rank(ranks),
        train_s=subject.train_s,
        versions=current_versions(),
    )


def _reads_descriptions(variant: str) -> bool:
    """Return whether a variant reads the text of an occupation's description, not skills found in it."""
    return variant == UNTRAINED or VARIANTS[variant].parts in ("document", "sentences")


def _digest(determined_by: Sequence[object]) -> str:
    return hashlib.sha256(json.dumps(determined_by, sort_keys=True).encode()).hexdigest()[:16]


def _part(progress: Progress, done: int, total: int) -> Progress:
    return lambda step, steps: progress(done + _PARTS * step // max(steps, 1), total)
