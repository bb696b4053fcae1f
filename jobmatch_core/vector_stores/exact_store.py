"""The exact vector store: no approximation, no server; in memory, or memory-mapped in a folder.

Every change adds a segment (`stored_segment`) and marks replaced or deleted rows as dead. Segments are merged when the
newer ones reach half the size of the one before, and all of them when a third of the rows is dead. Files are never
changed in place: `manifest.json` names the current segments and is replaced last, so that a crash leaves the earlier
store, and other processes may read at any time.
"""

import json
import threading
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import numpy as np

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import MatchingError
from jobmatch_core.io.folders import atomic_folder, make_folder, remove_whole, write_text_whole
from jobmatch_core.io.text_files import json_text
from jobmatch_core.vector_stores.stored_segment import Mask, Merger, Rows, VectorSegment
from jobmatch_core.vector_stores.vector_store import (
    NO_FILTERS,
    Filters,
    Payload,
    VectorHit,
    check_limit,
    checked_points,
    checked_vectors,
    ranked,
)

_FORMAT = 1
_BLOCK = 1024  # rows multiplied at a time: a megabyte at 256 dimensions fits the processor's cache
_QUERIES = 32  # queries at a time, so that a million freelancers' scores take 128 MB
_MOST_DEAD = 1 / 3  # share of the rows
_ROUNDING = 1e-5  # above the rounding error of a dot product of unit vectors in single precision
_MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class _Part:
    name: str
    segment: VectorSegment
    alive: Mask


class ExactStore:
    """A `VectorStore` of arrays; several threads may search it while one changes it."""

    def __init__(self, dimension: int) -> None:
        """Make an empty store in memory."""
        self._dimension = dimension
        self._parts: tuple[_Part, ...] = ()  # oldest first
        self._folder: Path | None = None
        self._manifest = ""  # content last written or read
        self._changing = threading.Lock()

    @classmethod
    def create(cls, folder: Path, dimension: int) -> "ExactStore":
        """Create an empty store in a new or empty folder.

        Raises MatchingError if the folder cannot be written, or holds a store.
        """
        store = cls(dimension)
        if (folder / _MANIFEST).exists():
            raise MatchingError(f"There is already a vector store in {folder}.")
        store._folder = folder
        try:
            make_folder(folder)
            store._write_manifest(())
        except OSError as error:
            raise MatchingError(
                f"The vector store {folder} could not be created ({error.strerror or error})."
            ) from error
        return store

    @classmethod
    def open(cls, folder: Path) -> "ExactStore":
        """Open the store in a folder, memory-mapped; raises MatchingError if there is no store, or it is damaged."""
        for _ in range(3):  # another process may merge and remove segments between the two readings
            text = _manifest_text(folder)
            try:
                return cls._read(folder, text)
            except OSError as error:
                if _manifest_text(folder) == text:
                    raise MatchingError(f"The vector store in {folder} is damaged ({error}); fill it again.") from error
        raise MatchingError(f"The vector store in {folder} is changing constantly; try again later.")

    @classmethod
    def _read(cls, folder: Path, text: str) -> "ExactStore":
        try:
            manifest = json.loads(text)
            is_current, names = manifest["format"] == _FORMAT, [str(name) for name in manifest["segments"]]
            store = cls(int(manifest["dimension"]))
        except (ValueError, KeyError, TypeError) as error:
            raise MatchingError(f"The vector store in {folder} is damaged ({error}); fill it again.") from error
        if not is_current:
            raise MatchingError(f"The vector store in {folder} was made by another version; fill it again.")
        store._folder, store._manifest = folder, text
        for name in names:
            segment = VectorSegment.load(folder / name)
            if segment.vectors.shape[1:] != (store._dimension,):
                raise MatchingError(f"The vector store in {folder} is damaged ({name}); fill it again.")
            store._parts = _appended(store._parts, _part(name, segment))
        return store

    @property
    def dimension(self) -> int:
        """The length of the vectors."""
        return self._dimension

    def upsert(self, ids: Sequence[str], vectors: FloatArray, payloads: Sequence[Payload]) -> None:
        """Insert freelancers, and replace those with the same ids; see `VectorStore.upsert`."""
        new_ids, rows, chosen = checked_points(ids, vectors, payloads, self._dimension)
        if new_ids:
            self._append(VectorSegment.of(new_ids, rows, chosen, ()))

    def delete(self, ids: Collection[str]) -> None:
        """Delete freelancers; see `VectorStore.delete`."""
        gone = set(ids)
        if gone:
            self._append(VectorSegment.of((), np.empty((0, self._dimension), np.float32), (), gone))

    def search(self, vectors: FloatArray, filters: Filters = NO_FILTERS, limit: int = 100) -> list[list[VectorHit]]:
        """Return the nearest freelancers of each vector that pass the filters; see `VectorStore.search`."""
        check_limit(limit)
        queries = checked_vectors(vectors, self._dimension)
        parts = self._parts  # other threads may replace them
        rows = [part.segment.columns.passing(filters, part.alive) for part in parts]
        return [
            hits
            for start in range(0, len(queries), _QUERIES)
            for hits in _nearest(parts, rows, queries[start : start + _QUERIES], limit)
        ]

    def count(self, filters: Filters = NO_FILTERS) -> int:
        """Return the number of freelancers that pass the filters."""
        return sum(len(part.segment.columns.passing(filters, part.alive)) for part in self._parts)

    def ids(self) -> list[str]:
        """Return all ids, sorted."""
        return sorted(id_ for part in self._parts for id_ in part.segment.named(np.flatnonzero(part.alive)))

    def close(self) -> None:
        """Release the arrays."""
        self._parts = ()

    def _append(self, segment: VectorSegment) -> None:
        with self._changing:
            try:
                parts = self._merged(_appended(self._parts, self._written(segment)))
                self._write_manifest(parts)
            except OSError as error:
                raise MatchingError(
                    f"The vector store in {self._folder} could not be written ({error.strerror or error}); "
                    "nothing was changed."
                ) from error
            self._parts = parts
            self._remove_all_but({part.name for part in parts})

    def _merged(self, parts: tuple[_Part, ...]) -> tuple[_Part, ...]:
        start = _merge_from(parts)
        old = parts[start:]
        if not old:
            return parts
        merger = Merger.of([part.segment for part in old], [part.alive for part in old], oldest=not start)
        if not len(merger.ids) and not len(merger.deleted):
            return parts[:start]
        return (*parts[:start], self._written(merger))

    # on disk, a segment is mapped after it is written, to save memory
    def _written(self, source: VectorSegment | Merger) -> _Part:
        name = f"segment-{uuid4().hex[:12]}"
        if self._folder is None:
            segment = source if isinstance(source, VectorSegment) else source.in_memory()
        else:
            with atomic_folder(self._folder / name) as temporary:
                source.save(temporary)
            segment = VectorSegment.load(self._folder / name)
        return _part(name, segment)

    def _write_manifest(self, parts: Sequence[_Part]) -> None:
        if self._folder is None:
            return
        manifest = {"format": _FORMAT, "dimension": self._dimension, "segments": [part.name for part in parts]}
        path = self._folder / _MANIFEST
        if self._manifest and _manifest_text(self._folder) != self._manifest:
            raise MatchingError(f"The vector store in {self._folder} was changed by another process; open it again.")
        text = json_text(manifest)
        write_text_whole(path, text)
        self._manifest = text

    def _remove_all_but(self, names: Collection[str]) -> None:
        if self._folder is not None:
            for folder in self._folder.glob("segment-*"):
                if folder.name not in names:
                    with suppress(OSError):  # some systems keep files that another process has open
                        remove_whole(folder)


