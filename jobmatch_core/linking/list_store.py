"""The stored lists of titles under `JOBMATCH_HOME/lists`: one folder each, under an unguessable id."""

import logging
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from jobmatch_core.errors import LinkingError
from jobmatch_core.io.folders import atomic_folder, recover, remove_whole
from jobmatch_core.io.ownership import UNOWNED, Act, Allowed, Ownership, allow_all
from jobmatch_core.io.tables import Record, cell_text
from jobmatch_core.io.user_store import is_id, new_id, remove_unused
from jobmatch_core.linking.review import ListOptions
from jobmatch_core.linking.stored_list import (
    CARD,
    DAMAGE,
    ListCard,
    StoredList,
    change_card,
    count_decided,
    last_used,
    write_list,
)
from jobmatch_core.settings import Settings

NAME_LENGTH = 80
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Listed:
    """Summary of a stored list."""

    id: str
    card: ListCard
    decided: int  # rows with a decision
    used: float  # time of last use, in seconds since 1970


class ListStore:
    """Creates, opens, renames, shares and removes lists of titles under one folder."""

    def __init__(self, folder: Path, keep_days: int = 0, allowed: Allowed = allow_all) -> None:
        """Use *folder*, created with the first list.

        Args:
            keep_days: days without use after which a list is removed; 0 for never.
            allowed: permissions of the person who uses the store.
        """
        self._folder, self._keep_days, self._allowed = folder, keep_days, allowed

    @classmethod
    def open(cls, settings: Settings | None = None, allowed: Allowed = allow_all) -> "ListStore":
        """Open the store under `JOBMATCH_HOME`."""
        settings = settings or Settings.from_environment()
        return cls(settings.lists, settings.keep_days, allowed)

    def new(
        self,
        rows: Sequence[Record],
        column: str,
        options: ListOptions,
        name: str = "",
        *,
        owner: str = "",
        numbers: Sequence[int] = (),
    ) -> StoredList:
        """Store a list that is not linked yet.

        Args:
            column: column with the titles.
            options: options of linking.
            name: name of the list; derived from the first title if empty.
            owner: id of the owner; '' for a list of everybody.
            numbers: number of each row in its file, if known.

        Raises:
            LinkingError: it cannot be stored.
        """
        list_id = new_id()
        created = datetime.now(UTC).isoformat(timespec="seconds")
        name = _name(name) or _first_title(rows, column)
        card = ListCard(name, len(rows), column, options, created, Ownership(owner))
        try:
            with atomic_folder(self._folder / list_id, replace=False) as folder:
                write_list(folder, card, rows, numbers)
        except OSError as error:
            raise LinkingError(
                f"The list could not be stored in {self._folder} ({error.strerror or error}). Free some disk space, or "
                "correct the folder's permissions, and try again."
            ) from error
        stored = self.load(list_id)
        stored.review.resume()
        return stored

    def load(self, list_id: str) -> StoredList:
        """Open a list; expired lists are removed first.

        Raises LinkingError if no list has that id, it may not be opened, or it is damaged.
        """
        self.remove_old()
        folder = self._existing(list_id, Act.OPEN)
        try:
            stored = StoredList(folder, self._allowed)
            os.utime(folder / CARD)  # read by `last_used`
        except DAMAGE as error:
            raise LinkingError(
                f"This list is damaged and cannot be opened ({error}). Open another one, or start a new list."
            ) from error
        return stored

    def listed(self) -> list[Listed]:
        """Return the visible lists, the last used first; damaged ones are left out."""
        self.remove_old()
        return sorted(self._listed(), key=lambda entry: -entry.used)

    def rename(self, list_id: str, name: str) -> None:
        """Rename a list; raises LinkingError if that is not allowed, or the name has no letter."""
        folder = self._existing(list_id, Act.RENAME)
        if not _name(name):
            raise LinkingError("A list's name needs at least one letter.")
        try:
            change_card(folder, lambda card: replace(card, name=_name(name)))
        except DAMAGE as error:
            raise LinkingError(f"The list could not be renamed ({error}); try again.") from error

    def share(self, list_id: str, *, shared: bool) -> None:
        """Share a list with everybody, or stop sharing it; raises LinkingError if that fails."""
        folder = self._existing(list_id, Act.SHARE)
        try:
            change_card(folder, lambda card: replace(card, ownership=replace(card.ownership, shared=shared)))
        except DAMAGE as error:
            raise LinkingError(f"The list's sharing could not be changed ({error}); try again.") from error

    def remove(self, list_id: str) -> None:
        """Delete a list with its links and decisions; raises LinkingError if that fails."""
        try:
            remove_whole(self._existing(list_id, Act.DELETE))
        except OSError as error:
            raise LinkingError(f"The list could not be deleted ({error.strerror or error}); try again.") from error

    def remove_old(self) -> None:
        """Remove expired lists and the remains of killed processes."""
        recover(self._folder)
        remove_unused(self._folders(), self._keep_days, last_used, remove_whole)

    def _existing(self, list_id: str, act: Act) -> Path:
        # a list that may not be opened is reported as missing, so that nobody learns of it
        folder = self._folder / list_id
        if not is_id(list_id) or not folder.is_dir() or not self._allowed(Act.OPEN, _ownership(folder)):
            expired = f", or nobody used it for {self._keep_days} days" if self._keep_days else ""
            raise LinkingError(
                f"There is no such list here. It may have been deleted{expired}. Open another one, or start a new list."
            )
        if not self._allowed(act, _ownership(folder)):
            raise LinkingError(f"You may open this list, but not {act} it. Ask its owner or an administrator.")
        return folder

    def _folders(self) -> Iterator[Path]:
        if self._folder.is_dir():
            yield from (path for path in self._folder.iterdir() if is_id(path.name) and path.is_dir())

    def _listed(self) -> Iterator[Listed]:
        for folder in self._folders():
            try:
                card = ListCard.load(folder)
                if self._allowed(Act.LIST, card.ownership):
                    yield Listed(folder.name, card, count_decided(folder), last_used(folder))
            except DAMAGE as error:
                _log.warning("%s is not listed: %s", folder, error)


def _ownership(folder: Path) -> Ownership:
    try:
        return ListCard.load(folder).ownership
    except DAMAGE:
        return UNOWNED


def _name(text: str) -> str:
    return " ".join(text.split())[:NAME_LENGTH].strip()


def _first_title(rows: Sequence[Record], column: str) -> str:
    titles = (_name(cell_text(row.get(column))) for row in rows)
    first = next(filter(None, titles), "Untitled")[: NAME_LENGTH // 2]
    return f"{first} and {len(rows) - 1:,} more" if len(rows) > 1 else first
