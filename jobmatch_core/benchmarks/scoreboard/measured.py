"""The authors' figures on MELO with a release, shown until a user measures the same.

Figures only, by name and by occupation; `measured/README.md` says what was run. Seconds are left out, because they
depend on the machine.
"""

import csv
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import date
from functools import cache
from pathlib import Path

from jobmatch_core.benchmarks.scoreboard.results import Figures, Result, figure_names, figures_record
from jobmatch_core.io.tables import write_csv_rows

_FILE = Path(__file__).parent / "measured" / "melo_results.csv"
_DECIMALS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorsResult(Figures):
    """A system's figures on one MELO dataset, as the authors measured them.

    Attributes:
        version: Version of jobmatch that was measured.
        measured_on: The day, such as `2026-11-22`.
    """

    version: str
    measured_on: date


@cache
def authors_results() -> tuple[AuthorsResult, ...]:
    """Return all figures that come with this release."""
    return read_authors_results(_FILE)


def read_authors_results(path: Path) -> tuple[AuthorsResult, ...]:
    """Read a file that `write_authors_results` wrote."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(_result(row) for row in csv.DictReader(file))


def write_authors_results(results: Iterable[Result], day: date, path: Path) -> None:
    """Write results of MELO as the file that is shipped, by system, dataset and ranking."""
    rows = [figures_record(_of(result, day)) for result in results]
    with path.open("w", encoding="utf-8", newline="") as file:
        write_csv_rows(file, sorted(rows, key=lambda row: (row["system"], row["dataset"], row["ranking"])))


def _of(result: Result, day: date) -> AuthorsResult:
    given = {field.name: getattr(result, field.name) for field in fields(Figures)}
    given["values"] = {name: round(value, _DECIMALS) for name, value in result.values.items()}
    if result.size_mb is not None:
        given["size_mb"] = round(result.size_mb, _DECIMALS)
    return AuthorsResult(version=result.versions["jobmatch"], measured_on=day, **given)


def _result(row: dict[str, str]) -> AuthorsResult:
    values = {name: float(row.pop(name)) for name in figure_names() if name in row}
    others: dict[str, object] = {
        "values": values,
        "queries": int(row["queries"]),
        "size_mb": float(row["size_mb"]) if row["size_mb"] else None,
        "measured_on": date.fromisoformat(row["measured_on"]),
    }
    return AuthorsResult(**{**row, **others})  # type: ignore[arg-type]
