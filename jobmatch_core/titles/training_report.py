"""Report of a training: `report.json` in the model's folder."""

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
    """A stage, or the trial of a temperature.

    Attributes:
        stage: `stage1` or `stage2`.
        temperature: of stage 2.
        examples: distinct titles with a target of stage 1, positive pairs of stage 2.
        steps: of the optimiser.
        outcome: losses and time.
        after: the figures on left-out titles after it; of a model's last stage those of the model as it is saved, which
            for our own encoder is with four bits a weight.
    """

    stage: str
    temperature: float | None
    examples: int
    steps: int
    outcome: StageOutcome
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
    """All of a training.

    Attributes:
        titles: how many names were trained on, and how many were left out.
        before: the backbone's figures.
        trials: of the temperatures, where there were several.
        stages: in their order.
        seconds: of all stages; of an interrupted one only those after it was resumed.
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
