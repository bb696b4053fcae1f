"""Filters that leave no freelancer, and the numbers that are left without some of them."""

from collections.abc import Collection
from dataclasses import dataclass, fields, replace

from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters, VectorStore


@dataclass(frozen=True, slots=True)
class Loosening:
    """Filters with some of them taken out.

    Attributes:
        taken_out: fields of `Filters` that were taken out.
        count: number of freelancers that pass the others.
    """

    taken_out: tuple[str, ...]
    count: int


def filters_set(filters: Filters) -> tuple[str, ...]:
    """Return the fields of those filters that are set."""
    names = (field.name for field in fields(Filters))
    return tuple(name for name in names if getattr(filters, name) != getattr(NO_FILTERS, name))


def without(filters: Filters, names: Collection[str]) -> Filters:
    """Return filters with the fields of those names taken out."""
    return replace(filters, **{name: getattr(NO_FILTERS, name) for name in names})


def loosenings(store: VectorStore, filters: Filters) -> list[Loosening]:
    """Return the single filters without which freelancers are left, most freelancers first.

    If no single one suffices, the only answer takes out several: filters are retained while freelancers are left.

    Raises:
        MatchingError: the store cannot be reached.
    """
    names = filters_set(filters)
    single = [Loosening((name,), store.count(without(filters, [name]))) for name in names]
    found = sorted((each for each in single if each.count), key=lambda each: -each.count)
    return found or _fewest_out(store, filters, names)


def empty_alone(store: VectorStore, filters: Filters) -> list[str]:
    """Return the fields of filters that nobody passes, whatever the others are; raises as `loosenings`."""
    names = filters_set(filters)
    return [name for name in names if not _count_alone(store, filters, name)]


def _fewest_out(store: VectorStore, filters: Filters, names: Collection[str]) -> list[Loosening]:
    out, count = list(names), store.count()
    for name in sorted(names, key=lambda name: -_count_alone(store, filters, name)):
        left = [each for each in out if each != name]
        if passing := store.count(without(filters, left)):
            out, count = left, passing
    return [Loosening(tuple(out), count)] if out and count else []


def _count_alone(store: VectorStore, filters: Filters, name: str) -> int:
    return store.count(without(filters, [each for each in filters_set(filters) if each != name]))
