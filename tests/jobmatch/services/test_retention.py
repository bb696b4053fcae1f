"""Retention: what is old goes by the clock, without anybody who uses the server, and leaves no text in any file."""

import os
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from threading import Event
from uuid import uuid4

import pytest

from db.label_store import LabelStore
from jobmatch.services.link_jobs import JobOptions, JobState, JobStatus, LinkJobStore
from jobmatch.services.linking import LinkOptions
from jobmatch.services.retention import Retention
from jobmatch.services.search_log import Ranking, shown_search
from jobmatch_core.errors import LabelStoreUnavailableError
from jobmatch_core.io.user_store import TextStore
from jobmatch_core.linking.list_store import ListStore
from jobmatch_core.linking.review import ListOptions
from jobmatch_core.search_events import SearchKind
from jobmatch_core.settings import Settings
from tests.db.test_erasure import MARKER, traces

DAYS = 91


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """An empty home."""
    return Settings(tmp_path)


def filled(settings: Settings) -> None:
    """Store something of each kind that retention deletes, with the marker, and an ended job."""
    with LabelStore.open(settings.label_store) as store:
        searched(store, datetime.now(UTC))
    ListStore.open(settings).new([{"title": MARKER}], "title", ListOptions("isco-08"))
    for kind in ("postings", "projects"):
        TextStore.open(kind, settings).add({"text": MARKER})
    jobs = LinkJobStore(settings)
    job = jobs.new(BytesIO(f"title\n{MARKER}\n".encode()), "titles.csv", JobOptions(LinkOptions()))
    jobs.report(job.id, JobStatus(JobState.DONE, 1, 1))
    (jobs.folder(job.id) / job.result).write_text(MARKER)
    half_written = settings.lists / ".abc.tmp-12345678"  # as a kill leaves it
    half_written.mkdir()
    (half_written / "rows.jsonl").write_text(MARKER)


def searched(store: LabelStore, at: datetime) -> None:
    """Record a search with the marker."""
    shown = shown_search(SearchKind.PROJECTS, "tiny", MARKER, Ranking("model", ()), session=str(uuid4()), varied=False)
    store.record_search(replace(shown, at=at), "me")


def age(settings: Settings, days: int = DAYS) -> None:
    """Make all files older by some days, and add a search of that age."""
    then = time.time() - days * 24 * 60 * 60
    for path in settings.home.rglob("*"):
        os.utime(path, (then, then))
    with LabelStore.open(settings.label_store) as store:
        store.erase_searches()
        searched(store, datetime.now(UTC) - timedelta(days=days))


def hours(*events: Callable[[], None]) -> Callable[[float], bool]:
    """Return a clock with an event per hour, which then stops."""
    left = iter(events)

    def wait(seconds: float) -> bool:
        assert seconds == 3600
        event = next(left, None)
        if event is not None:
            event()
        return event is None

    return wait


def test_all_that_is_old_goes_within_the_hour(settings: Settings) -> None:
    """Newer data stays; no byte of the marker is left in the home."""
    filled(settings)
    before = traces(settings.home)
    Retention(settings, hours()).run()
    assert traces(settings.home) == before
    assert len(before) >= 6
    Retention(settings, hours(lambda: age(settings))).run()
    assert traces(settings.home) == {}
    with LabelStore.open(settings.label_store) as store:
        assert store.search_log_size().searches == 0


def test_at_the_start(settings: Settings) -> None:
    """Before the first hour is over."""
    filled(settings)
    age(settings)
    Retention(settings, hours()).run()
    assert traces(settings.home) == {}


def test_nothing_goes_where_everything_is_to_stay(settings: Settings) -> None:
    """`JOBMATCH_KEEP_DAYS` is 0; only leftovers of a kill are removed."""
    filled(settings)
    age(settings, days=1000)
    before = traces(settings.home)
    Retention(replace(settings, keep_days=0), hours()).run()
    after = traces(settings.home)
    assert set(after) == set(before)
    with LabelStore.open(settings.label_store) as store:
        assert store.search_log_size().searches == 1


def test_what_somebody_deletes(settings: Settings) -> None:
    """Deleted searches, lists, texts and jobs leave no byte, without retention."""
    filled(settings)
    shutil.rmtree(settings.lists / ".abc.tmp-12345678")
    with LabelStore.open(settings.label_store) as store:
        store.erase_searches(searcher="me")
    lists, jobs = ListStore.open(settings), LinkJobStore(settings)
    [listed] = lists.listed()
    lists.remove(listed.id)
    for kind in ("postings", "projects"):
        [path] = (settings.texts / kind).iterdir()
        TextStore.open(kind, settings).remove(path.stem)
    [job] = settings.jobs.iterdir()
    jobs.cancel(job.name)
    assert traces(settings.home) == {}


def test_an_empty_home_stays_empty(settings: Settings) -> None:
    """Nothing is created."""
    Retention(settings, hours()).run()
    assert list(settings.home.iterdir()) == []


def test_the_next_hour_tries_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If the database is unreachable; files are deleted anyway."""
    filled(settings)
    age(settings)

    def fails(*_: object) -> None:
        raise LabelStoreUnavailableError("The label store cannot be reached.")

    def returns() -> None:
        assert set(traces(settings.home)) <= {"jobmatch.db", "jobmatch.db-wal"}
        monkeypatch.undo()

    monkeypatch.setattr(LabelStore, "erase_searches", fails)
    Retention(settings, hours(returns)).run()
    assert "cannot be reached" in caplog.text
    assert traces(settings.home) == {}


def test_a_thread_of_its_own(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """It starts at once, and ends when it is stopped."""
    worked = Event()
    monkeypatch.setattr(ListStore, "remove_old", lambda _store: worked.set())
    retention = Retention(settings)
    retention.start()
    assert worked.wait(60)
    retention.stop(60)
    assert not retention._thread.is_alive()
