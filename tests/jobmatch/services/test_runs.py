"""Trainings as real processes: one at a time, stopped, killed, and found again by whoever looks."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jobmatch.services.run_status import RunState
from jobmatch.services.runs import Run, TrainingRequest, TrainingRuns
from jobmatch.services.training_job import LinkingJob, TowersJob, read_job
from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings

SCRIPT = Path(__file__).with_name("made_run.py")
ROOT = Path(__file__).parents[3]
_PATIENCE = 60.0


def asked(model: str = "m") -> TrainingRequest:
    """Return a request."""
    return TrainingRequest("towers", model, "retrain", "demo", "", "untrained", "ann")


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TrainingRuns]:
    """Trainings that only report; running ones are stopped at the end."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    runs = TrainingRuns(Settings(tmp_path / "home"), (sys.executable, str(SCRIPT)))
    yield runs
    latest = runs.latest()
    if latest is not None:
        runs.stop(latest)


def until(runs: TrainingRuns, wanted: Callable[[Run], bool]) -> Run:
    """Wait until the latest run fulfils a condition."""
    ends = time.monotonic() + _PATIENCE
    while time.monotonic() < ends:
        run = runs.latest()
        if run is not None and wanted(run):
            return run
        time.sleep(0.02)
    pytest.fail(f"it never was: {runs.latest()}")


def waiting(run: Run) -> bool:
    """Return whether a run waits to be stopped."""
    return run.status.stage == "Waiting"


def start(runs: TrainingRuns, what: str, model: str = "m") -> Run:
    """Start a run."""
    return runs.start(asked(model), LinkingJob("s", taxonomy=what, out=str(runs.model_folder(model))))


def test_a_training_that_ends_well(runs: TrainingRuns) -> None:
    """Its status and log are complete, and another one can start."""
    assert runs.latest() is None
    begun = start(runs, "end")
    assert begun.running
    ended = until(runs, lambda run: not run.running)
    assert (ended.name, ended.status.state, ended.request) == (begun.name, RunState.DONE, asked())
    assert [(each.step, each.loss) for each in ended.status.losses] == [(1, 1.0), (2, 0.5), (3, pytest.approx(1 / 3))]
    assert "Training" in ended.log()
    assert "done" in ended.log()
    assert runs.model_folder("m").is_dir()
    start(runs, "end", "n")
    assert until(runs, lambda run: run.request.model == "n" and not run.running).status.state == RunState.DONE
    assert [run.request.model for run in runs.all()] == ["n", "m"]


def test_one_at_a_time_whoever_looks(runs: TrainingRuns, tmp_path: Path) -> None:
    """A second is refused with a message, also in another session; the first continues without its starter."""
    start(runs, "wait")
    begun = until(runs, waiting)
    other = TrainingRuns(Settings(tmp_path / "home"), (sys.executable, str(SCRIPT)))
    for each in (runs, other):
        with pytest.raises(SettingsError, match="A training runs already, of m since"):
            start(each, "end", "n")
    found = other.latest()
    assert found is not None
    assert (found.name, found.running, found.status.pid) == (begun.name, True, begun.status.pid)
    assert len(other.all()) == 1
    other.stop(found)


def test_stop_keeps_nothing_half(runs: TrainingRuns) -> None:
    """Neither the model nor its unfinished folder exists; the lock is free."""
    start(runs, "wait")
    run = until(runs, waiting)
    assert runs.model_folder("m.unfinished").is_dir()
    runs.stop(run)
    stopped = runs.latest()
    assert stopped is not None
    assert stopped.status.state == RunState.STOPPED
    assert list(runs.model_folder("m").parent.iterdir()) == []
    runs.stop(stopped)  # again: nothing happens
    start(runs, "end")
    assert until(runs, lambda each: not each.running).status.state == RunState.DONE


