"""Linked files as other programs read them: null for unlinked titles, codes as texts, alternatives as lists.

Each format is read by its own library, not by the code that wrote it.

"""

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobmatch_core.entities import LinkResult
from jobmatch_core.io.tables import write_table
from jobmatch_core.linking.batch import link_file
from jobmatch_core.linking.link_job import LINK_SCHEMA
from jobmatch_core.linking.review import ListOptions, Review
from tests.core.linking.made_files import TITLED, Row, StandIn, read, write

ROOT = Path(__file__).parents[3]
TITLES = ["soldier", "?maybe", ""]
OTHER = {"uri": "uri:other", "name": "Other", "isco": "0310", "probability": 0.1}
MAYBE = {"uri": "uri:?maybe", "name": "?MAYBE", "isco": "0110", "probability": 0.25}
ALTERNATIVES = [[OTHER], [MAYBE, OTHER], []]
NULL_COLUMNS = ["link_uri", "link_occupation", "link_isco", "link_level", "link_probability", "link_group"]


class Army(StandIn):
    """Links to the codes of armed forces, which begin with a zero."""

    def _result(self, title: str) -> LinkResult:
        result = super()._result(title)
        codes = ("0110", "0310")
        candidates = [replace(candidate, isco=code) for candidate, code in zip(result.candidates, codes, strict=False)]
        return replace(result, candidates=tuple(candidates))


def linked(out: Path, titles: list[str] = TITLES) -> Path:
    """Link titles beside the user's own codes into a file."""
    source = write(out.with_name("source.csv"), [{"own": "0110", "title": title} for title in titles])
    link_file(Army(), source, out, layout=TITLED)  # type: ignore[arg-type]
    return out


def reviewed(out: Path) -> Path:
    """Link the same titles as a list, and write its download."""
    review = Review([{"own": "0110", "title": title} for title in TITLES], "title", ListOptions("tiny-1"))
    review.results.extend(Army().link_all(TITLES))
    write_table(out, review.to_rows(), LINK_SCHEMA)
    return out


BOTH = pytest.mark.parametrize("written", [linked, reviewed], ids=["file", "list"])


def check(rows: list[Row]) -> None:
    """Check the cells, None where nothing is linked."""
    assert [row["own"] for row in rows] == ["0110"] * 3
    assert [rows[0][name] for name in NULL_COLUMNS] == ["uri:soldier", "SOLDIER", "0110", "occupation", 0.8765, None]
    assert [rows[place][name] for place in (1, 2) for name in NULL_COLUMNS] == [None] * 12
    assert [row["link_suggested_isco"] for row in rows] == [None, "51", None]
    assert [row["link_alternatives"] for row in rows] == ALTERNATIVES


@BOTH
def test_parquet(written: Any, tmp_path: Path) -> None:
    """Texts, doubles, lists of structs, and nulls."""
    table = pq.read_table(written(tmp_path / "out.parquet"))
    check(table.to_pylist())
    assert table.schema.field("own").type == pa.string()
    assert [table.schema.field(field.name) for field in LINK_SCHEMA] == list(LINK_SCHEMA)
    lists = {LINK_SCHEMA.field(name).type for name in ("link_alternatives", "link_jobs")}
    assert set(LINK_SCHEMA.types) - {pa.string()} == {pa.float64(), *lists}


@pytest.mark.parametrize("titles", [["soldier"], ["?maybe"], [""]], ids=["all linked", "none", "empty"])
def test_types_of_parquet_do_not_depend_on_the_values(tmp_path: Path, titles: list[str]) -> None:
    """Files have equal schemas, even if nothing is linked."""
    schema = pq.read_schema(linked(tmp_path / "out.parquet", titles))
    assert list(schema) == [pa.field("own", pa.string()), pa.field("title", pa.string()), *LINK_SCHEMA]


@BOTH
def test_json_lines(written: Any, tmp_path: Path) -> None:
    """Nulls and lists of objects."""
    check([json.loads(line) for line in written(tmp_path / "out.jsonl").read_text("utf-8").splitlines()])


@BOTH
def test_csv(written: Any, tmp_path: Path) -> None:
    """Empty cells and JSON; read as in docs/recruiter.md, codes keep their zeros and empty cells are missing."""
    out = written(tmp_path / "out.csv")
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows: list[Row] = [{name: cell or None for name, cell in row.items()} for row in csv.DictReader(file)]
    for row in rows:
        row["link_alternatives"] = json.loads(row["link_alternatives"])
        row["link_probability"] = row["link_probability"] and float(row["link_probability"])
    check(rows)
    frame = pd.read_csv(out, dtype={"link_isco": str, "own": str}, converters={"link_alternatives": json.loads})
    assert frame["link_isco"].isna().tolist() == frame["link_probability"].isna().tolist() == [False, True, True]
    assert (frame["link_isco"][0], frame["own"][0], frame["link_probability"].mean()) == ("0110", "0110", 0.8765)
    assert frame["link_alternatives"].tolist() == ALTERNATIVES


@BOTH
def test_xlsx(written: Any, tmp_path: Path) -> None:
    """Empty cells, codes as texts, JSON, a frozen header, and a filter on every column."""
    sheet = openpyxl.load_workbook(written(tmp_path / "out.xlsx")).active
    header, *lines = sheet.iter_rows(values_only=True)
    rows: list[Row] = [dict(zip(header, line, strict=True)) for line in lines]
    for row in rows:
        row["link_alternatives"] = json.loads(row["link_alternatives"])
    check(rows)
    code = sheet.cell(2, header.index("link_isco") + 1)
    assert (code.value, code.data_type) == ("0110", "s")
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A2", sheet.dimensions)


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet", "jsonl"])
def test_a_linked_file_can_be_linked_again(tmp_path: Path, ending: str) -> None:
    """Earlier alternatives are kept, as text or list."""
    first = linked(tmp_path / f"first.{ending}")
    second = tmp_path / f"second.{ending}"
    link_file(Army("tiny-2"), first, second, layout=TITLED)  # type: ignore[arg-type]
    before, after = read(first), read(second)
    assert [row["link_alternatives (input)"] for row in after] == [row["link_alternatives"] for row in before]
    assert [row["link_alternatives"] for row in after] == [row["link_alternatives"] for row in before]


def test_nan_titles_of_parquet_are_empty(tmp_path: Path) -> None:
    """NaN is how pandas writes missing titles."""
    pq.write_table(pa.table({"title": pa.array([float("nan"), None], pa.float64())}), tmp_path / "in.parquet")
    army = Army()
    link_file(army, tmp_path / "in.parquet", tmp_path / "out.jsonl", layout=TITLED)  # type: ignore[arg-type]
    assert army.calls == [[""]]


def test_every_column_is_documented() -> None:
    """In the table of docs/cli.md."""
    table = [line for line in (ROOT / "docs" / "cli.md").read_text("utf-8").splitlines() if line.startswith("| `link_")]
    documented = [name for line in table for name in line.split("|")[1].replace("`", "").replace(" ", "").split(",")]
    assert set(documented) == {*LINK_SCHEMA.names, "link_status"}
    assert len(documented) == len(set(documented))
