"""Where trainings, snapshots and promotions are kept; each is read anew when it is asked for, and none takes long."""

from jobmatch_core.settings import Settings
from jobmatch_core.training.registry import Registry
from jobmatch_core.training.runs import TrainingRuns
from jobmatch_core.training.snapshots import Snapshots


def registry() -> Registry:
    """Return which models are in use."""
    return Registry.open()


def snapshots() -> Snapshots:
    """Return the frozen snapshots."""
    return Snapshots(Settings.from_environment())


def training_runs() -> TrainingRuns:
    """Return the trainings in processes of their own."""
    return TrainingRuns(Settings.from_environment())
