"""Access to the label store, which another package provides.

The core knows no database. A package with a store names, in the entry point group `jobmatch.label_store`, a function
that opens it: it takes the path of a file or the URL of a database, and returns a `LabelSource`. Ours is `db`.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol, cast

from jobmatch_core.entities import Judgment, PairKind
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.settings import Settings

GROUP = "jobmatch.label_store"


class LabelSource(Protocol):
    """The core's view of a label store. Every method raises LabelStoreError if the store cannot be used."""

    def as_recorded(self) -> Iterator[Judgment]:
        """Yield every judgment in the order of recording, which `record_all` accepts."""

    def current_of(self, kind: PairKind, source: str) -> list[Judgment]:
        """Return the current judgments of a kind of pair and a marketplace or taxonomy, in the order of recording."""

    def record_all(self, judgments: Iterable[Judgment]) -> int:
        """Store all judgments or none, and return the number of new ones: a judgment sent twice is stored once."""

    def backup(self, path: Path) -> None:
        """Copy the store to a new file."""

    def close(self) -> None:
        """Close the store."""


def is_there(settings: Settings) -> bool:
    """Return whether there may be judgments: the file exists, or the store is a database elsewhere."""
    return "://" in str(settings.label_store) or Path(settings.label_store).exists()


@contextmanager
def opened_labels(settings: Settings | None = None) -> Iterator[LabelSource]:
    """Open the label store of `JOBMATCH_DB`, else `JOBMATCH_HOME/jobmatch.db`, which is created if missing.

    Raises:
        LabelStoreError: no package provides one, several do, or it cannot be opened.
    """
    settings = settings or Settings.from_environment()
    found = sorted(entry_points(group=GROUP), key=lambda each: each.value)
    if not found:
        raise LabelStoreError(
            "No label store is installed here. Ours comes with jobmatch: install it with its package `db`, as by "
            "`pip install -e .` in its folder."
        )
    if len({each.value for each in found}) > 1:
        names = ", ".join(each.value for each in found)
        raise LabelStoreError(f"Several label stores are installed here ({names}); uninstall all but one.")
    with closing(cast(LabelSource, found[0].load()(settings.label_store))) as source:
        yield source
