"""Snapshots: the same judgments give the same bytes, a changed file is refused, a broken one told.

The snapshots of a home: frozen under the moment's name, listed, found by name or folder.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta, timezone
from errno import ENOSPC
from os import strerror
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobmatch_core.entities import Judgment, Provenance
from jobmatch_core.errors import LabellingError
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.labels import current_judgments, labels_of
from jobmatch_core.labelling.snapshot import (
    JUDGMENTS_FILE,
    MANIFEST_FILE,
    Snapshots,
    freeze,
    load_manifest,
    load_snapshot,
    open_snapshot,
)
from jobmatch_core.settings import Settings
from tests.core.labelling.made_judgments import START, histories, judgment, judgments, pair, said

HISTORY = [
    *said(["+-?+", "+++."]),
    judgment("-", "judge", pair("p1"), minute=20, adjudicates=True),
    judgment("s", "c", pair("p9"), minute=21, note="no idea\n"),
]


def test_what_it_says_of_itself(tmp_path: Path) -> None:
    """p0 and p3 are positive, p1 was settled, of p2 one is unsure, p9 was skipped."""
    manifest = freeze(HISTORY, tmp_path / "first", at=START.astimezone(timezone(timedelta(hours=2))))
    content = (tmp_path / "first" / JUDGMENTS_FILE).read_bytes()
    assert manifest.sha256 == hashlib.sha256(content).hexdigest()
    assert content.count(b"\n") == manifest.judgments == 9
    assert manifest.created == "2026-03-02T09:00:00+00:00"
    assert manifest.verdicts == {"negative": 2, "positive": 5, "skip": 1, "unsure": 1}
    assert manifest.kinds == {"project-freelancer": 9}
    assert manifest.annotators == {"a": 4, "b": 3, "c": 1, "judge": 1}
    assert manifest.policies == {"random": 9}
    assert manifest.resolutions == {
        "adjudicated": 1,
        "unanimous": 2,
        "majority": 0,
        "tie": 1,
        "unsure": 0,
        "skipped": 1,
    }
    assert manifest.classes == {"positive": 2, "negative": 1}
    assert load_manifest(tmp_path / "first") == manifest


def test_loading(tmp_path: Path) -> None:
    """What was frozen, and the labels that it comes to."""
    manifest = freeze(HISTORY, tmp_path / "first", at=START)
    snapshot = load_snapshot(tmp_path / "first")
    assert snapshot.manifest == manifest
    assert set(snapshot.judgments) == set(current_judgments(HISTORY))
    assert {(label.pair.left, label.positive) for label in snapshot.labels} == {
        ("p0", True),
        ("p1", False),
        ("p3", True),
    }
    assert set(snapshot.labels) == set(labels_of(HISTORY).labels)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    given=histories(max_size=20).filter(current_judgments)
    | st.lists(judgments(), min_size=1, max_size=5).filter(current_judgments)
)
def test_the_same_judgments_give_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, given: list[Judgment]
) -> None:
    """With their history or without; and they come back as they were."""
    folder = tmp_path_factory.mktemp("snapshots")
    current = current_judgments(given)
    manifests = [freeze(each, folder / name, at=START) for each, name in ((given, "one"), (current, "two"))]
    assert manifests[0] == manifests[1]
    one, two = (load_snapshot(folder / name) for name in ("one", "two"))
    assert one == two
    assert list(one.judgments) == current


def test_of_two_adjudications_the_last_recorded_counts(tmp_path: Path) -> None:
    """Also where the clock was set back in between."""
    history = [judgment("+", "zoe", minute=9, adjudicates=True), judgment("-", "abe", minute=0, adjudicates=True)]
    freeze(history, tmp_path / "first", at=START)
    [label] = load_snapshot(tmp_path / "first").labels
    assert not label.positive
    assert label.at == history[0].at


def test_a_snapshot_of_an_earlier_release(tmp_path: Path) -> None:
    """Its judgments are ordered by pair and annotator, and count in the order of their moments, as they did then."""
    history = [judgment("-", "abe", minute=9, adjudicates=True), judgment("+", "zoe", minute=0, adjudicates=True)]
    manifest = freeze(history[::-1], tmp_path / "as then", at=START)
    folder = tmp_path / "first"
    freeze(history, folder, at=START)
    written = json.loads((folder / MANIFEST_FILE).read_text())
    (folder / MANIFEST_FILE).write_text(json.dumps(asdict(manifest) | {"format": 1, "sha256": written["sha256"]}))
    snapshot = load_snapshot(folder)
    assert [label.positive for label in snapshot.labels] == [False]
    assert list(snapshot.judgments) == history[::-1]


def test_origins(tmp_path: Path) -> None:
    """Both are counted; where somebody looked at a pair, what was accepted in bulk has no say."""
    bulk = {"provenance": Provenance("many", origin=Origin.BULK)}
    history = [
        *(judgment("+", name, pair("p1"), **bulk) for name in ("abe", "zoe")),
        judgment("-", "ann", pair("p1")),
        judgment("+", "abe", pair("p2"), **bulk),
        judgment("s", "ann", pair("p2")),
    ]
    assert freeze(history, tmp_path / "first", at=START).origins == {"bulk": 3, "looked-at": 2}
    labels = load_snapshot(tmp_path / "first").labels
    assert [(each.pair.left, each.positive, each.looked_at) for each in labels] == [
        ("p1", False, True),
        ("p2", True, True),
    ]


def test_another_note_is_another_snapshot(tmp_path: Path) -> None:
    """The hash is of all that was said."""
    one = freeze([judgment("+", id="00000000-0000-4000-8000-000000000001")], tmp_path / "one", at=START)
    two = freeze([judgment("+", id="00000000-0000-4000-8000-000000000001", note=".")], tmp_path / "two", at=START)
    assert one.sha256 != two.sha256


def test_a_snapshot_is_never_replaced(tmp_path: Path) -> None:
    """A model may have learned from it."""
    manifest = freeze(HISTORY, tmp_path / "first", at=START)
    with pytest.raises(LabellingError, match="first exists already; choose another name"):
        freeze(HISTORY[:2], tmp_path / "first", at=START)
    assert load_snapshot(tmp_path / "first").manifest == manifest
    assert [each.name for each in tmp_path.iterdir()] == ["first"]


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to do about it, and nothing is left."""

    def refuse(path: Path) -> None:
        raise OSError(ENOSPC, strerror(ENOSPC))

    monkeypatch.setattr("jobmatch_core.io.folders.flush", refuse)
    with pytest.raises(LabellingError, match=r"could not be written \(No space left on device\). Free some disk space"):
        freeze(HISTORY, tmp_path / "first", at=START)
    assert not list(tmp_path.iterdir())


