"""Where the library and its command line get at what people judged: a label store that another package brings.

The core knows no database. Whoever brings a store names, in the entry point group `jobmatch.label_store`, a function
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
    """What the core asks of a label store. Every method raises a LabelStoreError where the store cannot be used."""

    def as_recorded(self) -> Iterator[Judgment]:
        """Yield every judgment in the order of recording, in which `record_all` takes them again."""

    def current_of(self, kind: PairKind, source: str) -> list[Judgment]:
        """Return what counts of a kind of pair and a marketplace or taxonomy, in the order of recording."""

    def record_all(self, judgments: Iterable[Judgment]) -> int:
        """Keep all judgments or none, and return how many are new: what is sent twice is kept once."""

    def backup(self, path: Path) -> None:
        """Copy the store to a new file."""

    def close(self) -> None:
        """Let go of it."""


def is_there(settings: Settings) -> bool:
    """Say whether there may be judgments: the file exists, or it is a database elsewhere, which only opening tells."""
    return "://" in str(settings.label_store) or Path(settings.label_store).exists()


@contextmanager
def opened_labels(settings: Settings | None = None) -> Iterator[LabelSource]:
    """Open the label store that `JOBMATCH_DB` names, else `JOBMATCH_HOME/jobmatch.db`, which is made where it is not.

    Raises:
        LabelStoreError: no package brings one, several do, or it cannot be opened.
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
