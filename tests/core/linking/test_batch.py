"""Whole files: rows keep order and types, formulas are neutralised, memory is bounded, no output is partial.

The linker is a stand-in; `test_linker.py` tests the real one, and `test_batch_resuming.py` tests interrupted files.
"""

import datetime
import errno
import os
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobmatch_core.entities import LinkResult
from jobmatch_core.errors import DataFileError, LinkingError
from jobmatch_core.io import xlsx_file
from jobmatch_core.linking import batch
from jobmatch_core.linking.batch import link_file
from jobmatch_core.linking.link_job import LINK_SCHEMA
from tests.core.linking.made_files import TEXT_ROWS, TITLED, TITLES, TYPED_ROWS, Row, StandIn, read, write

FORMATS = ("csv", "xlsx", "parquet", "jsonl")
LINK_COLUMNS = LINK_SCHEMA.names
FORMULAS = {"@home", "-x", '=SUM("a")', '=SUM("A")'}  # of the cells above; `-5` and `+49 40 1` are numbers


def neutral(value: Any) -> Any:
    """Quote a cell that a spreadsheet would read as a formula."""
    return "'" + value if value in FORMULAS else value


def expected_cell(value: Any, out_format: str) -> Any:
    """Return a cell as it reads back from a format."""
    if out_format == "parquet":
        return value
    if out_format == "jsonl":
        return value.isoformat() if isinstance(value, datetime.date) else value
    if out_format == "csv":
        value = value.isoformat() if isinstance(value, datetime.date) else neutral(value)
        return "" if value is None else str(value)
    if isinstance(value, datetime.date):
        return datetime.datetime.combine(value, datetime.time())  # the dates of Excel are moments
    return None if value == "" else value  # Excel does not tell empty texts from empty cells


