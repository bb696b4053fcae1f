"""What is kept of a marketplace's freelancers for a model is made of: a small file in its folder, the last written."""

import logging
import os
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from jobmatch_core.io.folders import write_text_whole
from jobmatch_core.io.text_files import json_text, read_json

_log = logging.getLogger(__name__)
FORMAT = 2  # raised when the layout of profiles changes, what is stored of them, or what a model of the same name gives
_FILE = "state.json"


@dataclass(frozen=True, slots=True)
class IndexState:
    """What an index is made of.

    Attributes:
        marketplace: the hash of its freelancers.
        model: its name.
        vector_url: where the vectors are; '' where they are in the folder itself.
        format: that of the release which made it.
    """

    marketplace: str
    model: str
    vector_url: str
    format: int = FORMAT

    @classmethod
    def load(cls, home: Path) -> Self | None:
        """Return what a folder says of itself; None where it says nothing that can be understood."""
        try:
            return cls(**read_json(home / _FILE))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError) as error:
            _log.warning("%s is damaged (%s), and what it tells of is made again.", home / _FILE, error)
            return None

    def save(self, home: Path) -> None:
        """Write it; OSError where the disk refuses."""
        write_text_whole(home / _FILE, json_text(asdict(self)))

    def fits(self, other: "IndexState") -> bool:
        """Say whether another one differs in the marketplace alone."""
        return (self.model, self.vector_url, self.format) == (other.model, other.vector_url, other.format)


def forget_state(home: Path) -> None:
    """Let a folder say nothing of itself any more."""
    (home / _FILE).unlink(missing_ok=True)


def mark_opened(home: Path) -> None:
    """Note that an index was opened now; where the disk refuses, it only looks older than it is."""
    with suppress(OSError):
        os.utime(home / _FILE)


def seconds_since_opened(home: Path) -> float:
    """Return how long ago an index was opened or made; OSError where it says nothing of itself."""
    return time.time() - (home / _FILE).stat().st_mtime
