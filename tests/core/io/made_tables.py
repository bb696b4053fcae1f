"""Helpers that read and write whole tables, and workbooks with a modified part."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from jobmatch_core.io.tables import (
    read_table,
    write_table,
)


def rows_of(path: Path, **options: Any) -> list[dict[str, Any]]:
    """Read all rows of a table at once."""
    return [row for batch in read_table(path, **options) for row in batch]


def round_trip(path: Path, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Write rows and read them again."""
    assert write_table(path, rows) == len(rows)
    return rows_of(path)


def workbook(path: Path, *rows: list[Any]) -> Path:
    """Write a workbook with one sheet, cell by cell."""
    book = Workbook()
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            book.active.cell(number, column, value)
    book.save(path)
    return path


def tampered(path: Path, part: str, change: Callable[[bytes], bytes | None]) -> Path:
    """Write a workbook with one part changed, or left out if *change* returns None."""
    whole = workbook(path.with_name("whole.xlsx"), ["title", "n"], ["Nurse", 1])
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            data: bytes | None = source.read(name)
            if name == part:
                data = change(source.read(name))
            if data is not None:
                target.writestr(name, data)
    return path