@pytest.mark.parametrize("out_format", FORMATS)
@pytest.mark.parametrize("in_format", FORMATS)
def test_from_every_format_to_every_format(stand_in: Any, tmp_path: Path, in_format: str, out_format: str) -> None:
    """Rows stay in order: own columns first with their values and types, then those of the links."""
    rows = TYPED_ROWS if in_format == "parquet" else TEXT_ROWS
    source = write(tmp_path / f"in.{in_format}", rows)
    out = tmp_path / f"out.{out_format}"
    assert link_file(stand_in, source, out, layout=TITLED) == 7
    written = read(out)
    assert [list(row) for row in written] == [["id", "title", "note", "day", *LINK_COLUMNS]] * 7
    own = [{name: row[name] for name in rows[0]} for row in written]
    assert own == [{name: expected_cell(value, out_format) for name, value in row.items()} for row in rows]
    upper = [title.upper() if title and title[0] != "?" else None for title in TITLES]
    assert [row["link_occupation"] for row in written] == [expected_cell(name, out_format) for name in upper]
    probabilities = [0.8765, None, 0.8765, None, 0.8765, 0.8765, 0.8765]
    assert [row["link_probability"] for row in written] == [
        expected_cell(probability, out_format) for probability in probabilities
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([source.name, out.name])


def test_columns_of_links(stand_in: Any, seven: Path, tmp_path: Path) -> None:
    """A link, an abstention with a group, and a title without candidates."""
    link_file(stand_in, seven, tmp_path / "out.jsonl", layout=TITLED)
    linked, abstained, _, nothing, *_ = (
        {name.removeprefix("link_"): row[name] for name in LINK_COLUMNS if row[name] is not None}
        for row in read(tmp_path / "out.jsonl")
    )
    maybe = {"uri": "uri:?maybe", "name": "?MAYBE", "isco": "5120", "probability": 0.25}
    other = {"uri": "uri:other", "name": "Other", "isco": "9999", "probability": 0.1}
    assert linked == {
        "uri": "uri:cook",
        "occupation": "COOK",
        "isco": "5120",
        "level": "occupation",
        "probability": 0.8765,
        "confidence": "sure",
        "matched_name": "cook",
        "matched_language": "en",
        "alternatives": [other],
        "taxonomy": "tiny-1",
        "matched_source": "taxonomy",
        "jobs": [],
        "coding": "coded",
        "code": "5120",
        "code_level": "unit group",
        "code_probability": 0.8765,
    }
    unlinked = {"confidence": "to check", "taxonomy": "tiny-1", "jobs": []}
    reasons = {"reason": "not sure enough", "suggested_isco": "51", "suggested_group": "Services"}
    reasons |= {"coding": "not sure", "coding_reason": "not sure enough"}
    assert abstained == unlinked | reasons | {"alternatives": [maybe, other]}
    assert nothing == unlinked | {
        "reason": "not a job",
        "alternatives": [],
        "coding": "not codable",
        "coding_reason": "empty",
    }


@pytest.mark.parametrize(("out_format", "sign"), [("csv", "'"), ("xlsx", "")])
def test_formulas_are_neutralised(stand_in: Any, tmp_path: Path, out_format: str, sign: str) -> None:
    """In titles, link columns and column names; `-5` is a number and stays. Cells of XLSX are marked as texts."""
    source = write(tmp_path / "in.jsonl", [{"=title": "=1+1", "n": "-5"}, {"=title": "+cmd|' /C calc'!A0", "n": "@x"}])
    out = tmp_path / f"out.{out_format}"
    link_file(stand_in, source, out, layout=replace(TITLED, column="=title"))
    written = read(out)
    assert [row[f"{sign}=title"] for row in written] == [f"{sign}=1+1", f"{sign}+cmd|' /C calc'!A0"]
    assert [row["n"] for row in written] == ["-5", f"{sign}@x"]
    assert [row["link_occupation"] for row in written] == [f"{sign}=1+1", f"{sign}+CMD|' /C CALC'!A0"]
    assert [row["link_matched_name"] for row in written] == [f"{sign}=1+1", f"{sign}+cmd|' /C calc'!A0"]


@pytest.mark.parametrize("out_format", ["parquet", "jsonl"])
def test_formulas_stay_in_formats_of_programs(stand_in: Any, tmp_path: Path, out_format: str) -> None:
    """Programs get the original text."""
    source = write(tmp_path / "in.jsonl", [{"title": "=1+1"}])
    out = tmp_path / f"out.{out_format}"
    link_file(stand_in, source, out)
    assert read(out)[0]["title"] == "=1+1"


def test_parquet_keeps_its_types(stand_in: Any, tmp_path: Path) -> None:
    """The output has the source's schema, followed by the links'."""
    schema = pa.schema(
        [
            ("title", pa.string()),
            ("n", pa.int64()),
            ("x", pa.float64()),
            ("yes", pa.bool_()),
            ("day", pa.date32()),
            ("at", pa.timestamp("us", tz="UTC")),
            ("tags", pa.list_(pa.string())),
        ]
    )
    row = {
        "title": "cook",
        "n": 2**60,
        "x": 0.1,
        "yes": True,
        "day": datetime.date(2026, 1, 2),
        "at": datetime.datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=datetime.UTC),
        "tags": ["a", "b"],
    }
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.Table.from_pylist([row, dict.fromkeys(row)], schema=schema), source)
    assert link_file(stand_in, source, out, layout=TITLED) == 2
    written = pq.read_schema(out)
    assert [written.field(name).type for name in schema.names] == [field.type for field in schema]
    assert [written.field(name) for name in LINK_COLUMNS] == list(LINK_SCHEMA)
    assert read(out)[0].items() >= row.items()
    assert {name: read(out)[1][name] for name in schema.names} == dict.fromkeys(schema.names)
    assert stand_in.calls == [["cook", ""]], "an empty cell is an empty title"


