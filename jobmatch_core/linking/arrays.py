"""Arrays of this package: their types, and what they are numbered by.

A plural such as `entries` names an array of numbers; its docstring gives the axis: `(pair,) entry numbers`. `n_titles`
counts titles. These are numbered from 0:

    title      a title as typed, in its batch
    meaning    what a title may mean: one of its jobs, in one sense of its abbreviation
    query      a folded text that is scored: a form or a reading of a title; in the fit, a whole title
    place      a query among those of its title
    slot       a query in a meaning; a query that belongs to several meanings has several slots
    concept    a concept of the taxonomy: an occupation or an ISCO group
    entry      a folded name of one concept in the index; own names follow, from `len(index.texts)` on
    own name   an accepted title in the layer of own names
    form       a spelling of a name of the taxonomy that is folded to an entry
    column     a concept with names, in the encoder's concept head
    group      a unit group of the head's concepts
    pair       a query and an entry that a scorer proposes for it
    candidate  a query and a concept, with features from their pairs
    row        a candidate in a slot
    choice set the candidates that compete with each other and with 'none': of a meaning, or in the fit of a title
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.integer[Any]]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
UNITS = 10_000  # more than any code of a unit group


class Pairs(NamedTuple):
    """Pairs of queries and entries."""

    queries: Indices  # (pair,) query numbers
    entries: Indices  # (pair,) entry numbers


def unit_keys(sets: Indices, units: Indices) -> NDArray[np.int64]:
    """Return a number for each pair of a set, or a query, and the code of a unit group; they sort by both."""
    return sets.astype(np.int64) * UNITS + units


@dataclass(frozen=True, slots=True)
class ParallelArrays:
    """Base of records whose fields are all arrays over one axis."""

    def take(self, places: Indices | Flags | slice) -> Self:
        """Return the elements at *places*, in that order."""
        return replace(self, **{field.name: getattr(self, field.name)[places] for field in fields(self)})

    @classmethod
    def concatenated(cls, parts: Sequence[Self]) -> Self:
        """Return the elements of all parts, at least one, one part after the other."""
        names = [field.name for field in fields(cls)]
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})
