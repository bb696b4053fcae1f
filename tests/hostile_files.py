"""Files that no program should choke on: cut short, in the wrong encoding, nested without end, packed beyond measure.

Each maker writes one file or folder and returns its path. Makers are kept by the ending that they are made for.
"""

import gzip
import io
import os
import random
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from openpyxl import Workbook

Maker = Callable[[Path], Path]  # given the path to write to
MEGABYTE = 1 << 20
LONG_LINE, LONG_NAME = 100 * MEGABYTE, "a long line"
BOMB = 4096 * MEGABYTE  # what a few megabytes unpack to
DEEP = 100_000
WIDE = 10_000
RANDOM = random.Random(0).randbytes(4096)
_PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452")
_OLE = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(512)  # an Excel file with a password, or one of before 2007
# No ending makes text of these.
BINARY: dict[str, bytes] = {
    "a NUL": b"\0",
    "NULs": bytes(5000),
    "a NUL within": b"id,language,title\n1,en,co\0ok\n",
    "UTF-16, little end": "id,language,title\n1,en,Köchin\n".encode("utf-16"),
    "UTF-16, big end": "\ufeffid,language,title\n1,en,Köchin\n".encode("utf-16-be"),
    "UTF-16 without a mark": "id,language,title\n1,en,Köchin\n".encode("utf-16-le"),
    "UTF-32": "id,language,title\n1,en,cook\n".encode("utf-32"),
    "cp1252": "id,language,title\n1,en,Köchin\n".encode("cp1252"),
    "Shift-JIS": "id,language,title\n1,ja,料理人\n".encode("shift-jis"),
    "half a character": "id,language,title\n1,en,Köchin ü".encode()[:-1],
    "an overlong character": b"id,language,title\n1,en,\xc0\xaf\n",
    "random bytes": RANDOM,
    "a packed file": gzip.compress(b"id,language,title\n1,en,cook\n"),
    "a picture": _PNG + RANDOM,
    "a database": b"SQLite format 3\0" + bytes(84) + RANDOM,
    "a program": b"\x7fELF\x02\x01\x01\0" + RANDOM,
    "an old workbook": _OLE,
}
EMPTY: dict[str, bytes] = {
    "nothing": b"",
    "a byte order mark": b"\xef\xbb\xbf",
    "blanks": b"   \n\t\n  ",
    "line ends": b"\n" * 1000,
    "carriage returns": b"\r" * 1000,
}
BROKEN_CSV: dict[str, bytes] = {
    "no rows": b"id,language,title\n",
    "an open quote": b'id,language,title\n1,en,"cook\n2,en,baker\n',
    "an open quote in the header": b'"id,language,title\n1,en,cook\n',
    "a quote in mid-cell": b'id,language,title\n1,en,"cook" or "baker\n',
    "too many cells": b"id,language,title\n1,en,cook,x,y,z\n",
    "the header twice": b"id,language,title,id,language,title\n1,en,cook,1,en,cook\n",
    "columns without names": b",,,\n1,en,cook,x\n",
    "other columns": b"alpha,beta,gamma\n1,2,3\n",
    "a page": b"<!doctype html>\n<html><body><table><tr><td>cook</td></tr></table></body></html>\n",
    "rich text": b"{\\rtf1\\ansi cook}\n",
    "wide": ",".join(f"column {n}" for n in range(WIDE)).encode() + b"\n" + b"," * (WIDE - 1) + b"\n",
    "a cell of 17 MB": b"id,language,title\n1,en," + b"x" * (17 * MEGABYTE) + b"\n",
}
BROKEN_JSON: dict[str, bytes] = {
    "cut short": b'{"id": "1", "language": "en", "title": "co',
    "no names": b'{1: "cook"}',
    "single quotes": b"{'title': 'cook'}",
    "a list": b"[1, 2]",
    "a number": b"17",
    "a huge number": b"9" * 5000,
    "a text": b'"cook"',
    "null": b"null",
    "NaN alone": b"NaN",
    "deep lists": b"[" * DEEP + b"]" * DEEP,
    "deep objects": b'{"title": ' * DEEP + b"1" + b"}" * DEEP,
    "deep in a field": b'{"id": "1", "title": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "two on a line": b'{"title": "cook"} {"title": "baker"}',
    "a comma at the end": b'{"title": "cook",}',
    "a comment": b'// titles\n{"title": "cook"}',
    "other fields": b'{"alpha": 1, "beta": 2}',
}
BROKEN_TOML: dict[str, bytes] = {
    "no TOML": b"title: cook\n",
    "an open table": b"[data\n",
    "an open text": b'backbone = "titles\n',
    "a key twice": b"seed = 1\nseed = 2\n",
    "a table twice": b"[data]\n[data]\n",
    "deep lists": b"seed = " + b"[" * DEEP + b"]" * DEEP + b"\n",
    "deep tables": b"seed = " + b"{a = " * DEEP + b"1" + b"}" * DEEP + b"\n",
    "deep keys": b".".join([b"a"] * DEEP) + b" = 1\n",
    "an unknown key": b"nonsense = 1\n",
    "an unknown table": b"[nonsense]\na = 1\n",
    "a list for a table": b"training = [1, 2]\nprojects = [1]\n",
    "a table for a number": b"[seed]\na = 1\n[projects]\nid = {a = 1}\n",
    "not a number": b"[training]\nlearning_rate = nan\n[projects]\nid = nan\n",
    "a huge number": b"seed = " + b"9" * 5000 + b"\n",
    "a name that climbs": b'name = "../../outside"\n[projects]\n"../id" = "x"\n',
    "a date": b"seed = 2026-11-22\n[projects]\nid = 2026-11-22\n",
}


