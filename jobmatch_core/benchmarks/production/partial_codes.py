"""Codes of the linker at a target precision: the share of titles coded at each level, and the share of these right."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobmatch_core.benchmarks.production.coded_titles import CodedTitles, Codes
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.linking import Linker
from jobmatch_core.linking.coding import coding
from jobmatch_core.taxonomy.tables import UNIT_DIGITS

_BLOCK = 512  # titles coded between two reports of progress


@dataclass(frozen=True, slots=True)
class CodesOfLevel:
    """The titles that are coded at a level of ISCO-08, each at the deepest level that is sure."""

    digits: int  # level, 1 to 4 digits; 0 for all levels together
    coded: int  # number of titles coded at that level
    share: float  # their share of all titles
    right: float | None  # share of these whose code is right, as far as both codes go; None if none is coded


@dataclass(frozen=True, slots=True)
class CodesAtPrecision:
    """Codes at a target precision."""

    precision: float  # the target
    titles: int  # number of titles
    levels: tuple[CodesOfLevel, ...]  # figures of each level, the unit groups first
    total: CodesOfLevel  # all levels together


def codes_at_precision(
    linker: Linker, coded: CodedTitles, languages: Sequence[str] = (), *, progress: Progress = no_progress
) -> CodesAtPrecision:
    """Code titles with the linker's target precision, by names in some languages; all if none are given."""
    n_titles = len(coded.titles)
    right: dict[int, list[bool]] = {digits: [] for digits in range(UNIT_DIGITS, 0, -1)}
    for start in range(0, n_titles, _BLOCK):
        block = slice(start, start + _BLOCK)
        for result, codes in zip(
            linker.link_all(coded.titles[block], languages=languages, top=1), coded.codes[block], strict=True
        ):
            if group := coding(result).group:
                right[len(group.code)].append(_agrees(group.code, codes))
        progress(min(start + _BLOCK, n_titles), n_titles)
    levels = tuple(_level(digits, flags, n_titles) for digits, flags in right.items())
    everything = [flag for flags in right.values() for flag in flags]
    precision = linker.calibration.precision
    return CodesAtPrecision(precision, n_titles, levels, _level(0, everything, n_titles))


def _level(digits: int, right: list[bool], n_titles: int) -> CodesOfLevel:
    share = len(right) / n_titles if n_titles else 0.0
    return CodesOfLevel(digits, len(right), share, sum(right) / len(right) if right else None)


def _agrees(code: str, right: Codes) -> bool:
    # a right code of fewer digits is compared as far as it goes
    return any(code.startswith(other) or other.startswith(code) for other in right)
