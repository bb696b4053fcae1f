"""Pasted texts under `JOBMATCH_HOME`, ids that nobody can guess, and removal of files that nobody uses.

What is opened by its address alone has such an id. What nobody has used for `JOBMATCH_KEEP_DAYS` is removed.

Texts that people pasted lie under `JOBMATCH_HOME/texts`, one small file each. A text never changes: an edited text is
stored under another id, so that a link always shows the same text.
"""

import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from jobmatch_core.errors import TextError
from jobmatch_core.io.folders import make_folder, recover, write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.settings import Settings

_log = logging.getLogger(__name__)
_A_DAY = 24 * 60 * 60.0  # seconds
_BYTES = 16
_PATTERN = re.compile(r"[A-Za-z0-9_-]{22}")  # 16 bytes in URL-safe base64


def remove_unused(
    paths: Iterable[Path], keep_days: int, last_used: Callable[[Path], float], remove: Callable[[Path], None]
) -> None:
    """Remove files or folders that were last used more than *keep_days* ago; none where that is 0.

    One that cannot be removed stays, with a warning in the log.

    Args:
        paths: Files or folders.
        keep_days: Days without use after which one is removed; 0 for never.
        last_used: Returns when a path was last used, in seconds since 1970.
        remove: Removes a path.
    """
    if not keep_days:
        return
    oldest = time.time() - keep_days * _A_DAY
    for path in paths:
        try:
            if last_used(path) < oldest:
                remove(path)
        except OSError as error:
            _log.warning("%s could not be removed, though nobody used it for long: %s", path, error)


def new_id() -> str:
    """Return a new id of 22 URL-safe characters."""
    return secrets.token_urlsafe(_BYTES)


def is_id(text: str) -> bool:
    """Return whether a text has the form of an id, so that it can be part of a path."""
    return _PATTERN.fullmatch(text) is not None


Fields = dict[str, str]

_ENDING = ".json"


class TextStore:
    """Stores, finds and removes texts of one kind, each with its fields, such as title and description."""

    def __init__(self, folder: Path, keep_days: int = 0) -> None:
        """Use *folder*, created with the first text; texts older than *keep_days* are removed, none for 0."""
        self._folder, self._keep_days = folder, keep_days

    @classmethod
    def open(cls, kind: str, settings: Settings | None = None) -> "TextStore":
        """Open the store of a kind of text under `JOBMATCH_HOME`."""
        settings = settings or Settings.from_environment()
        return cls(settings.texts / kind, settings.keep_days)

    def add(self, fields: Mapping[str, str]) -> str:
        """Store a text, remove expired ones, and return the new one's id; raises TextError where that fails."""
        self._remove_old()
        text_id = new_id()
        try:
            make_folder(self._folder)
            write_text_whole(self._path(text_id), json_text(dict(fields)))
        except OSError as error:
            raise TextError(
                f"The text could not be stored in {self._folder} ({error.strerror or error}), so it is lost on reload. "
                "Free some disk space, or correct the folder's permissions, and change the text again."
            ) from error
        return text_id

    def read(self, text_id: str) -> Fields:
        """Return a text's fields; raises TextError where the id is unknown, or the text is damaged."""
        self._remove_old()
        try:
            return read_record(self._existing(text_id), Fields)
        except (OSError, ValueError) as error:
            raise TextError("This text is damaged and cannot be shown. Paste it again.") from error

    def remove(self, text_id: str) -> None:
        """Delete a text; raises TextError where the id is unknown, or the disk refuses."""
        try:
            self._existing(text_id).unlink()
        except OSError as error:
            raise TextError(f"The text could not be deleted ({error.strerror or error}); try again.") from error

    def _path(self, text_id: str) -> Path:
        return self._folder / f"{text_id}{_ENDING}"

    def _existing(self, text_id: str) -> Path:
        if not is_id(text_id) or not self._path(text_id).is_file():
            old = f", or is older than {self._keep_days} days" if self._keep_days else ""
            raise TextError(f"There is no such text here. It may have been deleted{old}. Paste it again.")
        return self._path(text_id)

    def _remove_old(self) -> None:
        if self._folder.is_dir():
            recover(self._folder)
            texts = self._folder.glob(f"*{_ENDING}")
            remove = partial(Path.unlink, missing_ok=True)
            remove_unused(texts, self._keep_days, lambda path: path.stat().st_mtime, remove)
