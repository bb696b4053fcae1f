"""Snapshots: judgments frozen for reproducible training, one folder each in `JOBMATCH_HOME/snapshots`."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from jobmatch_core.entities import Judgment, Pair
from jobmatch_core.errors import LabellingError
from jobmatch_core.io.folders import atomic_folder
from jobmatch_core.io.records import OtherFormatError, read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.judgment_tallies import NO_VOTES, AlikePairs, CurrentJudgments, JudgmentColumns, Votes
from jobmatch_core.labelling.label_files import json_lines, parsed_line
from jobmatch_core.labelling.label_records import judgment_of
from jobmatch_core.labelling.labels import (
    Label,
    Resolution,
    current_judgments,
    in_columns,
    label_of,
    labels_by_looking,
    resolved,
    with_vote,
)
from jobmatch_core.settings import Settings

FORMAT = 3  # incremented when files or rules change
_BY_PAIR = 1  # this format sorts judgments by pair; their times give the order of recording
_WITHOUT_ORIGINS = 2  # the last format without origins of judgments
JUDGMENTS_FILE = "judgments.jsonl"
MANIFEST_FILE = "manifest.json"
_BLOCK = 10_000  # judgments per write


@dataclass(frozen=True, slots=True)
class SnapshotManifest:
    """Manifest of a snapshot."""

    sha256: str  # digest of `judgments.jsonl`
    created: str  # UTC time of freezing, ISO 8601
    judgments: int  # number of current judgments
    # verdicts, kinds, annotators, policies: number of judgments of each
    verdicts: dict[str, int]
    kinds: dict[str, int]
    annotators: dict[str, int]
    policies: dict[str, int]
    resolutions: dict[str, int]  # number of pairs by resolution, see `labels.Resolution`
    classes: dict[str, int]  # numbers of positive and of negative labels
    format: int = FORMAT
    # number of judgments of each origin; empty in older snapshots
    origins: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A loaded snapshot: manifest, judgments in the file's order, and their `labels.labels_by_looking`."""

    manifest: SnapshotManifest
    judgments: tuple[Judgment, ...]
    labels: tuple[Label, ...]


def freeze(judgments: Iterable[Judgment], folder: Path, *, at: datetime) -> SnapshotManifest:
    """Write a snapshot of the current judgments atomically.

    Args:
        judgments: the whole history, or the current judgments, in the order of recording.
        folder: folder of the snapshot; must not exist yet.
        at: time of freezing, with its time zone.

    Raises LabellingError if the folder exists, there are no judgments, or the disk cannot be written.
    """
    current = current_judgments(judgments)
    blocks = (in_columns(current[start : start + _BLOCK]) for start in range(0, len(current), _BLOCK))
    return freeze_current(CurrentJudgments(_alike(current), blocks), folder, at=at)


def freeze_current(current: CurrentJudgments, folder: Path, *, at: datetime) -> SnapshotManifest:
    """Write a snapshot as `freeze` does, from blocks of current judgments, which need not fit into memory."""
    counts, digest = _Counts(), hashlib.sha256()
    try:
        with atomic_folder(folder, replace=False) as temporary:
            with (temporary / JUDGMENTS_FILE).open("wb") as file:
                for block in current.blocks:
                    lines = json_lines(block)
                    file.write(lines)
                    digest.update(lines)
                    counts.add(block)
            if not counts.verdicts:
                raise LabellingError("There are no judgments to freeze yet; judge some pairs first.")
            manifest = _manifest(counts, current.pairs, digest.hexdigest(), at)
            text = json_text(asdict(manifest), indent=2, ensure_ascii=False)
            (temporary / MANIFEST_FILE).write_bytes(text.encode("utf-8", "backslashreplace"))  # as `json_line` does
    except OSError as error:
        if folder.exists():
            raise LabellingError(f"The snapshot {folder.name} exists already; choose another name.") from error
        raise LabellingError(
            f"The snapshot {folder.name} could not be written ({error.strerror or error}). Free some disk space, or "
            "correct the folder's permissions."
        ) from error
    return manifest


def load_snapshot(folder: Path) -> Snapshot:
    """Read a snapshot that `freeze` wrote.

    Raises LabellingError if the snapshot is missing, was changed after it was frozen, or comes from another release.
    """
    manifest = load_manifest(folder)
    try:
        content = (folder / JUDGMENTS_FILE).read_bytes()
    except OSError as error:
        raise _damaged(folder, error) from error
    if hashlib.sha256(content).hexdigest() != manifest.sha256:
        raise LabellingError(
            f"The snapshot {folder.name} was changed after it was frozen: its hash differs. Freeze a new one."
        )
    try:
        judgments = tuple(judgment_of(parsed_line(line)) for line in content.decode().split("\n")[:-1])
        if manifest.format == _BY_PAIR:
            judgments = tuple(sorted(judgments, key=lambda judgment: judgment.at))
        counts = _Counts()
        counts.add(in_columns(judgments))
        created = datetime.fromisoformat(manifest.created)
        expected = _manifest(counts, _alike(judgments), manifest.sha256, created)
    except ValueError as error:
        raise _damaged(folder, error) from error
    if manifest.format <= _WITHOUT_ORIGINS:
        expected = replace(expected, format=manifest.format, origins=manifest.origins)
    if expected != manifest:
        raise LabellingError(f"The judgments of the snapshot {folder.name} contradict its manifest. Freeze a new one.")
    return Snapshot(manifest, judgments, labels_by_looking(judgments))


