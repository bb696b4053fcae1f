"""The audits of a home: all are kept, listed by date, and read again; damaged ones are named."""

from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch_core.audit.audit_store import AuditStore
from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.settings import Settings
from tests.core.audit.test_report import REPORT, TITLES

LATER = replace(REPORT, created="2026-11-29T00:00:00+00:00")


def test_all_audits_are_kept_and_read_again(tmp_path: Path) -> None:
    """The latest first, whatever the order of saving; what is read is what was saved."""
    store = AuditStore(Settings(tmp_path))
    assert store.stored().reports == {}
    keys = [store.save(report) for report in (LATER, REPORT, TITLES)]
    assert len(set(keys)) == 3
    reports = store.stored().reports
    assert next(iter(reports)) == keys[0]
    assert [reports[key] for key in keys] == [LATER, REPORT, TITLES]
    assert keys[0].startswith("20261129000000-")


def test_a_disk_that_refuses(tmp_path: Path) -> None:
    """The message has the folder, the reason and what to do."""
    (tmp_path / "evaluations").write_text("a file where the folder should be")
    with pytest.raises(SettingsError, match=r"could not be stored in .*audits \(.*\). Free some disk space"):
        AuditStore(Settings(tmp_path)).save(REPORT)


def test_the_latest_of_each_model_and_data(tmp_path: Path) -> None:
    """The evidence pack takes only the latest report of a model on the same data."""
    store = AuditStore(Settings(tmp_path))
    for report in (REPORT, LATER, TITLES):
        store.save(report)
    assert [(report.kind, report.created[:10]) for report in store.latest()] == [
        ("matching", "2026-11-29"),
        ("titles", "2026-11-28"),
    ]


def test_a_damaged_report_is_named_and_hides_no_other(tmp_path: Path) -> None:
    """The error says what to do, and no evidence pack is made without the damaged report."""
    store = AuditStore(Settings(tmp_path))
    key = store.save(REPORT)
    (store.folder / "20261101000000-00000000.json").write_text("{", "utf-8")
    stored = store.stored()
    assert [*stored.reports] == [key]
    assert "audit again" in str(stored.damaged[0])
    with pytest.raises(DataFileError, match="audit again"):
        store.latest()


def test_only_a_stored_audit_is_removed(tmp_path: Path) -> None:
    """A key that is a path removes no file outside the store."""
    store = AuditStore(Settings(tmp_path))
    key = store.save(REPORT)
    outside = tmp_path / "outside.json"
    outside.write_text("{}", "utf-8")
    store.remove("../../outside")
    assert outside.exists()
    store.remove(key)
    assert store.stored().reports == {}