def _part(name: str, segment: VectorSegment) -> _Part:
    return _Part(name, segment, np.ones(len(segment), dtype=bool))


def _appended(parts: Sequence[_Part], newest: _Part) -> tuple[_Part, ...]:
    older = (_Part(part.name, part.segment, part.segment.kill(part.alive, newest.segment)) for part in parts)
    return (*older, newest)


# the first of the newest segments to be merged; the number of segments if none is
def _merge_from(parts: Sequence[_Part]) -> int:
    sizes = [int(np.count_nonzero(part.alive)) for part in parts]
    rows = sum(len(part.segment) for part in parts)
    if rows - sum(sizes) > rows * _MOST_DEAD:
        return 0
    weights = [size + len(part.segment.deleted) for size, part in zip(sizes, parts, strict=True)]
    start, newest = len(parts) - 1, weights[-1]
    while start and weights[start - 1] <= 2 * newest:
        start -= 1
        newest += weights[start]
    return start if start < len(parts) - 1 else len(parts)


def _nearest(parts: Sequence[_Part], rows: Sequence[Rows], queries: FloatArray, limit: int) -> list[list[VectorHit]]:
    segments = [part.segment for part in parts]
    scores = [segment.scores(queries, chosen, _BLOCK) for segment, chosen in zip(segments, rows, strict=True)]
    cuts = [_cut([part_scores[query] for part_scores in scores], limit) for query in range(len(queries))]
    hits = []
    for query, cut in enumerate(cuts):
        ids: list[str] = []
        vectors = [np.empty((0, queries.shape[1]), dtype=np.float32)]
        for segment, chosen, part_scores in zip(segments, rows, scores, strict=True):
            best = chosen[part_scores[query] >= cut]
            ids += segment.named(best)
            vectors.append(np.asarray(segment.vectors[best]))
        hits.append(ranked(queries[query], ids, np.concatenate(vectors), limit))
    return hits


# the lowest score of the best freelancers, less a margin for rounding
def _cut(scores: Sequence[FloatArray], limit: int) -> float:
    joined = np.concatenate([np.empty(0, dtype=np.float32), *scores])
    if len(joined) <= limit:
        return -np.inf
    return float(np.partition(joined, -limit)[-limit]) - _ROUNDING


def _manifest_text(folder: Path) -> str:
    try:
        return (folder / _MANIFEST).read_text("utf-8")
    except OSError as error:
        raise MatchingError(f"There is no vector store in {folder}.") from error
