"""Base classes of training reports, stored as `report.json` in the model's folder."""

import sys
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Generic, TypeVar

from jobmatch_core import __version__
from jobmatch_core.metrics.gauges import peak_memory_mb
from jobmatch_core.training.figures import EpochFigures

_PACKAGES = ("sentence-transformers", "transformers", "torch", "numpy", "gensim")
_Recipe = TypeVar("_Recipe")


def current_versions() -> dict[str, str]:
    """Return the versions of jobmatch, Python and the packages that a model depends on."""
    versions = {"jobmatch": __version__, "python": ".".join(map(str, sys.version_info[:3]))}
    for package in _PACKAGES:
        with suppress(PackageNotFoundError):  # gensim on Python 3.14
            versions[package] = version(package)
    return versions


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseReport(Generic[_Recipe]):
    """Report of a whole training."""

    recipe: _Recipe  # the recipe, including the seed
    data_hash: str  # SHA-256 of the training data
    seconds: float  # duration of the training, without its preparation
    versions: dict[str, str] = field(default_factory=current_versions)
    peak_memory_mb: float = field(default_factory=peak_memory_mb)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopReport(BaseReport[_Recipe]):
    """Report of a whole training by `training.loop`."""

    backbone: str  # name of the initial encoder
    weights: int  # number of trained weights
    epochs: tuple[EpochFigures, ...]  # losses of each epoch, in order
