"""Stored vectors are returned unchanged, for any text."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from jobmatch_core.errors import SettingsError
from jobmatch_core.io.vector_file import VectorFile, text_key

HALF_A_WRITE = """
import os, signal, sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("PRAGMA cache_size = 1")
connection.execute("UPDATE embeddings SET vector = zeroblob(8)")
connection.executemany("INSERT INTO embeddings VALUES (?, zeroblob(500))", [(os.urandom(32),) for _ in range(999)])
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_rows_come_back(tmp_path: Path) -> None:
    """Stored rows are returned, including empty ones; of two writes the first stays."""
    file = VectorFile(tmp_path / "new", "encoder")
    file.write({b"a": b"1", b"b": b""})
    file.write({b"a": b"2"})
    assert file.read([b"a", b"b", b"c"]) == {b"a": b"1", b"b": b""}


def test_texts_that_cannot_be_written_down() -> None:
    """Lone surrogates and NUL have distinct keys."""
    texts = ["", "\ud800", "\udfff\0", "\0", "a"]
    assert len({text_key(text) for text in texts}) == len(texts)


@pytest.mark.first_case
@pytest.mark.parametrize("name", ["a/b", "a-b", "a/b ", "A/B", "職", "x" * 300, ""])
def test_encoders_do_not_mix(tmp_path: Path, name: str) -> None:
    """Similar and odd names of encoders have distinct files."""
    for number, other in enumerate(("a:b", "名", "x" * 299)):
        VectorFile(tmp_path, other).write({b"a": str(number).encode()})
    file = VectorFile(tmp_path, name)
    assert file.read([b"a"]) == {}
    file.write({b"a": b"own"})
    assert file.read([b"a"]) == {b"a": b"own"}
    assert file.path.parent == tmp_path


def test_a_process_killed_in_mid_write(tmp_path: Path) -> None:
    """The incomplete write is undone, and older rows stay."""
    file = VectorFile(tmp_path, "encoder")
    file.write({b"a": b"1"})
    done = subprocess.run([sys.executable, "-c", HALF_A_WRITE, str(file.path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert file.read([b"a"]) == {b"a": b"1"}
    with closing(sqlite3.connect(file.path)) as connection:
        assert connection.execute("SELECT count(*) FROM embeddings").fetchone() == (1,)


@pytest.mark.parametrize("action", ["read", "write"])
@pytest.mark.parametrize("length", [0, 1, 100, 4096, 8192, None])
def test_a_damaged_file_is_begun_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, length: int | None, action: str
) -> None:
    """An emptied, truncated or overwritten file is replaced, with a warning unless it was empty."""
    file = VectorFile(tmp_path, "encoder")
    file.write({bytes([number]): bytes(1000) for number in range(100)})
    content = file.path.read_bytes()
    file.path.write_bytes(b"this is no database" * 100 if length is None else content[:length])
    if action == "read":
        assert file.read([b"\0"]) == {}
    file.write({b"a": b"1"})
    assert file.read([b"a", b"\0"]) == {b"a": b"1"}
    assert ("is damaged" in caplog.text) == (length not in (0, 1))
    assert [path.name for path in tmp_path.iterdir()] == [file.path.name]


def test_a_file_that_cannot_be_used(tmp_path: Path) -> None:
    """The folder cannot be created."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(SettingsError, match="JOBMATCH_HOME"):
        VectorFile(tmp_path / "taken", "encoder").write({b"a": b"1"})