def test_parquet_with_a_column_that_starts_empty(stand_in: Any, tmp_path: Path) -> None:
    """The type comes from the source, though the first value follows thousands of empty cells."""
    numbers = [None] * 5000 + [3]
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"title": ["cook"] * 5001, "n": pa.array(numbers, pa.int64())}), source)
    assert link_file(stand_in, source, out, layout=TITLED) == 5001
    assert pq.read_table(out)["n"].to_pylist() == numbers


def test_a_semicolon_table(stand_in: Any, tmp_path: Path) -> None:
    """Excel's CSV in most of Europe; short rows are padded, blank lines skipped."""
    source = tmp_path / "in.csv"
    source.write_text("title;place\ncook;Hamburg\n\nbaker\n", "utf-8")
    link_file(stand_in, source, tmp_path / "out.csv", layout=TITLED)
    assert [(row["title"], row["place"]) for row in read(tmp_path / "out.csv")] == [("cook", "Hamburg"), ("baker", "")]


def test_options_reach_the_linker(stand_in: Any, seven: Path, tmp_path: Path) -> None:
    """The linker gets the languages, the shown language and the number of candidates."""
    link_file(stand_in, seven, tmp_path / "out.csv", layout=TITLED, languages=["fr", "de"], show="fr", top=3)
    assert stand_in.options == [{"languages": ("de", "fr"), "show": "fr", "top": 3}]


def test_repeated_titles_are_linked_once(stand_in: Any, tmp_path: Path) -> None:
    """Two distinct titles in six rows: two are linked, in the order of their first row."""
    titles = ["cook", "baker", "cook", "cook", "baker", "cook"]
    source = write(tmp_path / "in.csv", [{"title": title} for title in titles])
    link_file(stand_in, source, tmp_path / "out.csv")
    assert stand_in.calls == [["cook", "baker"]]
    assert [row["link_uri"] for row in read(tmp_path / "out.csv")] == [f"uri:{title}" for title in titles]


def test_the_only_column_is_taken_by_itself(stand_in: Any, tmp_path: Path) -> None:
    """A single column needs no name."""
    source = write(tmp_path / "in.csv", [{"Berufsbezeichnung": "cook"}])
    assert link_file(stand_in, source, tmp_path / "out.csv") == 1
    assert stand_in.calls == [["cook"]]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (None, "seven.csv: name the column of titles; it has id, title, note, day"),
        ("job", "seven.csv: there is no column 'job'; it has id, title, note, day"),
    ],
)
def test_a_wrong_column_lists_the_columns(
    stand_in: Any, seven: Path, tmp_path: Path, column: str | None, message: str
) -> None:
    """Nothing is linked or written."""
    with pytest.raises(DataFileError) as caught:
        link_file(stand_in, seven, tmp_path / "out.csv", layout=replace(TITLED, column=column))
    assert str(caught.value) == message
    assert stand_in.calls == []
    assert [path.name for path in tmp_path.iterdir()] == ["seven.csv"]


@pytest.mark.parametrize(("source", "out"), [("seven.csv", "out.doc"), ("seven.csv", "out"), ("seven.ods", "out.csv")])
def test_an_unknown_ending(stand_in: Any, seven: Path, tmp_path: Path, source: str, out: str) -> None:
    """An unknown ending of the source or the output is refused before anything is linked."""
    (tmp_path / "seven.ods").write_bytes(seven.read_bytes())
    with pytest.raises(DataFileError, match=r"expected a file that ends in \.csv, \.xlsx, \.parquet, \.jsonl"):
        link_file(stand_in, tmp_path / source, tmp_path / out, layout=TITLED)
    assert stand_in.calls == []


