"""Stores of trainings, snapshots and promotions, read on each call, which is fast; labels of a snapshot are cached."""

from jobmatch.services.background_call import Background
from jobmatch.services.runs import TrainingRuns
from jobmatch_core.labelling.snapshot import Snapshots, open_snapshot
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retraining.title_labels import judged_taxonomies
from jobmatch_core.settings import Settings
from pages.shared.cache import cached


def registry() -> Registry:
    """Return which models are in use."""
    return Registry.open()


def snapshots() -> Snapshots:
    """Return the frozen snapshots."""
    return Snapshots(Settings.from_environment())


def training_runs() -> TrainingRuns:
    """Return the trainings in processes of their own."""
    return TrainingRuns(Settings.from_environment())


@cached(lambda snapshot: snapshot, most=20)
def counting_titles(snapshot: str) -> "Background[dict[str, int]]":
    """Count the labels of titles of a snapshot by taxonomy, the largest first."""
    settings = Settings.from_environment()
    return Background(lambda progress: judged_taxonomies(open_snapshot(snapshot, settings).snapshot.labels))
