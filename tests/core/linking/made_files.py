"""Files to link, written and read without the code under test, and a stand-in for the linker."""

import csv
import datetime
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import Workbook, load_workbook

from jobmatch_core.entities import Candidate, Evidence, GroupOffer, LinkResult
from jobmatch_core.link_reasons import NO_JOB, NOT_SURE
from jobmatch_core.linking.batch import link_file
from jobmatch_core.sheets.table_layout import PLAIN_LAYOUT

Row = dict[str, Any]
TITLED = replace(PLAIN_LAYOUT, column="title")


class StandIn:
    """Links a title to itself in capitals; abstains from `?...` with a group, and finds nothing for empty titles."""

    state = "stand-in"

    def __init__(self, taxonomy: str = "tiny-1", source_hash: str = "abc") -> None:
        self.taxonomy = SimpleNamespace(id=taxonomy, manifest=SimpleNamespace(id=taxonomy, source_hash=source_hash))
        self.calls: list[list[str]] = []
        self.options: list[dict[str, Any]] = []

    def link_all(self, titles: Sequence[str], **options: Any) -> list[LinkResult]:
        """Return one result per title, in order."""
        self.calls.append(list(titles))
        self.options.append(options)
        return [self._result(title) for title in titles]

    def _result(self, title: str) -> LinkResult:
        if not title:
            return LinkResult(title, (), True, None, self.taxonomy.id, (), reason=NO_JOB)
        unsure = title.startswith("?")
        first = Candidate(f"uri:{title}", title.upper(), "5120", 0.25 if unsure else 0.87654, Evidence(title, "en", {}))
        second = Candidate("uri:other", "Other", "9999", 0.1, Evidence("other", "en", {}))
        group = GroupOffer("51", "Services", 0.6) if unsure else None
        reason = NOT_SURE if unsure else ""
        return LinkResult(title, (first, second), unsure, group, self.taxonomy.id, (), reason=reason)


TITLES = ["cook", "?maybe", "Köchin, Hamburg", "", "cook", '=SUM("a")', "看護師"]
TEXT_ROWS: list[Row] = [
    {"id": str(number), "title": title, "note": note, "day": "2026-01-02"}
    for number, (title, note) in enumerate(
        zip(TITLES, ["@home", "two\nlines", "-5", "", 'say "hi"', "+49 40 1", "-x"], strict=True)
    )
]
TYPED_ROWS: list[Row] = [
    {"id": number, "title": title, "note": note, "day": datetime.date(2026, 1, number + 1)}
    for number, (title, note) in enumerate(zip(TITLES, [0.5, None, 2.0, -1.5, 1e9, 3.25, None], strict=True))
]


def write(path: Path, rows: list[Row]) -> Path:
    """Write a source without the code under test."""
    match path.suffix:
        case ".csv":
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, list(rows[0]))
                writer.writeheader()
                writer.writerows(rows)
        case ".xlsx":
            book = Workbook()
            for cells in [list(rows[0]), *(list(row.values()) for row in rows)]:
                book.active.append(cells)
            for line in book.active.iter_rows():
                for cell in line:
                    cell.data_type = "s" if isinstance(cell.value, str) else cell.data_type  # `=` is text here
            book.save(path)
        case ".parquet":
            pq.write_table(pa.Table.from_pylist(rows), path)
        case _:
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def read(path: Path) -> list[Row]:
    """Read an output without the code under test."""
    match path.suffix:
        case ".csv":
            with path.open(encoding="utf-8-sig", newline="") as file:
                return list(csv.DictReader(file))
        case ".xlsx":
            book = load_workbook(path)
            header, *lines = book.active.iter_rows(values_only=True)
            return [dict(zip(header, line, strict=True)) for line in lines]
        case ".parquet":
            return list(pq.read_table(path).to_pylist())
        case _:
            return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def interrupted_after(parts: int) -> Callable[[int, int], None]:
    """Return a progress callback that interrupts after some parts."""
    calls: list[int] = []

    def progress(done: int, total: int) -> None:
        calls.append(done)
        if len(calls) == parts:
            raise KeyboardInterrupt

    return progress


def interrupt(stand_in: Any, source: Path, out: Path, parts: int = 1, **options: Any) -> None:
    """Start a job and interrupt it."""
    with pytest.raises(KeyboardInterrupt):
        link_file(stand_in, source, out, **{"layout": TITLED, **options}, progress=interrupted_after(parts))
