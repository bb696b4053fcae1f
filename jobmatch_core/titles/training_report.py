"""Report of a title encoder's training: `report.json` in the model's folder."""

from dataclasses import asdict, dataclass
from pathlib import Path

from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.titles.occupation_names import HeldOutFigures
from jobmatch_core.titles.stages import StageOutcome
from jobmatch_core.titles.title_recipe import Recipe
from jobmatch_core.training.reports import BaseReport

REPORT_FILE = "report.json"


@dataclass(frozen=True, slots=True)
class StageReport:
    """A stage, or the trial of a temperature."""

    stage: str  # `stage1` or `stage2`
    temperature: float | None
    examples: int  # number of titles with targets (stage 1) or positive pairs (stage 2)
    steps: int  # steps of the optimiser
    outcome: StageOutcome
    # figures on held-out titles; after the last stage those of the saved model, which may be packed
    after: HeldOutFigures

    def save(self, folder: Path) -> None:
        """Write it as JSON."""
        _write(folder, asdict(self))

    @classmethod
    def load(cls, folder: Path) -> "StageReport":
        """Read what `save` wrote."""
        return read_record(folder / REPORT_FILE, cls)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingReport(BaseReport[Recipe]):
    """Report of a whole training.

    Attributes:
        titles: numbers of training names and held-out names.
        before: the backbone's figures.
        trials: trials of several temperatures.
        seconds: duration of all stages; of a resumed stage only since it was resumed.
    """

    titles: tuple[int, int]
    before: HeldOutFigures
    trials: tuple[StageReport, ...]
    stages: tuple[StageReport, ...]

    def save(self, folder: Path) -> None:
        """Write it as JSON."""
        _write(folder, asdict(self))


def _write(folder: Path, values: dict[str, object]) -> None:
    (folder / REPORT_FILE).write_text(json_text(values, ensure_ascii=False, indent=2), "utf-8")
