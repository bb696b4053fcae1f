"""Coverage of a source list by a crosswalk: mapped, reviewed and open codes, branch by branch."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from jobmatch_core.crosswalks.mapping import DISPUTED, EXACT, NONE, PROPOSED, REVIEWED, Mapping

ALL = ""


class BranchCoverage(Struct, frozen=True):
    """How much of a branch is done."""

    branch: str  # the first characters of its codes; '' for all codes
    codes: int  # number of source codes
    mapped: int  # codes with a relation to a concept
    without_concept: int  # codes that are said to have none
    reviewed: int  # codes all of whose mappings are reviewed
    disputed: int  # codes with a disputed mapping
    proposed: int  # codes with a proposed mapping that nobody looked at
    exact: int  # codes with an exact mapping
    open: int  # codes without any mapping


def coverage(mappings: Sequence[Mapping], codes: Iterable[str] = (), digits: int = 1) -> list[BranchCoverage]:
    """Return the coverage of all codes, then of each branch.

    Args:
        mappings: the crosswalk's mappings.
        codes: all codes of the source list; only mapped ones are known without them.
        digits: number of first characters that make a branch.
    """
    of_code: dict[str, list[Mapping]] = {code: [] for code in codes}
    for item in mappings:
        of_code.setdefault(item.source, []).append(item)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for code, items in of_code.items():
        marks = _marks(items)
        for branch in (ALL, code[:digits]) if code[:digits] else (ALL,):
            counts[branch].update(marks)
    fields = ("codes", "mapped", "without_concept", "reviewed", "disputed", "proposed", "exact", "open")
    return [BranchCoverage(branch, *(counts[branch][name] for name in fields)) for branch in sorted(counts)]


def _marks(items: Sequence[Mapping]) -> list[str]:
    related = any(item.target and item.relation != NONE for item in items)
    states = {item.state for item in items}
    marks = {
        "codes": True,
        "mapped": related,
        "without_concept": bool(items) and not related,
        "reviewed": states == {REVIEWED},
        "disputed": DISPUTED in states,
        "proposed": PROPOSED in states,
        "exact": any(item.relation == EXACT for item in items),
        "open": not items,
    }
    return [name for name, is_so in marks.items() if is_so]
