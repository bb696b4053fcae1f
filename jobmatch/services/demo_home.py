"""The home of `jobmatch demo`: which folder it is, and what was stored in it.

The file `demo.json` marks the folder as a demo before anything else is written to it. Every page reads it, so this
module loads fast; see `demo_building` for how the home is made.
"""

from dataclasses import asdict, dataclass
from pathlib import Path

from jobmatch_core.io.folders import write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.settings import Settings


@dataclass(frozen=True, slots=True)
class DemoText:
    """A stored posting: the id of its text, title and language."""

    id: str
    title: str
    language: str


@dataclass(frozen=True, slots=True)
class DemoHome:
    """Content of `demo.json`."""

    ready: bool = False  # false while the demo is built
    list_id: str = ""  # id of the linked list; '' while the demo is built, as all that follows
    postings: tuple[DemoText, ...] = ()  # the stored postings
    snapshot: str = ""  # name of the frozen labels
    training: str = ""  # name of the trained model; '' if no training could be started


def demo_folder(settings: Settings) -> Path:
    """Return the usual folder of the demo: beside the user's home."""
    return settings.home.with_name(f"{settings.home.name}-demo")


def read_demo(settings: Settings) -> DemoHome | None:
    """Return the finished demo in a home; None if it holds none."""
    try:
        demo = read_record(settings.demo, DemoHome)
    except (OSError, ValueError):
        return None
    return demo if demo.ready else None


def write_demo(settings: Settings, demo: DemoHome) -> None:
    """Write the mark of a demo's home; raises OSError if the disk refuses."""
    write_text_whole(settings.demo, json_text(asdict(demo), ensure_ascii=False, indent=2))
