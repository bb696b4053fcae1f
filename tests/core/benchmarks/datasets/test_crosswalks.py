"""Crosswalks: the paper's rule for which entries become queries, and damaged files."""

import json
from pathlib import Path

import pytest

from jobmatch_core.benchmarks.datasets.melo import CrosswalkEntry, read_crosswalk
from jobmatch_core.errors import DataFileError


@pytest.mark.parametrize(
    ("matches", "concept"),
    [
        ([("a", "exactMatch")], "a"),
        ([("a", "exactISCO")], "a"),
        ([("a", "exactMatch"), ("b", "narrowMatch"), ("c", "narrowMatch"), ("d", "broadMatch")], "a"),
        ([("a", "narrowMatch"), ("b", "broadMatch"), ("c", "closeMatch")], "a"),
        ([("a", "exactMatch"), ("b", "exactMatch"), ("c", "narrowMatch")], None),
        ([("a", "exactMatch"), ("b", "exactISCO")], None),
        ([("a", "narrowMatch"), ("b", "narrowMatch")], None),
        ([("a", "broadMatch"), ("b", "closeMatch")], None),
        ([], None),
    ],
    ids=["exact", "exact group", "exact first", "one narrow", "two exact", "group too", "two narrow", "vague", "none"],
)
def test_the_one_concept(matches: list[tuple[str, str]], concept: str | None) -> None:
    """Section 4: one exact match, or no exact and one narrow."""
    assert CrosswalkEntry("cook", tuple(matches)).concept == concept


def write(tmp_path: Path, content: str | bytes, folder: str = "deu_de") -> Path:
    """Write a crosswalk."""
    (tmp_path / folder).mkdir()
    path = tmp_path / folder / "crosswalk.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_crosswalk(tmp_path: Path) -> None:
    """Read from the file or its folder, in the file's order."""
    content = {
        "9": {"title": "Koch", "description": "", "matches": {"a": "exactMatch"}},
        "1": {"title": "Amme", "description": "", "matches": {}},
    }
    path = write(tmp_path, json.dumps(content))
    crosswalk = read_crosswalk(path)
    assert (crosswalk.source, crosswalk.language) == ("deu", "de")
    assert crosswalk.entries == (CrosswalkEntry("Koch", (("a", "exactMatch"),)), CrosswalkEntry("Amme", ()))
    assert read_crosswalk(path.parent) == crosswalk


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{\n"1": {"title"', "crosswalk.json, line 2: this is not JSON"),
        ("[]", "crosswalk.json: expected an object of {id"),
        ("{}", "crosswalk.json: expected an object of {id"),
        ('{"1": {"title": "Koch"}}', "crosswalk.json: the entry '1' must have a title and matches"),
        ('{"1": {"title": " ", "matches": {}}}', "crosswalk.json: the entry '1' must"),
        ('{"1": {"title": "Koch", "matches": ["a"]}}', "crosswalk.json: the entry '1' must"),
        ('{"1": "Köchin"}'.encode("cp1252"), "crosswalk.json: this is not UTF-8 text"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, content: str | bytes, message: str) -> None:
    """What is wrong is said, with the line where there is one."""
    with pytest.raises(DataFileError) as caught:
        read_crosswalk(write(tmp_path, content))
    assert str(caught.value).startswith(message)


def test_the_folder_says_source_and_language(tmp_path: Path) -> None:
    """A missing file is reported as missing."""
    with pytest.raises(DataFileError, match="expected one such as deu_de"):
        read_crosswalk(write(tmp_path, "{}", folder="somewhere"))
    with pytest.raises(DataFileError, match="cannot be read"):
        read_crosswalk(tmp_path / "fra_fr" / "crosswalk.json")
