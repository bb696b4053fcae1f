"""Index state: the marketplace, model and format that an index was built from; written last."""

import logging
import os
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from jobmatch_core.io.folders import write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text

_log = logging.getLogger(__name__)
FORMAT = 2  # raised when the layout of profiles changes, what is stored of them, or what a model of the same name gives
_FILE = "state.json"


@dataclass(frozen=True, slots=True)
class IndexState:
    """The sources of an index.

    Attributes:
        marketplace: hash of its freelancers.
        model: name of the model.
        vector_url: URL of the server with the vectors; '' if they are in the folder.
        format: format of the release that built it.
    """

    marketplace: str
    model: str
    vector_url: str
    format: int = FORMAT

    @classmethod
    def load(cls, home: Path) -> Self | None:
        """Return the state of a folder; None where it is missing or damaged."""
        try:
            return read_record(home / _FILE, cls)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            _log.warning("%s is damaged (%s), and its index is built again.", home / _FILE, error)
            return None

    def save(self, home: Path) -> None:
        """Write the state; OSError where the disk refuses."""
        write_text_whole(home / _FILE, json_text(asdict(self)))

    def fits(self, other: "IndexState") -> bool:
        """Return whether another state differs in the marketplace only."""
        return (self.model, self.vector_url, self.format) == (other.model, other.vector_url, other.format)


def forget_state(home: Path) -> None:
    """Remove the state of a folder."""
    (home / _FILE).unlink(missing_ok=True)


def mark_opened(home: Path) -> None:
    """Record that an index was opened now; if the disk refuses, it only looks older than it is."""
    with suppress(OSError):
        os.utime(home / _FILE)


def seconds_since_opened(home: Path) -> float:
    """Return the seconds since an index was opened or built; OSError where it has no state."""
    return time.time() - (home / _FILE).stat().st_mtime
