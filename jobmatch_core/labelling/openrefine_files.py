"""Decisions made in OpenRefine, read from an exported project or from a table with identifiers.

A project (`Export > OpenRefine project archive to file`) is a tar.gz with `data.zip`, in which `data.txt` has the rows
and `pool.txt` the reconciled cells. Matches that OpenRefine made by itself are left out: nobody decided on them. Those
that somebody made for many cells at once (judgment action `mass`) are bulk, and so are those of a table, which does not
tell them apart, unless the user says that somebody looked at each row.
Source of the format: OpenRefine's `Project`, `Row`, `Cell`, `Recon` and `Pool`, which have had it since version 2.
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
from jobmatch_core.io.tables import cell_text, no_column, read_table, table_columns
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.sheets.table_layout import TableLayout

PROJECT_ENDINGS = (".tar.gz", ".tgz")
_DATA, _ROWS, _POOL = "data.zip", "data.txt", "pool.txt"
_MATCHED, _NEW, _BY_ITSELF, _FOR_MANY = "matched", "new", "auto", "mass"


@dataclass(frozen=True, slots=True)
class ReconciledTitle:
    """A decision on a title.

    Attributes:
        title: the cell's text.
        uri: the entity.
        right: true if the title was matched with it; false if it was offered, and the title is a new entity.
        origin: whether somebody looked at the cell, or decided on many at once.
    """

    title: str
    uri: str
    right: bool
    origin: Origin = Origin.LOOKED_AT


def is_project(path: Path) -> bool:
    """Return whether a file is an exported project by its ending."""
    return path.name.lower().endswith(PROJECT_ENDINGS)


def read_project(path: Path, column: str = "") -> list[ReconciledTitle]:
    """Return the decisions of an exported project, each once.

    Args:
        path: a file that ends in .tar.gz.
        column: name of the reconciled column; all such columns by default.

    Raises:
        DataFileError: it is no such file, or damaged, or has no such column.
    """
    try:
        with unpacking(path) as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as archive:
            packed = next((archive.extractfile(each) for each in archive if Path(each.name).name == _DATA), None)
            if packed is None:
                raise DataFileError(path, f"it is no exported OpenRefine project: there is no {_DATA} in it")
            texts = _unzipped(path, packed.read())
        pool = _pool(texts.get(_POOL, ""))
        found = ((cell, _recon(cell, pool)) for cell in _cells(path, texts[_ROWS].split("\n"), column))
        decided = (_decisions(str(cell.get("v") or ""), recon) for cell, recon in found if recon)
        return _once(each for decisions in decided for each in decisions)
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
        raise DataFileError(path, "it is no exported OpenRefine project, or damaged; export it again") from error


def _once(decisions: Iterable[ReconciledTitle]) -> list[ReconciledTitle]:
    """Return each decision once: as looked at, if somebody looked at one of its cells."""
    found: dict[tuple[str, str, bool], ReconciledTitle] = {}
    for each in decisions:
        key = each.title, each.uri, each.right
        if key not in found or each.origin is Origin.LOOKED_AT:
            found[key] = each
    return list(found.values())


def read_identifiers(
    path: Path, titles: str, uris: str, layout: TableLayout, *, origin: Origin = Origin.BULK
) -> list[ReconciledTitle]:
    """Return the decisions of a table that has a column of entities' identifiers, each once.

    Args:
        path: a table, as `read_table` reads it.
        titles: name of the column of titles.
        uris: name of the column of identifiers; rows without one are left out.
        layout: how the table is read.
        origin: whether somebody looked at each row.

    Raises:
        DataFileError: it is no such file, or lacks a column.
    """
    columns = table_columns(
        path, encoding=layout.encoding, header_row=layout.header_row, separator=layout.separator, sheet=layout.sheet
    )
    for name in (titles, uris):
        if name not in columns:
            raise no_column(path, name, columns, line=layout.header_row or None)
    batches = read_table(
        path, encoding=layout.encoding, header_row=layout.header_row, separator=layout.separator, sheet=layout.sheet
    )
    rows = (row for batch in batches for row in batch)
    found = ((cell_text(row.get(titles)).strip(), cell_text(row.get(uris)).strip()) for row in rows)
    return list(dict.fromkeys(ReconciledTitle(title, uri, True, origin) for title, uri in found if title and uri))


def _unzipped(path: Path, packed: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        members = [each for each in archive.infolist() if each.filename in (_ROWS, _POOL)]
        if sum(each.file_size for each in members) > most_unpacked(len(packed)):
            raise DataFileError(path, "it unpacks to far more than a project does")
        return {each.filename: archive.read(each).decode("utf-8") for each in members}


def _cells(path: Path, lines: list[str], column: str) -> Iterator[Mapping[str, Any]]:
    """Yield the cells of the reconciled column, or of all columns."""
    columns = [json.loads(line) for line in _counted(lines, "columnCount=")]
    names = {each["name"]: int(each["cellIndex"]) for each in columns}
    if column and column not in names:
        raise DataFileError(path, f"there is no column {column!r}; the columns are {', '.join(names)}")
    places = [names[column]] if column else list(names.values())
    for line in _counted(lines, "rowCount="):
        cells = json.loads(line)["cells"]
        yield from (cells[place] for place in places if place < len(cells) and cells[place])


def _counted(lines: list[str], beginning: str) -> list[str]:
    """Return the lines below the one that says how many there are; raises ValueError without it."""
    start = next((n for n, line in enumerate(lines, 1) if line.startswith(beginning)), None)
    if start is None:
        raise ValueError(f"there is no {beginning}")
    return lines[start : start + int(lines[start - 1].removeprefix(beginning))]


def _pool(text: str) -> dict[str, Mapping[str, Any]]:
    """Return the reconciled cells by id."""
    found = (json.loads(line) for line in text.split("\n") if line.startswith("{"))
    return {str(each["id"]): each for each in found if "j" in each}


def _recon(cell: Mapping[str, Any], pool: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return what was decided on a cell: in the cell itself in old projects, else in the pool."""
    recon = cell.get("r")
    return recon if isinstance(recon, dict) else pool.get(str(recon))


def _decisions(title: str, recon: Mapping[str, Any]) -> Iterable[ReconciledTitle]:
    if recon.get("judgmentAction") == _BY_ITSELF or not title.strip():
        return
    origin = Origin.BULK if recon.get("judgmentAction") == _FOR_MANY else Origin.LOOKED_AT
    if recon.get("j") == _MATCHED and recon.get("m"):
        yield ReconciledTitle(title.strip(), str(recon["m"]["id"]), True, origin)
    elif recon.get("j") == _NEW:
        for candidate in recon.get("c") or ():
            yield ReconciledTitle(title.strip(), str(candidate["id"]), False, origin)
