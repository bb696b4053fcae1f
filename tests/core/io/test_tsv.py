"""Tab-separated files: accepted content, and messages for the rest."""

from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tsv import find_folders, read_qrels, read_texts, read_tsv, write_tsv


def write(tmp_path: Path, content: str | bytes) -> Path:
    """Write a file."""
    path = tmp_path / "rows.tsv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    "content",
    ["a\tKöchin\nb\t料理人\n", "a\tKöchin\r\nb\t料理人\r\n", "\ufeffa\tKöchin\nb\t料理人"],
    ids=["Unix", "Windows", "mark"],
)
def test_rows(tmp_path: Path, content: str) -> None:
    """All types of line ends are accepted."""
    assert read_tsv(write(tmp_path, content), ("id", "text")) == [["a", "Köchin"], ["b", "料理人"]]


def test_only_line_feeds_end_a_line(tmp_path: Path) -> None:
    """Other line separators of Unicode, and quotes, are part of the text."""
    assert read_tsv(write(tmp_path, 'a\tone\u2028"two\x0b\n'), ("id", "text")) == [["a", 'one\u2028"two\x0b']]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a\tx\nb\n", "rows.tsv, line 2: expected id, text, separated by tabs"),
        ("a\tx\ty\n", "rows.tsv, line 1: expected id, text"),
        ("a\tx\n\nb\ty\n", "rows.tsv, line 2: expected id, text"),
        ("a\t \n", "rows.tsv, line 1: expected id, text, separated by tabs and not empty"),
        ("", "rows.tsv, line 1: expected id, text"),
        ("a\tx\na\ty\n", "rows.tsv, line 2: the id a occurs twice (first on line 1)"),
        ("a\tx\nb\tKöchin\n".encode("cp1252"), "rows.tsv, line 2: this is not UTF-8 text"),
    ],
    ids=["too few", "too many", "blank line", "empty field", "empty file", "double id", "cp1252"],
)
def test_what_is_refused(tmp_path: Path, content: str | bytes, message: str) -> None:
    """The error names the line."""
    with pytest.raises(DataFileError) as caught:
        read_texts(write(tmp_path, content), ("id", "text"))
    assert str(caught.value).startswith(message)


def test_a_missing_file(tmp_path: Path) -> None:
    """The error names the file."""
    with pytest.raises(DataFileError, match=r"none\.tsv: the file cannot be read \(No such file"):
        read_tsv(tmp_path / "none.tsv", ("id",))


def test_judgments(tmp_path: Path) -> None:
    """A relevance above 0 is relevant."""
    path = write(tmp_path, "q1\t0\td2\t1\nq1\t0\td1\t0\nq2\t0\td1\t2\nq2\t0\td3\t-1\n")
    relevant = read_qrels(path, ["q1", "q2", "q3"], ["d1", "d2", "d3"])
    assert relevant.toarray().tolist() == [[False, True, False], [True, False, False], [False] * 3]
    assert relevant.nnz == 2


def test_judgments_of_nothing_relevant(tmp_path: Path) -> None:
    """The result is an empty matrix, not an error."""
    relevant = read_qrels(write(tmp_path, "q1\t0\td1\t0\n"), ["q1"], ["d1"])
    assert (relevant.shape, relevant.nnz) == ((1, 1), 0)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q9\t0\td1\t1", "there is no query or element q9"),
        ("q1\t0\td9\t1", "there is no query or element d9"),
        ("q1\t0\td1\tyes", "q1, d1 has the relevance 'yes'; expected 0 or 1"),
        ("q2\t0\td1\t1", "q2, d1 is judged twice"),
    ],
)
def test_judgments_that_are_refused(tmp_path: Path, line: str, message: str) -> None:
    """The error names the second line."""
    with pytest.raises(DataFileError) as caught:
        read_qrels(write(tmp_path, f"q2\t0\td1\t1\n{line}\n"), ["q1", "q2"], ["d1"])
    assert str(caught.value).startswith(f"rows.tsv, line 2: {message}")


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    """Tabs and line breaks become spaces."""
    write_tsv(tmp_path / "new.tsv", [("a", "one\ttwo"), ("b", "three\r\nfour")])
    assert read_tsv(tmp_path / "new.tsv", ("id", "text")) == [["a", "one two"], ["b", "three  four"]]


def test_folders_are_found(tmp_path: Path) -> None:
    """The folder with the files, or its complete subfolders by name."""
    for name in ("two", "one", "half"):
        (tmp_path / name).mkdir()
        for file in ("a", "b")[: 1 if name == "half" else 2]:
            (tmp_path / name / file).touch()
    assert find_folders(tmp_path, ("a", "b")) == [tmp_path / "one", tmp_path / "two"]
    assert find_folders(tmp_path / "one", ("a", "b")) == [tmp_path / "one"]
    for path in (tmp_path / "half", tmp_path / "nowhere"):
        with pytest.raises(DataFileError, match="neither this folder nor a subfolder holds a, b"):
            find_folders(path, ("a", "b"))
