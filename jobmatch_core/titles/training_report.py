"""Reports of title trainings: `report.json` in the model's folder."""

import resource
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from jobmatch_core import __version__
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import json_text, read_json
from jobmatch_core.titles.held_out import HeldOutFigures
from jobmatch_core.titles.stages import StageOutcome
from jobmatch_core.titles.title_recipe import Recipe

REPORT_FILE = "report.json"
_PACKAGES = ("sentence-transformers", "transformers", "torch", "numpy", "gensim")


@dataclass(frozen=True, slots=True)
class StageReport:
    """Report of a stage, or of the trial of a temperature.

    Attributes:
        stage: `stage1` or `stage2`.
        temperature: temperature of stage 2; None for stage 1.
        examples: number of titles with a target in stage 1, of positive pairs in stage 2.
        steps: steps of the optimiser.
        outcome: losses and time.
        after: figures on held-out titles after the stage; for the last stage those of the model as saved, which for our
            own encoder has four bits per weight.
    """

    stage: str
    temperature: float | None
    examples: int
    steps: int
    outcome: StageOutcome
    after: HeldOutFigures

    def save(self, folder: Path) -> None:
        """Write the report as JSON."""
        _write(folder, asdict(self))

    @classmethod
    def load(cls, folder: Path) -> "StageReport":
        """Read what `save` wrote."""
        return record_of(cls, read_json(folder / REPORT_FILE), REPORT_FILE)


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """Report of a whole training.

    Attributes:
        recipe: the recipe, including the seed.
        data_hash: SHA-256 of the taxonomies and files.
        versions: versions of jobmatch, Python and the main packages.
        titles: numbers of training names and of held-out names.
        before: figures of the backbone.
        trials: reports of the temperatures' trials, where there were several.
        stages: reports of the stages, in their order.
        seconds: duration of all stages; for an interrupted one only the time since it was resumed.
        peak_memory_mb: peak memory of the process in MB.
    """

    recipe: Recipe
    data_hash: str
    versions: dict[str, str]
    titles: tuple[int, int]
    before: HeldOutFigures
    trials: tuple[StageReport, ...]
    stages: tuple[StageReport, ...]
    seconds: float
    peak_memory_mb: float

    def save(self, folder: Path) -> None:
        """Write the report as JSON."""
        _write(folder, asdict(self))


def current_versions() -> dict[str, str]:
    """Return the versions of jobmatch, Python and the packages that determine a model."""
    python = ".".join(map(str, sys.version_info[:3]))
    return {"jobmatch": __version__, "python": python} | {package: version(package) for package in _PACKAGES}


def peak_memory_mb() -> float:
    """Return the peak memory of this process in MB; macOS counts it in bytes, others in kB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def _write(folder: Path, values: dict[str, object]) -> None:
    (folder / REPORT_FILE).write_text(json_text(values, ensure_ascii=False, indent=2), "utf-8")
