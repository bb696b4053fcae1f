"""Folders are written completely or not at all, whatever happens."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jobmatch_core.io.folders import (
    atomic_file,
    atomic_folder,
    locked,
    make_folder,
    recover,
    remove_whole,
    write_text_whole,
)

ROOT = Path(__file__).parents[3]

_A_WEEK = 7 * 24 * 60 * 60
_KILLED_WHILE_WRITING = """
import os, signal, sys
from pathlib import Path
from jobmatch_core.io.folders import atomic_file, write_text_whole, atomic_folder
with atomic_folder(Path(sys.argv[1])) as folder:
    (folder / "value").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def _write(folder: Path, value: str) -> None:
    with atomic_folder(folder) as temporary:
        (temporary / "value").write_text(value)


def _fail(folder: Path, error: BaseException) -> None:
    with atomic_folder(folder) as temporary:
        (temporary / "value").write_text("half")
        raise error


def _content(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_new_folder_appears_with_its_content(tmp_path: Path) -> None:
    """The folder has its content, and no temporary neighbour stays."""
    _write(tmp_path / "thing", "new")
    assert _content(tmp_path / "thing") == {"value": "new"}
    assert [path.name for path in tmp_path.iterdir()] == ["thing"]


def test_parents_are_made(tmp_path: Path) -> None:
    """Missing parents are created."""
    _write(tmp_path / "a" / "b" / "thing", "new")
    assert _content(tmp_path / "a" / "b" / "thing") == {"value": "new"}


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_folders_are_this_user_s_alone(tmp_path: Path) -> None:
    """New folders and their new parents are private; existing ones keep their mode."""
    tmp_path.chmod(0o755)
    with atomic_folder(tmp_path / "home" / "models" / "one") as folder:
        make_folder(folder / "inner" / "most")
    with locked(tmp_path / "home" / "lists" / "one"):
        pass
    made = [path for path in tmp_path.rglob("*") if path.is_dir()]
    assert len(made) == 7
    assert {path.stat().st_mode & 0o777 for path in made} == {0o700}
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_a_file_in_place_of_a_folder(tmp_path: Path) -> None:
    """The OSError reaches the caller."""
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "inner"):
        with pytest.raises(OSError, match="file"):
            make_folder(folder)


def test_nothing_is_seen_before_the_block_ends(tmp_path: Path) -> None:
    """Until then there is only a hidden temporary folder on the same disk."""
    with atomic_folder(tmp_path / "thing") as temporary:
        (temporary / "value").write_text("half")
        assert not (tmp_path / "thing").exists()
        assert temporary.parent == tmp_path
        assert temporary.name.startswith(".")


def test_older_folder_is_replaced_whole(tmp_path: Path) -> None:
    """Files of the older folder do not stay among the new ones."""
    folder = tmp_path / "thing"
    folder.mkdir()
    (folder / "relic").write_text("old")
    _write(folder, "new")
    assert _content(folder) == {"value": "new"}
    assert [path.name for path in tmp_path.iterdir()] == ["thing"]


@pytest.mark.parametrize(
    "error",
    [OSError(28, "No space left on device"), ValueError("bad"), KeyboardInterrupt()],
    ids=lambda e: type(e).__name__,
)
@pytest.mark.parametrize("older", [True, False], ids=["replacing", "new"])
def test_failed_block_changes_nothing(tmp_path: Path, error: BaseException, older: bool) -> None:
    """The error is raised unchanged, the older folder stays, and the temporary one is removed."""
    folder = tmp_path / "thing"
    if older:
        _write(folder, "old")
    with pytest.raises(type(error)):
        _fail(folder, error)
    assert [path.name for path in tmp_path.iterdir()] == (["thing"] if older else [])
    assert not older or _content(folder) == {"value": "old"}


def _fail_renaming_to(folder: Path) -> Callable[[Path, Path], Path]:
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if target == folder and not self.name.endswith(".old"):
            raise OSError(5, "Input/output error")
        return rename(self, target)

    return refuse


