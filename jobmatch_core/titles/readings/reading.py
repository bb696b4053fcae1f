"""A reading of a title, and the tables that readings are made from."""

import csv
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Reading:
    """Another way to write a title, scored like its forms.

    Attributes:
        text: the words, unfolded where they are the reading's own.
        meaning: number of the abbreviation's meaning that it has, from 0; None if it has all meanings.
        equal: true if it says the same as the title, so that a name may equal the title by it.
        job: number of the title's job that it is of; None if of all.
        as_name: true if it counts only where a name equals it.
    """

    text: str
    meaning: int | None = None
    equal: bool = True
    job: int | None = None
    as_name: bool = False


def read_table(file: str) -> list[dict[str, str]]:
    """Return the rows of a CSV table beside this module."""
    text = (files("jobmatch_core.titles.readings") / file).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))
