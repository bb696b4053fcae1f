"""The experiment of Laosaengpha et al. (2024), tables 1, 2, 5 and 8: what titles learn from descriptions or skills.

Each recipe is trained with each seed, and its encoder of titles is measured on job normalization as the paper does: an
occupation is its preferred English name, and all of the taxonomy's are ranked for each vacancy title by the cosine. Of
equal scores the right one is taken to stand last.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core import __version__
from jobmatch_core.descriptions.description_model import DescriptionModel, open_backbone
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.entities import Encoder, Progress, no_progress
from jobmatch_core.evaluation.description_runs import UNTRAINED, DescriptionRun
from jobmatch_core.evaluation.job_normalization import read_titles
from jobmatch_core.evaluation.ranking import mean_reciprocal_rank, recall_at
from jobmatch_core.evaluation.run_store import RunStore
from jobmatch_core.folders import remove_whole
from jobmatch_core.languages import ENGLISH
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.training.jdan import train_jdan
from jobmatch_core.training.jdan_recipe import JdanRecipe
from jobmatch_core.training.report import current_versions

ReadPostings = Callable[[JdanRecipe], Sequence[Posting]]
_BLOCK = 1000  # titles
_PARTS = 1000  # of a run, in reports of progress


@dataclass(frozen=True, slots=True)
class NormalizationTask:
    """Vacancy titles and what is ranked for them.

    Attributes:
        name: of the file of titles.
        titles: that are asked for.
        right: (title,) the place of its occupation in *names*, -1 where the taxonomy does not have it.
        names: preferred English names, one an occupation.
        data_hash: of all of these.
    """

    name: str
    titles: list[str]
    right: NDArray[np.intp]
    names: list[str]
    data_hash: str

    @classmethod
    def read(cls, path: Path, taxonomy: Taxonomy) -> Self:
        """Read the titles of job normalization.

        Raises:
            DataFileError: the file is damaged or has no rows.
        """
        titles, uris = read_titles(path)
        concepts = taxonomy.occupation_numbers.tolist()
        places = {taxonomy.uris[concept]: place for place, concept in enumerate(concepts)}
        names = [taxonomy.name(concept, ENGLISH) for concept in concepts]
        right = np.array([places.get(uri, -1) for uri in uris], dtype=np.intp)
        digest = hashlib.sha256(json.dumps([titles, right.tolist(), names]).encode()).hexdigest()
        return cls(path.stem, titles, right, names, digest)

    def ranks(self, encoder: Encoder) -> NDArray[np.float64]:
        """Return the rank of each title's occupation, infinite where the taxonomy does not have it."""
        names = encoder.encode(self.names)
        ranks = np.full(len(self.titles), np.inf)
        for start in range(0, len(self.titles), _BLOCK):
            scores = encoder.encode(self.titles[start : start + _BLOCK]) @ names.T
            right = self.right[start : start + _BLOCK]
            own = np.take_along_axis(scores, np.maximum(right, 0)[:, None], axis=1)
            ranks[start : start + _BLOCK] = np.where(right >= 0, (scores >= own).sum(axis=1), np.inf)
        return ranks


class DescriptionExperiment:
    """Trains and measures recipes, keeping each run as soon as it is there."""

    def __init__(
        self,
        task: NormalizationTask,
        postings_of: ReadPostings,
        store: RunStore[DescriptionRun],
        *,
        again: bool = False,
    ) -> None:
        """Take what is measured on.

        Args:
            task: the titles.
            postings_of: reads what a recipe is trained on.
            store: where runs are kept; a kept one of the same recipe, data, seed and release is not measured again.
            again: measure all.
        """
        self._task = task
        self._postings_of = postings_of
        self._store = store
        self._again = again

    def run(
        self, recipes: Sequence[JdanRecipe], n_seeds: int, *, progress: Progress = no_progress
    ) -> list[DescriptionRun]:
        """Measure each backbone as it is, and each recipe with the seeds 1 to n.

        Args:
            recipes: what to train.
            n_seeds: how many times each.
            progress: called with thousandths of trainings done and in all.

        Raises:
            DataFileError: the kept runs, the postings or the titles cannot be read.
            SettingsError: a recipe cannot be trained.
            JobMatchError: a backbone cannot be loaded.
        """
        runs = [self._untrained(backbone) for backbone in dict.fromkeys(recipe.backbone for recipe in recipes)]
        done, total = 0, len(recipes) * n_seeds * _PARTS
        for recipe in recipes:
            postings = self._postings_of(recipe)
            data_hash = hashlib.sha256(repr(list(postings)).encode("utf-8", "surrogatepass")).hexdigest()
            for seed in range(1, n_seeds + 1):
                part = _part(progress, done, total)
                runs.append(self._trained(replace(recipe, seed=seed), postings, data_hash, part))
                done += _PARTS
        return runs

    def _untrained(self, word: str) -> DescriptionRun:
        encoder = open_backbone(word)
        setting = self._setting(encoder.name)
        found = self._kept(encoder.name, 0, setting)
        return found or self._measured(encoder, encoder.name, UNTRAINED, encoder.name, 0, setting)

    def _trained(
        self, recipe: JdanRecipe, postings: Sequence[Posting], data_hash: str, progress: Progress
    ) -> DescriptionRun:
        setting = self._setting(asdict(replace(recipe, seed=0)), data_hash)
        if found := self._kept(recipe.name, recipe.seed, setting):
            progress(1, 1)
            return found
        folder = self._store.folder / "models" / f"{recipe.name}-{recipe.seed}-{setting}"
        if folder.exists():  # trained, but the process was stopped before it was measured
            remove_whole(folder)
        report = train_jdan(recipe, postings, folder, resume=not self._again, progress=progress)
        encoder = DescriptionModel.load(folder).encoder
        run = self._measured(
            encoder, recipe.name, recipe.variant, report.backbone, recipe.seed, setting, report.postings[0],
            report.seconds,
        )  # fmt: skip
        remove_whole(folder)
        return run

    def _measured(
        self, encoder: Encoder, recipe: str, variant: str, backbone: str, seed: int, setting: str,
        postings: int = 0, train_s: float = 0.0,
    ) -> DescriptionRun:  # fmt: skip
        ranks = self._task.ranks(encoder)
        run = DescriptionRun(
            recipe=recipe,
            variant=variant,
            backbone=backbone,
            seed=seed,
            setting=setting,
            postings=postings,
            titles=len(ranks),
            occupations=len(self._task.names),
            recall_at_5=recall_at(ranks, 5),
            recall_at_10=recall_at(ranks, 10),
            mrr=mean_reciprocal_rank(ranks),
            train_s=train_s,
            versions=current_versions(),
        )
        self._store.add(self._task.name, run)
        return run

    def _kept(self, recipe: str, seed: int, setting: str) -> DescriptionRun | None:
        if self._again:
            return None
        wanted = (recipe, seed, setting)
        kept = self._store.runs(self._task.name)
        return next((each for each in kept if (each.recipe, each.seed, each.setting) == wanted), None)

    def _setting(self, *determined_by: object) -> str:
        text = json.dumps([*determined_by, self._task.data_hash, __version__], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def _part(progress: Progress, done: int, total: int) -> Progress:
    return lambda step, steps: progress(done + _PARTS * step // max(steps, 1), total)
