"""Jobs on disk and the work on them: stopped, taken up again, cancelled, shared by servers."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Event

import pytest

from jobmatch.services.link_jobs import ENDED, JobOptions, JobState, JobStatus, LinkJob, LinkJobRunner, LinkJobStore
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import LabelStoreUnavailableError, LinkingError
from jobmatch_core.io.folders import claimed
from jobmatch_core.linking import batch, open_linker
from jobmatch_core.settings import Settings
from tests.core.linking.made_files import TITLED

TITLES = ["nurse", "baker", "Krankenschwester", "xyz", "cook", "driver", "teacher"]
PARTS = [2, 2, 2, 1]  # titles
PATIENCE = 60.0


@pytest.fixture
def settings(own_linker_home: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A home of the test's own; files are linked in parts of two rows."""
    monkeypatch.setattr(batch, "PART_ROWS", 2)
    return Settings(own_linker_home)


@pytest.fixture
def jobs(settings: Settings) -> LinkJobStore:
    """The jobs of the home."""
    return LinkJobStore(settings)


def added(jobs: LinkJobStore, job_options: JobOptions | None = None, who: str = "") -> LinkJob:
    """Store a job."""
    content = "title\n" + "\n".join(TITLES) + "\n"
    return jobs.new(io.BytesIO(content.encode()), "titles.csv", job_options or JobOptions(LinkOptions()), who)


@contextmanager
def running(jobs: LinkJobStore, settings: Settings) -> Iterator[LinkJobRunner]:
    """Work on jobs until the block ends."""
    runner = LinkJobRunner(jobs, LinkingService(settings))
    runner.start()
    try:
        yield runner
    finally:
        runner.stop(PATIENCE)


