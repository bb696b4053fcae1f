"""What runs of the experiment with descriptions leave behind, and where: `TITLES.json`, a record a recipe and seed."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from jobmatch_core.errors import DataFileError
from jobmatch_core.settings import Settings

TASK = "descriptions"
FORMAT = 1  # raised when the layout changes; older runs are then to be measured again
UNTRAINED = "untrained"  # in place of a variant: the backbone as it was


@dataclass(frozen=True, slots=True)
class DescriptionRun:
    """One recipe, trained with one seed, and its titles measured on job normalization.

    Attributes:
        recipe: its name.
        variant: of `descriptions.aggregators.VARIANTS`, or `UNTRAINED`.
        backbone: the name of the encoder that it began with.
        seed: of its training; 0 where nothing was trained.
        setting: a digest of all else that determines it: the recipe, the postings, the titles, the release.
        postings: how many it was trained on.
        titles, occupations: how many vacancy titles were asked for, among how many occupations' preferred names.
        recall_at_5, recall_at_10, mrr: of the right occupation.
        train_s: seconds of all epochs.
        versions: of jobmatch and what it counts with.
    """

    recipe: str
    variant: str
    backbone: str
    seed: int
    setting: str
    postings: int
    titles: int
    occupations: int
    recall_at_5: float
    recall_at_10: float
    mrr: float
    train_s: float
    versions: dict[str, str]

    def repeats(self, other: "DescriptionRun") -> bool:
        """Tell whether both are of one recipe, seed and setting, so that the later takes the earlier's place."""
        return all(getattr(self, key) == getattr(other, key) for key in ("recipe", "seed", "setting"))


class DescriptionRunStore:
    """The runs of each file of titles, in one file."""

    def __init__(self, folder: Path) -> None:
        """Take the folder, which need not exist yet."""
        self.folder = folder

    @classmethod
    def open(cls, settings: Settings | None = None) -> "DescriptionRunStore":
        """Take the runs under `JOBMATCH_HOME`."""
        return cls((settings or Settings.from_environment()).evaluations / TASK)

    def runs(self, dataset: str) -> tuple[DescriptionRun, ...]:
        """Return what is kept, in the order in which it was measured.

        Raises:
            DataFileError: the file is damaged or of another release.
        """
        path = self._path(dataset)
        if not path.exists():
            return ()
        try:
            content = json.loads(path.read_text("utf-8"))
            if content["format"] != FORMAT:
                raise ValueError(f"format {content['format']} is another release's")
            return tuple(DescriptionRun(**fields) for fields in content["runs"])
        except (OSError, ValueError, TypeError, KeyError) as error:
            problem = f"the kept runs cannot be read ({error}); delete the file and measure again"
            raise DataFileError(path, problem) from error

    def add(self, dataset: str, run: DescriptionRun) -> None:
        """Keep a run, in place of an earlier one of the same; a crash leaves the older file whole."""
        kept = [each for each in self.runs(dataset) if not each.repeats(run)]
        content = {"format": FORMAT, "dataset": dataset, "runs": [asdict(each) for each in (*kept, run)]}
        path = self._path(dataset)
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(".part")
        temporary.write_text(json.dumps(content, ensure_ascii=False, indent=1), "utf-8")
        temporary.replace(path)

    def _path(self, dataset: str) -> Path:
        return self.folder / f"{dataset}.json"
