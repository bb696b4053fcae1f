"""Label files: what is written comes back exactly, what is damaged is told with its line, memory does not grow."""

import csv
import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from jobmatch_core.entities import Judgment, Provenance
from jobmatch_core.errors import DataFileError, LabellingError
from jobmatch_core.io.table_cells import neutralise
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.label_files import FILE_FORMATS, json_line, json_lines, read_labels, write_labels
from jobmatch_core.labelling.label_records import COLUMNS, judgment_of, label_record
from jobmatch_core.labelling.labels import in_columns
from tests.core.labelling.made_judgments import HARD_TEXTS, judgment, judgments, pair

ENDINGS = ("jsonl", "csv")


def read(path: Path) -> list[Judgment]:
    """Return all that a file holds."""
    return list(read_labels(path))


def all_hard() -> list[Judgment]:
    """Return a judgment for each hard text, which stands wherever a text may stand."""
    return [
        replace(
            judgment("+"),
            pair=replace(pair(), source=text, left=text, right=text),
            annotator=f"{text}x" if not text.strip() else text,
            provenance=Provenance(text, text, None, -1e-5),
            reasons=(text, "", text),
            note=text,
        )
        for text in HARD_TEXTS
    ]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_without_origins(tmp_path: Path, ending: str) -> None:
    """Those of an earlier release have no such column: the policy tells which were decided on in bulk."""
    path = tmp_path / f"labels.{ending}"
    given_ = [judgment("+", provenance=Provenance(policy)) for policy in ("random", "link-titles-accept-many")]
    write_labels(path, given_)
    if ending == "csv":
        rows = [line.rpartition(",")[0] for line in path.read_text("utf-8").splitlines()]
        path.write_text("\n".join(rows), "utf-8")
    else:
        path.write_text(path.read_text("utf-8").replace(',"origin":"looked-at"', ""), "utf-8")
    assert [each.provenance.origin for each in read(path)] == [Origin.LOOKED_AT, Origin.BULK]


