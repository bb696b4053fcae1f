"""What runs of the matching experiment leave behind, and where: `MARKETPLACE.json` with a record a model and seed."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from jobmatch_core.errors import DataFileError
from jobmatch_core.evaluation.matching_metrics import MatchingFigures
from jobmatch_core.matching.folder_lock import locked
from jobmatch_core.settings import Settings

TASK = "matching"
FORMAT = 1  # raised when the layout changes; older runs are then to be measured again


@dataclass(frozen=True, slots=True)
class LanguageFigures:
    """The figures of the projects of one language: a row of table 2."""

    language: str
    projects: int
    figures: MatchingFigures


@dataclass(frozen=True, slots=True)
class MatchingRun:
    """One model, trained with one seed and measured on the test projects.

    Attributes:
        model: its name.
        seed: of its training; 1 where nothing of it is random.
        setting: all else that determines it, such as the encoder and the recipe.
        data_hash: of the marketplace.
        share_test: of the projects, the latest.
        generated: whether we made the marketplace up.
        projects, freelancers, interactions: of the test.
        train_s, score_s: seconds of training, and of encoding and scoring all pairs.
        versions: of jobmatch and what it counts with.
        overall: the figures over all test projects: a row of table 1.
        languages: the same by the language of the project.
    """

    model: str
    seed: int
    setting: str
    data_hash: str
    share_test: float
    generated: bool
    projects: int
    freelancers: int
    interactions: int
    train_s: float
    score_s: float
    versions: dict[str, str]
    overall: MatchingFigures
    languages: tuple[LanguageFigures, ...]

    def repeats(self, other: "MatchingRun") -> bool:
        """Tell whether both are of one model, seed, setting and data, so that the later takes the earlier's place."""
        keys = ("model", "seed", "setting", "data_hash", "share_test")
        return all(getattr(self, key) == getattr(other, key) for key in keys)


class MatchingRunStore:
    """The runs of each marketplace, in one file."""

    def __init__(self, folder: Path) -> None:
        """Take the folder, which need not exist yet."""
        self._folder = folder

    @classmethod
    def open(cls, settings: Settings | None = None) -> "MatchingRunStore":
        """Take the runs under `JOBMATCH_HOME`."""
        return cls((settings or Settings.from_environment()).evaluations / TASK)

    def runs(self, marketplace: str) -> tuple[MatchingRun, ...]:
        """Return what is kept of a marketplace, in the order in which it was measured.

        Raises:
            DataFileError: the file is damaged or of another release.
        """
        path = self._path(marketplace)
        if not path.exists():
            return ()
        try:
            content = json.loads(path.read_text("utf-8"))
            if content["format"] != FORMAT:
                raise ValueError(f"format {content['format']} is another release's")
            return tuple(_run(fields) for fields in content["runs"])
        except (OSError, ValueError, TypeError, KeyError) as error:
            problem = f"the kept runs cannot be read ({error}); delete the file and measure again"
            raise DataFileError(path, problem) from error

    def add(self, marketplace: str, run: MatchingRun) -> None:
        """Keep a run, in place of an earlier one of the same; a crash leaves the older file whole.

        Two processes may measure at once: one adds after the other.
        """
        with locked(self._folder):
            kept = [each for each in self.runs(marketplace) if not each.repeats(run)]
            content = {"format": FORMAT, "marketplace": marketplace, "runs": [asdict(each) for each in (*kept, run)]}
            path = self._path(marketplace)
            temporary = path.with_suffix(".part")
            temporary.write_text(json.dumps(content, ensure_ascii=False, indent=1), "utf-8")
            temporary.replace(path)

    def _path(self, marketplace: str) -> Path:
        return self._folder / f"{marketplace}.json"


def _run(fields: dict[str, Any]) -> MatchingRun:
    languages = tuple(
        LanguageFigures(each["language"], each["projects"], MatchingFigures(**each["figures"]))
        for each in fields["languages"]
    )
    return MatchingRun(**(fields | {"overall": MatchingFigures(**fields["overall"]), "languages": languages}))
