"""Registry of the models in use: promoted by people, with the whole history in one small file.

    JOBMATCH_HOME/models/NAME/            a model, as its training wrote it
    JOBMATCH_HOME/promoted/history.json   every change, oldest first

No model is ever overwritten: a promotion adds a row, and a roll back adds another that undoes it.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Self

from safetensors.numpy import load_file

from jobmatch_core.errors import ModelError
from jobmatch_core.io.folders import locked, write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.model_store.model_spec import SHIPPED, ModelKind, home_models, kind_of
from jobmatch_core.model_store.saved_model import WEIGHTS_FILE, as_model_error, read_weights
from jobmatch_core.settings import Settings

FORMAT = 1
HISTORY_FILE = "history.json"

# of kinds that are promoted
BUILT_IN = {kind: SHIPPED[kind][0] for kind in (ModelKind.TOWERS, ModelKind.LINKING, ModelKind.SEARCH)}


class Action(StrEnum):
    """Kind of change in the history."""

    FOUND = "found in use"  # the model in use before the first promotion
    PROMOTED = "promoted"
    ROLLED_BACK = "rolled back"


@dataclass(frozen=True, slots=True)
class ModelChange:
    """A row of the history."""

    kind: str  # kind of both models
    action: str  # kind of change
    before: str  # name of the model in use before, or ''
    after: str  # name of the model in use since
    who: str  # name of the person
    why: str  # reason, or ''
    at: str  # UTC time, ISO 8601


@dataclass(frozen=True, slots=True)
class _History:
    format: int
    history: tuple[ModelChange, ...]


class Registry:
    """The models under `JOBMATCH_HOME`, and their history of promotions."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._models = settings.models
        self._folder = settings.promoted

    @classmethod
    def open(cls, settings: Settings | None = None) -> Self:
        """Open the registry of a home; that of the environment by default."""
        return cls(settings or Settings.from_environment())

    def folder(self, name: str) -> Path:
        """Return the folder of a model, existing or not."""
        return self._models / name

    def names(self, kind: ModelKind) -> list[str]:
        """Return the names of the models of a kind, latest first, without the shipped one."""
        return [model.word for model in home_models(self._settings, kind)]

    def history(self, kind: ModelKind | None = None) -> list[ModelChange]:
        """Return all changes, oldest first; raises ModelError if the file is damaged or of another release."""
        path = self._folder / HISTORY_FILE
        try:
            rows = read_record(path, _History, formats=(FORMAT,)).history
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise ModelError(
                f"The history of promotions cannot be read ({error}); correct {path}, or remove it and promote again."
            ) from error
        return [row for row in rows if kind in (None, row.kind)]

    def promoted(self, kind: ModelKind) -> str:
        """Return the name of the model in use, or '' before the first promotion."""
        return (["", *_stack(self.history(kind))])[-1]

    def before(self, kind: ModelKind) -> str:
        """Return the name of the model that a roll back would restore, or ''."""
        return (["", *_stack(self.history(kind))[:-1]])[-1]

    def promote(
        self, kind: ModelKind, name: str, *, who: str, why: str = "", at: datetime | None = None
    ) -> ModelChange:
        """Put a model into use.

        Raises ModelError if no complete model has that name and kind, it is already in use, or the disk refuses.
        """
        self.check(kind, name)
        with self._writing() as rows:
            before = (["", *_stack(row for row in rows if row.kind == kind)])[-1]
            if before == name:
                raise ModelError(f"{name} is already in use.")
            return self._add(rows, ModelChange(kind, Action.PROMOTED, before, name, who, why, _moment(at)))

    def roll_back(self, kind: ModelKind, *, who: str, why: str = "", at: datetime | None = None) -> ModelChange:
        """Restore the model that was in use before the latest promotion.

        Raises ModelError if no promotion to undo, the earlier model no longer exists, or the history cannot be written.
        """
        with self._writing() as rows:
            stack = _stack(row for row in rows if row.kind == kind)
            if len(stack) < 2:
                raise ModelError(f"There is no promotion of {kind} models to roll back.")
            self.check(kind, stack[-2])
            return self._add(rows, ModelChange(kind, Action.ROLLED_BACK, stack[-1], stack[-2], who, why, _moment(at)))

    def keep_in_use(self, kind: ModelKind, name: str, *, at: datetime | None = None) -> None:
        """Record the model in use before the first promotion, so that only a promotion replaces it."""
        with self._writing() as rows:
            if not any(row.kind == kind for row in rows):
                self._add(rows, ModelChange(kind, Action.FOUND, "", name, "jobmatch", "", _moment(at)))

    def check(self, kind: ModelKind, name: str) -> None:
        """Refuse a model that cannot be put into use.

        Raises ModelError if no complete model has that name and kind, or its weights are damaged.
        """
        folder = self.folder(name)
        is_one = Path(name).name == name and kind_of(folder) is kind and (folder / WEIGHTS_FILE).is_file()
        if name != BUILT_IN[kind] and not is_one:
            names = ", ".join((*self.names(kind), BUILT_IN[kind]))
            held = kind_of(folder) if Path(name).name == name else None
            other = f"{name!r} is a model of kind {held}, not {kind}" if held not in (None, kind) else ""
            missing = f"There is no model {name!r} of kind {kind} in {self._models}"
            raise ModelError(f"{other or missing}; there are {names}.")
        if name != BUILT_IN[kind]:
            with as_model_error(f"The model {name} cannot be put into use", "Train it again."):
                read_weights(folder / WEIGHTS_FILE, load_file)

    @contextmanager
    def _writing(self) -> Iterator[list[ModelChange]]:
        try:
            with locked(self._folder):
                yield self.history()
        except OSError as error:
            raise ModelError(
                f"The promotion could not be written to {self._folder} ({error.strerror or error})."
            ) from error

    def _add(self, rows: list[ModelChange], row: ModelChange) -> ModelChange:
        content = _History(FORMAT, (*rows, row))
        write_text_whole(self._folder / HISTORY_FILE, json_text(asdict(content), ensure_ascii=False, indent=1))
        return row


# the names of the models in use as a stack; the last one is in use now
def _stack(rows: Iterable[ModelChange]) -> list[str]:
    names: list[str] = []
    for row in rows:
        if row.action == Action.ROLLED_BACK:
            names.pop()
        else:
            names.append(row.after)
    return names


def _moment(at: datetime | None) -> str:
    return (at or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
