"""Small files that a reader without limits takes minutes or gigabytes for, and some that look so and are read."""

import json
import struct
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile_files import BOMB, DEEP, MEGABYTE, PARTS, Maker, bomb_in, long_line, parquet, workbook_of, written


def sheet_of(xml: str, **parts: str) -> Maker:
    """Return a maker of a workbook whose only sheet has this XML as its data."""
    whole = f'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{xml}</worksheet>'
    return lambda path: workbook_of(path, **{"xl/worksheets/sheet1.xml": whole, **parts})


def rows_of(xml: str, dimension: str = "") -> Maker:
    """Return a maker of a workbook whose sheet has these rows."""
    return sheet_of(f"{dimension}<sheetData>{xml}</sheetData>")


_HEADER = '<row r="1"><c r="A1" t="str"><v>title</v></c></row>'
_WITH_STYLES = PARTS["xl/_rels/workbook.xml.rels"].replace(
    "</Relationships>",
    '<Relationship Id="r2" Type="x/styles" Target="styles.xml"/>'
    '<Relationship Id="r3" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
)
_SHEETS = "".join(f'<sheet name="s{n}" sheetId="{n}" r:id="r1"/>' for n in range(1, 200_000))


def _liar(path: Path) -> Path:
    """Write a workbook whose list of parts says that a bomb of 4 GB is small."""
    bomb_in("xl/worksheets/sheet1.xml")(path)
    content = path.read_bytes()
    path.write_bytes(content.replace(struct.pack("<I", min(BOMB, 2**32 - 2)), struct.pack("<I", 1000)))
    return path


def _one_text(count: int) -> Maker:
    """Return a maker of a Parquet file with one text of a megabyte in so many rows."""
    texts = pa.DictionaryArray.from_arrays(pa.array(np.zeros(count, np.int32)), pa.array(["x" * MEGABYTE]))
    return lambda path: parquet(pa.table({"title": texts}))(path)


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
    return parquet(pa.table({"title": pa.ListArray.from_arrays([0, len(items)], items)}))(path)


# Files that are small, and that a reader without limits takes minutes or gigabytes for: what the refusal says.
EXHAUSTING: dict[str, tuple[str, Maker, str]] = {
    "row 99,999,999": ("xlsx", rows_of('<row r="99999999"><c r="A99999999"><v>1</v></c></row>'), "Excel's last is"),
    "a cell in column XFD": ("xlsx", rows_of(f'{_HEADER}<row r="2"><c r="XFD2"><v>1</v></c></row>'), "beyond the"),
    "rows that go back": ("xlsx", rows_of('<row r="1048576"/><row r="1"/>' * 1000), "comes after row 1,048,576"),
    "rows without end": ("xlsx", rows_of(f'{_HEADER}<row r="1048570"/>' + "<row/>" * 10), "Excel's last is"),
    "a row of 300,000 cells": ("xlsx", rows_of("<row>" + "<c/>" * 300_000 + "</row>"), "more in it than a row"),
    "nested deep": ("xlsx", rows_of("<row>" * DEEP + "</row>" * DEEP), "more in it than a row"),
    "texts without end": (
        "xlsx",
        lambda path: workbook_of(
            path,
            **{
                "xl/_rels/workbook.xml.rels": _WITH_STYLES,
                "xl/sharedStrings.xml": "<sst>" + "<si/>" * 300_000 + "</sst>",
            },
        ),
        "more texts than its size",
    ),
    "styles without end": (
        "xlsx",
        lambda path: workbook_of(
            path,
            **{
                "xl/_rels/workbook.xml.rels": _WITH_STYLES,
                "xl/styles.xml": "<styleSheet><cellXfs>" + "<xf/>" * 300_000 + "</cellXfs></styleSheet>",
            },
        ),
        "list of styles",
    ),
    "a sheet of 4 GB": ("xlsx", bomb_in("xl/worksheets/sheet1.xml"), "it unpacks to 4.0 GB"),
    "texts of 4 GB": ("xlsx", bomb_in("xl/sharedStrings.xml"), "it unpacks to 4.0 GB"),
    "a sheet of 4 GB that says it is small": ("xlsx", _liar, "damaged"),
    "one text in a million rows, as a list": (
        "parquet",
        lambda path: parquet(
            pa.table(
                {
                    "title": pa.ListArray.from_arrays(
                        [0, 1000], pa.DictionaryArray.from_arrays(np.zeros(1000, np.int32), ["x" * MEGABYTE])
                    )
                }
            )
        )(path),
        "a row is over 16 MB",
    ),
    "a text of 17 MB": ("parquet", parquet(pa.table({"title": ["x" * (17 * MEGABYTE)]})), "a row is over 16 MB"),
    "a column of 200 MB": ("parquet", _packed_column, "unpacks to"),
    "a list without end": ("parquet", _long_list, "lists of 20,000,000 items"),
    "nulls without end": ("parquet", _many_nulls, "more than its size allows"),
    "3,000 columns": (
        "parquet",
        parquet(pa.table({f"{n}": [1] for n in range(3000)})),
        "a table may have at most 2,000",
    ),
    "columns without end": (
        "csv",
        written(",".join(map(str, range(100_000))).encode()),
        "a table may have at most 2,000",
    ),
    "cells without end": ("csv", written(b"title,n\n" + b"," * MEGABYTE), "a table may have at most 2,000"),
    "a line without end": ("csv", long_line, "a row is over 16 MB"),
    "a quote without end": ("csv", written(b'title,n\n"' + b"xxxxxxx\n" * (3 * MEGABYTE)), "a row is over 16 MB"),
    "names without end": (
        "jsonl",
        written(json.dumps({f"{n}": n for n in range(100_000)}).encode()),
        "may have at most 2,000",
    ),
    "another name a line": (
        "jsonl",
        written(b"".join(b'{"%d": 1}\n' % n for n in range(3000))),
        "may have at most 2,000",
    ),
    "a long line": ("jsonl", long_line, "a row is over 16 MB"),
}
# And those that are read, at the cost that they say they have.
BEARABLE: dict[str, tuple[str, Maker, int]] = {
    "a long gap": ("xlsx", rows_of(_HEADER + '<row r="1048576"><c r="A1048576"><v>1</v></c></row>'), 1),
    "a size that is none": (
        "xlsx",
        rows_of(_HEADER + '<row r="2"><c r="A2"><v>1</v></c></row>', '<dimension ref="A1:XFD1048576"/>'),
        1,
    ),
    "200,000 sheets": (
        "xlsx",
        lambda path: workbook_of(
            path,
            **{"xl/workbook.xml": PARTS["xl/workbook.xml"].replace('<sheet name="s" sheetId="1" r:id="r1"/>', _SHEETS)},
        ),
        1,
    ),
    "one text in 2,000 rows": ("parquet", _one_text(2000), 2000),
}