@pytest.mark.parametrize("content", ["", "title,note\n"], ids=["empty", "a header only"])
def test_a_table_without_rows(stand_in: Any, tmp_path: Path, content: str) -> None:
    """A table without rows is an error; no empty output is written."""
    source = tmp_path / "in.csv"
    source.write_text(content, "utf-8")
    with pytest.raises(DataFileError, match=r"in\.csv"):
        link_file(stand_in, source, tmp_path / "out.csv", layout=TITLED)
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.usefixtures("small_parts")
def test_a_fault_in_the_middle_is_found_before_anything_is_linked(stand_in: Any, tmp_path: Path) -> None:
    """The whole source is checked before linking starts."""
    source = tmp_path / "in.csv"
    source.write_text("title,n\ncook,1\nbaker,2\nnurse,3\nwelder,too,much\n", "utf-8")
    with pytest.raises(DataFileError, match=r"in\.csv, line 5: 3 fields where the header has 2"):
        link_file(stand_in, source, tmp_path / "out.csv", layout=TITLED)
    assert stand_in.calls == []
    assert not (tmp_path / "out.csv").exists()


def test_a_row_without_the_column(stand_in: Any, tmp_path: Path) -> None:
    """A missing field of JSON lines is an empty title."""
    source = tmp_path / "in.jsonl"
    source.write_text('{"title": "cook", "n": 1}\n{"n": 2}\n', "utf-8")
    link_file(stand_in, source, tmp_path / "out.jsonl", layout=TITLED)
    assert [row["link_uri"] for row in read(tmp_path / "out.jsonl")] == ["uri:cook", None]


def test_json_lines_with_their_fields_in_another_order(stand_in: Any, tmp_path: Path) -> None:
    """A cell stays in the column of its name, also in a sheet."""
    source = tmp_path / "in.jsonl"
    source.write_text('{"title": "cook", "n": "1"}\n{"n": "2", "title": "baker"}\n', "utf-8")
    link_file(stand_in, source, tmp_path / "out.xlsx", layout=TITLED)
    assert [(row["title"], row["n"]) for row in read(tmp_path / "out.xlsx")] == [("cook", "1"), ("baker", "2")]


@pytest.mark.usefixtures("small_parts")
def test_progress_counts_rows(stand_in: Any, seven: Path, tmp_path: Path) -> None:
    """Rows done and rows in total, after each part."""
    seen: list[tuple[int, int]] = []
    link_file(stand_in, seven, tmp_path / "out.csv", layout=TITLED, progress=lambda *step: seen.append(step))
    assert seen == [(2, 7), (4, 7), (6, 7), (7, 7)]


def broken_write(rows_written: int, error: BaseException) -> Callable[[Path, Iterable[Row], pa.Schema], int]:
    """Return a `write_table` that fails after some rows."""

    def write_table(path: Path, rows: Iterable[Row], schema: pa.Schema) -> int:
        with path.open("w", encoding="utf-8") as file:
            for number, _ in zip(range(rows_written), rows, strict=False):
                file.write(f"row {number}\n")
        raise error

    return write_table