class Reported:
    """Waits until a status is reported."""

    def __init__(self, jobs: LinkJobStore, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ended, self.some_rows, self.goes_on = Event(), Event(), Event()
        report = jobs.report

        def noting(job_id: str, status: object) -> None:
            report(job_id, status)  # type: ignore[arg-type]
            if status.state in ENDED:  # type: ignore[attr-defined]
                self.ended.set()
            elif status.done:  # type: ignore[attr-defined]
                self.some_rows.set()
                assert self.goes_on.wait(PATIENCE)

        monkeypatch.setattr(jobs, "report", noting)


def expected(settings: Settings, tmp_path: Path) -> bytes:
    """Return the file that `jobmatch link --file` would write."""
    (tmp_path / "in.csv").write_text("title\n" + "\n".join(TITLES) + "\n", "utf-8")
    batch.link_file(open_linker(settings=settings), tmp_path / "in.csv", tmp_path / "out.csv", layout=TITLED)
    return (tmp_path / "out.csv").read_bytes()


def test_a_stopped_job_goes_on_where_it_was(
    jobs: LinkJobStore, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next server links no part again; the result is the same as without the stop."""
    job = added(jobs)
    with monkeypatch.context() as patch:
        first = Reported(jobs, patch)
        with running(jobs, settings) as runner:
            assert first.some_rows.wait(PATIENCE)
            runner._stopping.set()
            first.goes_on.set()
    stopped = jobs.status(job.id)
    assert (stopped.state, stopped.done, stopped.total) == (JobState.RUNNING, 2, len(TITLES))
    parts = sorted((jobs.folder(job.id) / "linked.csv.parts").glob("*.jsonl"))
    written = {part: part.stat().st_mtime_ns for part in parts}
    assert len(written) == 2  # the second one was done when the server stopped
    linked: list[int] = []
    monkeypatch.setattr(batch, "linked_once", counting(linked, batch.linked_once))
    second = Reported(jobs, monkeypatch)
    second.goes_on.set()
    with running(jobs, settings):
        assert second.ended.wait(PATIENCE)
    assert linked == [2, 1]
    assert jobs.status(job.id).state is JobState.DONE
    assert (jobs.folder(job.id) / job.result).read_bytes() == expected(settings, tmp_path)


def counting(linked: list[int], linked_once: object) -> object:
    """Count the linked titles."""

    def noting(link: object, titles: list[str], code_form: object) -> object:
        linked.append(len(titles))
        return linked_once(link, titles, code_form)  # type: ignore[operator]

    return noting


def test_a_job_is_cancelled_while_it_runs(
    jobs: LinkJobStore, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It disappears at once, and soon from the disk."""
    job, reported = added(jobs), Reported(jobs, monkeypatch)
    with running(jobs, settings):
        assert reported.some_rows.wait(PATIENCE)
        jobs.cancel(job.id)
        with pytest.raises(LinkingError, match="There is no such job"):
            jobs.status(job.id)
        reported.goes_on.set()
    assert not jobs.folder(job.id).exists()
    assert not reported.ended.is_set()


def test_a_cancelled_job_whose_server_died_is_removed(jobs: LinkJobStore, settings: Settings) -> None:
    """By the next server."""
    job = added(jobs)
    with claimed(jobs.folder(job.id)):
        jobs.cancel(job.id)
    assert jobs.folder(job.id).exists()
    assert jobs.unfinished() == [job.id]
    with running(jobs, settings) as runner:
        runner.wake()
        while jobs.folder(job.id).exists():
            assert runner._thread.is_alive()
    assert jobs.unfinished() == []


def test_another_servers_job_is_left_alone(jobs: LinkJobStore, settings: Settings) -> None:
    """Two servers share the jobs of a home."""
    job = added(jobs)
    with claimed(jobs.folder(job.id)):
        LinkJobRunner(jobs, LinkingService(settings))._work_on(job.id)
    assert jobs.status(job.id).state is JobState.WAITING


def test_two_servers_link_nothing_twice(
    jobs: LinkJobStore, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of them works on which job."""
    several = [added(jobs) for _ in range(3)]
    linked: list[int] = []
    monkeypatch.setattr(batch, "linked_once", counting(linked, batch.linked_once))
    with running(jobs, settings) as first, running(jobs, settings) as second:
        while jobs.unfinished():
            assert first._thread.is_alive()
            assert second._thread.is_alive()
    assert sorted(linked) == sorted(3 * PARTS)
    assert {jobs.status(job.id).state for job in several} == {JobState.DONE}


def test_a_job_waits_for_the_label_store(
    jobs: LinkJobStore, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that restarts does not end a job."""
    job, labels = added(jobs), settings.home / "jobmatch.db"
    labels.write_bytes(b"no database")
    with pytest.raises(LabelStoreUnavailableError):
        LinkJobRunner(jobs, LinkingService(settings))._work_on(job.id)
    assert jobs.unfinished() == [job.id]
    monkeypatch.setattr("jobmatch.services.link_jobs._POLL_SECONDS", 0.01)
    failed, reported = Event(), Reported(jobs, monkeypatch)
    reported.goes_on.set()
    monkeypatch.setattr("jobmatch.services.link_jobs._log.exception", lambda _: failed.set())
    with running(jobs, settings):
        assert failed.wait(PATIENCE)
        labels.unlink()
        assert reported.ended.wait(PATIENCE)
    assert jobs.status(job.id).state is JobState.DONE
    assert (jobs.folder(job.id) / job.result).read_bytes() == expected(settings, tmp_path)


def test_a_changed_linker_starts_over(
    jobs: LinkJobStore, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts of another linker are not used."""
    job = added(jobs)
    parts = jobs.folder(job.id) / "linked.csv.parts"
    parts.mkdir()
    (parts / "job.json").write_text("{}", "utf-8")
    reported = Reported(jobs, monkeypatch)
    reported.goes_on.set()
    with running(jobs, settings):
        assert reported.ended.wait(PATIENCE)
    assert (jobs.folder(job.id) / job.result).read_bytes() == expected(settings, tmp_path)


def test_a_bug_ends_the_job_and_not_the_server(
    jobs: LinkJobStore, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the log has the error."""
    bad, reported = added(jobs), Reported(jobs, monkeypatch)

    def fail(*_: object, progress: Progress = no_progress, **__: object) -> int:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("jobmatch.services.link_jobs.link_file", fail)
    with running(jobs, settings) as runner:
        assert reported.ended.wait(PATIENCE)
        assert runner._thread.is_alive()
    status = jobs.status(bad.id)
    assert (status.state, status.error) == (JobState.FAILED, "The server failed; its log says why.")


def test_jobs_that_ended_long_ago_are_removed(jobs: LinkJobStore, settings: Settings) -> None:
    """With the next new job; waiting ones stay."""
    old, waiting = added(jobs), added(jobs)
    LinkJobRunner(jobs, LinkingService(settings))._work_on(old.id)
    for job in (old, waiting):
        os.utime(jobs.folder(job.id) / "status.json", (1, 1))
    assert jobs.status(old.id).state is JobState.DONE
    added(jobs)
    assert not jobs.folder(old.id).exists()
    assert jobs.job(waiting.id) == waiting


def test_jobs_that_somebody_else_removes(jobs: LinkJobStore, settings: Settings) -> None:
    """After they were listed: they are skipped."""
    gone, kept = added(jobs), added(jobs)
    listed = jobs.unfinished()
    jobs.cancel(gone.id)
    runner = LinkJobRunner(jobs, LinkingService(settings))
    for job_id in listed:
        runner._work_on(job_id)
    assert [folder.name for folder in settings.jobs.iterdir()] == [kept.id]
    assert jobs.status(kept.id).state == JobState.DONE
    with pytest.raises(LinkingError, match="no such job"):
        jobs.status(gone.id)


def test_an_error_while_the_server_stops(
    jobs: LinkJobStore, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next server continues the job."""
    job, runner = added(jobs), LinkJobRunner(jobs, LinkingService(settings))

    def stopped(*_: object) -> int:
        runner._stopping.set()
        raise RuntimeError("cannot schedule new futures after interpreter shutdown")

    monkeypatch.setattr(runner, "_link", stopped)
    runner._work_on(job.id)
    assert jobs.status(job.id).state == JobState.WAITING


def test_callers_take_turns(jobs: LinkJobStore, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller who waits longest is next; a long job yields after a part, and continues later."""
    order, seconds, report, all_done = list[tuple[str, str]](), [0.0], jobs.report, Event()
    stored = [added(jobs, who=who) for who in ("busy", "busy", "busy", "other")]
    names = dict(zip((job.id for job in stored), ("first", "second", "third", "other's"), strict=True))

    def noting(job_id: str, status: JobStatus) -> None:
        report(job_id, status)
        if status.state is JobState.RUNNING and status.done == 2 and names[job_id] == "first":
            seconds[0] += 61  # its first part took long
        order.append((names[job_id], status.state))
        if len([state for _, state in order if state == JobState.DONE]) == len(stored):
            all_done.set()

    monkeypatch.setattr(jobs, "report", noting)
    runner = LinkJobRunner(jobs, LinkingService(settings), lambda: seconds[0])
    runner.start()
    try:
        assert all_done.wait(PATIENCE)
    finally:
        runner.stop(PATIENCE)
    turns = [name for number, (name, _) in enumerate(order) if not number or order[number - 1][0] != name]
    assert turns == ["first", "other's", "first", "second", "third"]


def test_a_caller_alone_has_no_turns(jobs: LinkJobStore, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a job takes."""
    reported, clock = Reported(jobs, monkeypatch), count(0, 100)
    reported.goes_on.set()
    job = added(jobs)
    runner = LinkJobRunner(jobs, LinkingService(settings), lambda: float(next(clock)))
    runner.start()
    try:
        assert reported.ended.wait(PATIENCE)
    finally:
        runner.stop(PATIENCE)
    assert jobs.status(job.id).state is JobState.DONE
