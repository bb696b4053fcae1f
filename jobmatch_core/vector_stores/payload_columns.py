"""Payloads of many freelancers as columns, so that a filter is a few passes over small arrays."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.earth import EARTH_RADIUS_KM
from jobmatch_core.entities import Place
from jobmatch_core.io.text_files import json_text, read_json
from jobmatch_core.vector_stores.vector_store import (
    BORDER_KM,
    KEYWORDS,
    Filters,
    Payload,
    Within,
    day_number,
)

Rows = NDArray[np.intp]
Mask = NDArray[np.bool_]
_NEVER = np.iinfo(np.int32).max  # the day for an unknown date of availability
_NUMBERS = ("latitude", "longitude", "available", "day_rate")


@dataclass(frozen=True, slots=True)
class PayloadColumns:
    """Payloads, one per row.

    Attributes:
        vocabularies: name of `KEYWORDS` -> its distinct values.
        codes: name of `KEYWORDS` -> (row,) int32, the number of each value in the vocabulary.
        latitude, longitude: (row,) float64 in degrees, NaN where unknown.
        available: (row,) int32 days as of `date.toordinal`.
        day_rate: (row,) float64 in euro, NaN where unknown.
    """

    vocabularies: dict[str, list[str]]
    codes: dict[str, NDArray[np.int32]]
    latitude: NDArray[np.float64]
    longitude: NDArray[np.float64]
    available: NDArray[np.int32]
    day_rate: NDArray[np.float64]

    @classmethod
    def of(cls, payloads: Sequence[Payload]) -> "PayloadColumns":
        """Turn payloads into columns."""
        vocabularies, codes = {}, {}
        for keyword in KEYWORDS:
            numbers: dict[str, int] = {}
            values = [numbers.setdefault(getattr(each, keyword), len(numbers)) for each in payloads]
            vocabularies[keyword], codes[keyword] = list(numbers), np.array(values, dtype=np.int32)
        nowhere = Place(np.nan, np.nan)
        places = [each.place or nowhere for each in payloads]
        days = [_NEVER if each.available_day is None else each.available_day for each in payloads]
        rates = [np.nan if each.day_rate is None else each.day_rate for each in payloads]
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

    def _inside(self, circle: Within, rows: Rows) -> Mask:
        """Return which rows lie in a circle by the haversine formula; it is slow, so the other filters come first."""
        latitude, longitude = np.radians(self.latitude[rows]), np.radians(self.longitude[rows])
        here, there = np.radians(circle.place.latitude), np.radians(circle.place.longitude)
        chord = (
            np.sin((here - latitude) / 2) ** 2
            + np.cos(latitude) * np.cos(here) * np.sin((there - longitude) / 2) ** 2
        )  # fmt: skip
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
        """Write one npy file a column into a folder."""
        (folder / "vocabularies.json").write_text(json_text(self.vocabularies), "utf-8")
        for keyword in KEYWORDS:
            np.save(folder / f"{keyword}.npy", self.codes[keyword])
        for name in _NUMBERS:
            np.save(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path, mapped: Callable[[Path], NDArray[np.generic]]) -> "PayloadColumns":
        """Read the columns that `save` wrote with a function that memory-maps a file.

        Raises:
            OSError, ValueError, KeyError: a file is missing or damaged.
        """
        vocabularies = read_json(folder / "vocabularies.json")
        codes = {keyword: mapped(folder / f"{keyword}.npy") for keyword in KEYWORDS}
        return cls(vocabularies, codes, *(mapped(folder / f"{name}.npy") for name in _NUMBERS))  # type: ignore[arg-type]
