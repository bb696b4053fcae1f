"""Training jobs, such as `{"kind": "towers", "recipe": ..., "marketplace": ..., ...}` in the file job.json of a run.

Pages write a job to the folder of a run, where `run_job` runs it in another process and writes its progress; the
command line runs it in its own process with `TrainingJob.train`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from jobmatch.services.run_status import reported
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.folders import claimed, write_text_whole
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import json_text, read_json
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.training.figures import Watch

if TYPE_CHECKING:  # heavy libraries are imported by the jobs that need them
    from jobmatch_core.descriptions.jdan_recipe import JdanReport
    from jobmatch_core.retraining.linker_retraining import LinkerReport
    from jobmatch_core.search.search_recipe import SearchReport
    from jobmatch_core.titles.training_report import TrainingReport
    from jobmatch_core.towers.tower_recipe import TowerReport

JOB_FILE = "job.json"
Report = TypeVar("Report")


@dataclass(frozen=True, slots=True)
class Trained(Generic[Report]):
    """The folder of a trained model, with the report of its training."""

    model: Path
    report: Report


@dataclass(frozen=True, slots=True)
class TrainingJob(ABC):
    """A job of `jobmatch train KIND`; paths are absolute or relative to the working directory of its process."""

    kind: ClassVar[str]

    @abstractmethod
    def train(self, settings: Settings, watch: Watch) -> Trained[Any]:
        """Train the model.

        Raises JobMatchError if data or settings are unsuitable, or another command writes the same folder.
        """

    def with_recipe_in(self, folder: Path) -> Self:
        """Copy the recipe, if any, into a folder and return the job that reads the copy."""
        return self

    def write(self, folder: Path) -> Path:
        """Write the job to the folder of a run and return its file."""
        file = folder / JOB_FILE
        write_text_whole(file, json_text({"kind": self.kind} | asdict(self), ensure_ascii=False, indent=2))
        return file


@dataclass(frozen=True, slots=True)
class RecipeJob(TrainingJob):
    """A job with a recipe."""

    recipe: str  # path of the recipe
    out: str = ""  # folder of the model; '' for one under `JOBMATCH_HOME` with the recipe's name
    backbone: str = ""  # backbone instead of the recipe's; '' for that one
    resume: bool = True  # continue an interrupted training

    def with_recipe_in(self, folder: Path) -> Self:
        """Copy the recipe into a folder and return the job that reads the copy."""
        recipe = Path(self.recipe)
        copied = folder / recipe.name
        copied.write_bytes(recipe.read_bytes())
        return replace(self, recipe=str(copied))

    def _folder(self, settings: Settings, recipe_name: str) -> Path:
        return Path(self.out) if self.out else settings.models / recipe_name


@dataclass(frozen=True, slots=True)
class TowersJob(RecipeJob):
    """A training of the two towers on the history of a marketplace and on labels."""

    kind: ClassVar[str] = "towers"
    marketplace: str = "demo"
    snapshot: str = ""  # name or folder of the frozen labels; '' for the history alone
    start: str | None = None  # start model; None for the recipe's or, with a snapshot, the one in use
    compare: bool = True  # compare the model with the one in use
    keep_in_use: bool = False  # keep the model in use until another is promoted; always so with a snapshot
    bulk: bool = False  # also train on bulk decisions

    def train(self, settings: Settings, watch: Watch) -> "Trained[TowerReport]":
        """Train the towers; see `TrainingJob.train`."""
        from jobmatch.services.search_log import opened_freelancers
        from jobmatch_core.labelling.snapshot import open_snapshot
        from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
        from jobmatch_core.retrieval.match_models import model_in_use
        from jobmatch_core.towers.tower_recipe import read_tower_recipe

        in_use = model_in_use(settings)
        recipe = read_tower_recipe(Path(self.recipe))
        start = self.start if self.start is not None else recipe.start or (in_use if self.snapshot else "")
        recipe = replace(recipe, backbone=self.backbone or recipe.backbone, start=start)
        labels = open_snapshot(self.snapshot, settings) if self.snapshot else None
        market = MarketplaceStore.open(settings).load(self.marketplace)
        if labels or self.keep_in_use:  # before there is a newer model, which is used by default
            Registry(settings).keep_in_use(ModelKind.TOWERS, in_use)

        from jobmatch_core.retraining.tower_retraining import retrain_towers  # torch takes seconds

        out = self._folder(settings, recipe.name)
        with claimed(out):
            report = retrain_towers(
                recipe,
                market,
                out,
                labels=labels,
                bulk=self.bulk,
                against=in_use if self.compare else None,
                searches=opened_freelancers(self.marketplace, settings),
                settings=settings,
                resume=self.resume,
                watch=watch,
            )
        return Trained(out, report)


@dataclass(frozen=True, slots=True)
class LinkingJob(TrainingJob):
    """A training of the linker's concept head, weights and threshold on judged links."""

    kind: ClassVar[str] = "linking"
    snapshot: str  # name or folder of the frozen labels
    taxonomy: str = ""  # id of the taxonomy; '' for the one with the most labels of titles
    out: str = ""  # folder of the model; '' for one under `JOBMATCH_HOME` with the snapshot's name
    bulk: bool = False  # also train on bulk decisions

    def train(self, settings: Settings, watch: Watch) -> "Trained[LinkerReport]":
        """Train the linker's model; see `TrainingJob.train`."""
        from jobmatch_core.labelling.snapshot import open_snapshot
        from jobmatch_core.linking import open_linker
        from jobmatch_core.linking.linking_model import linking_model_in_use
        from jobmatch_core.retraining.title_labels import taxonomy_to_train

        labels = open_snapshot(self.snapshot, settings)
        taxonomy = taxonomy_to_train(labels, self.taxonomy, bulk=self.bulk)
        watch.stage("Reading the names of occupations")
        linker = open_linker(taxonomy, settings=settings, progress=watch.progress)
        in_use = linking_model_in_use(linker.calibration.features, linker.encoder_name, settings)
        Registry(settings).keep_in_use(ModelKind.LINKING, in_use)

        from jobmatch_core.retraining.linker_retraining import retrain_linker  # torch takes seconds

        out = Path(self.out) if self.out else settings.models / f"linking-{labels.name}"
        with claimed(out):
            report = retrain_linker(linker, in_use, labels, out, bulk=self.bulk, watch=watch)
        return Trained(out, report)


