"""A write-once part of the exact store: some freelancers, sorted by id, their payloads, and the ids that it deletes.

A memory-mapped folder with `ids.npy` and `deleted.npy` (UTF-8, sorted), `vectors.npy` and the payloads as columns, so
that opening a million freelancers takes no time and several processes share the memory.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.earth import EARTH_RADIUS_KM
from jobmatch_core.entities import FloatArray, Place
from jobmatch_core.errors import MatchingError
from jobmatch_core.io.text_files import json_text, read_json
from jobmatch_core.vector_stores.vector_store import BORDER_KM, KEYWORDS, Filters, Payload, Within, day_number

Rows = NDArray[np.intp]
Mask = NDArray[np.bool_]
Ids = NDArray[np.bytes_]
_NEVER = np.iinfo(np.int32).max  # the day for an unknown date of availability
_NUMBERS = ("latitude", "longitude", "available", "day_rate")
_BLOCK = 4096  # rows copied at a time when segments are merged


@dataclass(frozen=True, slots=True)
class PayloadColumns:
    """Payloads, one per row."""

    vocabularies: dict[str, list[str]]  # name of `KEYWORDS` -> its distinct values
    # name of `KEYWORDS` -> (row,) int32, the number of each value in the vocabulary
    codes: dict[str, NDArray[np.int32]]
    # latitude, longitude: (row,) float64 in degrees, NaN if unknown
    latitude: NDArray[np.float64]
    longitude: NDArray[np.float64]
    available: NDArray[np.int32]  # (row,) int32 days as of `date.toordinal`
    day_rate: NDArray[np.float64]  # (row,) float64 in euro, NaN if unknown

    @classmethod
    def of(cls, payloads: Sequence[Payload]) -> "PayloadColumns":
        """Turn payloads into columns."""
        vocabularies, codes = {}, {}
        for keyword in KEYWORDS:
            numbers: dict[str, int] = {}
            values = [numbers.setdefault(getattr(payload, keyword), len(numbers)) for payload in payloads]
            vocabularies[keyword], codes[keyword] = list(numbers), np.array(values, dtype=np.int32)
        nowhere = Place(np.nan, np.nan)
        places = [payload.place or nowhere for payload in payloads]
        days = [_NEVER if payload.available_day is None else payload.available_day for payload in payloads]
        rates = [np.nan if payload.day_rate is None else payload.day_rate for payload in payloads]
        return cls(
            vocabularies,
            codes,
            latitude=np.array([place.latitude for place in places], dtype=np.float64),
            longitude=np.array([place.longitude for place in places], dtype=np.float64),
            available=np.array(days, dtype=np.int32),
            day_rate=np.array(rates, dtype=np.float64),
        )

    def __len__(self) -> int:
        return len(self.available)

    def passing(self, filters: Filters, alive: Mask) -> Rows:
        """Return those of the *alive* rows, (row,), that pass the filters, ascending."""
        mask = alive.copy()
        for keyword, wanted in filters.wanted.items():
            chosen = np.array([value in wanted for value in self.vocabularies[keyword]], dtype=bool)
            mask &= chosen[self.codes[keyword]]
        if filters.available_by:
            mask &= self.available <= day_number(filters.available_by, "The day to be available by")
        if filters.max_day_rate is not None:
            mask &= self.day_rate <= filters.max_day_rate
        rows = np.flatnonzero(mask)
        return rows if filters.within is None else rows[self._inside(filters.within, rows)]

    # the haversine formula is slow, so the other filters come first
    def _inside(self, circle: Within, rows: Rows) -> Mask:
        latitude, longitude = np.radians(self.latitude[rows]), np.radians(self.longitude[rows])
        here, there = np.radians(circle.place.latitude), np.radians(circle.place.longitude)
        chord = (
            np.sin((here - latitude) / 2) ** 2 + np.cos(latitude) * np.cos(here) * np.sin((there - longitude) / 2) ** 2
        )
        inside: Mask = 2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.minimum(chord, 1.0))) < circle.km + BORDER_KM
        return inside

    def take(self, rows: Rows) -> "PayloadColumns":
        """Return some of the rows."""
        codes = {keyword: values[rows] for keyword, values in self.codes.items()}
        return PayloadColumns(self.vocabularies, codes, *(getattr(self, name)[rows] for name in _NUMBERS))

    @staticmethod
    def joined(parts: Sequence["PayloadColumns"]) -> "PayloadColumns":
        """Return the rows of several parts in order."""
        vocabularies, codes = {}, {}
        for keyword in KEYWORDS:
            values = dict.fromkeys(value for part in parts for value in part.vocabularies[keyword])
            numbers = {value: number for number, value in enumerate(values)}
            tables = [np.array([numbers[v] for v in part.vocabularies[keyword]], dtype=np.int32) for part in parts]
            vocabularies[keyword] = list(values)
            codes[keyword] = np.concatenate(
                [table[part.codes[keyword]] for table, part in zip(tables, parts, strict=True)]
            )
        numeric = (np.concatenate([getattr(part, name) for part in parts]) for name in _NUMBERS)
        return PayloadColumns(vocabularies, codes, *numeric)

    def save(self, folder: Path) -> None:
        """Write one npy file per column into a folder."""
        (folder / "vocabularies.json").write_text(json_text(self.vocabularies), "utf-8")
        for keyword in KEYWORDS:
            np.save(folder / f"{keyword}.npy", self.codes[keyword])
        for name in _NUMBERS:
            np.save(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path, mapped: Callable[[Path], NDArray[np.generic]]) -> "PayloadColumns":
        """Read the columns that `save` wrote with a function that memory-maps a file.

        Raises OSError or ValueError or KeyError if a file is missing or damaged.
        """
        vocabularies = read_json(folder / "vocabularies.json")
        codes = {keyword: mapped(folder / f"{keyword}.npy") for keyword in KEYWORDS}
        return cls(vocabularies, codes, *(mapped(folder / f"{name}.npy") for name in _NUMBERS))  # type: ignore[arg-type]


def encoded_ids(ids: Collection[str]) -> Ids:
    """Return ids in UTF-8, sorted; bytes sort like the characters."""
    return np.array(sorted(id_.encode("utf-8", "surrogatepass") for id_ in ids), dtype=np.bytes_)


@dataclass(frozen=True, slots=True)
class VectorSegment:
    """Freelancers, one per row, sorted by id."""

    ids: Ids  # (row,) ids
    vectors: FloatArray  # (row, dimension) vectors
    columns: PayloadColumns  # (row,) payloads
    deleted: Ids  # ids deleted from older segments, besides those that are replaced here

    @classmethod
    def of(
        cls, ids: Sequence[str], vectors: FloatArray, payloads: Sequence[Payload], deleted: Collection[str]
    ) -> "VectorSegment":
        """Return a segment of freelancers sorted by id, without duplicates."""
        return cls(encoded_ids(ids), vectors, PayloadColumns.of(payloads), encoded_ids(deleted))

    def __len__(self) -> int:
        return len(self.ids)

    def named(self, rows: Rows) -> list[str]:
        """Return the ids of some rows."""
        return [id_.decode("utf-8", "surrogatepass") for id_ in self.ids[rows].tolist()]

    def rows_of(self, ids: Ids) -> Rows:
        """Return the rows of those ids that are in this segment."""
        if not len(self):
            return np.empty(0, dtype=np.intp)
        rows = np.minimum(np.searchsorted(self.ids, ids), len(self) - 1)
        present: Rows = rows[self.ids[rows] == ids]
        return present

    def kill(self, alive: Mask, newer: "VectorSegment") -> Mask:
        """Return the rows that remain alive, (row,), after a newer segment has replaced and deleted some."""
        dead = np.concatenate([self.rows_of(newer.ids), self.rows_of(newer.deleted)])
        if not len(dead):
            return alive
        alive = alive.copy()
        alive[dead] = False
        return alive

    def scores(self, queries: FloatArray, rows: Rows, block: int) -> FloatArray:
        """Return the dot products of vectors and some rows, shape (query, len(rows)), *block* rows at a time."""
        scores = np.empty((len(queries), len(rows)), dtype=np.float32)
        for start in range(0, len(rows), block):
            chosen = rows[start : start + block]
            first, last = int(chosen[0]), int(chosen[-1]) + 1
            is_contiguous = last - first == len(chosen)  # no copy needed
            vectors = self.vectors[first:last] if is_contiguous else self.vectors[chosen]
            scores[:, start : start + len(chosen)] = (vectors @ queries.T).T
        return scores

    def save(self, folder: Path) -> None:
        """Write the segment into a folder."""
        _save_all(folder, self.ids, self.columns, self.deleted)
        np.save(folder / "vectors.npy", self.vectors)

    @classmethod
    def load(cls, folder: Path) -> "VectorSegment":
        """Read a segment that `save` or `Merger.save` wrote, memory-mapped.

        Raises:
            OSError: a file is missing.
            MatchingError: a file is damaged.
        """
        try:
            ids, vectors, deleted = (mapped(folder / f"{name}.npy") for name in ("ids", "vectors", "deleted"))
            columns = PayloadColumns.load(folder, mapped)
        except (ValueError, KeyError, EOFError) as error:
            raise MatchingError(f"The vector store has a damaged part, {folder} ({error}); fill it again.") from error
        if not len(ids) == len(vectors) == len(columns):
            raise MatchingError(f"The vector store has a damaged part, {folder}; fill it again.")
        return cls(ids, vectors, columns, deleted)


@dataclass(frozen=True, slots=True)
class Merger:
    """A planned merge of several segments, oldest first."""

    segments: Sequence[VectorSegment]  # the segments to merge
    parts: NDArray[np.intp]  # (row,) number of the segment that each merged row comes from
    rows: Rows  # (row,) row in that segment
    ids: Ids  # (row,) ids, sorted
    deleted: Ids  # ids that remain deleted from older segments, which are not merged

    @classmethod
    def of(cls, segments: Sequence[VectorSegment], alive: Sequence[Mask], *, oldest: bool) -> "Merger":
        """Plan a merge of the rows that are alive, oldest segment first; *oldest* if no other segment precedes them."""
        chosen = [np.flatnonzero(mask) for mask in alive]
        ids = np.concatenate([segment.ids[rows] for segment, rows in zip(segments, chosen, strict=True)])
        order = np.argsort(ids, kind="stable")
        parts = np.repeat(np.arange(len(segments)), [len(rows) for rows in chosen])[order]
        gone = np.concatenate([id_list for segment in segments for id_list in (segment.ids, segment.deleted)])
        deleted = gone[:0] if oldest else np.setdiff1d(gone, ids)
        return cls(segments, parts, np.concatenate(chosen)[order], ids[order], deleted)

    def columns(self) -> PayloadColumns:
        """Return the merged payloads."""
        starts = np.cumsum([0, *(len(segment) for segment in self.segments)])
        return PayloadColumns.joined([segment.columns for segment in self.segments]).take(
            starts[self.parts] + self.rows
        )

    def blocks(self) -> Iterator[FloatArray]:
        """Yield the merged vectors, some rows at a time."""
        for start in range(0, len(self.ids), _BLOCK):
            parts, rows = self.parts[start : start + _BLOCK], self.rows[start : start + _BLOCK]
            block = np.empty((len(rows), self.segments[0].vectors.shape[1]), self.segments[0].vectors.dtype)
            for number in np.unique(parts):
                mine = parts == number
                block[mine] = self.segments[number].vectors[rows[mine]]
            yield block

    def in_memory(self) -> VectorSegment:
        """Return the merged segment."""
        nothing = self.segments[0].vectors[:0]
        return VectorSegment(self.ids, np.concatenate([nothing, *self.blocks()]), self.columns(), self.deleted)

    def save(self, folder: Path) -> None:
        """Write the merged segment into a folder, without loading all its vectors."""
        _save_all(folder, self.ids, self.columns(), self.deleted)
        vectors = self.segments[0].vectors
        header = {
            "descr": np.lib.format.dtype_to_descr(vectors.dtype),
            "fortran_order": False,
            "shape": (len(self.ids), vectors.shape[1]),
        }
        with (folder / "vectors.npy").open("wb") as file:
            np.lib.format.write_array_header_2_0(file, header)
            for block in self.blocks():
                file.write(block.tobytes())


def mapped(path: Path) -> NDArray[Any]:
    """Return an npy file as a memory-mapped plain array, which is sliced three times as fast as a memmap."""
    return np.asarray(np.load(path, mmap_mode="r"))


def _save_all(folder: Path, ids: Ids, columns: PayloadColumns, deleted: Ids) -> None:
    np.save(folder / "ids.npy", ids)
    np.save(folder / "deleted.npy", deleted)
    columns.save(folder)