def test_failed_replacement_keeps_the_older_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the new folder cannot be renamed, the older one stays or is put back."""
    folder = tmp_path / "thing"
    _write(folder, "old")
    monkeypatch.setattr(Path, "rename", _fail_renaming_to(folder))
    with pytest.raises(OSError, match="Input/output"):
        _write(folder, "new")
    assert folder.is_dir(), "the older folder is gone"
    assert _content(folder) == {"value": "old"}


@pytest.mark.parametrize("older", [True, False], ids=["replacing", "new"])
def test_killed_process_leaves_the_older_folder(tmp_path: Path, older: bool) -> None:
    """After a SIGKILL while writing, the older folder or none is there; writing again works."""
    folder = tmp_path / "thing"
    if older:
        _write(folder, "old")
    killed = subprocess.run(
        [sys.executable, "-c", _KILLED_WHILE_WRITING, str(folder)], cwd=ROOT, capture_output=True, check=False
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert folder.exists() == older
    assert not older or _content(folder) == {"value": "old"}
    _write(folder, "new")
    assert _content(folder) == {"value": "new"}


def test_two_writers_one_after_the_other(tmp_path: Path) -> None:
    """Of two simultaneous writers, the last to finish wins completely."""
    folder = tmp_path / "thing"
    with atomic_folder(folder) as outer:
        (outer / "value").write_text("outer")
        _write(folder, "inner")
        assert _content(folder) == {"value": "inner"}
    assert _content(folder) == {"value": "outer"}
    assert [path.name for path in tmp_path.iterdir()] == ["thing"]


def test_older_folder_stays_where_it_must_not_be_replaced(tmp_path: Path) -> None:
    """This includes a folder that appears while the new one is written."""
    folder = tmp_path / "thing"

    def write_late() -> None:
        with atomic_folder(folder, replace=False) as temporary:
            (temporary / "value").write_text("new")
            _write(folder, "old")

    with pytest.raises(OSError, match="thing"):
        write_late()
    assert _content(folder) == {"value": "old"}
    assert [path.name for path in tmp_path.iterdir()] == ["thing"]


def test_stray_file_is_replaced(tmp_path: Path) -> None:
    """A file with the name of the folder is replaced like an older folder."""
    (tmp_path / "thing").write_text("stray")
    _write(tmp_path / "thing", "new")
    _write(tmp_path / "thing", "newer")
    assert _content(tmp_path / "thing") == {"value": "newer"}
    assert [path.name for path in tmp_path.iterdir()] == ["thing"]


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o755), (0o027, 0o750)])
def test_folder_has_usual_permissions(tmp_path: Path, umask: int, mode: int) -> None:
    """Others may read a folder if they may read its parent and other folders of the user."""
    tmp_path.chmod(0o755)
    before = os.umask(umask)
    try:
        _write(tmp_path / "thing", "new")
    finally:
        os.umask(before)
    assert (tmp_path / "thing").stat().st_mode & 0o777 == mode


def _age(path: Path) -> Path:
    path.mkdir()
    (path / "value").write_text("left over")
    os.utime(path, (time.time() - _A_WEEK,) * 2)
    return path


@pytest.mark.parametrize("newer", [True, False], ids=["replaced", "killed between"])
def test_recover_settles_the_older_folder(tmp_path: Path, newer: bool) -> None:
    """An older folder is put back if its name is free, and deleted if a new one exists."""
    _write(tmp_path / ".thing.old", "old")
    if newer:
        _write(tmp_path / "thing", "new")
        _write(tmp_path / ".thing.old", "old")
    recover(tmp_path)
    assert _content(tmp_path / "thing") == {"value": "new" if newer else "old"}
    assert [path.name for path in tmp_path.iterdir()] == ["thing"]


def test_recover_deletes_temporary_folders_of_last_week(tmp_path: Path) -> None:
    """Recent ones may be in use and stay, like files of other programs."""
    _age(tmp_path / ".thing.tmp-0123abcd")
    _age(tmp_path / ".git")
    _age(tmp_path / "thing")
    with atomic_folder(tmp_path / "other") as temporary:
        recover(tmp_path)
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted([".git", temporary.name, "thing"])


def test_recover_where_nothing_is(tmp_path: Path) -> None:
    """A missing folder is not created."""
    recover(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


def test_remove(tmp_path: Path) -> None:
    """The folder is removed completely."""
    _write(tmp_path / "thing", "old")
    remove_whole(tmp_path / "thing")
    assert list(tmp_path.iterdir()) == []


def test_removal_that_fails_leaves_nothing_under_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest is hidden and is not put back."""

    def refuse(path: Path) -> None:
        raise OSError(5, "Input/output error")

    _write(tmp_path / "thing", "old")
    monkeypatch.setattr(shutil, "rmtree", refuse)
    with pytest.raises(OSError, match="Input/output"):
        remove_whole(tmp_path / "thing")
    monkeypatch.undo()
    recover(tmp_path)
    assert not (tmp_path / "thing").exists()


def test_a_file_appears_whole(tmp_path: Path) -> None:
    """It replaces an older one; if the block fails, only the older one stays."""
    path = tmp_path / "figures.json"
    write_text_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text_whole(path, "half \ud800")
    assert (path.read_text("utf-8"), [each.name for each in tmp_path.iterdir()]) == ("old", ["figures.json"])
    with atomic_file(path) as temporary:
        assert (temporary.parent, temporary.suffix) == (tmp_path, ".json")
        temporary.write_text("new 文", "utf-8")
        assert path.read_text("utf-8") == "old"
    assert (path.read_text("utf-8"), [each.name for each in tmp_path.iterdir()]) == ("new 文", ["figures.json"])


class _Disk:
    """Records flushes to the disk and the names that exist at that time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[str] = []
        fsync, rename, replace = os.fsync, Path.rename, Path.replace
        monkeypatch.setattr(os, "fsync", lambda handle: (self._saw("flush", handle), fsync(handle))[1])
        monkeypatch.setattr(Path, "rename", lambda *names: (self._named(*names), rename(*names))[1])
        monkeypatch.setattr(Path, "replace", lambda *names: (self._named(*names), replace(*names))[1])

    def _saw(self, what: str, handle: int) -> None:
        self.seen.append(f"{what} {_plain_name(Path(os.readlink(f'/proc/self/fd/{handle}')))}")

    def _named(self, _: Path, name: Path) -> None:
        self.seen.append(f"name {_plain_name(name)}")


def _plain_name(path: Path) -> str:
    """Return a name without the random part of temporary names."""
    return re.sub(r"tmp-[0-9a-f]{8}", "tmp", path.name)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells which file a handle is of")
def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Content and name are flushed, so that a power failure leaves no empty file."""
    disk = _Disk(monkeypatch)
    write_text_whole(tmp_path / "thing.json", "{}")
    assert disk.seen == ["flush .thing.tmp.json", "name thing.json", f"flush {tmp_path.name}"]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells which file a handle is of")
def test_a_folder_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All files and subfolders are flushed first."""
    _write(tmp_path / "thing", "old")
    disk = _Disk(monkeypatch)
    with atomic_folder(tmp_path / "thing") as temporary:
        (temporary / "inner").mkdir()
        (temporary / "inner" / "value").write_text("new")
    named = disk.seen.index("name thing")
    assert sorted(disk.seen[: named - 1]) == ["flush .thing.tmp", "flush inner", "flush value"]
    assert disk.seen[named - 1] == "name .thing.old"
    assert disk.seen[named + 1 :] == [f"flush {tmp_path.name}"]
