"""The file of the release's own figures on MELO, which the scoreboard shows."""

from collections.abc import Iterable
from dataclasses import fields
from datetime import date
from pathlib import Path

from jobmatch_core.benchmarks.scoreboard.entries import AuthorsResult, has_further_names
from jobmatch_core.benchmarks.scoreboard.results import MERGED, Figures, Result, figure_names, figures_record
from jobmatch_core.io.tables import write_csv_rows

_DECIMALS = 5
_IDENTITY = ("system", "dataset", "ranking", "version", "measured_on", "encoder", "calibration", "taxonomy", "queries")
_COLUMNS = (*_IDENTITY, *figure_names(), *MERGED, "size_mb", "note")


def write_authors_results(results: Iterable[Result], day: date, path: Path) -> None:
    """Write results of MELO as the shipped file, sorted by system, dataset and ranking."""
    # by occupation, a linker with names in the queries' language is not cross-lingual: these figures are left out
    shipped = [result for result in results if not _monolingual_by_names(result)]
    rows = [dict.fromkeys(_COLUMNS, "") | figures_record(_of(result, day)) for result in shipped]
    with path.open("w", encoding="utf-8", newline="") as file:
        write_csv_rows(file, sorted(rows, key=lambda row: (row["system"], row["dataset"], row["ranking"])))


def _monolingual_by_names(result: Result) -> bool:
    crossed = result.query_language not in result.corpus_languages
    return crossed and result.ranking == "by_occupation" and has_further_names(result.system)


def _of(result: Result, day: date) -> AuthorsResult:
    given = {field.name: getattr(result, field.name) for field in fields(Figures)}
    given["values"] = {name: round(value, _DECIMALS) for name, value in result.values.items()}
    if result.size_mb is not None:
        given["size_mb"] = round(result.size_mb, _DECIMALS)
    return AuthorsResult(version=result.versions["jobmatch"], measured_on=day, **given)