def written(content: bytes) -> Maker:
    """Return a maker that writes these bytes."""

    def write(path: Path) -> Path:
        path.write_bytes(content)
        return path

    return write


def long_line(path: Path) -> Path:
    """Write one line of 100 MB, or link to one that is there."""
    first = path.with_name(LONG_NAME)
    if not first.exists():
        with first.open("wb") as file:
            for _ in range(LONG_LINE // MEGABYTE):
                file.write(b"x" * MEGABYTE)
    os.link(first, path)
    return path


def _packed_blanks(size: int) -> bytes:
    """Return *size* blanks as deflate packs them, without packing more than a megabyte."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = packer.compress(b" " * MEGABYTE) + packer.flush(zlib.Z_FULL_FLUSH)
    return first * (size // MEGABYTE) + packer.flush()


PARTS = {
    "[Content_Types].xml": (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/xl/workbook.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
        '<Override PartName="/xl/worksheets/sheet1.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
        '<Override PartName="/xl/sharedStrings.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>'
    ),
    "_rels/.rels": (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
        '<sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
        'Target="worksheets/sheet1.xml"/></Relationships>'
    ),
    "xl/worksheets/sheet1.xml": (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row>'
        "</sheetData></worksheet>"
    ),
    "xl/sharedStrings.xml": (
        '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        "<si><t>alpha</t></si><si><t>cook</t></si></sst>"
    ),
}


def workbook_of(path: Path, **parts: str) -> Path:
    """Write a workbook of these parts, the others being those of a sound one."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (PARTS | parts).items():
            archive.writestr(name, content)
    return path


def bomb_in(part: str) -> Maker:
    """Return a maker of a workbook of which one part unpacks to 4 GB of blanks."""

    def make(path: Path) -> Path:
        opening = zlib.compressobj(9, zlib.DEFLATED, -15)
        root = PARTS[part][: PARTS[part].index(">") + 1]
        packed = opening.compress(root.encode()) + opening.flush(zlib.Z_FULL_FLUSH) + _packed_blanks(BOMB)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in PARTS.items():
                if name != part:
                    archive.writestr(name, text)
        _append_raw(path, part, packed, BOMB)
        return path

    return make


def _append_raw(path: Path, name: str, packed: bytes, size: int) -> None:
    """Add a part whose bytes are packed already; its checksum is wrong, which is told only at its end."""
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        info = zipfile.ZipInfo(name)
        info.compress_type, info.compress_size, info.file_size = zipfile.ZIP_DEFLATED, len(packed), min(size, 2**32 - 2)
        info.CRC, info.header_offset = 0, archive.start_dir
        assert archive.fp is not None
        archive.fp.seek(archive.start_dir)
        archive.fp.write(info.FileHeader(zip64=False))
        archive.fp.write(packed)
        archive.start_dir = archive.fp.tell()
        archive.filelist.append(info)
        archive.NameToInfo[name] = info
        archive._didModify = True  # type: ignore[attr-defined]  # zipfile packs by itself, or not at all


_LAUGHS = (
    '<!DOCTYPE sst [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
    + "]>"
)
_OUTSIDE = '<!DOCTYPE sst [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


def _entity_workbook(declared: str, used: str) -> Maker:
    sheet = PARTS["xl/sharedStrings.xml"].replace("<t>alpha</t>", f"<t>{used}</t>")
    return lambda path: workbook_of(path, **{"xl/sharedStrings.xml": declared + sheet})


def _sheet(rows: list[list[object]]) -> Maker:
    def make(path: Path) -> Path:
        book = Workbook()
        for row in rows:
            book.active.append(row)
        book.save(path)
        return path

    return make


def _cut_workbook(path: Path) -> Path:
    _sheet([["id", "language", "title"], ["1", "en", "cook"]])(path)
    path.write_bytes(path.read_bytes()[:-700])
    return path


def _zip_of(names: list[str]) -> Maker:
    def make(path: Path) -> Path:
        with zipfile.ZipFile(path, "w") as archive:
            for name in names:
                archive.writestr(name, "title\ncook\n")
        return path

    return make


XLSX: dict[str, Maker] = {
    "a zip": _zip_of(["titles.csv"]),
    "a zip that climbs": _zip_of(["../../outside", "/etc/outside"]),
    "an empty zip": _zip_of([]),
    "cut short": _cut_workbook,
    "no cells": _sheet([]),
    "a header alone": _sheet([["id", "language", "title"]]),
    "the header twice": _sheet([["title", "title"], ["cook", "cook"]]),
    "other columns": _sheet([["alpha", "beta"], [1, 2]]),
    "wide": _sheet([[f"column {n}" for n in range(WIDE)], [1] * WIDE]),
    "a sheet that is a bomb": bomb_in("xl/worksheets/sheet1.xml"),
    "texts that are a bomb": bomb_in("xl/sharedStrings.xml"),
    "a list of parts that is a bomb": bomb_in("[Content_Types].xml"),
    "a billion laughs": _entity_workbook(_LAUGHS, "&j;"),
    "a file from outside": _entity_workbook(_OUTSIDE, "&a;"),
    "no sheets": lambda path: workbook_of(
        path, **{"xl/workbook.xml": PARTS["xl/workbook.xml"].replace('<sheet name="s" sheetId="1" r:id="r1"/>', "")}
    ),
    "texts that are missing": lambda path: workbook_of(
        path, **{"xl/sharedStrings.xml": ('<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>')}
    ),
    "broken XML": lambda path: workbook_of(path, **{"xl/worksheets/sheet1.xml": "<worksheet><sheetData>"}),
}


def parquet(table: pa.Table) -> Maker:
    """Return a maker of a Parquet file."""

    def make(path: Path) -> Path:
        pq.write_table(table, path)
        return path

    return make


def _cut_parquet(path: Path) -> Path:
    parquet(pa.table({"id": ["1"], "language": ["en"], "title": ["cook"]}))(path)
    path.write_bytes(path.read_bytes()[:-8])
    return path


def _torn_parquet(path: Path) -> Path:
    """Write one whose first half is zeros, but whose end is whole."""
    parquet(pa.table({"id": ["1"] * 500, "language": ["en"] * 500, "title": [f"cook {n}" for n in range(500)]}))(path)
    content = path.read_bytes()
    path.write_bytes(b"PAR1" + bytes(len(content) // 2 - 4) + content[len(content) // 2 :])
    return path


def _nested(depth: int) -> pa.Array:
    value, kind = "cook", pa.string()
    for _ in range(depth):
        value, kind = {"a": value}, pa.struct([("a", kind)])  # type: ignore[assignment]
    return pa.array([value], kind)


def _titled(title: pa.Array) -> Maker:
    count = len(title)
    return parquet(pa.table({"id": ["1"] * count, "language": ["en"] * count, "title": title}))


PARQUET: dict[str, Maker] = {
    "its mark alone": written(b"PAR1PAR1"),
    "a foot that is too long": written(b"PAR1" + bytes(100) + struct.pack("<I", 2**31 - 1) + b"PAR1"),
    "cut short": _cut_parquet,
    "torn": _torn_parquet,
    "no rows": parquet(pa.table({"id": pa.array([], pa.string()), "title": pa.array([], pa.string())})),
    "no columns": parquet(pa.table({})),
    "a column twice": parquet(pa.Table.from_arrays([pa.array(["cook"])] * 2, names=["title", "title"])),
    "other columns": parquet(pa.table({"alpha": [1], "beta": [2.5]})),
    "wide": parquet(pa.table({f"column {n}": [1] for n in range(WIDE // 10)})),
    "a title that is a record": _titled(_nested(1)),
    "a title nested deep": _titled(_nested(90)),
    "a title that is a list": _titled(pa.array([["cook", "baker"]])),
    "a title that is bytes": _titled(pa.array([b"\xff\xfe\x00cook"], pa.binary())),
}


def _linked_to(target: str) -> Maker:
    def make(path: Path) -> Path:
        path.symlink_to(target)
        return path

    return make


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def _pipe(path: Path) -> Path:
    """Make a pipe that nobody writes to: whoever opens it waits without end."""
    os.mkfifo(path)
    return path


PATHS: dict[str, Maker] = {
    "no file": lambda path: path,
    "a folder": _folder,
    "a link to nothing": _linked_to("nowhere"),
    "a link to itself": lambda path: _linked_to(path.name)(path),
    "a pipe": _pipe,
    "a device without content": _linked_to("/dev/null"),
    "a device without end": _linked_to("/dev/zero"),
    "no permission": _linked_to("/proc/self/mem"),  # not even root reads its first page
    "a name that is too long": lambda path: path.with_name("x" * 300 + path.suffix),
    "below a file": lambda path: written(b"x")(path.with_name("file")) / path.name,
    "a name that climbs": lambda path: path.parent / ".." / ".." / "nowhere" / f"..{path.suffix}",
    "a name that is no text": lambda path: path.with_name(os.fsdecode(b"\xff\xfe") + path.suffix),
}
CSV: dict[str, Maker] = {
    **{name: written(content) for name, content in (BINARY | EMPTY | BROKEN_CSV).items()},
    "one line of 100 MB": long_line,
}
JSONL: dict[str, Maker] = {
    **{name: written(content) for name, content in (BINARY | EMPTY | BROKEN_JSON).items()},
    "one line of 100 MB": long_line,
}
TOML: dict[str, Maker] = {
    **{name: written(content) for name, content in (BINARY | BROKEN_TOML).items()},
    "one line of 100 MB": long_line,
}
TEXT: dict[str, Maker] = {
    **{name: written(content) for name, content in (BINARY | EMPTY).items()},
    "one line of 100 MB": long_line,
}
NO_WORKBOOK: dict[str, Maker] = {name: written(content) for name, content in (BINARY | EMPTY).items()}


def gzip_bomb(path: Path) -> Path:
    """Write a file that gzip unpacks to 4 GB."""
    head = io.BytesIO()
    with gzip.GzipFile(fileobj=head, mode="wb"):
        pass
    path.write_bytes(head.getvalue()[:10] + _packed_blanks(BOMB) + bytes(8))
    return path