def load_manifest(folder: Path) -> SnapshotManifest:
    """Read a snapshot's manifest, without its judgments.

    Raises LabellingError if the snapshot is missing or damaged, or comes from another release.
    """
    try:
        return read_record(folder / MANIFEST_FILE, SnapshotManifest, formats=(_BY_PAIR, _WITHOUT_ORIGINS, FORMAT))
    except OtherFormatError as error:
        raise LabellingError(f"The snapshot {folder.name} was frozen by another release. Freeze a new one.") from error
    except (OSError, ValueError) as error:
        raise _damaged(folder, error) from error


def _damaged(folder: Path, error: Exception) -> LabellingError:
    return LabellingError(f"The snapshot {folder.name} is missing or damaged ({error}). Freeze a new one.")


@dataclass(frozen=True, slots=True)
class _Counts:
    verdicts: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    annotators: Counter[str] = field(default_factory=Counter)
    policies: Counter[str] = field(default_factory=Counter)
    origins: Counter[str] = field(default_factory=Counter)

    def add(self, judgments: JudgmentColumns) -> None:
        self.verdicts.update(judgments.verdict)
        self.kinds.update(judgments.kind)
        self.annotators.update(judgments.annotator)
        self.policies.update(judgments.policy)
        self.origins.update(judgments.origin)


def _alike(current: Iterable[Judgment]) -> tuple[AlikePairs, ...]:
    votes: dict[Pair, Votes] = {}
    for judgment in current:
        before = votes.get(judgment.pair, NO_VOTES)
        votes[judgment.pair] = with_vote(before, judgment.verdict, judgment.adjudicates)
    alike = Counter((pair.kind, counted) for pair, counted in votes.items())
    return tuple(AlikePairs(kind, counted, pairs) for (kind, counted), pairs in alike.items())


def _manifest(counts: _Counts, pairs: Iterable[AlikePairs], sha256: str, at: datetime) -> SnapshotManifest:
    resolutions = dict.fromkeys((resolution.value for resolution in Resolution), 0)
    labels = Counter[bool | None]()
    for alike in pairs:
        resolutions[resolved(alike.votes)[1].value] += alike.pairs
        labels[label_of(alike.votes)] += alike.pairs
    return SnapshotManifest(
        sha256=sha256,
        created=at.astimezone(UTC).isoformat(),
        judgments=counts.verdicts.total(),
        verdicts=_sorted(counts.verdicts),
        kinds=_sorted(counts.kinds),
        annotators=_sorted(counts.annotators),
        policies=_sorted(counts.policies),
        resolutions=resolutions,
        classes={"positive": labels[True], "negative": labels[False]},
        origins=_sorted(counts.origins),
    )


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return {str(word): n for word, n in sorted(counts.items())}


@dataclass(frozen=True, slots=True)
class NamedSnapshot:
    """A loaded snapshot with its name."""

    name: str
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class StoredSnapshot:
    """A snapshot's name and manifest, or the fault if it cannot be read."""

    name: str
    manifest: SnapshotManifest | None
    fault: str = ""


class Snapshots:
    """The snapshots of a home."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.snapshots

    def freeze(self, judgments: Iterable[Judgment], at: datetime | None = None) -> StoredSnapshot:
        """Freeze the current judgments; the time is the name.

        Raises LabellingError if there are no judgments, or the disk cannot be written.
        """
        at, name = _named(at)
        return StoredSnapshot(name, freeze(judgments, self._folder / name, at=at))

    def freeze_current(self, current: CurrentJudgments, at: datetime | None = None) -> StoredSnapshot:
        """Freeze judgments as `freeze` does, from blocks of current judgments.

        Raises LabellingError if there are no judgments, or the disk cannot be written.
        """
        at, name = _named(at)
        return StoredSnapshot(name, freeze_current(current, self._folder / name, at=at))

    def all(self) -> list[StoredSnapshot]:
        """Return all snapshots, the latest first, including damaged ones."""
        return [_stored(folder) for folder in sorted(self._folder.glob("[!.]*/"), reverse=True)]

    def folder(self, name: str) -> Path:
        """Return the folder of a snapshot, whether or not it exists."""
        return self._folder / name


def open_snapshot(word: str | Path, settings: Settings) -> NamedSnapshot:
    """Load a snapshot by its name in the home, or by its folder; raises LabellingError as `load_snapshot`."""
    own = Snapshots(settings).folder(str(word))
    folder = own if own.is_dir() else Path(word)
    return NamedSnapshot(folder.name, load_snapshot(folder))


def _named(at: datetime | None) -> tuple[datetime, str]:
    at = at or datetime.now(UTC)
    return at, f"{at:%Y-%m-%d-%H%M%S}"


def _stored(folder: Path) -> StoredSnapshot:
    try:
        return StoredSnapshot(folder.name, load_manifest(folder))
    except LabellingError as error:
        return StoredSnapshot(folder.name, None, str(error))
