"""Files that no program should choke on: cut short, in the wrong encoding, nested without end, packed beyond measure.

Each maker writes one file or folder and returns its path. Makers are kept by the ending that they are made for.
"""

import gzip
import io
import json
import os
import random
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from openpyxl import Workbook
from safetensors.numpy import save_file

Maker = Callable[[Path], Path]  # given the path to write to

MEGABYTE = 1 << 20
LONG_LINE, LONG_NAME = 100 * MEGABYTE, "a long line"
BOMB = 4096 * MEGABYTE  # what a few megabytes unpack to
DEEP = 100_000
WIDE = 10_000
NO_WEIGHTS = (2).to_bytes(8, "little") + b"{}"  # a whole file of safetensors with nothing in it

_RANDOM = random.Random(0).randbytes(4096)
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
    "random bytes": _RANDOM,
    "a packed file": gzip.compress(b"id,language,title\n1,en,cook\n"),
    "a picture": _PNG + _RANDOM,
    "a database": b"SQLite format 3\0" + bytes(84) + _RANDOM,
    "a program": b"\x7fELF\x02\x01\x01\0" + _RANDOM,
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


_PARTS = {
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


def _workbook_of(path: Path, **parts: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (_PARTS | parts).items():
            archive.writestr(name, content)
    return path


def _bomb_in(part: str) -> Maker:
    """Return a maker of a workbook of which one part unpacks to 4 GB of blanks."""

    def make(path: Path) -> Path:
        opening = zlib.compressobj(9, zlib.DEFLATED, -15)
        root = _PARTS[part][: _PARTS[part].index(">") + 1]
        packed = opening.compress(root.encode()) + opening.flush(zlib.Z_FULL_FLUSH) + _packed_blanks(BOMB)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in _PARTS.items():
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
    sheet = _PARTS["xl/sharedStrings.xml"].replace("<t>alpha</t>", f"<t>{used}</t>")
    return lambda path: _workbook_of(path, **{"xl/sharedStrings.xml": declared + sheet})


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
    "a sheet that is a bomb": _bomb_in("xl/worksheets/sheet1.xml"),
    "texts that are a bomb": _bomb_in("xl/sharedStrings.xml"),
    "a list of parts that is a bomb": _bomb_in("[Content_Types].xml"),
    "a billion laughs": _entity_workbook(_LAUGHS, "&j;"),
    "a file from outside": _entity_workbook(_OUTSIDE, "&a;"),
    "no sheets": lambda path: _workbook_of(path, **{"xl/workbook.xml": _PARTS["xl/workbook.xml"].replace(
        '<sheet name="s" sheetId="1" r:id="r1"/>', "")}),
    "texts that are missing": lambda path: _workbook_of(path, **{"xl/sharedStrings.xml": (
        '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>')}),
    "broken XML": lambda path: _workbook_of(path, **{"xl/worksheets/sheet1.xml": "<worksheet><sheetData>"}),
}  # fmt: skip


def _parquet(table: pa.Table) -> Maker:
    def make(path: Path) -> Path:
        pq.write_table(table, path)
        return path

    return make


def _cut_parquet(path: Path) -> Path:
    _parquet(pa.table({"id": ["1"], "language": ["en"], "title": ["cook"]}))(path)
    path.write_bytes(path.read_bytes()[:-8])
    return path


def _torn_parquet(path: Path) -> Path:
    """Write one whose first half is zeros, but whose end is whole."""
    _parquet(pa.table({"id": ["1"] * 500, "language": ["en"] * 500, "title": [f"cook {n}" for n in range(500)]}))(path)
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
    return _parquet(pa.table({"id": ["1"] * count, "language": ["en"] * count, "title": title}))


PARQUET: dict[str, Maker] = {
    "its mark alone": written(b"PAR1PAR1"),
    "a foot that is too long": written(b"PAR1" + bytes(100) + struct.pack("<I", 2**31 - 1) + b"PAR1"),
    "cut short": _cut_parquet,
    "torn": _torn_parquet,
    "no rows": _parquet(pa.table({"id": pa.array([], pa.string()), "title": pa.array([], pa.string())})),
    "no columns": _parquet(pa.table({})),
    "a column twice": _parquet(pa.Table.from_arrays([pa.array(["cook"])] * 2, names=["title", "title"])),
    "other columns": _parquet(pa.table({"alpha": [1], "beta": [2.5]})),
    "wide": _parquet(pa.table({f"column {n}": [1] for n in range(WIDE // 10)})),
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


def _sheet_of(xml: str, **parts: str) -> Maker:
    """Return a maker of a workbook whose only sheet has this XML as its data."""
    whole = f'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{xml}</worksheet>'
    return lambda path: _workbook_of(path, **{"xl/worksheets/sheet1.xml": whole, **parts})


def _rows_of(xml: str, dimension: str = "") -> Maker:
    return _sheet_of(f"{dimension}<sheetData>{xml}</sheetData>")


_HEADER = '<row r="1"><c r="A1" t="str"><v>title</v></c></row>'
_WITH_STYLES = _PARTS["xl/_rels/workbook.xml.rels"].replace(
    "</Relationships>", '<Relationship Id="r2" Type="x/styles" Target="styles.xml"/>'
    '<Relationship Id="r3" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
)  # fmt: skip
_SHEETS = "".join(f'<sheet name="s{n}" sheetId="{n}" r:id="r1"/>' for n in range(1, 200_000))


def _liar(path: Path) -> Path:
    """Write a workbook whose list of parts says that a bomb of 4 GB is small."""
    _bomb_in("xl/worksheets/sheet1.xml")(path)
    content = path.read_bytes()
    path.write_bytes(content.replace(struct.pack("<I", min(BOMB, 2**32 - 2)), struct.pack("<I", 1000)))
    return path


def _one_text(count: int) -> Maker:
    """Return a maker of a Parquet file with one text of a megabyte in so many rows."""
    texts = pa.DictionaryArray.from_arrays(pa.array(np.zeros(count, np.int32)), pa.array(["x" * MEGABYTE]))
    return lambda path: _parquet(pa.table({"title": texts}))(path)


def _packed_column(path: Path) -> Path:
    """Write 200 different texts of a megabyte each, which are packed to nearly nothing."""
    texts = [f"{n:07}" + "x" * MEGABYTE for n in range(200)]
    pq.write_table(pa.table({"title": texts}), path, compression="zstd", use_dictionary=False, write_statistics=False)
    return path


def _many_nulls(path: Path) -> Path:
    with pq.ParquetWriter(path, pa.schema([("title", pa.null())])) as writer:
        writer.write_table(pa.table({"title": pa.nulls(50_000_000)}), row_group_size=50_000_000)
    return path


def _long_list(path: Path) -> Path:
    items = pa.array(np.zeros(20_000_000, np.int8))
    return _parquet(pa.table({"title": pa.ListArray.from_arrays([0, len(items)], items)}))(path)


# Files that are small, and that a reader without limits takes minutes or gigabytes for: what the refusal says.
EXHAUSTING: dict[str, tuple[str, Maker, str]] = {
    "row 99,999,999": ("xlsx", _rows_of('<row r="99999999"><c r="A99999999"><v>1</v></c></row>'), "Excel's last is"),
    "a cell in column XFD": ("xlsx", _rows_of(f'{_HEADER}<row r="2"><c r="XFD2"><v>1</v></c></row>'), "beyond the"),
    "rows that go back": ("xlsx", _rows_of('<row r="1048576"/><row r="1"/>' * 1000), "comes after row 1,048,576"),
    "rows without end": ("xlsx", _rows_of(f'{_HEADER}<row r="1048570"/>' + "<row/>" * 10), "Excel's last is"),
    "a row of 300,000 cells": ("xlsx", _rows_of("<row>" + "<c/>" * 300_000 + "</row>"), "more in it than a row"),
    "nested deep": ("xlsx", _rows_of("<row>" * DEEP + "</row>" * DEEP), "more in it than a row"),
    "texts without end": ("xlsx", lambda path: _workbook_of(path, **{
        "xl/_rels/workbook.xml.rels": _WITH_STYLES,
        "xl/sharedStrings.xml": "<sst>" + "<si/>" * 300_000 + "</sst>"}), "more texts than its size"),
    "styles without end": ("xlsx", lambda path: _workbook_of(path, **{
        "xl/_rels/workbook.xml.rels": _WITH_STYLES,
        "xl/styles.xml": "<styleSheet><cellXfs>" + "<xf/>" * 300_000 + "</cellXfs></styleSheet>"}), "list of styles"),
    "a sheet of 4 GB": ("xlsx", _bomb_in("xl/worksheets/sheet1.xml"), "it unpacks to 4.0 GB"),
    "texts of 4 GB": ("xlsx", _bomb_in("xl/sharedStrings.xml"), "it unpacks to 4.0 GB"),
    "a sheet of 4 GB that says it is small": ("xlsx", _liar, "damaged"),
    "one text in a million rows, as a list": ("parquet", lambda path: _parquet(pa.table({
        "title": pa.ListArray.from_arrays([0, 1000], pa.DictionaryArray.from_arrays(
            np.zeros(1000, np.int32), ["x" * MEGABYTE]))}))(path), "a row is over 16 MB"),
    "a text of 17 MB": ("parquet", _parquet(pa.table({"title": ["x" * (17 * MEGABYTE)]})), "a row is over 16 MB"),
    "a column of 200 MB": ("parquet", _packed_column, "unpacks to"),
    "a list without end": ("parquet", _long_list, "lists of 20,000,000 items"),
    "nulls without end": ("parquet", _many_nulls, "more than its size allows"),
    "3,000 columns": ("parquet", _parquet(pa.table({f"{n}": [1] for n in range(3000)})), "a table may have 2,000"),
    "columns without end": ("csv", written(",".join(map(str, range(100_000))).encode()), "a table may have 2,000"),
    "cells without end": ("csv", written(b"title,n\n" + b"," * MEGABYTE), "a table may have 2,000"),
    "a line without end": ("csv", long_line, "a row is over 16 MB"),
    "a quote without end": ("csv", written(b'title,n\n"' + b"xxxxxxx\n" * (3 * MEGABYTE)), "a row is over 16 MB"),
    "names without end": ("jsonl", written(json.dumps({f"{n}": n for n in range(100_000)}).encode()), "may have 2,000"),
    "another name a line": ("jsonl", written(b"".join(b'{"%d": 1}\n' % n for n in range(3000))), "may have 2,000"),
    "a long line": ("jsonl", long_line, "a row is over 16 MB"),
}  # fmt: skip
# And those that are read, at the cost that they say they have.
BEARABLE: dict[str, tuple[str, Maker, int]] = {
    "a long gap": ("xlsx", _rows_of(_HEADER + '<row r="1048576"><c r="A1048576"><v>1</v></c></row>'), 1),
    "a size that is none": ("xlsx", _rows_of(_HEADER + '<row r="2"><c r="A2"><v>1</v></c></row>',
                                             '<dimension ref="A1:XFD1048576"/>'), 1),
    "200,000 sheets": ("xlsx", lambda path: _workbook_of(path, **{"xl/workbook.xml": _PARTS["xl/workbook.xml"].replace(
        '<sheet name="s" sheetId="1" r:id="r1"/>', _SHEETS)}), 1),
    "one text in 2,000 rows": ("parquet", _one_text(2000), 2000),
}  # fmt: skip


def gzip_bomb(path: Path) -> Path:
    """Write a file that gzip unpacks to 4 GB."""
    head = io.BytesIO()
    with gzip.GzipFile(fileobj=head, mode="wb"):
        pass
    path.write_bytes(head.getvalue()[:10] + _packed_blanks(BOMB) + bytes(8))
    return path


def tensors_of_a_wrong_shape(path: Path) -> Path:
    """Write a safetensors file with names that any model may ask for, all of one number."""
    save_file({name: np.zeros(1, dtype=np.float32) for name in ("weight", "embeddings", "head", "bias")}, path)
    return path


def tensors_that_lie(path: Path) -> Path:
    """Write a safetensors file whose header claims far more than there is."""
    header = json.dumps({"weight": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(16))
    return path


def tensors_with_a_long_header(path: Path) -> Path:
    """Write a safetensors file whose header would be longer than any memory."""
    path.write_bytes(struct.pack("<Q", 2**62) + b"{}")
    return path


SAFETENSORS: dict[str, Maker] = {
    "nothing": written(b""),
    "random bytes": written(_RANDOM),
    "of a wrong shape": tensors_of_a_wrong_shape,
    "that lie": tensors_that_lie,
    "with a long header": tensors_with_a_long_header,
}
