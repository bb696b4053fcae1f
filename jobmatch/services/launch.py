"""Trainings on the page: recipes, start, and expected duration."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from jobmatch.services.run_status import RunState
from jobmatch.services.runs import Run, TrainingRequest, TrainingRuns
from jobmatch.services.shipped_files import RECIPES, app_folder
from jobmatch.services.training_job import LinkingJob, SearchJob, TowersJob
from jobmatch_core.encoders.loading import TITLES
from jobmatch_core.errors import SettingsError
from jobmatch_core.labelling.snapshot import open_snapshot
from jobmatch_core.model_store.model_spec import UNTRAINED, ModelKind
from jobmatch_core.retraining.title_labels import taxonomy_to_train
from jobmatch_core.retraining.tower_labels import require_tower_labels
from jobmatch_core.search.search_recipe import SearchRecipe, read_search_recipe
from jobmatch_core.towers.tower_recipe import TowerRecipe, read_tower_recipe

TOWER_RECIPES, SEARCH_RECIPES = app_folder() / RECIPES / "towers", app_folder() / RECIPES / "search"
RETRAIN, FROM_SCRATCH = "retrain", "titles"
LOG = "search log"  # source of a training of search
_SECONDS_PER_PROJECT = 0.1  # per epoch, with the title encoder's word vectors on two cores: docs/experiments.md
_TRAININGS = 2  # of towers, and of two halves for the order of the list
_LINKING_SECONDS, _SECONDS_PER_LABEL = 45.0, 0.01  # ESCO in 26 languages, 500 and 3,500 labels on two cores
_OTHER_SECONDS = 20.0  # for reading projects and freelancers, and for the comparison


@dataclass(frozen=True, slots=True)
class RecipeFile:
    """A recipe file; *purpose* is the comment in its first line, or its name without one."""

    name: str
    path: Path
    purpose: str


def tower_recipes(folder: Path = TOWER_RECIPES) -> list[RecipeFile]:
    """Return the recipes of towers: `RETRAIN`, `FROM_SCRATCH`, then by name; raises SettingsError if there are none."""
    return sorted(_recipes(folder), key=lambda file: (file.name != RETRAIN, file.name != FROM_SCRATCH, file.name))


def search_recipes(folder: Path = SEARCH_RECIPES) -> list[tuple[RecipeFile, SearchRecipe]]:
    """Return the recipes of search encoders that train on the search log alone, by name.

    Raises:
        SettingsError: there are none.
        DataFileError: one cannot be read.
    """
    recipes = [(file, read_search_recipe(file.path)) for file in _recipes(folder)]
    return [(file, recipe) for file, recipe in recipes if recipe.learns_from_log and not recipe.needs_files]


def _recipes(folder: Path) -> list[RecipeFile]:
    files = [RecipeFile(path.stem, path, _first_line(path) or path.stem) for path in sorted(folder.glob("*.toml"))]
    if not files:
        raise SettingsError(f"There are no recipes in {folder}; install jobmatch again.")
    return files


def start_towers(
    runs: TrainingRuns,
    recipe: RecipeFile,
    *,
    marketplace: str,
    snapshot: str,
    start: str,
    who: str,
    bulk: bool = False,
    is_encoder: bool = False,
) -> Run:
    """Start a training of towers on a marketplace; without a snapshot, on its history alone.

    The start model `UNTRAINED` or '' means random weights, and an encoder becomes the backbone of towers with random
    weights. *who* asks for it; *bulk* also trains on bulk decisions.

    Raises:
        SettingsError: another training runs, or no process can be started.
        LabellingError: the snapshot has no labels for this training.
    """
    if snapshot:
        share_test = read_tower_recipe(recipe.path).share_test
        require_tower_labels(snapshot, marketplace, share_test, runs.settings, bulk=bulk)
    model = _name("towers")
    job = TowersJob(
        recipe=str(recipe.path),
        marketplace=marketplace,
        snapshot=snapshot,
        start=UNTRAINED if is_encoder else start or UNTRAINED,
        backbone=start if is_encoder else "",
        out=str(runs.model_folder(model)),
        keep_in_use=True,
        bulk=bulk,
    )
    return runs.start(TrainingRequest(ModelKind.TOWERS, model, recipe.name, marketplace, snapshot, start, who), job)


def start_linking(runs: TrainingRuns, *, taxonomy: str, snapshot: str, start: str, who: str, bulk: bool = False) -> Run:
    """Start a training of the linker's concept head, weights and threshold; arguments and errors as `start_towers`."""
    taxonomy_to_train(open_snapshot(snapshot, runs.settings), taxonomy, bulk=bulk)
    model = _name("linking")
    job = LinkingJob(snapshot, taxonomy, str(runs.model_folder(model)), bulk)
    return runs.start(TrainingRequest(ModelKind.LINKING, model, "", taxonomy, snapshot, start, who), job)


def start_search(runs: TrainingRuns, recipe: RecipeFile, *, start: str, who: str) -> Run:
    """Start a training of a search encoder on the search log, with its start model as teacher.

    Raises SettingsError if another training runs, or no process can be started.
    """
    model = _name("search")
    job = SearchJob(recipe=str(recipe.path), out=str(runs.model_folder(model)), start=start, teacher=start)
    return runs.start(TrainingRequest(ModelKind.SEARCH, model, recipe.name, LOG, "", start, who), job)


def earlier_seconds(runs: Iterable[Run], kind: str, recipe: str, source: str) -> float | None:
    """Return the seconds of the first finished training of a kind, recipe and source; None without one."""
    for run in runs:
        request = run.request
        if run.status.state == RunState.DONE and (request.kind, request.recipe, request.source) == (
            kind,
            recipe,
            source,
        ):
            took = datetime.fromisoformat(run.status.updated) - datetime.fromisoformat(run.status.started)
            return took.total_seconds()
    return None


def tower_seconds(recipe: TowerRecipe, projects: int) -> float | None:
    """Return the estimated duration of a training of towers in seconds; None for a backbone of unknown speed."""
    if recipe.backbone != TITLES:
        return None
    trained = projects * (1 - recipe.share_test)
    return _OTHER_SECONDS + _TRAININGS * _SECONDS_PER_PROJECT * recipe.training.epochs * trained


def linking_seconds(labels: int) -> float:
    """Return the estimated duration of a training of the linker on so many labels, in seconds."""
    return _LINKING_SECONDS + _SECONDS_PER_LABEL * labels


def _name(kind: str) -> str:
    return f"{kind}-{datetime.now(UTC):%Y-%m-%d-%H%M%S}"


def _first_line(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        line = file.readline().strip()
    return line.lstrip("# ") if line.startswith("#") else ""
