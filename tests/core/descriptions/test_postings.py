"""Postings out of tables of any kind, and out of O*NET's files.

The postings that come with jobmatch.
"""

import gzip
import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from jobmatch_core.descriptions.postings import (
    Posting,
    example_postings,
    read_onet,
    read_postings,
)
from jobmatch_core.descriptions.segments import segments
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import write_table
from jobmatch_core.text.locales import LANGUAGE_NAMES

ROWS = [
    {"id": "a", "title": "Nurse ", "description": "You care.\nYou write."},
    {"id": "", "title": "Baker", "description": ""},
    {"id": "c", "title": "", "description": ""},
    {"id": "d", "title": "Koch", "description": "Sie kochen."},
]
POSTINGS = [
    Posting("a", "Nurse", "You care.\nYou write."),
    Posting("2", "Baker", ""),
    Posting("d", "Koch", "Sie kochen."),
]


def zipped(path: Path) -> Path:
    """Pack a file."""
    packed = path.with_name(path.name + ".gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    return packed


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet", "jsonl"])
@pytest.mark.parametrize("pack", [lambda path: path, zipped], ids=["plain", "gz"])
def test_any_table(tmp_path: Path, ending: str, pack: Callable[[Path], Path]) -> None:
    """What says nothing is left out; who has no id is numbered."""
    path = tmp_path / f"postings.{ending}"
    write_table(path, ROWS)
    assert list(read_postings(pack(path))) == POSTINGS


def test_null_and_numbers(tmp_path: Path) -> None:
    """They are read as texts."""
    path = tmp_path / "p.jsonl"
    path.write_text('{"title": 7, "description": null}\n{"title": null, "description": "You care."}\n', "utf-8")
    assert list(read_postings(path)) == [Posting("1", "7", ""), Posting("2", "", "You care.")]


def test_postings_are_streamed(tmp_path: Path) -> None:
    """What is broken far behind does not keep the first from being read."""
    path = tmp_path / "p.jsonl"
    path.write_text('{"title": "Nurse", "description": "x"}\n' * 5000 + "broken", "utf-8")
    assert len(list(islice(read_postings(path), 1000))) == 1000
    with pytest.raises(DataFileError, match="line 5001"):
        list(read_postings(path))


def test_what_is_refused(tmp_path: Path) -> None:
    """With the file's name and what it has."""
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps({"name": "Nurse", "description": "x"}), "utf-8")
    with pytest.raises(DataFileError, match="no column 'title'; its columns are name, description"):
        list(read_postings(path))
    (tmp_path / "q.jsonl.gz").write_bytes(b"no gzip")
    with pytest.raises(DataFileError, match=r"q\.jsonl\.gz: this is not a gzip file"):
        list(read_postings(tmp_path / "q.jsonl.gz"))
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress(b"{}" * 100)[:-12])
    with pytest.raises(DataFileError, match=r"r\.jsonl\.gz: .* damaged"):
        list(read_postings(tmp_path / "r.jsonl.gz"))
    with pytest.raises(DataFileError, match="no such file"):
        list(read_postings(tmp_path / "gone.csv"))


@pytest.fixture
def onet(tmp_path: Path) -> Path:
    """O*NET's files in miniature; cooks have no tasks."""
    files = {
        "Task Statements.txt": "O*NET-SOC Code\tTask ID\tTask\n29-1\t1\tCare for patients.\n29-1\t2\tWrite reports.\n",
        "Occupation Data.txt": "O*NET-SOC Code\tTitle\n29-1\tNurses\n35-1\tCooks\n",
        "Alternate Titles.txt": "O*NET-SOC Code\tAlternate Title\n29-1\tHead Nurse\n29-1\tStaff Nurse\n",
        "Sample of Reported Titles.txt": "O*NET-SOC Code\tReported Job Title\n29-1\tWard Nurse\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_onet_titles_with_their_tasks(onet: Path) -> None:
    """The occupation's own title, or all of its titles."""
    assert list(read_onet(onet)) == [
        Posting("29-1/Title/1", "Nurses", "Care for patients.\nWrite reports.", occupation_name="Nurses")
    ]
    every = list(read_onet(onet, alternates=True))
    assert [each.title for each in every] == ["Nurses", "Head Nurse", "Staff Nurse", "Ward Nurse"]
    assert len({each.id for each in every}) == 4
    assert len({each.description for each in every}) == 1
    assert {each.occupation_name for each in every} == {"Nurses"}


def test_onet_files_that_lack_something(onet: Path) -> None:
    """The file is named."""
    (onet / "Task Statements.txt").write_text("Code\tTask\n29-1\tCare.\n", "utf-8")
    with pytest.raises(DataFileError, match=r"Task Statements\.txt: expected the columns 'O\*NET-SOC Code' and 'Task'"):
        list(read_onet(onet))
    (onet / "Task Statements.txt").unlink()
    with pytest.raises(DataFileError, match="no such file"):
        list(read_onet(onet))


def test_twelve_in_six_languages() -> None:
    """Each with its own id, a title, and some sentences."""
    found = example_postings()
    assert len(found) == len({each.posting.id for each in found}) == 12
    languages = {each.language for each in found}
    assert len(languages) == 6
    assert languages <= set(LANGUAGE_NAMES)
    for each in found:
        assert each.posting.title
        assert len(segments(each.posting.description)) >= 10


def test_markup_becomes_text(tmp_path: Path) -> None:
    """In tables to train and measure with."""
    description = "<p>You bake &lt;5 kinds of bread.</p><ul><li>**Rye**</li><li>C#</li></ul>"
    path = tmp_path / "postings.jsonl"
    path.write_text(json.dumps({"title": "<b>Baker</b> &amp; cook", "description": description}), "utf-8")
    [found] = read_postings(path)
    assert (found.title, found.description) == ("Baker & cook", "You bake <5 kinds of bread.\n\n• Rye\n• C#")
