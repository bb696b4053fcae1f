"""What every vector store can do, and what freelancers can be filtered by.

A store holds a vector and a payload a freelancer and finds the nearest vectors among those that pass hard filters
(Jouanneau et al. 2024, sections 1 and 6.1). It is an index, not a source of truth: it can be filled again at any time.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

import numpy as np

from jobmatch_core.entities import FloatArray, Freelancer, Place
from jobmatch_core.errors import MatchingError

EARTH_RADIUS_KM = 6371.0088  # the mean one of the IUGG, as Qdrant has it
BORDER_KM = 1e-6  # how far outside of a circle its border reaches: a millimetre, for rounding
KEYWORDS = ("category", "family", "language", "country")  # what is filtered by equality


@dataclass(frozen=True, slots=True)
class Within:
    """A circle on the earth, its border included."""

    place: Place
    km: float


@dataclass(frozen=True, slots=True)
class Filters:
    """What a freelancer must be; all of it, and one of several values of one kind.

    Who does not say a thing does not pass a filter on it: a day rate that is not known may be too high.

    Attributes:
        categories, families, languages, countries: any of them; all where empty.
        within: the circle in which they must be.
        available_by: ISO date on which they must be free.
        max_day_rate: in euro.

    Raises:
        MatchingError: a value cannot be one of its kind.
    """

    categories: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    within: Within | None = None
    available_by: str = ""
    max_day_rate: float | None = None

    def __post_init__(self) -> None:
        if self.within is not None:
            _check_place(self.within.place, "A place to be near to")
            if not (math.isfinite(self.within.km) and self.within.km >= 0):
                raise MatchingError(f"A distance is a number of kilometres from 0, not {self.within.km}.")
        if self.available_by:
            day_number(self.available_by, "The day to be available by")
        if self.max_day_rate is not None and not 0 <= self.max_day_rate < math.inf:
            raise MatchingError(f"The highest day rate is a number of euro from 0, not {self.max_day_rate}.")

    @property
    def wanted(self) -> dict[str, tuple[str, ...]]:
        """The values that are wanted, by the name of `KEYWORDS`; none where all will do."""
        values = (self.categories, self.families, self.languages, self.countries)
        return {keyword: value for keyword, value in zip(KEYWORDS, values, strict=True) if value}


NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True)
class Payload:
    """What of a freelancer is filtered on; fields as those of `Freelancer`.

    Attributes:
        available_day: the day from which they are available, counted as `date.toordinal` does; None where not known.
    """

    category: str = ""
    family: str = ""
    language: str = ""
    country: str = ""
    place: Place | None = None
    available_day: int | None = None
    day_rate: float | None = None

    @classmethod
    def of(cls, freelancer: Freelancer) -> "Payload":
        """Take it from a freelancer.

        Raises:
            MatchingError: the place, the date or the day rate cannot be one.
        """
        who = f"Freelancer {freelancer.id!r}"
        if freelancer.day_rate is not None and not math.isfinite(freelancer.day_rate):
            raise MatchingError(f"{who}: a day rate is a number of euro, not {freelancer.day_rate}.")
        if freelancer.place is not None:
            _check_place(freelancer.place, f"{who}: a place")
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
class Hit:
    """A freelancer that was found; *score* is the cosine of its vector and the project's."""

    id: str
    score: float


