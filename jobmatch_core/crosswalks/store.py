"""The crosswalks under review, under `JOBMATCH_HOME/crosswalks`: a folder each, which several tabs may share."""

# ID/crosswalk.json     name, taxonomy and language
# ID/codes.jsonl        the source codes; written once
# ID/proposed.tsv       the mappings before the review, in SSSOM; written once
# ID/decisions.jsonl    one `CodeDecision` a line, only ever appended

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from msgspec import DecodeError
from msgspec.json import decode, encode

from jobmatch_core.crosswalks.mapping import MappingSet
from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.crosswalks.review import CodeDecision, CrosswalkReview
from jobmatch_core.crosswalks.sssom import read_sssom, sssom_text
from jobmatch_core.errors import CrosswalkError
from jobmatch_core.io.folders import atomic_folder, flush, locked, recover, remove_whole, write_text_whole
from jobmatch_core.io.ownership import UNOWNED, Act, Allowed, allow_all
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.io.user_store import is_id, new_id
from jobmatch_core.settings import Settings

_CARD, _CODES, _PROPOSED, _DECISIONS = "crosswalk.json", "codes.jsonl", "proposed.tsv", "decisions.jsonl"
_DAMAGE = (OSError, ValueError, DecodeError)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class CrosswalkCard:
    """What a crosswalk is called, and what it maps to."""

    name: str
    taxonomy: str  # id of the target taxonomy
    language: str  # of the source codes' names
    created: str = field(default_factory=_now)  # UTC, ISO 8601


class StoredCrosswalk:
    """A crosswalk on disk; its `review` is what all tabs have decided until the last `refresh`."""

    def __init__(self, folder: Path) -> None:
        """Read a crosswalk; raises OSError or ValueError if it is damaged."""
        self.id, self._folder, self._read_to = folder.name, folder, 0
        self.card = read_record(folder / _CARD, CrosswalkCard)
        codes = [decode(line, type=SourceCode) for line in (folder / _CODES).read_bytes().splitlines()]
        self.review = CrosswalkReview(codes, read_sssom(folder / _PROPOSED).mappings)
        self.review.replay(self._read_on())

    def refresh(self) -> None:
        """Read the decisions of other tabs; raises CrosswalkError if the crosswalk was deleted."""
        with self._failing("read"):
            self.review.replay(self._read_on())

    def decide(self, decision: CodeDecision) -> None:
        """Store a decision; it is on the disk when this returns.

        Raises CrosswalkError if the disk refuses, or the crosswalk was deleted in another tab.
        """
        self.refresh()  # before the lock, which would create the folder of a deleted crosswalk
        line = encode(decision) + b"\n"
        with self._failing("written"), locked(self._folder):
            self.review.replay(self._read_on())
            path = self._folder / _DECISIONS
            with path.open("ab") as file:
                file.truncate(self._read_to)  # drops a line that a full disk or a crash cut off
                file.write(line)
            flush(path)
        self.refresh()

    @property
    def version(self) -> int:
        """A number that grows with each decision."""
        return self._read_to

    @contextmanager
    def _failing(self, how: str) -> Iterator[None]:
        try:
            yield
        except _DAMAGE as error:
            raise CrosswalkError(
                f"The crosswalk '{self.card.name}' could not be {how} ({error}); it may have been deleted in another "
                "tab. Open it again, or free some disk space."
            ) from error

    def _read_on(self) -> list[CodeDecision]:
        with (self._folder / _DECISIONS).open("rb") as file:
            file.seek(self._read_to)
            read = file.read()
        whole = read[: read.rfind(b"\n") + 1]  # another process may be in the middle of a line
        decisions = [decode(line, type=CodeDecision) for line in whole.splitlines()]
        self._read_to += len(whole)
        return decisions


class CrosswalkStore:
    """Creates, lists, opens and removes crosswalks under one folder."""

    def __init__(self, folder: Path, allowed: Allowed = allow_all) -> None:
        """Use *folder*, created with the first crosswalk; *allowed* are the permissions of who uses the store."""
        self._folder, self._allowed = folder, allowed

    @classmethod
    def open(cls, settings: Settings | None = None, allowed: Allowed = allow_all) -> "CrosswalkStore":
        """Open the store under `JOBMATCH_HOME`."""
        return cls((settings or Settings.from_environment()).crosswalks, allowed)

    def new(self, card: CrosswalkCard, codes: Sequence[SourceCode], proposed: MappingSet) -> str:
        """Store a crosswalk, and return its id; raises CrosswalkError if the disk refuses."""
        crosswalk_id = new_id()
        try:
            with atomic_folder(self._folder / crosswalk_id, replace=False) as folder:
                write_text_whole(folder / _CARD, json_text(asdict(card)))
                (folder / _CODES).write_bytes(b"".join(encode(code) + b"\n" for code in codes))
                (folder / _PROPOSED).write_text(sssom_text(proposed), "utf-8")
                (folder / _DECISIONS).touch()
        except OSError as error:
            raise CrosswalkError(
                f"The crosswalk could not be stored in {self._folder} ({error.strerror or error}). Free some disk "
                "space, or correct the folder's permissions, and try again."
            ) from error
        return crosswalk_id

    def load(self, crosswalk_id: str) -> StoredCrosswalk:
        """Open a crosswalk; raises CrosswalkError if there is none of that id, or it is damaged."""
        try:
            return StoredCrosswalk(self._existing(crosswalk_id, Act.OPEN))
        except _DAMAGE as error:
            raise _damaged(error) from error

    def version(self, crosswalk_id: str) -> int:
        """Return a number that grows with each decision; raises CrosswalkError as `load`."""
        try:
            return (self._existing(crosswalk_id, Act.OPEN) / _DECISIONS).stat().st_size
        except OSError as error:
            raise _damaged(error) from error

    def listed(self) -> list[tuple[str, CrosswalkCard]]:
        """Return the ids and cards of all crosswalks, the last decided on first; damaged ones are left out."""
        recover(self._folder)
        if not (self._folder.is_dir() and self._allowed(Act.LIST, UNOWNED)):
            return []
        found: list[tuple[float, str, CrosswalkCard]] = []
        for folder in self._folder.iterdir():
            try:
                card = read_record(folder / _CARD, CrosswalkCard)
                found.append(((folder / _DECISIONS).stat().st_mtime, folder.name, card))
            except _DAMAGE:
                continue
        return [(crosswalk_id, card) for _, crosswalk_id, card in sorted(found, key=lambda entry: -entry[0])]

    def remove(self, crosswalk_id: str) -> None:
        """Delete a crosswalk with its decisions; raises CrosswalkError if that fails."""
        folder = self._existing(crosswalk_id, Act.DELETE)
        try:
            remove_whole(folder)
        except OSError as error:
            raise CrosswalkError(f"The crosswalk could not be deleted ({error.strerror or error}).") from error

    def _existing(self, crosswalk_id: str, act: Act) -> Path:
        folder = self._folder / crosswalk_id
        if not is_id(crosswalk_id) or not folder.is_dir():
            raise CrosswalkError("There is no such crosswalk here; it may have been deleted. Open another one.")
        if not self._allowed(act, UNOWNED):
            raise CrosswalkError(f"Your role does not allow you to {act} this crosswalk. Ask an administrator.")
        return folder


def _damaged(error: Exception) -> CrosswalkError:
    return CrosswalkError(f"This crosswalk is damaged and cannot be opened ({error}).")
