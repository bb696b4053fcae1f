"""Audits in the background: one at a time, with a key of what was stored, an error, or a stop."""

from pathlib import Path
from threading import Event

import pytest

from jobmatch.services.audit_runs import AuditRuns, TitlesAudit
from jobmatch.services.auditing import AuditService, MatchingAudit
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.audit.audit_store import AuditStore
from jobmatch_core.audit.report import AuditReport
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import MarketplaceError, SettingsError
from jobmatch_core.settings import Settings
from tests.core.audit.test_report import REPORT, TITLES

PATIENCE = 30  # seconds


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """An empty home."""
    return Settings(tmp_path)


def test_what_was_stored_is_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its key; the taxonomy and the sample are passed on, and so is a marketplace."""
    asked: list[object] = []

    def titles(service: AuditService, *what: object, progress: Progress = no_progress) -> AuditReport:
        asked.append(what)
        progress(1, 1)
        AuditStore(settings).save(TITLES)
        return TITLES

    def matching(service: AuditService, what: MatchingAudit, *, progress: Progress = no_progress) -> AuditReport:
        asked.append(what)
        AuditStore(settings).save(REPORT)
        return REPORT

    monkeypatch.setattr(AuditService, "titles", titles)
    monkeypatch.setattr(AuditService, "matching", matching)
    runs = AuditRuns(LinkingService(settings))
    keys = []
    for what in (TitlesAudit("isco-08", 7), MatchingAudit("demo")):
        run = runs.start(what, "Ada")
        keys.append(run.result())
        assert not run.running
    assert sorted(keys) == sorted(AuditStore(settings).stored().reports)
    assert asked == [(LinkOptions("isco-08"), 7), MatchingAudit("demo")]


def test_one_runs_at_a_time_until_it_is_stopped(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopped one stores nothing, and the next can start."""
    begun = Event()

    def titles(service: AuditService, *what: object, progress: Progress = no_progress) -> AuditReport:
        while True:
            progress(0, 1)
            begun.set()

    monkeypatch.setattr(AuditService, "titles", titles)
    runs = AuditRuns(LinkingService(settings))
    run = runs.start(TitlesAudit("isco-08"), "Ada")
    assert begun.wait(PATIENCE)
    with pytest.raises(SettingsError, match="started by Ada; wait"):
        runs.start(TitlesAudit("isco-08"), "Bob")
    run.stop()
    assert run.result() == ""
    assert AuditStore(settings).stored().reports == {}
    runs.start(TitlesAudit("isco-08"), "Bob").stop()


def test_errors_are_those_of_the_audit(settings: Settings) -> None:
    """Raised by the result."""
    run = AuditRuns(LinkingService(settings)).start(MatchingAudit("missing"), "Ada")
    with pytest.raises(MarketplaceError, match="missing"):
        run.result()
