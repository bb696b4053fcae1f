"""Files of OpenRefine: projects as it exports them, old and new; tables with identifiers; and hostile ones."""

import io
import json
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.openrefine_files import ReconciledTitle, read_identifiers, read_project
from jobmatch_core.sheets.table_layout import guess_layout

COOK, CHEF = "http://jobs/cook", "http://jobs/chef"


def recon(number: int, judgment: str, action: str = "single", match: str = "", *offered: str) -> dict[str, Any]:
    """Return what OpenRefine keeps of a reconciled cell."""
    return {
        "id": number,
        "judgmentHistoryEntry": 1,
        "service": "http://localhost",
        "j": judgment,
        "judgmentAction": action,
        "m": {"id": match, "n": "a name", "t": ["occupation"], "s": 99.0} if match else None,
        "c": [{"id": uri, "n": "a name", "t": [], "s": 1.0} for uri in offered],
    }


RECONS = [
    recon(1, "matched", "single", COOK, COOK, CHEF),
    recon(2, "matched", "auto", CHEF, CHEF),
    recon(3, "new", "mass", "", COOK, CHEF),
    recon(4, "none", "unknown", "", COOK),
]
TITLES = ["Köchin\u2028<b>", "chef", "vibe coder", "baker", "cook's mate"]
DECISIONS = [
    ReconciledTitle(TITLES[0], COOK, True),
    ReconciledTitle(TITLES[2], COOK, False, Origin.BULK),  # as is all that was decided for many cells at once
    ReconciledTitle(TITLES[2], CHEF, False, Origin.BULK),
]


def write_project(path: Path, pooled: bool = True, data: bytes | None = None) -> Path:
    """Write a project of two columns, of which the second is reconciled; its first row stands twice."""
    cells = [
        {"v": title, **({"r": str(each["id"]) if pooled else each} if each else {})}
        for title, each in zip(TITLES, [*RECONS, None], strict=True)
    ]
    rows = [{"flagged": False, "starred": False, "cells": [{"v": 7}, cell]} for cell in [*cells, cells[0]]]
    rows.append({"flagged": False, "starred": False, "cells": [None]})
    columns = [{"cellIndex": index, "originalName": name, "name": name} for index, name in enumerate(("no", "title"))]
    lines = ["3.8", "columnModel=", "maxCellIndex=1", "keyColumnIndex=0", "columnCount=2", *map(json.dumps, columns)]
    lines += ["columnGroupCount=0", "/e/", "history=", "pastEntryCount=0", "futureEntryCount=0", "/e/"]
    lines += [f"rowCount={len(rows)}", *(json.dumps(row, ensure_ascii=False) for row in rows)]
    pool = ["3.8", f"reconCount={len(RECONS)}", *map(json.dumps, RECONS)] if pooled else ["3.8"]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("data.txt", "\n".join(lines))
        archive.writestr("pool.txt", "\n".join(pool))
    content = packed.getvalue() if data is None else data
    with tarfile.open(path, "w:gz") as archive:
        for name, each in (("metadata.json", b"{}"), ("data.zip", content)):
            member = tarfile.TarInfo(name)
            member.size = len(each)
            archive.addfile(member, io.BytesIO(each))
    return path


@pytest.mark.parametrize("pooled", [True, False])
@pytest.mark.parametrize("column", ["", "title"])
def test_projects(tmp_path: Path, pooled: bool, column: str) -> None:
    """People's matches and new entities, each once; not what OpenRefine matched by itself."""
    assert read_project(write_project(tmp_path / "p.openrefine.tar.gz", pooled), column) == DECISIONS


def test_other_columns(tmp_path: Path) -> None:
    """A column without decisions has none; an unknown one is named with those that there are."""
    path = write_project(tmp_path / "p.tar.gz")
    assert read_project(path, "no") == []
    with pytest.raises(DataFileError, match="no column 'job'; the columns are no, title"):
        read_project(path, "job")


def zipped(**files: str) -> bytes:
    """Return a zip file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.txt", text)
    return packed.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a zip file",
        zipped(pool="{}"),
        zipped(data="columnCount=1"),
        zipped(data="columnCount=x\nrowCount=0"),
        zipped(data="columnCount=1\n[]\nrowCount=0"),
        zipped(data='columnCount=1\n{"name": "a", "cellIndex": 0}\nrowCount=1\n[]'),
        zipped(data='columnCount=1\n{"name": "a", "cellIndex": 0}\nrowCount=1\n{"cells": [["x"]]}'),
        zipped(data="columnCount=1\n" + "[" * 100_000),
    ],
)
def test_damaged_projects(tmp_path: Path, data: bytes) -> None:
    """Each raises DataFileError and no other error."""
    with pytest.raises(DataFileError):
        read_project(write_project(tmp_path / "p.tar.gz", data=data))


def test_no_project(tmp_path: Path) -> None:
    """A missing file, a file of another kind and one that unpacks to too many bytes are refused."""
    other = tmp_path / "other.tar.gz"
    with pytest.raises(DataFileError, match="no such file"):
        read_project(other)
    other.write_bytes(b"title,uri\n")
    with pytest.raises(DataFileError, match="not an exported OpenRefine project"):
        read_project(other)
    with tarfile.open(other, "w:gz"):
        pass
    with pytest.raises(DataFileError, match="not an exported OpenRefine project"):
        read_project(other)
    bomb = zipped(data=" " * 300_000_000)
    with pytest.raises(DataFileError, match="unpacked size is too large"):
        read_project(write_project(tmp_path / "bomb.tar.gz", data=bomb))


def test_tables(tmp_path: Path) -> None:
    """Rows that repeat others or lack a title or an identifier are left out; the rest is bulk by default."""
    path = tmp_path / "t.csv"
    path.write_text(f"job,id\ncook,{COOK}\nbaker,\n,{CHEF}\ncook,{COOK}\n chef ,{CHEF}\n", "utf-8")
    layout = guess_layout(path, column="job")
    assert read_identifiers(path, "job", "id", layout) == [
        ReconciledTitle("cook", COOK, True, Origin.BULK),
        ReconciledTitle("chef", CHEF, True, Origin.BULK),
    ]
    [first, _] = read_identifiers(path, "job", "id", layout, origin=Origin.LOOKED_AT)
    assert first == ReconciledTitle("cook", COOK, True, Origin.LOOKED_AT)
    with pytest.raises(DataFileError, match="no column 'uri'; it has job, id"):
        read_identifiers(path, "job", "uri", layout)
