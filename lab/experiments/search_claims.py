"""The claims of Hajiaghayi et al. (2021), tried on public data: small trainings that differ in one thing each.

Each setting is trained with the seeds 1 to n, which draw the held-out pairs, the order and the random negatives; the
test sets stay the same. Intervals are Student's over the seeds, and differences are taken seed by seed from the first
setting of a claim. All but the student stand over the title encoder.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
from scipy.stats import t as student_t

from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import FloatArray
from jobmatch_core.metrics.comparisons import LEVEL
from jobmatch_core.search.pair_files import TextPair
from jobmatch_core.search.search_encoder import PlainSearchEncoder, SearchEncoder
from jobmatch_core.search.search_models import open_search_encoder
from jobmatch_core.search.search_recipe import (
    SCHEDULES,
    Negatives,
    SearchRecipe,
    SearchReport,
    SearchTraining,
    TaskRecipe,
)
from jobmatch_core.search.search_tasks import NEGATIVES
from jobmatch_core.search.search_training import train_search_encoder
from lab.experiments.search_figures import (
    Figures,
    attended,
    averaged,
    encoding_speeds,
    joined,
    judged,
    measured,
    search_figures,
    with_addresses,
)
from lab.experiments.search_training_sets import CLICKS, INFERENCE, SEARCHED, TRANSLATIONS, SearchTrainingSets

TEXTS_A_SECOND = "texts a second"
UNTRAINED = "title encoder, untrained"
TASKS = (
    TaskRecipe(CLICKS, "positives", (f"{CLICKS}.tsv",)),
    TaskRecipe(INFERENCE, "pairs", (f"{INFERENCE}.tsv",)),
    TaskRecipe(TRANSLATIONS, "translations", (f"{TRANSLATIONS}.tsv",)),
)
RECIPE = SearchRecipe(
    "multi-task",
    TASKS,
    training=SearchTraining(epochs=3, batch_size=64, learning_rate=0.05, feature_dropout=0.3, curve_points=10),
)
_LARGE = 256  # numbers of a vector, beside the recipe's
_SHARES = tuple(share / 10 for share in range(1, 11))  # of the training, at which curves are read
_TEACHER_PAIRS, _TRANSFORMER_RATE = 2000, 2e-4  # of a task, in one epoch
_STUDENT_LAYERS, _STUDENT_EPOCHS = 3, 2
_TIMED = 512  # documents
NEEDS_TRANSFORMER = "student"
Runs = dict[str, list[Figures]]  # a run's figures for each seed, by setting


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean over seeds with the ends of its 95 % interval; None with one seed."""

    mean: float
    low: float | None
    high: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """Return the mean of some runs with Student's interval."""
        mean = float(np.mean(values))
        if len(values) < 2:
            return cls(mean, None, None)
        error = float(np.std(values, ddof=1)) / len(values) ** 0.5
        half = float(student_t.ppf((1 + LEVEL) / 2, len(values) - 1)) * error
        return cls(mean, mean - half, mean + half)


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One setting of a claim."""

    setting: str  # what differs from the others
    seeds: int  # number of runs
    figures: dict[str, Spread]  # by name, over the seeds
    differences: dict[str, Spread]  # of the figures from those of the claim's first setting
    # share of the training done, and mean loss on held-out pairs (figure 4); empty where it is not compared
    curve: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class _Trained:
    """A trained encoder, its report, and the size of its folder."""

    encoder: SearchEncoder
    report: SearchReport
    megabytes: float


class SearchClaims:
    """Trains and measures the settings of each claim; a setting that several claims have in common once."""

    def __init__(
        self,
        sets: SearchTrainingSets,
        folder: Path,
        *,
        seeds: int = 3,
        recipe: SearchRecipe = RECIPE,
        transformer: str = "",
    ) -> None:
        """Take what is trained on and measured with.

        Args:
            folder: an empty folder for the models.
            seeds: number of trainings of each setting over the title encoder.
            recipe: the setting from which the others differ in one thing.
            transformer: word of the transformer of the teacher and the student.
        """
        self._sets = sets
        self._folder = folder
        self._seeds = range(1, seeds + 1)
        self._recipe = recipe
        self._transformer = transformer
        self._kept: dict[SearchRecipe, tuple[_Trained, Figures]] = {}

    def rows(self, claim: str) -> list[ClaimRow]:
        """Try a claim.

        Args:
            claim: a key of `CLAIMS`.

        Raises:
            JobMatchError: a backbone cannot be loaded, or a training fails.
        """
        return CLAIMS[claim](self)

    def tasks(self) -> list[ClaimRow]:
        """Compare all tasks with the clicks alone, and with no training."""
        clicks = replace(self._recipe, name="clicks-alone", tasks=self._recipe.tasks[:1])
        untrained = measured(PlainSearchEncoder(shipped_encoder()), self._sets.tests)
        runs = self._runs({"all tasks": self._recipe, "clicks alone": clicks})
        return _rows(runs | {UNTRAINED: [untrained]})

    def negatives(self) -> list[ClaimRow]:
        """Compare the negatives of the triplet loss; the first is the recipe's."""
        recipes = {
            name: replace(
                self._recipe, tasks=tuple(replace(task, negatives=cast(Negatives, name)) for task in self._recipe.tasks)
            )
            for name in ("semi-hard", *(name for name in NEGATIVES if name != "semi-hard"))
        }
        return _rows(self._runs(recipes))

    def schedules(self) -> list[ClaimRow]:
        """Compare the schedules, with their curves."""
        recipes: dict[str, SearchRecipe] = {name: replace(self._recipe, schedule=name) for name in reversed(SCHEDULES)}
        rows = _rows(self._runs(recipes))
        return [replace(row, curve=self._curve(recipes[row.setting])) for row in rows]

    def dimensions(self) -> list[ClaimRow]:
        """Compare short with long vectors; the margin grows as the L1 distances of unit vectors do."""
        factor = (_LARGE / self._recipe.dimension) ** 0.5
        tasks = tuple(replace(task, margin=task.margin * factor) for task in self._recipe.tasks)
        recipes = {
            str(self._recipe.dimension): self._recipe,
            str(_LARGE): replace(self._recipe, dimension=_LARGE, tasks=tasks),
        }
        runs = self._runs(recipes)
        for setting, recipe in recipes.items():
            for seed, figures in zip(self._seeds, runs[setting], strict=True):
                figures["model, MB"] = self._run(replace(recipe, seed=seed))[0].megabytes
                figures |= search_figures(recipe.dimension, seed)
        return _rows(runs)

    def attention(self) -> list[ClaimRow]:
        """Compare attention with concatenation, where each document has a random address as a further text."""
        runs: Runs = defaultdict(list)
        for seed in self._seeds:
            for setting, figures in self._read_with_noise(seed).items():
                runs[setting].append(figures)
        return _rows(runs)

    def student(self) -> list[ClaimRow]:
        """Compare a teacher over a transformer with students: of half of its layers, and over the title encoder."""
        runs: Runs = defaultdict(list)
        for seed in self._seeds:
            for setting, figures in self._teacher_and_students(seed).items():
                runs[setting].append(figures)
        return _rows(runs)

    def _runs(self, recipes: dict[str, SearchRecipe]) -> Runs:
        return {
            setting: [dict(self._run(replace(recipe, seed=seed))[1]) for seed in self._seeds]
            for setting, recipe in recipes.items()
        }

    def _run(self, recipe: SearchRecipe) -> tuple[_Trained, Figures]:
        """Train and measure a recipe over the title encoder, or return what is kept of it."""
        if recipe not in self._kept:
            trained = self._trained(recipe)
            self._kept[recipe] = trained, measured(trained.encoder, self._sets.tests)
        return self._kept[recipe]

    def _trained(
        self,
        recipe: SearchRecipe,
        clicks: list[TextPair] | None = None,
        *,
        teacher: SearchEncoder | None = None,
        start: SearchEncoder | None = None,
    ) -> _Trained:
        pairs = self._sets.training | ({CLICKS: clicks} if clicks else {})
        out = self._folder / f"{len(list(self._folder.iterdir()))}-{recipe.name}"
        used = {task.name: pairs[task.name] for task in recipe.tasks}
        report = train_search_encoder(recipe, used, out, teacher=teacher, start=start, resume=False)
        size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
        return _Trained(open_search_encoder(out), report, size / 1e6)

    def _curve(self, recipe: SearchRecipe) -> tuple[tuple[float, float], ...]:
        """Return the mean held-out loss of the seeds at shares of the training."""
        read = []
        for seed in self._seeds:
            report = self._run(replace(recipe, seed=seed))[0].report
            curve = [(point.step / report.steps, point.validation_loss) for point in report.curve]
            points = [(share, loss) for share, loss in curve if loss is not None]
            if points:
                shares, losses = zip(*points, strict=True)
                read.append(np.interp(_SHARES, shares, losses))
        return tuple(zip(_SHARES, np.mean(read, axis=0).tolist(), strict=True)) if read else ()

    def _read_with_noise(self, seed: int) -> dict[str, Figures]:
        """Measure one seed's ways to read documents of several texts."""
        recipe = replace(self._recipe, seed=seed)
        random = np.random.default_rng(seed)
        test = self._sets.test(SEARCHED)
        clicks = self._sets.clicks
        noisy_clicks, noisy_test = with_addresses(clicks, random), with_addresses(test.pairs, random)
        clean = self._run(recipe)[0].encoder
        noisy = self._trained(recipe, noisy_clicks).encoder
        settings: dict[str, tuple[SearchEncoder, Sequence[TextPair], Sequence[TextPair], Callable[..., FloatArray]]] = {
            "joined, with address": (noisy, noisy_clicks, noisy_test, joined),
            "attention, with address": (noisy, noisy_clicks, noisy_test, attended),
            "mean of texts, with address": (noisy, noisy_clicks, noisy_test, averaged),
            "joined, with address, not trained so": (clean, clicks, noisy_test, joined),
            "joined, without": (clean, clicks, test.pairs, joined),
            "attention, without": (clean, clicks, test.pairs, attended),
        }
        return {
            setting: judged(replace(test, pairs=pairs), scores(encoder, trained, pairs, seed))
            for setting, (encoder, trained, pairs, scores) in settings.items()
        }

    def _teacher_and_students(self, seed: int) -> dict[str, Figures]:
        """Train and measure one seed's teacher and students, which learn its vectors of all training texts."""
        few = tuple(replace(task, most=_TEACHER_PAIRS) for task in self._recipe.tasks)
        training = replace(self._recipe.training, epochs=1, learning_rate=_TRANSFORMER_RATE, curve_points=1)
        recipe = replace(
            self._recipe, name="teacher", seed=seed, backbone=self._transformer, tasks=few, training=training
        )
        tasks = tuple(replace(task, kind="taught") for task in self._recipe.tasks)
        taught = replace(self._recipe, name="student", seed=seed, teacher=recipe.name, tasks=tasks)
        half = replace(
            taught,
            backbone=self._transformer,
            start=recipe.name,
            layers=_STUDENT_LAYERS,
            training=replace(training, epochs=_STUDENT_EPOCHS),
        )
        teacher = self._trained(recipe)
        encoders = {
            f"teacher, {recipe.layers} layers": teacher,
            f"student, {_STUDENT_LAYERS} layers": self._trained(half, teacher=teacher.encoder, start=teacher.encoder),
            "student, title encoder": self._trained(taught, teacher=teacher.encoder),
        }
        documents = [pair.document for pair in self._sets.test(SEARCHED).pairs[:_TIMED]]
        speeds = encoding_speeds({name: trained.encoder for name, trained in encoders.items()}, documents)
        return {
            name: measured(trained.encoder, self._sets.tests)
            | {"model, MB": trained.megabytes, TEXTS_A_SECOND: speeds[name]}
            for name, trained in encoders.items()
        }


CLAIMS: dict[str, Callable[[SearchClaims], list[ClaimRow]]] = {
    "tasks": SearchClaims.tasks,
    "negatives": SearchClaims.negatives,
    "schedules": SearchClaims.schedules,
    "dimensions": SearchClaims.dimensions,
    "attention": SearchClaims.attention,
    "student": SearchClaims.student,
}


def _rows(runs: Runs) -> list[ClaimRow]:
    """Return a row a setting; the differences are from the first setting's."""
    first = next(iter(runs.values()))
    return [
        ClaimRow(
            setting,
            len(figures),
            {name: Spread.of([seed_figures[name] for seed_figures in figures]) for name in figures[0]},
            {name: Spread.of(values) for name, values in _differences(first, figures)},
        )
        for setting, figures in runs.items()
    ]


def _differences(first: list[Figures], second: list[Figures]) -> Iterator[tuple[str, list[float]]]:
    """Yield the differences of each figure seed by seed; a setting that has no seeds is compared with all."""
    others = second if len(second) == len(first) else second * len(first)
    for name in second[0]:
        if second is not first and name in first[0]:
            yield name, [other[name] - one[name] for one, other in zip(first, others, strict=True)]
