"""Decisions made in OpenRefine, read from an exported project or from a table with identifiers.

A project (`Export > OpenRefine project archive to file`) is a tar.gz with `data.zip`, in which `data.txt` has the rows
and `pool.txt` the reconciled cells; the format is that of OpenRefine's `Project`, `Row`, `Cell`, `Recon` and `Pool`
since version 2. Automatic matches are left out. Matches for many cells at once (judgment action `mass`) are bulk
decisions, and so are those of a table, unless the user says that somebody looked at each row.
"""

import io
import json
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_limits import most_unpacked, unpacking
from jobmatch_core.io.tables import cell_text, no_column
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.sheets.table_layout import TableLayout

PROJECT_ENDINGS = (".tar.gz", ".tgz")
_DATA, _ROWS, _POOL = "data.zip", "data.txt", "pool.txt"
_MATCHED, _NEW, _AUTOMATIC, _BULK = "matched", "new", "auto", "mass"


@dataclass(frozen=True, slots=True)
class ReconciledTitle:
    """A decision on a title."""

    title: str  # the cell's text
    uri: str  # identifier of an occupation
    right: bool  # true if the title was matched with it; false if it was offered and rejected ('new item')
    origin: Origin = Origin.LOOKED_AT  # whether somebody looked at the cell, or decided on many at once


def is_project(path: Path) -> bool:
    """Return whether a file is an exported project, by its ending."""
    return path.name.lower().endswith(PROJECT_ENDINGS)


def read_project(path: Path, column: str = "") -> list[ReconciledTitle]:
    """Return the distinct decisions of an exported project, a .tar.gz file, on one reconciled column or all.

    Raises DataFileError if the file is not a project, is damaged, or lacks the column.
    """
    try:
        with unpacking(path) as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as archive:
            members = (archive.extractfile(member) for member in archive if Path(member.name).name == _DATA)
            packed = next(members, None)
            if packed is None:
                raise DataFileError(path, f"it is not an exported OpenRefine project: it has no {_DATA}")
            texts = _unzipped(path, packed.read())
        pool = _pool(texts.get(_POOL, ""))
        distinct: dict[tuple[str, str, bool], ReconciledTitle] = {}
        for cell in _cells(path, texts[_ROWS].split("\n"), column):
            for decision in _decisions(cell, pool):
                key = decision.title, decision.uri, decision.right
                if key not in distinct or decision.origin is Origin.LOOKED_AT:
                    distinct[key] = decision
        return list(distinct.values())
    except FileNotFoundError as error:
        raise DataFileError(path, "there is no such file") from error
    except (
        OSError,
        EOFError,
        tarfile.TarError,
        zipfile.BadZipFile,
        zlib.error,
        LookupError,
        RecursionError,
        ValueError,
        TypeError,
        AttributeError,
    ) as error:
        raise DataFileError(path, "it is not an exported OpenRefine project, or is damaged; export it again") from error


def read_identifiers(
    path: Path, titles: str, uris: str, layout: TableLayout, *, origin: Origin = Origin.BULK
) -> list[ReconciledTitle]:
    """Return the distinct decisions of a table with a column of identifiers.

    Args:
        path: a table for `read_table`.
        uris: name of the column of identifiers; rows without one are left out.
        origin: whether somebody looked at each row.

    Raises DataFileError if the file is not a table, or lacks a column.
    """
    columns = layout.column_names(path)
    for name in (titles, uris):
        if name not in columns:
            raise no_column(path, name, columns, line=layout.header_row or None)
    rows = (row for batch in layout.read(path) for row in batch)
    cells = ((cell_text(row.get(titles)).strip(), cell_text(row.get(uris)).strip()) for row in rows)
    return list(dict.fromkeys(ReconciledTitle(title, uri, True, origin) for title, uri in cells if title and uri))


def _unzipped(path: Path, packed: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        members = [member for member in archive.infolist() if member.filename in (_ROWS, _POOL)]
        if sum(member.file_size for member in members) > most_unpacked(len(packed)):
            raise DataFileError(path, "its unpacked size is too large for a project")
        return {member.filename: archive.read(member).decode("utf-8") for member in members}


def _cells(path: Path, lines: list[str], column: str) -> Iterator[Mapping[str, Any]]:
    columns = [json.loads(line) for line in _counted(lines, "columnCount=")]
    names = {described["name"]: int(described["cellIndex"]) for described in columns}
    if column and column not in names:
        raise DataFileError(path, f"there is no column {column!r}; the columns are {', '.join(names)}")
    places = [names[column]] if column else list(names.values())
    for line in _counted(lines, "rowCount="):
        cells = json.loads(line)["cells"]
        yield from (cells[place] for place in places if place < len(cells) and cells[place])


def _counted(lines: list[str], beginning: str) -> list[str]:
    # the lines after the one that gives their number
    start = next((n for n, line in enumerate(lines, 1) if line.startswith(beginning)), None)
    if start is None:
        raise ValueError(f"there is no {beginning}")
    return lines[start : start + int(lines[start - 1].removeprefix(beginning))]


def _pool(text: str) -> dict[str, Mapping[str, Any]]:
    recons = (json.loads(line) for line in text.split("\n") if line.startswith("{"))
    return {str(recon["id"]): recon for recon in recons if "j" in recon}


def _decisions(cell: Mapping[str, Any], pool: Mapping[str, Mapping[str, Any]]) -> Iterable[ReconciledTitle]:
    title = str(cell.get("v") or "").strip()
    recon = cell.get("r")
    if not isinstance(recon, dict):  # older projects store the decision in the cell itself
        recon = pool.get(str(recon))
    if not recon or not title or recon.get("judgmentAction") == _AUTOMATIC:
        return
    origin = Origin.BULK if recon.get("judgmentAction") == _BULK else Origin.LOOKED_AT
    if recon.get("j") == _MATCHED and recon.get("m"):
        yield ReconciledTitle(title, str(recon["m"]["id"]), True, origin)
    elif recon.get("j") == _NEW:
        for candidate in recon.get("c") or ():
            yield ReconciledTitle(title, str(candidate["id"]), False, origin)