@dataclass(frozen=True, slots=True)
class TitleEncoderJob(RecipeJob):
    """A training of a title encoder; *data* is the folder of the recipe's files."""

    kind: ClassVar[str] = "title-encoder"
    data: str = "."

    def train(self, settings: Settings, watch: Watch) -> "Trained[TrainingReport]":
        """Train the encoder; see `TrainingJob.train`."""
        from jobmatch_core.titles.title_recipe import read_recipe

        recipe = read_recipe(Path(self.recipe))
        recipe = replace(recipe, backbone=self.backbone) if self.backbone else recipe

        from jobmatch_core.titles.title_training import train_title_encoder  # torch takes seconds

        _silence_transformers()
        out = self._folder(settings, recipe.name)
        with claimed(out):
            report = train_title_encoder(recipe, out, data=Path(self.data), resume=self.resume, progress=watch.progress)
        return Trained(out, report)


@dataclass(frozen=True, slots=True)
class JdanJob(RecipeJob):
    """A training of a model of titles and descriptions; see `TitleEncoderJob`; without a seed, the recipe's is used."""

    kind: ClassVar[str] = "jdan"
    data: str = "."
    seed: int | None = None

    def train(self, settings: Settings, watch: Watch) -> "Trained[JdanReport]":
        """Train the model; see `TrainingJob.train`."""
        from jobmatch_core.descriptions.jdan_recipe import check_jdan_recipe, read_jdan_recipe

        recipe = read_jdan_recipe(Path(self.recipe))
        seed = recipe.seed if self.seed is None else self.seed
        recipe = replace(recipe, backbone=self.backbone or recipe.backbone, seed=seed)
        try:
            check_jdan_recipe(recipe)
        except ValueError as error:
            raise SettingsError(f"{Path(self.recipe).name} cannot be trained like this: {error}.") from error

        from jobmatch_core.descriptions.jdan_data import training_postings
        from jobmatch_core.descriptions.jdan_training import train_jdan  # torch takes seconds

        _silence_transformers()
        postings = training_postings(recipe, Path(self.data), TaxonomyStore.open(settings))
        out = self._folder(settings, recipe.name)
        with claimed(out):
            report = train_jdan(recipe, postings, out, resume=self.resume, progress=watch.progress)
        return Trained(out, report)


