"""Only one thread or process writes at a time, and locks end with their holders."""

import errno
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from jobmatch_core.errors import SettingsError
from jobmatch_core.io.folders import claimed, locked

ROOT = Path(__file__).parents[4]
HOLD = """
import sys
from pathlib import Path
from jobmatch_core.io.folders import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_second_waits_for_the_first(tmp_path: Path) -> None:
    """The second holder starts after the first has finished."""
    events: list[str] = []
    at_the_door = threading.Event()

    def second() -> None:
        at_the_door.set()
        with locked(tmp_path):
            events.append("second")

    waiting = threading.Thread(target=second)
    with locked(tmp_path):
        waiting.start()
        at_the_door.wait()
        waiting.join(0.05)
        assert waiting.is_alive()
        events.append("first")
    waiting.join()
    assert events == ["first", "second"]


def test_a_lock_goes_with_an_error(tmp_path: Path) -> None:
    """An error releases the lock; the folder is created, and locks of other folders are independent."""
    with pytest.raises(KeyError), locked(tmp_path / "new"):
        raise KeyError
    with locked(tmp_path / "new"), locked(tmp_path / "other"):
        pass


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    """The system releases the lock."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        holder.kill()
    with locked(tmp_path):
        pass


def test_what_a_killed_process_claimed_is_free(tmp_path: Path) -> None:
    """A claim of a running process is refused; that of a killed one is taken over and removed."""
    hold = HOLD.replace("locked", "claimed")
    holder = subprocess.Popen(
        [sys.executable, "-c", hold, str(tmp_path / "out")], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(SettingsError, match="Another command is writing"), claimed(tmp_path / "out"):
            pass
        holder.kill()
    assert [path.name for path in tmp_path.iterdir()] == [".out.lock"]
    with claimed(tmp_path / "out"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_disk_without_locks_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock file without a lock of the system would survive a crash."""

    def missing(file: int, operation: int) -> None:
        raise OSError(errno.ENOSYS, "no locks here")

    monkeypatch.setattr("fcntl.flock", missing)
    for hold in (locked, claimed):
        with pytest.raises(OSError, match="no locks here"), hold(tmp_path / "out"):
            pass


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """The OSError reaches the caller."""
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"), locked(tmp_path / "file" / "folder"):
        pass


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that takes no files")
def test_a_folder_that_takes_no_files() -> None:
    """It is not taken for one that another command writes to."""
    with pytest.raises(FileNotFoundError, match=r"/proc/out\.csv"), claimed(Path("/proc/out.csv")):
        pass


def test_what_another_command_writes_is_refused(tmp_path: Path) -> None:
    """The refusal is immediate; other paths, and the path after the release, are free; no lock file stays."""
    out = tmp_path / "new" / "out.csv"
    with claimed(out):
        with pytest.raises(SettingsError, match=r"Another command is writing .*out\.csv"), claimed(out):
            pass
        with claimed(out.with_name("other.csv")):
            pass
    with pytest.raises(KeyError), claimed(out):
        raise KeyError
    with claimed(out):
        pass
    assert list(tmp_path.iterdir()) == []
    out.parent.mkdir()
    with claimed(out):
        pass
    assert list(out.parent.iterdir()) == []