# --- round trips


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(given=[])
@example(given=all_hard())
@given(given=st.lists(judgments(), max_size=4))
def test_what_is_written_comes_back(tmp_path: Path, ending: str, given: list[Judgment]) -> None:
    """Exactly: quotes, newlines, formulas, nothing against an empty text, microseconds; and the same bytes again."""
    path = tmp_path / f"labels.{ending}"
    assert write_labels(path, given) == len(given)
    assert read(path) == given
    before = path.read_bytes()
    write_labels(path, read_labels(path))
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    """Whatever a text holds, no cell of the CSV starts like one, but for numbers."""
    path = tmp_path / "labels.csv"
    write_labels(path, all_hard())
    with path.open(encoding="utf-8-sig", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert cells.count("'=1+1") == 7
    assert [cell for cell in cells if neutralise(cell) != cell and cell != "-1e-05"] == []


def test_jsonl_is_readable(tmp_path: Path) -> None:
    """Letters stay letters, and columns have their types."""
    path = tmp_path / "labels.jsonl"
    write_labels(path, [judgment("-", "Zoë", reasons=("seniority",), seconds=4.5, provenance=Provenance("random"))])
    [line] = path.read_text("utf-8").splitlines()
    record = json.loads(line)
    assert '"annotator":"Zoë"' in line
    assert list(record) == list(COLUMNS)
    assert (record["verdict"], record["reasons"], record["seconds"]) == ("negative", ["seniority"], 4.5)
    assert (record["rank"], record["adjudicates"]) == (None, False)
    assert record["at"] == "2026-03-02T09:00:00.000000+00:00"


def test_a_spreadsheet_has_saved_it(tmp_path: Path) -> None:
    """Semicolons, TRUE in capitals, columns in another order, some of those left out that may be: all the same."""
    path = tmp_path / "labels.csv"
    path.write_text(
        "annotator;id;kind;source;left;right;verdict;at;policy;adjudicates;rank;reasons\r\n"
        "ann;00000000-0000-4000-8000-000000000001;title-title;;'=a;b;unsure;2026-03-02 10:00+01:00;;TRUE;;\r\n"
        "\r\n"
        "ann;00000000-0000-4000-8000-000000000002;title-title;;a;b;;2026-03-02 10:00Z;;FALSE;3;[]\r\n",
        "utf-8",
    )
    first, second = read(path)
    assert (first.pair.left, first.adjudicates, first.reasons, first.provenance.rank) == ("=a", True, (), None)
    assert first.at.isoformat() == "2026-03-02T09:00:00+00:00"
    assert (second.verdict, second.adjudicates, second.provenance.rank, second.note) == (None, False, 3, "")


# --- damage


def written(path: Path, n: int = 3) -> list[str]:
    """Write a file and return its lines."""
    write_labels(path, [judgment("+", note="two\nlines") for _ in range(n)])
    return path.read_bytes().decode("utf-8-sig").splitlines(keepends=True)


def refused(path: Path, content: str | bytes) -> str:
    """Return what is said of a damaged file."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DataFileError) as caught:
        read(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verdict": "maybe"}, "verdict is 'maybe'; expected one of positive, negative, unsure, skip, or nothing"),
        ({"kind": "pair"}, "kind is 'pair'; expected one of project-freelancer, title-occupation, title-title"),
        ({"id": "7"}, "id is '7'; expected a UUID"),
        ({"id": "{00000000-0000-4000-8000-000000000001}"}, "expected a UUID"),
        ({"undoes": "the last"}, "undoes is 'the last'; expected a UUID, or an empty text"),
        ({"at": "2026-03-02T09:00:00"}, "expected a moment with its time zone"),
        ({"at": "yesterday"}, "at is 'yesterday'; expected a moment"),
        ({"at": "0001-01-01T00:00:00+14:00"}, "expected a moment"),
        ({"annotator": " "}, "annotator is ' '; expected a name"),
        ({"rank": 1.5}, "rank is 1.5; expected a whole number, or nothing"),
        ({"rank": True}, "rank is True; expected a whole number"),
        ({"score": "high"}, "score is 'high'; expected a number, or nothing"),
        ({"seconds": 10**400}, "expected a number, or nothing"),
        ({"note": None}, "note is None; expected a text"),
        ({"note": 5}, "note is 5; expected a text"),
        ({"reasons": "seniority"}, "reasons is 'seniority'; expected a list of texts"),
        ({"reasons": [1]}, "expected a list of texts"),
        ({"adjudicates": 1}, "adjudicates is 1; expected true or false"),
        ({"stars": 5}, "label files have no column 'stars', so its content would be lost; remove it, or"),
        ({"note": ["x" * 200]}, "xxx…; expected a text"),
    ],
)
def test_values_that_cannot_be(tmp_path: Path, change: dict[str, object], message: str) -> None:
    """In JSON lines; line 2 has them, after a blank one."""
    record = label_record(judgment("+")) | change
    path = tmp_path / "labels.jsonl"
    told = refused(path, "\n" + json.dumps(record) + "\n")
    assert told.startswith("labels.jsonl, line 2: ")
    assert message in told


@pytest.mark.parametrize("column", [name for name, column in COLUMNS.items() if column.default is ...])
def test_columns_that_must_be_there(tmp_path: Path, column: str) -> None:
    """They are named; the other columns may lack."""
    record = label_record(judgment("+"))
    del record[column]
    assert refused(tmp_path / "a.jsonl", json.dumps(record)) == f"a.jsonl, line 1: the column '{column}' is missing"
    assert refused(tmp_path / "a.csv", ",".join(record)) == f"a.csv, line 1: the column '{column}' is missing"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"id": ', "this line is not a JSON object"),
        ("[1]", r"this line is not a JSON object (it is a list)"),
        ("[" * 100_000, "this line is not a JSON object"),
        ('{"score": NaN}', "NaN is not a number"),
        ('{"score": 1e999}', "is missing"),
    ],
)
def test_lines_that_are_no_json(tmp_path: Path, content: str, message: str) -> None:
    """After a good line."""
    path = tmp_path / "labels.jsonl"
    [good] = written(path, 1)
    told = refused(path, good + content)
    assert told.startswith("labels.jsonl, line 2: ")
    assert message in told


def test_numbers_beyond_all_bounds(tmp_path: Path) -> None:
    """JSON knows 1e999, no float does."""
    line = json.dumps(label_record(judgment("+")) | {"score": 0.5}).replace("0.5", "1e999")
    assert "score is inf; expected a number" in refused(tmp_path / "labels.jsonl", line)


def test_damaged_csv(tmp_path: Path) -> None:
    """The line is where the row begins, for notes have several lines."""
    path = tmp_path / "labels.csv"
    header, *rows = written(path)
    assert len(rows) == 6
    begin = header + "".join(rows[:4])
    assert refused(path, begin + rows[4].replace("positive", "perhaps") + rows[5]) == (
        "labels.csv, line 6: verdict is 'perhaps'; expected one of positive, negative, unsure, skip, or nothing"
    )
    assert refused(path, begin + "a,b\n") == "labels.csv, line 6: 2 fields where the header has 18"
    assert refused(path, begin + rows[4]).startswith("labels.csv, line 6: the CSV is broken here")
    bad_number = rows[4].replace('"[]"', '"[1,"')
    assert refused(path, begin + bad_number + rows[5]).startswith(
        "labels.csv, line 6: reasons is '[1,'; expected a list"
    )
    bad_quote = rows[4].replace('"ann"', '"\'"""')
    assert "line 6: annotator is '\\'\"'; expected a name" in refused(path, begin + bad_quote + rows[5])


def test_damaged_header(tmp_path: Path) -> None:
    """Line 1."""
    path = tmp_path / "labels.csv"
    header, *_ = written(path)
    assert refused(path, "").startswith("labels.csv, line 1: the file is empty")
    assert refused(path, header.replace('"note"', '"id"')).startswith(
        "labels.csv, line 1: the column 'id' occurs twice"
    )
    told = refused(path, header.replace('"note"', '"remark"'))
    assert told.startswith("labels.csv, line 1: label files have no column 'remark'")
    assert "The columns are id, kind, source," in told


@pytest.mark.parametrize("ending", ENDINGS)
def test_not_utf8(tmp_path: Path, ending: str) -> None:
    """Told as such."""
    path = tmp_path / f"labels.{ending}"
    written(path)
    assert "this is not UTF-8 text" in refused(path, path.read_bytes() + b"\xff\xfe")


@pytest.mark.parametrize("verb", ["read", "write"])
def test_other_endings(tmp_path: Path, verb: str) -> None:
    """Tables that would not come back exactly."""
    for name in ("labels.xlsx", "labels.parquet"):
        with pytest.raises(DataFileError, match=r"label files end in .jsonl or .csv"):
            read(tmp_path / name) if verb == "read" else write_labels(tmp_path / name, [])
    assert list(tmp_path.iterdir()) == []


def test_files_that_are_not_there(tmp_path: Path) -> None:
    """Files that do not exist, or cannot be created, are errors."""
    with pytest.raises(DataFileError, match=r"^labels.csv: there is no such file$"):
        read(tmp_path / "labels.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataFileError, match=r"^folder.csv: the file cannot be read"):
        read(tmp_path / "folder.csv")
    with pytest.raises(LabellingError, match=r"^labels.csv could not be written"):
        write_labels(tmp_path / "gone" / "labels.csv", [])


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_older_file_stays_when_writing_fails(tmp_path: Path, ending: str) -> None:
    """A judgment without a time zone, or with a score that is no number, is a bug; half a file would be worse."""
    path = tmp_path / f"labels.{ending}"
    written(path)
    before = path.read_bytes()
    nowhere = judgment("+", at=judgment().at.replace(tzinfo=None))
    for bad in (nowhere, judgment("+", provenance=Provenance("random", score=float("nan")))):
        with pytest.raises(ValueError, match=r"without a time zone|not JSON compliant"):
            write_labels(path, [judgment("-"), bad])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


# --- size


@pytest.mark.first_case
@pytest.mark.parametrize("ending", ENDINGS)
def test_memory_does_not_grow(tmp_path: Path, ending: str) -> None:
    """Some thousand judgments of a kilobyte each take less than 300 kB at a time, both ways."""
    path = tmp_path / f"labels.{ending}"
    one = judgment("+", note="x" * 1000)

    def many() -> Iterator[Judgment]:
        for _ in range(1500):
            yield one

    tracemalloc.start()
    try:
        assert write_labels(path, many()) == 1500
        assert sum(1 for _ in read_labels(path)) == 1500
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 1_500_000
    assert peak < 300_000


# --- records


@given(judgments())
def test_records_come_back(given: Judgment) -> None:
    """Through JSON and without."""
    record = label_record(given)
    assert list(record) == list(COLUMNS)
    assert judgment_of(record) == given


def test_a_file_format_is_one_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written and read by its ending or another one that means the same, and a mistake lists it."""
    jsonl = FILE_FORMATS["jsonl"]
    monkeypatch.setitem(FILE_FORMATS, "lines", replace(jsonl, other_endings=("ln",)))
    one = judgment("+")
    write_labels(tmp_path / "labels.LN", [one])
    assert read(tmp_path / "labels.LN") == [one]
    with pytest.raises(DataFileError, match=r"label files end in \.jsonl or \.csv or \.lines"):
        write_labels(tmp_path / "labels.doc", [])


@settings(max_examples=100, deadline=None)
@given(given=st.lists(judgments().filter(lambda each: each.verdict is not None), min_size=1, max_size=6))
@example(
    given=[
        judgment(note="100 % %s"),
        judgment("-", provenance=Provenance("%", score=-0.0)),
        judgment(provenance=Provenance("%", score=0.0)),
    ]
)
def test_many_lines_at_once(given: list[Judgment]) -> None:
    """As one by one, whatever the texts and numbers, and where all or none of them are the same."""
    assert json_lines(in_columns(given)) == b"".join(json_line(label_record(each)) for each in given)


def test_no_line_without_a_number() -> None:
    """JSON has neither infinity nor anything that is no number, and times are those of UTC."""
    with pytest.raises(ValueError, match="Out of range"):
        json_lines(in_columns([judgment(), judgment(seconds=float("nan"))]))
    with pytest.raises(ValueError, match="without a time zone"):
        in_columns([replace(judgment(), at=judgment().at.replace(tzinfo=None))])