def test_nothing_to_freeze(tmp_path: Path) -> None:
    """What was said was taken back."""
    first = judgment("+")
    with pytest.raises(LabellingError, match="judge some pairs first"):
        freeze([first, judgment(None, minute=1, undoes=first.id)], tmp_path / "first", at=START)
    assert list(tmp_path.iterdir()) == []


def change_manifest(**fields: object) -> Callable[[Path], None]:
    """Return what changes a manifest."""

    def change(folder: Path) -> None:
        path = folder / MANIFEST_FILE
        path.write_text(json.dumps(json.loads(path.read_text()) | fields))

    return change


def flip(folder: Path) -> None:
    """Turn a verdict round."""
    path = folder / JUDGMENTS_FILE
    path.write_bytes(path.read_bytes().replace(b"positive", b"negative", 1))


def break_well(folder: Path) -> None:
    """Break the judgments and make the hash fit."""
    path = folder / JUDGMENTS_FILE
    path.write_bytes(path.read_bytes().replace(b"positive", b"perhaps", 1))
    change_manifest(sha256=hashlib.sha256(path.read_bytes()).hexdigest())(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (flip, "was changed after it was frozen"),
        (lambda folder: (folder / JUDGMENTS_FILE).write_bytes(b""), "was changed after it was frozen"),
        (lambda folder: (folder / JUDGMENTS_FILE).unlink(), "is missing or damaged"),
        (lambda folder: (folder / MANIFEST_FILE).unlink(), "is missing or damaged"),
        (lambda folder: (folder / MANIFEST_FILE).write_text("{"), "is missing or damaged"),
        (lambda folder: (folder / MANIFEST_FILE).write_text("[]"), "is missing or damaged"),
        (break_well, "is missing or damaged"),
        (change_manifest(extra=1), "is missing or damaged"),
        (change_manifest(created="once"), "is missing or damaged"),
        (change_manifest(format=0), "frozen by another release"),
        (change_manifest(judgments=8), "contradict its manifest"),
        (change_manifest(classes={"positive": 3, "negative": 0}), "contradict its manifest"),
    ],
)
def test_damage(tmp_path: Path, change: Callable[[Path], None], message: str) -> None:
    """Is refused, with what to do."""
    freeze(HISTORY, tmp_path / "first", at=START)
    change(tmp_path / "first")
    with pytest.raises(LabellingError, match=message) as caught:
        load_snapshot(tmp_path / "first")
    assert "The snapshot first" in str(caught.value) or "the snapshot first" in str(caught.value)
    assert "Freeze a new one." in str(caught.value)


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
