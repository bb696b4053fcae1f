"""Figures as documents quote them: the decimals of a line, and what the shipped results say in their place."""

import csv
import re
from pathlib import Path

from jobmatch_core.benchmarks.scoreboard import entries
from jobmatch_core.benchmarks.scoreboard.entries import Setting
from jobmatch_core.benchmarks.scoreboard.results import MERGED, RankingKind
from jobmatch_core.benchmarks.scoreboard.scoreboard import Scoreboard

MEASURED = Path(entries.__file__).parent / "measured"
DECIMAL = re.compile(r"(?<![\d.@])\d\.\d{2,}(?![\d.]*\.\d)")
MARK = re.compile(r"\s*<!-- results: (.*?) -->")
_RANKINGS: dict[str, RankingKind] = {"by name": "by_name", "by occupation": "by_occupation"}
_SETTINGS: dict[str, Setting] = {"monolingual": "monolingual", "cross-lingual": "cross-lingual"}
_CHOSEN = re.compile(r"(.*) \[([\d ]+)\]")


def decimals(line: str) -> list[str]:
    """Return the numbers of two or more decimals in a line, as they are written, without those in a mark."""
    return DECIMAL.findall(MARK.sub("", line))


def agree(shown: str, value: float) -> bool:
    """Return whether a written number is a value, rounded to as many decimals."""
    return shown == f"{value:.{len(shown.partition('.')[2])}f}"


def other_results() -> dict[str, list[float]]:
    """Return the figures of the other benchmarks, by section and line of docs/results.md."""
    with (MEASURED / "other_results.csv").open(encoding="utf-8", newline="") as file:
        return {row["figures"]: [float(value) for value in row["values"].split()] for row in csv.DictReader(file)}


def melo_mean(system: str, ranking: str, setting: str, metric: str = "mrr") -> float | None:
    """Return a system's mean on the datasets that ours were measured on; None where it was not measured on all."""
    board = Scoreboard.of([], "melo").chosen(_SETTINGS[setting])
    [*rows] = [
        row
        for row in board.standings(MERGED.get(metric, metric), _RANKINGS[ranking])
        if row.system == system.removeprefix("published ") and row.published == system.startswith("published ")
    ]
    if not rows or not rows[0].complete:
        return None
    return rows[0].merged if metric in MERGED else rows[0].value


def marked(mark: str) -> list[float | None]:
    """Return the values that a mark names, in order.

    A mark has one or more of `melo, SYSTEM, by name, monolingual` (and a metric), and `SECTION: LINE [1 3]` with the
    numbers of a line of the other results, with semicolons between them.
    """
    found: list[float | None] = []
    for part in mark.split("; "):
        if part.startswith("melo, "):
            found.append(melo_mean(*part.split(", ")[1:]))
            continue
        chosen = _CHOSEN.fullmatch(part)
        assert chosen, f"{part} names no figure"
        values = other_results()[chosen[1]]
        found += [values[int(number) - 1] for number in chosen[2].split()]
    return found
