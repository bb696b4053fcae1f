"""Protocol of vector stores, and the filters on freelancers.

A store is an index, not a source of truth, and can be refilled at any time. It finds the nearest vectors among those
that pass hard filters (Jouanneau et al. 2024, sections 1 and 6.1).
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

import numpy as np

from jobmatch_core.entities import FloatArray, Freelancer, Place
from jobmatch_core.errors import MatchingError

BORDER_KM = 1e-6  # tolerance at a circle's border for rounding: a millimetre
KEYWORDS = ("category", "family", "language", "country")  # fields that are filtered by equality


@dataclass(frozen=True, slots=True)
class Within:
    """A circle on the earth, including its border."""

    place: Place
    km: float


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions on a freelancer, all of which must hold; of the values of a field, one must match.

    An unknown value never passes a filter: an unknown day rate may be too high.

    Raises MatchingError if a value is not valid.
    """

    # categories, families, languages, countries: allowed values; all if empty
    categories: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    within: Within | None = None  # circle of allowed locations, None for all
    available_by: str = ""  # ISO date of the latest start of availability, '' for all
    max_day_rate: float | None = None  # highest day rate in euro, None for all

    def __post_init__(self) -> None:
        if self.within is not None:
            _check_place(self.within.place, "The centre of the circle")
            if not (math.isfinite(self.within.km) and self.within.km >= 0):
                raise MatchingError(f"A distance must be 0 kilometres or more, not {self.within.km}.")
        if self.available_by:
            day_number(self.available_by, "The day to be available by")
        if self.max_day_rate is not None and not 0 <= self.max_day_rate < math.inf:
            raise MatchingError(f"The highest day rate must be 0 euro or more, not {self.max_day_rate}.")

    @property
    def wanted(self) -> dict[str, tuple[str, ...]]:
        """The allowed values by the name of `KEYWORDS`, without fields that allow all."""
        values = (self.categories, self.families, self.languages, self.countries)
        return {keyword: value for keyword, value in zip(KEYWORDS, values, strict=True) if value}


NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True)
class Payload:
    """The filtered fields of a freelancer; as in `Freelancer`."""

    category: str = ""
    family: str = ""
    language: str = ""
    country: str = ""
    place: Place | None = None
    available_day: int | None = None  # first day of availability, as of `date.toordinal`; None if unknown
    day_rate: float | None = None

    @classmethod
    def of(cls, freelancer: Freelancer) -> "Payload":
        """Return the payload of a freelancer.

        Raises MatchingError if the place, the date or the day rate is not valid.
        """
        who = f"Freelancer {freelancer.id!r}"
        if freelancer.day_rate is not None and not math.isfinite(freelancer.day_rate):
            raise MatchingError(f"{who}: the day rate must be a number of euro, not {freelancer.day_rate}.")
        if freelancer.place is not None:
            _check_place(freelancer.place, f"{who}: the place")
        since = freelancer.available_from
        return cls(
            freelancer.category,
            freelancer.family,
            freelancer.language,
            freelancer.country,
            freelancer.place,
            day_number(since, f"{who}: the day of availability") if since else None,
            freelancer.day_rate,
        )


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A freelancer found by a search; *score* is the cosine of its vector and the project's."""

    id: str
    score: float


class VectorStore(Protocol):
    """An index of freelancers' vectors; implemented by `exact_store` and `db.pgvector_store`."""

    @property
    def dimension(self) -> int:
        """The length of the vectors."""

    def upsert(self, ids: Sequence[str], vectors: FloatArray, payloads: Sequence[Payload]) -> None:
        """Insert freelancers, or replace those with the same ids.

        Args:
            ids: one per freelancer; the last of duplicates counts.
            vectors: (freelancer, dimension), L2-normalised.
            payloads: one per freelancer.

        Raises MatchingError if the arguments do not fit together or the store, or the store refuses.
        """

    def delete(self, ids: Collection[str]) -> None:
        """Remove freelancers; unknown ids are ignored.

        Raises MatchingError if the store refuses.
        """

    def search(self, vectors: FloatArray, filters: Filters = NO_FILTERS, limit: int = 100) -> list[list[VectorHit]]:
        """Return the nearest freelancers of each vector that pass the filters, nearest first, ties by id.

        Args:
            vectors: (query, dimension), L2-normalised.
            limit: maximum number of hits per vector.

        Raises MatchingError if the vectors do not fit the store, or it cannot be reached.
        """

    def count(self, filters: Filters = NO_FILTERS) -> int:
        """Return the number of freelancers that pass the filters."""

    def ids(self) -> list[str]:
        """Return all ids, sorted."""

    def close(self) -> None:
        """Release all resources; the store cannot be used afterwards."""


def ranked(query: FloatArray, ids: Sequence[str], vectors: FloatArray, limit: int) -> list[VectorHit]:
    """Return the best *limit* of a few freelancers, nearest first, ties by id.

    Sums in double precision, unlike blocked matrix products, give equal vectors equal scores, so that every store gives
    the same order.
    """
    scores = np.einsum("ij,j->i", vectors.astype(np.float64), query.astype(np.float64)).astype(np.float32)
    hits = [VectorHit(id_, float(score)) for id_, score in zip(ids, scores, strict=True)]
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]


def checked_vectors(vectors: FloatArray, dimension: int) -> FloatArray:
    """Return vectors in single precision; raises MatchingError if they are not rows of *dimension* finite numbers."""
    vectors = np.asarray(vectors, dtype=np.float32)
    if vectors.ndim != 2 or vectors.shape[1] != dimension:
        raise MatchingError(
            f"The store has vectors of dimension {dimension}, but got an array of shape {vectors.shape} of another "
            "model. Fill the store again with the requested model."
        )
    if not np.isfinite(vectors).all():
        raise MatchingError("A vector has numbers that are not finite; its model is damaged.")
    return vectors


def checked_points(
    ids: Sequence[str], vectors: FloatArray, payloads: Sequence[Payload], dimension: int
) -> tuple[list[str], FloatArray, list[Payload]]:
    """Return valid points, the last of each id, sorted by id.

    Raises MatchingError if the three do not fit together, or an id cannot be stored.
    """
    vectors = checked_vectors(vectors, dimension)
    if not len(ids) == len(vectors) == len(payloads):
        raise MatchingError(f"{len(ids)} ids, {len(vectors)} vectors and {len(payloads)} payloads do not fit together.")
    rows = {id_: row for row, id_ in enumerate(ids)}
    if any(not id_ or "\0" in id_ for id_ in rows):
        raise MatchingError("An id is empty or contains a NUL character; give each freelancer a valid id.")
    sorted_ids = sorted(rows)
    order = [rows[id_] for id_ in sorted_ids]
    return sorted_ids, vectors[order], [payloads[row] for row in order]


def check_limit(limit: int) -> None:
    """Raise MatchingError for a limit below one."""
    if limit < 1:
        raise MatchingError(f"At least one freelancer must be requested, not {limit}.")


def day_number(text: str, what: str) -> int:
    """Return an ISO date as a number of `date.toordinal`; raises MatchingError if it is not a date."""
    try:
        return date.fromisoformat(text).toordinal()
    except ValueError as error:
        raise MatchingError(f"{what} must be a date such as 2026-01-31, not {text!r}.") from error


def _check_place(place: Place, what: str) -> None:
    if not (-90 <= place.latitude <= 90 and -180 <= place.longitude <= 180):
        raise MatchingError(
            f"{what} must have a latitude of -90 to 90 and a longitude of -180 to 180 degrees, not {place.latitude}, "
            f"{place.longitude}."
        )
