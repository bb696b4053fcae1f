"""Facets of a stored marketplace: values to filter its freelancers by, and their frequencies.

Only the columns in question are read, a million freelancers' in a second.
"""

from dataclasses import dataclass

import pyarrow as pa

from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings

_COLUMNS = ("language", "country", "category", "family")
_NAMES = {"category": "category_name", "family": "family_name"}


@dataclass(frozen=True, slots=True)
class Facet:
    """A value and the number of freelancers with it.

    Attributes:
        value: value for `Filters`.
        name: its commonest name; the value itself where it has no other name.
        count: number of freelancers.
    """

    value: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """The values of each field, the commonest first, ties by value; empty values are not counted."""

    languages: tuple[Facet, ...]
    countries: tuple[Facet, ...]
    categories: tuple[Facet, ...]
    families: tuple[Facet, ...]


def read_facets(marketplace: str, settings: Settings | None = None) -> Facets:
    """Count the values of a marketplace's freelancers.

    Raises:
        MarketplaceError: no marketplace has that name, or it is damaged.
    """
    table = MarketplaceStore.open(settings).freelancers(marketplace).texts((*_COLUMNS, *_NAMES.values()))
    return Facets(*(_counted(table, column) for column in _COLUMNS))


def _counted(table: pa.Table, column: str) -> tuple[Facet, ...]:
    named = [column, _NAMES[column]] if column in _NAMES else [column]
    groups = table.group_by(named).aggregate([([], "count_all")]).to_pylist()
    counts: dict[str, int] = {}
    names: dict[str, str] = {}
    for group in sorted(groups, key=lambda group: (-group["count_all"], *(group[name] for name in named))):
        value = group[column]
        counts[value] = counts.get(value, 0) + group["count_all"]
        names.setdefault(value, group[named[-1]] or value)
    facets = (Facet(value, names[value], count) for value, count in counts.items() if value)
    return tuple(sorted(facets, key=lambda facet: (-facet.count, facet.value)))