@pytest.mark.usefixtures("small_parts")
def test_a_full_disk(stand_in: Any, seven: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to do; the older output stays, and links are not lost."""
    out, whole = tmp_path / "out.csv", tmp_path / "whole.csv"
    link_file(StandIn(), seven, whole, layout=TITLED)  # type: ignore[arg-type]
    out.write_text("older output", "utf-8")
    with monkeypatch.context() as patched:
        error = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        patched.setattr(batch, "write_table", broken_write(3, error))
        with pytest.raises(LinkingError) as caught:
            link_file(stand_in, seven, out, layout=TITLED)
    assert str(caught.value) == (
        "out.csv could not be written (No space left on device); fix that and run again with --resume."
    )
    assert out.read_text("utf-8") == "older output"
    assert len(stand_in.calls) == 4
    assert link_file(stand_in, seven, out, layout=TITLED, resume=True) == 7
    assert len(stand_in.calls) == 4, "everything was linked already"
    assert out.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError()], ids=["interrupted", "out of memory"])
def test_the_output_is_replaced_only_when_whole(
    stand_in: Any, seven: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    """An interruption while the output is written leaves the older output."""
    out = tmp_path / "out.csv"
    out.write_text("older output", "utf-8")
    monkeypatch.setattr(batch, "write_table", broken_write(3, error))
    with pytest.raises(type(error)):
        link_file(stand_in, seven, out, layout=TITLED)
    assert out.read_text("utf-8") == "older output"


def test_readers_of_the_older_output_are_not_disturbed(stand_in: Any, seven: Path, tmp_path: Path) -> None:
    """The new output replaces the older file; it is not written into it."""
    out = tmp_path / "out.csv"
    out.write_text("older output", "utf-8")
    with out.open(encoding="utf-8") as reader:
        link_file(stand_in, seven, out, layout=TITLED)
        assert reader.read() == "older output"
    assert len(read(out)) == 7


def test_the_source_is_never_the_output(stand_in: Any, seven: Path) -> None:
    """A workbook would lose its other sheets."""
    before = seven.read_bytes()
    with pytest.raises(LinkingError, match=r"is the file to be linked; give the output another name"):
        link_file(stand_in, seven, seven.parent / "." / seven.name, layout=TITLED)
    assert seven.read_bytes() == before


def test_columns_of_the_same_name_are_kept(stand_in: Any, seven: Path, tmp_path: Path) -> None:
    """Linking a linked file again keeps the older columns."""
    once, twice = tmp_path / "once.csv", tmp_path / "twice.csv"
    link_file(stand_in, seven, once, layout=TITLED)
    link_file(StandIn("tiny-2"), once, twice, layout=TITLED)  # type: ignore[arg-type]
    assert {row["link_taxonomy (input)"] for row in read(twice)} == {"tiny-1"}
    assert {row["link_taxonomy"] for row in read(twice)} == {"tiny-2"}


def test_a_folder_that_does_not_exist_yet_is_made(stand_in: Any, seven: Path, tmp_path: Path) -> None:
    """The folder of the output is created."""
    assert link_file(stand_in, seven, tmp_path / "a" / "b" / "out.csv", layout=TITLED) == 7
    assert len(read(tmp_path / "a" / "b" / "out.csv")) == 7


def test_more_rows_than_a_sheet_holds(
    stand_in: Any, seven: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the output, not a part file."""
    monkeypatch.setattr(xlsx_file, "XLSX_MAX_ROWS", 5)
    with pytest.raises(DataFileError, match=r"^out\.xlsx: an XLSX sheet holds 5 rows; write \.csv or \.parquet"):
        link_file(stand_in, seven, tmp_path / "out.xlsx", layout=TITLED)
    assert not (tmp_path / "out.xlsx").exists()


class Constant:
    """Gives every title the same result, without cost."""

    taxonomy = SimpleNamespace(id="tiny-1", manifest=SimpleNamespace(id="tiny-1", source_hash="abc"))
    state = "constant"
    n_titles = 0
    _result = StandIn()._result("cook")

    def link_all(self, titles: Sequence[str], **_: Any) -> list[LinkResult]:
        """Return the same result for every title."""
        self.n_titles += len(titles)
        return [self._result] * len(titles)


@pytest.mark.long
def test_memory_stays_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """10,000 rows with 20 MB of other columns take less than 10 MB."""
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    with source.open("w", encoding="utf-8") as file:
        file.write("title,note\n")
        file.writelines(f"title {number},{str(number) * 600}\n" for number in range(10_000))
    assert source.stat().st_size > 20_000_000
    monkeypatch.setattr(batch, "PART_ROWS", 200)
    stand_in = Constant()
    tracemalloc.start()
    try:
        assert link_file(stand_in, source, out, layout=TITLED) == 10_000  # type: ignore[arg-type]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10_000_000
    assert stand_in.n_titles == 10_000
    with out.open(encoding="utf-8") as file:
        assert sum(1 for _ in file) == 10_001
