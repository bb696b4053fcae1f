"""Two versions of a taxonomy compared: the occupations that were renamed, moved, replaced, removed or added."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from jobmatch_core.errors import TaxonomyError
from jobmatch_core.io.tables import Record
from jobmatch_core.taxonomy.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH

_LEAST_SHARED = 0.5  # of the earlier version's occupations
_MOST_SIMILAR = 3  # occupations named where none replaces a removed one


class Change(StrEnum):
    """What became of an occupation, the most consequential first."""

    REMOVED = "removed"
    SPLIT = "split"  # removed; several occupations have taken its name, in different languages
    REPLACED = "replaced"  # removed; a new occupation has taken its name
    MERGED = "merged"  # removed; an occupation of both versions has taken its name
    MOVED = "moved"  # to another code; perhaps renamed, too
    RENAMED = "renamed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class OccupationChange:
    """An occupation that changed between two versions."""

    change: Change  # what became of it
    uri: str
    # before, after: its name; '' in a version that lacks it
    before: str
    after: str
    # isco_before, isco_after: its ISCO-08 code; '' in a version that lacks it
    isco_before: str
    isco_after: str
    successors: tuple[str, ...] = ()  # URIs of the occupations that have taken the name of a removed one
    # their names; where there are none, names of occupations that have taken other names of it
    successor_names: tuple[str, ...] = ()
    successor_codes: tuple[str, ...] = ()  # ISCO-08 codes of the occupations of these names; '' for an unknown one

    @property
    def now(self) -> str:
        """Its later name with its code, or those that have taken its name, or perhaps have; '' for none."""
        if self.after:
            return _with_code(self.after, self.isco_after)
        names = "; ".join(map(_with_code, self.successor_names, self.successor_codes))
        return names if self.successors or not names else f"perhaps {names}"

    @property
    def then(self) -> str:
        """What it was called in the earlier version, with its code; '' if it was added."""
        return _with_code(self.before, self.isco_before)

    @property
    def record(self) -> Record:
        """A row of a table."""
        return {
            "change": self.change.value,
            "uri": self.uri,
            "before": self.before or None,
            "after": self.after or None,
            "isco_before": self.isco_before or None,
            "isco_after": self.isco_after or None,
            "successors": " ".join(self.successors) or None,
            "successor_names": "; ".join(self.successor_names) or None,
        }


@dataclass(frozen=True)
class VersionChanges:
    """The differences of two versions."""

    # before, after: ids of the taxonomies
    before: str
    after: str
    unchanged: int  # number of occupations with the same name and code
    changes: tuple[OccupationChange, ...]  # the others, by change and name
    known: frozenset[str]  # URIs of the later version's occupations and groups

    @property
    def counts(self) -> dict[Change, int]:
        """Number of occupations by change, all changes in their order."""
        counts = Counter(change.change for change in self.changes)
        return {change: counts[change] for change in Change}

    @cached_property
    def by_uri(self) -> dict[str, OccupationChange]:
        """The changes of the earlier version's occupations, by URI."""
        return {change.uri: change for change in self.changes if change.before}


@dataclass(frozen=True, slots=True)
class _Names:
    preferred: Mapping[str, set[tuple[str, str]]]  # URI -> languages and case-folded names
    all: Mapping[str, set[tuple[str, str]]]


def compare_versions(before: Taxonomy, after: Taxonomy, language: str = ENGLISH) -> VersionChanges:
    """Compare two versions by the URIs of their occupations; names are shown in a language.

    A removed occupation is succeeded by those that have taken its preferred name in some language: it is a name of
    theirs in the later version, and was none in the earlier one.

    Raises TaxonomyError if fewer than half of the earlier version's occupations are in the later one.
    """
    old, new = _occupations(before), _occupations(after)
    shared = len(old.keys() & new.keys())
    if shared < len(old) * _LEAST_SHARED:
        raise TaxonomyError(
            f"{before.id} and {after.id} are not versions of one taxonomy: only {shared:,} of {len(old):,} "
            "occupations have the same URI. Map one to the other with `jobmatch crosswalk`."
        )
    names_before, names_after = _names(before, old), _names(after, new)
    changes = [
        OccupationChange(Change.ADDED, uri, "", after.name(new[uri], language), "", after.isco_codes[new[uri]])
        for uri in new.keys() - old.keys()
    ]
    for uri, number in old.items():
        name, isco = before.name(number, language), before.isco_codes[number]
        if uri not in new:
            changes.append(_removed(uri, name, isco, names_before, names_after, after, language))
            continue
        name_after, isco_after = after.name(new[uri], language), after.isco_codes[new[uri]]
        if (name, isco) != (name_after, isco_after):
            kind = Change.MOVED if isco != isco_after else Change.RENAMED
            changes.append(OccupationChange(kind, uri, name, name_after, isco, isco_after))
    order = {change: number for number, change in enumerate(Change)}
    changes.sort(key=lambda change: (order[change.change], (change.before or change.after).casefold(), change.uri))
    unchanged = len(new) - sum(bool(change.after) for change in changes)
    return VersionChanges(before.id, after.id, unchanged, tuple(changes), frozenset(after.uris))


def _removed(
    uri: str, name: str, isco: str, before: _Names, after: _Names, taxonomy: Taxonomy, language: str
) -> OccupationChange:
    taken = _takers(before.preferred.get(uri, set()), before, after)
    similar = taken or _takers(before.all.get(uri, set()), before, after)
    shown = list(taken) or [other for other, _ in similar.most_common(_MOST_SIMILAR)]
    numbers = [taxonomy.number(other) for other in shown]
    names = tuple(taxonomy.name(number, language) for number in numbers)
    codes = tuple(taxonomy.isco_codes[number] for number in numbers)
    if len(taken) > 1:
        kind = Change.SPLIT
    elif taken:
        kind = Change.MERGED if next(iter(taken)) in before.all else Change.REPLACED
    else:
        kind = Change.REMOVED
    return OccupationChange(kind, uri, name, "", isco, "", tuple(taken), names, codes)


def _with_code(name: str, code: str) -> str:
    return f"{name} ({code})" if code else name


def _takers(names: set[tuple[str, str]], before: _Names, after: _Names) -> Counter[str]:
    """Return the occupations that have taken some of the names, with their numbers of these."""
    return Counter(
        {
            uri: count
            for uri, theirs in after.all.items()
            if (count := len((names & theirs) - before.all.get(uri, set())))
        }
    )


def _occupations(taxonomy: Taxonomy) -> dict[str, int]:
    return {taxonomy.uris[number]: number for number in taxonomy.occupation_numbers.tolist()}


def _names(taxonomy: Taxonomy, occupations: Mapping[str, int]) -> _Names:
    table, numbers = taxonomy.tables.names, set(occupations.values())
    preferred: dict[str, set[tuple[str, str]]] = defaultdict(set)
    all_: dict[str, set[tuple[str, str]]] = defaultdict(set)
    columns = (table[column].tolist() for column in ("concept", "language", "text", "preferred"))
    for concept, language, text, is_preferred in zip(*columns, strict=True):
        if concept in numbers:
            name = language, text.casefold()
            all_[taxonomy.uris[concept]].add(name)
            if is_preferred:
                preferred[taxonomy.uris[concept]].add(name)
    return _Names(preferred, all_)
