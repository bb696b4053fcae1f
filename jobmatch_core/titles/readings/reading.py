"""A reading of a title, and the tables of words for readings."""

import csv
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Reading:
    """Another way to write a title, scored like its forms."""

    text: str  # the words; those that the reading adds are not folded
    meaning: int | None = None  # number of the abbreviation's meaning, from 0; None for all meanings
    equal: bool = True  # whether it means the same as the title: a name that equals it equals the title
    job: int | None = None  # number of the title's job; None for all jobs
    as_name: bool = False  # whether it counts only if it equals a name


def read_table(file: str) -> list[dict[str, str]]:
    """Return the rows of a CSV table beside this module."""
    text = (files("jobmatch_core.titles.readings") / file).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))
