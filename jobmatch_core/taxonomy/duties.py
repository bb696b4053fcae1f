"""Duties of each ISCO-08 unit group, in everyday words of several languages: `repairs lifts and escalators`.

`isco08/duties_XX.csv` has one unit group a row: `code` and `duties`, short phrases with `|` between. They were written
for jobmatch, for searches by what somebody does.
"""

import csv
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

Duties = dict[str, dict[str, tuple[str, ...]]]


def duty_files() -> list[Path]:
    """Return the files, by language."""
    return sorted(Path(str(files("jobmatch_core.taxonomy") / "isco08")).glob("duties_*.csv"))


@cache
def duties_digest() -> str:
    """Return the SHA-256 of all files, to tell whether an index was built with them."""
    return sha256(b"".join(path.read_bytes() for path in duty_files())).hexdigest()


@cache
def unit_group_duties() -> Duties:
    """Return code of the unit group -> language -> phrases."""
    found: Duties = {}
    for path in duty_files():
        language = path.stem.removeprefix("duties_")
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                found.setdefault(row["code"], {})[language] = tuple(row["duties"].split("|"))
    return found
