"""Pasted texts under `JOBMATCH_HOME/texts`, unguessable ids, and removal of files unused for `JOBMATCH_KEEP_DAYS`.

Each text is a small file with its owner. A text never changes: an edited text gets another id, so that a link always
shows the same text.
"""

import logging
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from jobmatch_core.errors import TextError
from jobmatch_core.io.folders import make_folder, recover, write_text_whole
from jobmatch_core.io.ownership import UNOWNED, Act, Allowed, Ownership, allow_all
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import json_text, read_json
from jobmatch_core.settings import Settings

_log = logging.getLogger(__name__)
_A_DAY = 24 * 60 * 60.0  # seconds
_BYTES = 16
_PATTERN = re.compile(r"[A-Za-z0-9_-]{22}")  # 16 bytes in URL-safe base64
_ENDING = ".json"
Fields = dict[str, str]


def remove_unused(
    paths: Iterable[Path], keep_days: int, last_used: Callable[[Path], float], remove: Callable[[Path], None]
) -> None:
    """Remove files or folders that were last used more than *keep_days* ago; failures are logged as warnings.

    Args:
        keep_days: days without use after which a path is removed; 0 for never.
        last_used: returns the time when a path was last used, in seconds since 1970.
    """
    if not keep_days:
        return
    oldest = time.time() - keep_days * _A_DAY
    for path in paths:
        try:
            if last_used(path) < oldest:
                remove(path)
        except OSError as error:
            _log.warning("%s is unused and expired, but could not be removed: %s", path, error)


def new_id() -> str:
    """Return a new id of 22 URL-safe characters."""
    return secrets.token_urlsafe(_BYTES)


def is_id(text: str) -> bool:
    """Return whether a text has the form of an id, and thus is safe as part of a path."""
    return _PATTERN.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class StoredText:
    """Content of a text's file."""

    fields: Fields
    ownership: Ownership = UNOWNED


class TextStore:
    """Store of texts of one kind, each with fields such as title and description."""

    def __init__(self, folder: Path, keep_days: int = 0, allowed: Allowed = allow_all) -> None:
        """Use *folder*, created with the first text; texts are removed after *keep_days* (0 for never)."""
        self._folder, self._keep_days, self._allowed = folder, keep_days, allowed

    @classmethod
    def open(cls, kind: str, settings: Settings | None = None, allowed: Allowed = allow_all) -> "TextStore":
        """Open the store of a kind of text under `JOBMATCH_HOME`."""
        settings = settings or Settings.from_environment()
        return cls(settings.texts / kind, settings.keep_days, allowed)

    def add(self, fields: Mapping[str, str], owner: str = "") -> str:
        """Store a text and return its id; removes expired texts. Raises TextError if the disk refuses."""
        self.remove_old()
        text_id = new_id()
        try:
            make_folder(self._folder)
            _write(self._path(text_id), StoredText(dict(fields), Ownership(owner)))
        except OSError as error:
            raise TextError(
                f"The text could not be stored in {self._folder} ({error.strerror or error}), so it is lost on reload. "
                "Free some disk space, or correct the folder's permissions, and change the text again."
            ) from error
        return text_id

    def read(self, text_id: str) -> Fields:
        """Return a text's fields; raises as `stored`."""
        return self.stored(text_id).fields

    def stored(self, text_id: str) -> StoredText:
        """Return a text with its owner; raises TextError if it is unknown, damaged, or may not be opened."""
        self.remove_old()
        try:
            return _read(self._existing(text_id, Act.OPEN))
        except (OSError, ValueError) as error:
            raise TextError("This text is damaged and cannot be shown. Paste it again.") from error

    def share(self, text_id: str, *, shared: bool) -> None:
        """Share a text with everybody, or stop sharing it; its age stays. Raises TextError on failure."""
        path = self._existing(text_id, Act.SHARE)
        try:
            text, pasted = _read(path), path.stat().st_mtime
            _write(path, replace(text, ownership=replace(text.ownership, shared=shared)))
            os.utime(path, (pasted, pasted))
        except (OSError, ValueError) as error:
            raise TextError(f"The text's sharing could not be changed ({error}); try again.") from error

    def remove(self, text_id: str) -> None:
        """Delete a text; raises TextError if it is unknown, may not be deleted, or the disk refuses."""
        try:
            self._existing(text_id, Act.DELETE).unlink()
        except OSError as error:
            raise TextError(f"The text could not be deleted ({error.strerror or error}); try again.") from error

    def remove_old(self) -> None:
        """Remove expired texts, and files that killed processes left."""
        if self._folder.is_dir():
            recover(self._folder)
            texts = self._folder.glob(f"*{_ENDING}")
            remove = partial(Path.unlink, missing_ok=True)
            remove_unused(texts, self._keep_days, lambda path: path.stat().st_mtime, remove)

    def _path(self, text_id: str) -> Path:
        return self._folder / f"{text_id}{_ENDING}"

    def _existing(self, text_id: str, act: Act) -> Path:
        path = self._path(text_id)
        # a text that may not be opened is reported as missing, so that its existence stays secret
        if not is_id(text_id) or not path.is_file() or not self._allowed(Act.OPEN, _ownership(path)):
            old = f", or is older than {self._keep_days} days" if self._keep_days else ""
            raise TextError(f"There is no such text here. It may have been deleted{old}. Paste it again.")
        if not self._allowed(act, _ownership(path)):
            raise TextError(f"You may open this text, but not {act} it. Ask its owner or an administrator.")
        return path


def _write(path: Path, text: StoredText) -> None:
    write_text_whole(path, json_text(asdict(text)))


def _ownership(path: Path) -> Ownership:
    try:
        return _read(path).ownership
    except (OSError, ValueError):  # a damaged file has no owner
        return UNOWNED


def _read(path: Path) -> StoredText:
    content = read_json(path)
    if isinstance(content, dict) and isinstance(content.get("fields"), dict):
        return record_of(StoredText, content, path.name)
    return StoredText(record_of(Fields, content, path.name))  # a file of an older release, which knew no owners
