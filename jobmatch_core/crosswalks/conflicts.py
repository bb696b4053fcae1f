"""Conflicts in a crosswalk: mappings that cannot all be right, and values that are missing."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Literal

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from jobmatch_core.crosswalks.mapping import BROADER, EXACT, NARROWER, NONE, REVIEWED, SENTENCES, Mapping
from jobmatch_core.crosswalks.sssom import Problem, SssomFile
from jobmatch_core.taxonomy import Taxonomy

IsBelow = Callable[[str, str], bool]  # whether the first target lies below the second one in the taxonomy
_SHOWN = 4  # names in a message


def is_never_below(_child: str, _parent: str) -> bool:
    """Return False: the hierarchy is not known."""
    return False


def below_in(taxonomy: Taxonomy) -> IsBelow:
    """Return the function that tells whether a concept of a taxonomy lies below another one, at any depth."""

    def is_below(child: str, parent: str) -> bool:
        above, seen = [child], {child}
        while above:
            concept = above.pop()
            if concept == parent:
                return concept != child
            if taxonomy.has_concept(concept):
                higher = [uri for uri in taxonomy.broader(concept) if uri not in seen]
                seen.update(higher)
                above += higher
        return False

    return is_below


def problems_of(file: SssomFile, is_below: IsBelow = is_never_below) -> list[Problem]:
    """Return what is wrong in a crosswalk, by line.

    Args:
        file: as `read_sssom` returns it.
        is_below: `below_in` of the target taxonomy, so that an exact beside a broader mapping is no conflict if the
            hierarchy has it so.
    """
    mappings = file.mappings.mappings
    problems = [*file.problems, *_values(mappings, file.lines), *_contradictions(mappings, file.lines, is_below)]
    problems += _cycles(mappings, file.lines)
    return sorted(problems, key=lambda problem: problem.line)


def _values(mappings: Sequence[Mapping], lines: Sequence[int]) -> Iterator[Problem]:
    for line, item in zip(lines, mappings, strict=True):
        if item.state == REVIEWED and not item.reviewer:
            yield Problem(line, "The mapping is reviewed, but nobody is named in reviewer_label; add who reviewed it.")
        if item.reviewer and item.reviewer == item.second_reviewer:
            yield Problem(
                line, f"{item.reviewer} is the first and the second reviewer; a second one is another person."
            )
        if item.date and not _is_date(item.date):
            yield Problem(line, f"{item.date!r} is no date; write it as 2026-01-31.")


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _contradictions(mappings: Sequence[Mapping], lines: Sequence[int], is_below: IsBelow) -> Iterator[Problem]:
    of_source: dict[str, list[int]] = defaultdict(list)
    exact_of_target: dict[str, list[int]] = defaultdict(list)
    for place, item in enumerate(mappings):
        of_source[item.source].append(place)
        if item.relation == EXACT:
            exact_of_target[item.target].append(place)
    for source, places in of_source.items():
        yield from _of_one_source(source, [mappings[p] for p in places], [lines[p] for p in places], is_below)
    for target, places in exact_of_target.items():
        if len({mappings[place].source for place in places}) > 1:
            codes = _listed([mappings[place].source for place in places])
            yield Problem(
                lines[places[-1]],
                f"{_name(mappings[places[0]])} ({target}) means the same as several source codes: {codes}. "
                "Keep one exact mapping; the others are narrower, broader or close.",
            )


def _of_one_source(source: str, items: Sequence[Mapping], lines: Sequence[int], is_below: IsBelow) -> Iterator[Problem]:
    relations: dict[str, str] = {}
    for line, item in zip(lines, items, strict=True):
        before = relations.setdefault(item.target, item.relation)
        if before != item.relation:
            yield Problem(
                line,
                f"{source} {SENTENCES[before]} {_name(item)} and also {SENTENCES[item.relation]} it; "
                "keep one of the two.",
            )
    exact = [item for item in items if item.relation == EXACT]
    if len({item.target for item in exact}) > 1:
        names = _listed([_name(item) for item in exact])
        yield Problem(lines[-1], f"{source} means the same as several concepts: {names}. Keep one exact mapping.")
    has_none = any(item.relation == NONE and not item.target for item in items)
    if has_none and any(item.relation != NONE for item in items):
        yield Problem(
            lines[-1], f"{source} has no concept and has one at the same time; remove one of the two mappings."
        )
    for line, item in zip(lines, items, strict=True):
        wrong = next((same for same in exact if _contradicts(same, item, is_below)), None)
        if wrong:
            yield Problem(
                line,
                f"{source} means the same as {_name(wrong)} and {SENTENCES[item.relation]} {_name(item)}, which is "
                f"not {'above' if item.relation == NARROWER else 'below'} it. One of the two relations is wrong.",
            )


def _contradicts(exact: Mapping, item: Mapping, is_below: IsBelow) -> bool:
    if item.target == exact.target:  # the pair has two relations, which is said already
        return False
    if item.relation == NARROWER:
        return not is_below(exact.target, item.target)
    return item.relation == BROADER and not is_below(item.target, exact.target)


def _cycles(mappings: Sequence[Mapping], lines: Sequence[int]) -> Iterator[Problem]:
    # codes and concepts that, by the mappings together, would each be narrower than themselves
    numbers: dict[tuple[str, str], int] = {}
    edges: list[tuple[int, int, int]] = []
    same: list[tuple[int, int]] = []
    for place, item in enumerate(mappings):
        source = numbers.setdefault(("source", item.source), len(numbers))
        target = numbers.setdefault(("target", item.target), len(numbers))
        if item.relation == NARROWER:
            edges.append((source, target, place))
        elif item.relation == BROADER:
            edges.append((target, source, place))
        elif item.relation == EXACT:
            same.append((source, target))
    classes = _components([(a, b) for a, b in same], len(numbers), "weak")
    merged = [(int(classes[low]), int(classes[high])) for low, high, _ in edges]
    circles = _components(merged, len(numbers), "strong")
    places: dict[int, list[int]] = defaultdict(list)
    for (low, high), (_, _, place) in zip(merged, edges, strict=True):
        if circles[low] == circles[high]:
            places[int(circles[low])].append(place)
    for members in places.values():
        if len({(mappings[place].source, mappings[place].target) for place in members}) < 2:
            continue  # one pair with two relations, which is said already
        parts = _listed(
            [f"{mappings[p].source} {SENTENCES[mappings[p].relation]} {_name(mappings[p])}" for p in members]
        )
        yield Problem(lines[members[0]], f"These mappings form a circle, so that one of them is wrong: {parts}.")


def _components(edges: Sequence[tuple[int, int]], size: int, connection: Literal["weak", "strong"]) -> np.ndarray:
    ends = np.array(edges, np.intp).reshape(-1, 2)
    graph = csr_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
    labels: np.ndarray = connected_components(graph, directed=True, connection=connection)[1]
    return labels


def _name(item: Mapping) -> str:
    return item.target_name or item.target


def _listed(names: Sequence[str]) -> str:
    different = list(dict.fromkeys(names))
    more = f" and {len(different) - _SHOWN:,} more" if len(different) > _SHOWN else ""
    return "; ".join(different[:_SHOWN]) + more
