"""Temporary folders are removed after use, also those of killed processes."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from jobmatch_core.io.temporary import remove_left_over, temporary_folder

_LEFT_BY_A_KILL = """
import os, signal
from jobmatch_core.io.temporary import temporary_folder
with temporary_folder() as folder:
    (folder / "upload.csv").write_text("secret")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system's folder of temporary files."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def aged(path: Path) -> Path:
    """Make a file or a folder two days old."""
    old = time.time() - 2 * 24 * 60 * 60
    os.utime(path, (old, old))
    return path


def test_it_is_gone_afterwards(folder: Path) -> None:
    """The folder is removed, even if the block fails."""

    def fail() -> None:
        with temporary_folder() as made:
            (made / "upload.csv").write_text("secret")
            assert made.parent == folder
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert list(folder.iterdir()) == []


def test_what_a_killed_process_left(folder: Path) -> None:
    """The folder is removed after a day, because until then it may be in use."""
    subprocess.run([sys.executable, "-c", _LEFT_BY_A_KILL], check=False)
    [left] = folder.iterdir()
    remove_left_over()
    assert (left / "upload.csv").is_file()
    aged(left)
    remove_left_over()
    assert list(folder.iterdir()) == []


def test_folders_of_others_stay(folder: Path) -> None:
    """Folders with other names, links, and undeletable ones stay."""
    for name in ("jobmatch-home", "jobmatch-temporary-notes", "jobmatch-temporary-12345678x"):
        (folder / name).mkdir()
        aged(folder / name)
    (folder / "elsewhere").mkdir()
    (folder / "jobmatch-temporary-abcd1234").symlink_to(folder / "elsewhere")
    before = sorted(folder.iterdir())
    remove_left_over()
    assert sorted(folder.iterdir()) == before
