"""Notes on standard error on the label store and the home that a command uses."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from jobmatch.cli.output import print_note
from jobmatch_core.settings import Settings

if TYPE_CHECKING:
    from db.label_store import LabelStore


@contextmanager
def open_labels(settings: Settings) -> Iterator["LabelStore"]:
    """Open the label store and print its place, also if it is new."""
    from db.database import place_of  # the databases' libraries take a third of a second
    from db.label_store import LabelStore

    place, was_there = place_of(settings.label_store), settings.may_have_labels
    with LabelStore.open(settings.label_store) as store:
        print_note(f"Label store: {place}")
        if not was_there:
            print_note(
                f"A new label store was made at {place}. A running server reads only the label store in its own "
                "JOBMATCH_HOME."
            )
        yield store


def print_home(settings: Settings) -> None:
    """Print the home in which something was written."""
    print_note(f"Home: {settings.home}")
