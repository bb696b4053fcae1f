"""Stored runs of an experiment: one JSON file per dataset."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.folders import locked, write_text_whole
from jobmatch_core.io.records import read_formatted, record_of
from jobmatch_core.io.text_files import json_text


class StoredRun(Protocol):
    """A dataclass that `io.records.record_of` can fill."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def repeats(self, other: Self) -> bool:
        """Return whether this run replaces another in the store."""


_Run = TypeVar("_Run", bound=StoredRun)


class RunStore(Generic[_Run]):
    """The runs of one experiment."""

    def __init__(self, folder: Path, kind: type[_Run], layout: int) -> None:
        """Open a store.

        Args:
            folder: folder of the experiment, which need not exist yet.
            kind: dataclass of its runs.
            layout: format number; files with another one are rejected.
        """
        self.folder = folder
        self._kind = kind
        self._layout = layout

    def runs(self, dataset: str) -> tuple[_Run, ...]:
        """Return the stored runs of a dataset in the order of measurement.

        Raises DataFileError if the file is damaged or of another release.
        """
        path = self.path(dataset)
        if not path.exists():
            return ()
        try:
            content = read_formatted(path, (self._layout,))
            return tuple(record_of(self._kind, record, "a run") for record in content["runs"])
        except (OSError, ValueError, TypeError, KeyError) as error:
            problem = f"the stored runs cannot be read ({error}); delete the file and measure again"
            raise DataFileError(path, problem) from error

    def add(self, dataset: str, run: _Run) -> None:
        """Store a run in place of those that it repeats; atomic, and safe with several processes.

        Raises:
            DataFileError: the file is damaged or of another release.
            OSError: the file cannot be written.
        """
        with locked(self.folder):
            others = [stored for stored in self.runs(dataset) if not stored.repeats(run)]
            content = {
                "format": self._layout,
                "dataset": dataset,
                "runs": [asdict(stored) for stored in (*others, run)],
            }
            write_text_whole(self.path(dataset), json_text(content, ensure_ascii=False, indent=1))

    def path(self, dataset: str) -> Path:
        """Return the path of a dataset's file, which may not exist yet."""
        return self.folder / f"{dataset}.json"
