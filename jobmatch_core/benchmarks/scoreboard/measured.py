"""The authors' figures on MELO with a release, shown until a user measures the same.

Figures only, by name and by occupation; `measured/README.md` says what was run. Seconds are left out, because they
depend on the machine.
"""

import csv
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from datetime import date
from functools import cache
from pathlib import Path

from jobmatch_core.benchmarks.scoreboard.results import Figures, Result
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
    rows = [asdict(_of(result, day)) for result in results]
    with path.open("w", encoding="utf-8", newline="") as file:
        write_csv_rows(file, sorted(rows, key=lambda row: (row["system"], row["dataset"], row["ranking"])))


def _of(result: Result, day: date) -> AuthorsResult:
    values = {field.name: getattr(result, field.name) for field in fields(Figures)}
    figures = {name: round(value, _DECIMALS) for name, value in values.items() if isinstance(value, float)}
    return AuthorsResult(version=result.versions["jobmatch"], measured_on=day, **{**values, **figures})


def _result(row: dict[str, str]) -> AuthorsResult:
    values: dict[str, object] = dict(row)
    numbers = row.keys() - {"system", "dataset", "ranking", "version", "measured_on", "note"}
    values |= {name: float(row[name]) if row[name] else None for name in numbers}
    values |= {"queries": int(row["queries"]), "measured_on": date.fromisoformat(row["measured_on"])}
    return AuthorsResult(**values)  # type: ignore[arg-type]