@dataclass(frozen=True, slots=True)
class SearchJob(RecipeJob):
    """A training of a search encoder; see `TitleEncoderJob`; *start* and *teacher* replace the recipe's models."""

    kind: ClassVar[str] = "search-encoder"
    data: str = "."
    start: str = ""
    teacher: str = ""

    def train(self, settings: Settings, watch: Watch) -> "Trained[SearchReport]":
        """Train the encoder; see `TrainingJob.train`."""
        from jobmatch_core.search.search_recipe import check_search_recipe, read_search_recipe

        recipe = read_search_recipe(Path(self.recipe))
        recipe = replace(
            recipe,
            backbone=self.backbone or recipe.backbone,
            start=self.start or recipe.start,
            teacher=self.teacher or recipe.teacher,
        )
        try:
            check_search_recipe(recipe)
        except ValueError as error:
            raise SettingsError(f"{Path(self.recipe).name} cannot be trained like this: {error}.") from error

        from jobmatch.services.search_log import logged_pairs
        from jobmatch_core.retraining.search_retraining import retrain_search  # torch takes seconds
        from jobmatch_core.search.search_models import search_model_in_use

        _silence_transformers()
        Registry(settings).keep_in_use(ModelKind.SEARCH, search_model_in_use(settings))
        log = logged_pairs(settings) if recipe.learns_from_log else ()
        out = self._folder(settings, recipe.name)
        with claimed(out):
            report = retrain_search(
                recipe, Path(self.data), out, log=log, settings=settings, resume=self.resume, watch=watch
            )
        return Trained(out, report)


JOBS: dict[str, type[TrainingJob]] = {
    job.kind: job for job in (TowersJob, LinkingJob, TitleEncoderJob, JdanJob, SearchJob)
}


def read_job(file: Path) -> TrainingJob:
    """Read a job; raises SettingsError if the file cannot be read, or is not a job."""
    try:
        table = read_json(file)
        if not isinstance(table, dict) or str(table.get("kind")) not in JOBS:
            raise ValueError(f"'kind' must be one of {', '.join(JOBS)}")
        return record_of(JOBS[str(table.pop("kind"))], table, "the job")
    except OSError as error:
        raise SettingsError(f"The training job {file} cannot be read ({error.strerror or error}).") from error
    except ValueError as error:
        raise SettingsError(f"{file} is not a training job ({error}); start the training again.") from error


def run_job(file: Path, note: Callable[[str], None]) -> tuple[TrainingJob, Trained[Any]]:
    """Run the job of a file, write its progress beside it and lines to *note*, and return it with the trained model.

    Raises JobMatchError as `read_job` and `TrainingJob.train`.
    """
    job = read_job(file)
    with reported(file.parent, note) as writer:
        watch = Watch(writer.stage, writer.progress, writer.losses)
        return job, job.train(Settings.from_environment(), watch)


def _silence_transformers() -> None:
    # its remarks on checkpoints are for programmers
    from transformers.utils import logging  # takes seconds

    logging.set_verbosity_error()
