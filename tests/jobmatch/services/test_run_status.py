"""The status file: what a run says while it goes, that the curve stays short, and how the block ended."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from jobmatch.services.run_status import STATUS_FILE, RunState, RunStatus, StatusWriter, reported
from jobmatch_core.errors import LabellingError


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """Restore the signal handler."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def read(folder: Path) -> RunStatus:
    """Return the written status, which must exist."""
    status = RunStatus.read(folder)
    assert status is not None
    return status


def test_as_it_goes(tmp_path: Path) -> None:
    """Stages are logged, progress belongs to a stage, and the end has a state."""
    notes: list[str] = []
    with reported(tmp_path, notes.append) as writer:
        writer.stage("Reading")
        writer.progress(1, 2)
        writer.stage("Training")
        assert (read(tmp_path).stage, read(tmp_path).done, read(tmp_path).total) == ("Training", 0, 0)
        writer.losses(1, 0.5)
        writer.progress(3, 4)
    status = read(tmp_path)
    assert (status.state, status.stage, status.done, status.total) == (RunState.DONE, "Training", 3, 4)
    assert [(each.step, each.loss) for each in status.losses] == [(1, 0.5)]
    assert [note.split(" ", 1)[1] for note in notes] == ["Reading", "Training", "done"]


@pytest.mark.parametrize(
    ("error", "state", "told"),
    [
        (LabellingError("Judge some."), RunState.FAILED, "Judge some."),
        (KeyboardInterrupt(), RunState.STOPPED, ""),
        (ZeroDivisionError("x"), RunState.FAILED, "ZeroDivisionError: x; the log says more"),
    ],
)
def test_how_it_ended(tmp_path: Path, error: BaseException, state: RunState, told: str) -> None:
    """Errors of the block are raised again."""
    with pytest.raises(type(error)), reported(tmp_path, lambda line: None):
        raise error
    assert (read(tmp_path).state, read(tmp_path).error) == (state, told)


def test_the_signal_to_terminate_stops(tmp_path: Path) -> None:
    """As Ctrl+C does."""
    with pytest.raises(KeyboardInterrupt), reported(tmp_path, lambda line: None):
        signal.raise_signal(signal.SIGTERM)
    assert read(tmp_path).state == RunState.STOPPED


@pytest.mark.parametrize("steps", [1, 199, 200, 1000, 12_345])
def test_the_curve_stays_short_and_true(tmp_path: Path, steps: int) -> None:
    """At most two hundred points in order; an evenly falling loss gives a line."""
    writer = StatusWriter(tmp_path, lambda line: None)
    for step in range(1, steps + 1):
        writer.losses(step, float(step))
    writer.end(RunState.DONE)
    points = read(tmp_path).losses
    assert 0 < len(points) <= 200
    assert [each.step for each in points] == sorted({each.step for each in points})
    width = points[0].step
    assert all(each.loss == pytest.approx(each.step - (width - 1) / 2) for each in points)
    assert steps - points[-1].step < width


def test_the_time_left_waits_for_some_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading and a slow first step are not counted: 30 steps of 2 s are left after 11 of 41."""
    now = 0.0
    monkeypatch.setattr("jobmatch.services.run_status.time.monotonic", lambda: now)
    writer = StatusWriter(tmp_path, lambda line: None)
    writer.stage("Training")
    told = []
    for step in range(1, 12):
        now = 60.0 + 2 * step
        writer.progress(step, 41)
        told.append(read(tmp_path).seconds_left)
    assert told == [*[None] * 10, pytest.approx(60.0)]
    writer.stage("Comparing")
    assert read(tmp_path).seconds_left is None


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"state": 1}', '{"state": "running", "new": 2}'])
def test_what_cannot_be_read_is_nothing(tmp_path: Path, content: str) -> None:
    """None instead of an error."""
    (tmp_path / STATUS_FILE).write_text(content, "utf-8")
    assert RunStatus.read(tmp_path) is None
    assert RunStatus.read(tmp_path / "gone") is None


def test_the_file_is_always_whole(tmp_path: Path) -> None:
    """It replaces the older one atomically."""
    writer = StatusWriter(tmp_path, lambda line: None)
    for number in range(20):
        writer.stage(f"stage {number}")
        assert json.loads((tmp_path / STATUS_FILE).read_text("utf-8"))["stage"] == f"stage {number}"
    assert [path.name for path in tmp_path.iterdir()] == [STATUS_FILE]
