"""The snapshots of a home: frozen under the moment's name, listed, found by name or folder."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.snapshot_store import Snapshots, open_snapshot
from jobmatch_core.settings import Settings
from tests.core.labelling.made_judgments import judgment, pair

AT = datetime(2026, 11, 21, 9, 30, 5, tzinfo=UTC)


def test_frozen_listed_and_found(tmp_path: Path) -> None:
    """The latest first; by its name, or by its folder wherever it lies."""
    settings = Settings(tmp_path / "home")
    snapshots = Snapshots(settings)
    assert snapshots.all() == []
    first = snapshots.freeze([judgment("+")], AT)
    second = snapshots.freeze([judgment("+"), judgment("-", of=pair("p2"))], AT + timedelta(days=1))
    assert [each.name for each in snapshots.all()] == ["2026-11-22-093005", "2026-11-21-093005"]
    assert first.manifest is not None
    assert open_snapshot(first.name, settings).snapshot.manifest == first.manifest
    moved = tmp_path / "elsewhere"
    snapshots.folder(second.name).rename(moved)
    found = open_snapshot(moved, settings)
    assert (found.name, len(found.snapshot.judgments)) == ("elsewhere", 2)


def test_nothing_and_damaged_ones(tmp_path: Path) -> None:
    """Without judgments nothing is frozen; one that was damaged is listed with its fault."""
    snapshots = Snapshots(Settings(tmp_path))
    with pytest.raises(LabellingError, match="judge some pairs first"):
        snapshots.freeze([], AT)
    name = snapshots.freeze([judgment("+")], AT).name
    (snapshots.folder(name) / "manifest.json").write_text("{", "utf-8")
    [damaged] = snapshots.all()
    assert damaged.manifest is None
    assert "missing or damaged" in damaged.fault
    with pytest.raises(LabellingError, match="missing or damaged"):
        open_snapshot("2020", Settings(tmp_path))