@pytest.mark.first_case
@pytest.mark.parametrize("what", ["wait", "deaf"])
def test_stop_is_answered_at_once(runs: TrainingRuns, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """The run is stopping, then stopped, also if it ignores the signal; nothing is left."""
    start(runs, what)
    run = until(runs, waiting)
    assert not run.stopping
    with monkeypatch.context() as before_the_end:
        before_the_end.setattr(TrainingRuns, "_end", lambda self, run: None)
        runs.request_stop(run)
        stopping = runs.latest()
        assert stopping is not None
        assert (stopping.running, stopping.stopping) == (True, True)
    runs.request_stop(run)
    stopped = until(runs, lambda each: not each.running)
    assert (stopped.status.state, stopped.stopping) == (RunState.STOPPED, False)
    until(runs, lambda each: not runs.model_folder("m.unfinished").exists())


def test_a_killed_process_holds_no_lock(runs: TrainingRuns) -> None:
    """Its state is died; its unfinished model is removed with the next list, and its log stays."""
    start(runs, "wait")
    run = until(runs, waiting)
    os.kill(run.status.pid, signal.SIGKILL)
    died = until(runs, lambda each: not each.running)
    assert died.status.state == RunState.DIED
    assert not runs.model_folder("m.unfinished").exists()
    assert "Training" in died.log()
    start(runs, "end", "n")
    until(runs, lambda each: each.request.model == "n" and not each.running)
    assert [each.status.state for each in runs.all()] == [RunState.DONE, RunState.DIED]


def test_a_failure_says_why(runs: TrainingRuns) -> None:
    """With the message of the error; the log has the rest."""
    start(runs, "fail")
    failed = until(runs, lambda run: not run.running)
    assert (failed.status.state, failed.status.error) == (RunState.FAILED, "There is no label to learn from.")
    until(runs, lambda run: "Traceback" in run.log())  # which its process writes after its status


def failed_and_gone(runs: TrainingRuns) -> None:
    """Let a training fail, and wait until its process and unfinished model are gone."""
    start(runs, "fail")
    until(runs, lambda run: run.status.state == RunState.FAILED and not runs.model_folder("m.unfinished").exists())


def test_what_failed_leaves_nothing(runs: TrainingRuns) -> None:
    """After the next list; its state stays."""
    failed_and_gone(runs)
    assert list(runs.model_folder("m").parent.iterdir()) == []
    assert [run.status.state for run in runs.all()] == [RunState.FAILED]


def test_what_broke_off_waits_while_another_runs(runs: TrainingRuns) -> None:
    """Nothing is removed during a training; the start of the next one removes it."""
    failed_and_gone(runs)
    start(runs, "wait", "n")
    running = until(runs, waiting)
    left = runs.model_folder("m.unfinished")
    left.mkdir(parents=True)
    assert len(runs.all()) == 2
    assert left.is_dir()
    runs.stop(running)
    start(runs, "end", "o")
    assert not left.exists()
    assert until(runs, lambda run: not run.running).request.model == "o"


def test_what_cannot_be_removed(
    runs: TrainingRuns, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It does not hide trainings; the log has the error."""

    def refuse(folder: Path) -> None:
        raise PermissionError(f"not {folder.name}")

    start(runs, "fail")
    with monkeypatch.context() as broken:
        broken.setattr("jobmatch.services.runs.remove_whole", refuse)
        until(runs, lambda run: "not m.unfinished" in caplog.text)
        assert [run.status.state for run in runs.all()] == [RunState.FAILED]


def test_a_run_keeps_its_job_and_its_recipe(runs: TrainingRuns, tmp_path: Path) -> None:
    """Later changes of the recipe do not affect them."""
    recipe = tmp_path / "mine.toml"
    recipe.write_text("[training]\n", "utf-8")
    run = runs.start(asked(), TowersJob(str(recipe), start="untrained", keep_in_use=True))
    recipe.write_text("[tower]\n", "utf-8")
    job = read_job(run.folder / "job.json")
    assert job == TowersJob(str(run.folder / "mine.toml"), start="untrained", keep_in_use=True)
    assert (run.folder / "mine.toml").read_text("utf-8") == "[training]\n"
    until(runs, lambda each: not each.running)


def test_runs_of_an_older_release_are_listed(runs: TrainingRuns) -> None:
    """They have only a request and a status; one that never ended has died."""
    request = {
        "kind": "towers",
        "model": "m",
        "recipe": "retrain",
        "source": "demo",
        "snapshot": "",
        "start": "",
        "who": "ann",
    }
    status = {
        "state": "running",
        "started": "2026-01-01T00:00:00+00:00",
        "updated": "2026-01-01T00:00:09+00:00",
        "pid": 7,
        "stage": "Training",
        "done": 1,
        "total": 2,
        "seconds_left": None,
        "losses": [{"step": 1, "loss": 0.5}],
        "error": "",
    }
    for name, state in (("20260101-000000-000000", "done"), ("20260102-000000-000000", "running")):
        folder = runs.folder / name
        folder.mkdir(parents=True)
        (folder / "run.json").write_text(json.dumps(request), "utf-8")
        (folder / "status.json").write_text(json.dumps(status | {"state": state}), "utf-8")
        (folder / "log.txt").write_text("Trained", "utf-8")
    found = runs.all()
    assert [each.status.state for each in found] == [RunState.DIED, RunState.DONE]
    assert (found[1].request.recipe, found[1].status.losses[0].loss, found[1].log()) == ("retrain", 0.5, "Trained")


def test_a_damaged_folder_is_passed_over(runs: TrainingRuns) -> None:
    """It does not hide other runs."""
    for name, content in (("20260101-000000-aaaaaa", "{"), ("20260101-000000-bbbbbb", "[]")):
        folder = runs.folder / name
        folder.mkdir(parents=True)
        (folder / "run.json").write_text(content, "utf-8")
    assert runs.all() == []
    assert runs.latest() is None
