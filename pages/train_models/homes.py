"""Stores of trainings, snapshots and promotions, read on each call, which is fast."""

from jobmatch.services.runs import TrainingRuns
from jobmatch_core.labelling.snapshot import Snapshots
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.settings import Settings


def registry() -> Registry:
    """Return which models are in use."""
    return Registry.open()


def snapshots() -> Snapshots:
    """Return the frozen snapshots."""
    return Snapshots(Settings.from_environment())


def training_runs() -> TrainingRuns:
    """Return the trainings in processes of their own."""
    return TrainingRuns(Settings.from_environment())
