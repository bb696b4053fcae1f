"""The frozen snapshots under `JOBMATCH_HOME/snapshots`, one folder each."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from jobmatch_core.entities import Judgment
from jobmatch_core.errors import LabellingError
from jobmatch_core.judgment_tallies import CurrentJudgments
from jobmatch_core.labelling.snapshot import (
    Snapshot,
    SnapshotManifest,
    freeze,
    freeze_current,
    load_manifest,
    load_snapshot,
)
from jobmatch_core.settings import Settings


@dataclass(frozen=True, slots=True)
class NamedSnapshot:
    """A loaded snapshot and its name."""

    name: str
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class StoredSnapshot:
    """A snapshot's name and manifest; the fault if it cannot be read."""

    name: str
    manifest: SnapshotManifest | None
    fault: str = ""


class Snapshots:
    """Store of the snapshots of a home."""

    def __init__(self, settings: Settings) -> None:
        """Use a home, which may be empty."""
        self._folder = settings.home / "snapshots"

    def freeze(self, judgments: Iterable[Judgment], at: datetime | None = None) -> StoredSnapshot:
        """Freeze the current judgments under a name made of the time.

        Raises:
            LabellingError: there is nothing to freeze, or the disk refuses.
        """
        at, name = _named(at)
        return StoredSnapshot(name, freeze(judgments, self._folder / name, at=at))

    def freeze_current(self, current: CurrentJudgments, at: datetime | None = None) -> StoredSnapshot:
        """Freeze judgments that are all current under a name made of the time.

        Raises:
            LabellingError: there is nothing to freeze, or the disk refuses.
        """
        at, name = _named(at)
        return StoredSnapshot(name, freeze_current(current, self._folder / name, at=at))

    def all(self) -> list[StoredSnapshot]:
        """Return all snapshots, the latest first; damaged ones with their fault."""
        folders = sorted(self._folder.glob("[!.]*/"), reverse=True)
        return [_stored(folder) for folder in folders]

    def folder(self, name: str) -> Path:
        """Return the folder of a snapshot, whether or not it exists."""
        return self._folder / name


def open_snapshot(word: str | Path, settings: Settings) -> NamedSnapshot:
    """Load a snapshot by its name under the home, or by its folder.

    Raises:
        LabellingError: there is no snapshot, or it was changed after it was frozen.
    """
    own = Snapshots(settings).folder(str(word))
    folder = own if own.is_dir() else Path(word)
    return NamedSnapshot(folder.name, load_snapshot(folder))


def _named(at: datetime | None) -> tuple[datetime, str]:
    at = at or datetime.now(UTC)
    return at, f"{at:%Y-%m-%d-%H%M%S}"


def _stored(folder: Path) -> StoredSnapshot:
    try:
        return StoredSnapshot(folder.name, load_manifest(folder))
    except LabellingError as error:
        return StoredSnapshot(folder.name, None, str(error))