class VectorStore(Protocol):
    """An index of freelancers' vectors; `exact_store` has the one in memory, `qdrant_store` the one on a server."""

    @property
    def dimension(self) -> int:
        """The length of the vectors."""

    def upsert(self, ids: Sequence[str], vectors: FloatArray, payloads: Sequence[Payload]) -> None:
        """Put freelancers in, in place of those that are there under the same ids.

        Args:
            ids: one a freelancer; where one occurs twice, the last counts.
            vectors: (freelancer, dimension), L2-normalised.
            payloads: one a freelancer.

        Raises:
            MatchingError: the three do not fit together or the store, or the store refuses.
        """

    def delete(self, ids: Collection[str]) -> None:
        """Take freelancers out; those that are not there are passed over.

        Raises:
            MatchingError: the store refuses.
        """

    def search(self, vectors: FloatArray, filters: Filters = NO_FILTERS, limit: int = 100) -> list[list[Hit]]:
        """Return for each vector the freelancers that pass the filters, nearest first, those as near by id.

        Args:
            vectors: (query, dimension), L2-normalised.
            filters: what they must be.
            limit: how many at most.

        Raises:
            MatchingError: the vectors do not fit the store, or it cannot be reached.
        """

    def count(self, filters: Filters = NO_FILTERS) -> int:
        """Return how many freelancers pass the filters."""

    def ids(self) -> list[str]:
        """Return all ids, sorted."""

    def close(self) -> None:
        """Let go of what is open; the store cannot be used afterwards."""


def ranked(query: FloatArray, ids: Sequence[str], vectors: FloatArray, limit: int) -> list[Hit]:
    """Return the best of a few freelancers, nearest first, those as near by id.

    Blocked matrix products give equal vectors scores that differ in the last digit; these sums in double precision do
    not, so that every store gives the same order.

    Args:
        query: (dimension,).
        ids: one a freelancer.
        vectors: (freelancer, dimension).
        limit: how many at most.
    """
    scores = np.einsum("ij,j->i", vectors.astype(np.float64), query.astype(np.float64)).astype(np.float32)
    hits = [Hit(id_, float(score)) for id_, score in zip(ids, scores, strict=True)]
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]


def checked_vectors(vectors: FloatArray, dimension: int) -> FloatArray:
    """Return vectors in single precision.

    Raises:
        MatchingError: they are not rows of *dimension* finite numbers.
    """
    vectors = np.asarray(vectors, dtype=np.float32)
    if vectors.ndim != 2 or vectors.shape[1] != dimension:
        raise MatchingError(
            f"The store holds vectors of {dimension} numbers, but got an array of shape {vectors.shape}: they are of "
            "another model. Fill the store again with the model that is asked."
        )
    if not np.isfinite(vectors).all():
        raise MatchingError("A vector has numbers that are not finite; the model that made it is damaged.")
    return vectors


def checked_points(
    ids: Sequence[str], vectors: FloatArray, payloads: Sequence[Payload], dimension: int
) -> tuple[list[str], FloatArray, list[Payload]]:
    """Return what is to be stored, the last of each id, sorted by id.

    Raises:
        MatchingError: the three do not fit together, or an id cannot be stored.
    """
    vectors = checked_vectors(vectors, dimension)
    if not len(ids) == len(vectors) == len(payloads):
        raise MatchingError(f"{len(ids)} ids, {len(vectors)} vectors and {len(payloads)} payloads do not fit together.")
    rows = {id_: row for row, id_ in enumerate(ids)}
    if any(not id_ or "\0" in id_ for id_ in rows):
        raise MatchingError("An id is empty or has a NUL in it; give each freelancer one that has not.")
    kept = sorted(rows)
    order = [rows[id_] for id_ in kept]
    return kept, vectors[order], [payloads[row] for row in order]


def check_limit(limit: int) -> None:
    """Refuse to find nobody.

    Raises:
        MatchingError: the limit is not at least one.
    """
    if limit < 1:
        raise MatchingError(f"At least one freelancer must be asked for, not {limit}.")


def day_number(text: str, what: str) -> int:
    """Return an ISO date as `date.toordinal` counts.

    Raises:
        MatchingError: it is none.
    """
    try:
        return date.fromisoformat(text).toordinal()
    except ValueError as error:
        raise MatchingError(f"{what} is a date such as 2026-01-31, not {text!r}.") from error


def _check_place(place: Place, what: str) -> None:
    if not (-90 <= place.latitude <= 90 and -180 <= place.longitude <= 180):
        raise MatchingError(
            f"{what} has a latitude of -90 to 90 and a longitude of -180 to 180 degrees, not {place.latitude}, "
            f"{place.longitude}."
        )
