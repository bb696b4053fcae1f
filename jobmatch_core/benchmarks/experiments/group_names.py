"""Agreement of the bundled ISCO-08 names with the official group names.

Each of our names of a unit group is scored against the official names of all 436 in the same language; it
counts as right when its own group comes first. Everyday titles often say another thing than the group's
name does (`nurse`, `Nursing professionals`), so 100 % is not to be expected; the preferred names are
given apart.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jobmatch_core.errors import DataFileError
from jobmatch_core.linking.scorers import TfidfScorer
from jobmatch_core.taxonomy.bundled import LANGUAGES, bundled_files
from jobmatch_core.taxonomy.rows import read_rows, split_names
from jobmatch_core.text.folding import fold


@dataclass(frozen=True, slots=True)
class GroupNamesReport:
    """Shares of our names of one language that find their own group among the official names."""

    language: str
    names: int
    all_right: int
    all_at_1: float
    all_at_5: float
    preferred_at_1: float


def evaluate_group_names(folder: Path) -> list[GroupNamesReport]:
    """Score the bundled names against ESCO's `ISCOGroups_XX.csv` files in a folder.

    Raises:
        DataFileError: there is no such file, or one is damaged, lacks a column or a unit group.
    """
    reports = []
    for language, ours in zip(LANGUAGES, bundled_files(), strict=True):
        official_file = folder / f"ISCOGroups_{language}.csv"
        if official_file.exists():
            reports.append(_score(language, *_compared(official_file, ours)))
    if not reports:
        raise DataFileError(folder, f"there is no ISCOGroups_XX.csv here, with XX one of {', '.join(LANGUAGES)}")
    return reports


def _compared(official_file: Path, our_file: Path) -> tuple[dict[str, str], list[tuple[str, str, bool]]]:
    official, ours = _official(official_file), _ours(our_file)
    if missing := sorted({code for code, _, _ in ours} - set(official)):
        raise DataFileError(official_file, f"{len(missing)} unit groups have no name, {missing[0]} among them")
    return official, ours


def _official(path: Path) -> dict[str, str]:
    rows = read_rows(path, ("code", "preferredLabel"))
    names = {row["code"].removeprefix("C"): fold(row["preferredLabel"]) for row in rows}
    return {code: name for code, name in names.items() if len(code) == 4 and name}


def _ours(path: Path) -> list[tuple[str, str, bool]]:
    """Return (code, folded name, preferred) of the unit groups."""
    return [
        (row["code"], fold(name), preferred)
        for row in read_rows(path, ("code", "preferred", "alternatives"))
        if len(row["code"]) == 4
        for name, preferred in [(row["preferred"], True), *((n, False) for n in split_names(row["alternatives"]))]
    ]


def _score(language: str, official: dict[str, str], ours: list[tuple[str, str, bool]]) -> GroupNamesReport:
    codes = np.array(list(official))
    scorer = TfidfScorer.fit("char", list(official.values()))
    encoded = scorer.encode([name for _, name, _ in ours])
    rows = np.repeat(np.arange(len(ours)), len(codes))
    columns = np.tile(np.arange(len(codes)), len(ours))
    scores = scorer.pairs(encoded, rows, columns).reshape(len(ours), len(codes))
    own = scores[np.arange(len(ours)), [int(np.flatnonzero(codes == code)[0]) for code, _, _ in ours]]
    better = (scores > own[:, None]).sum(axis=1)
    first, fifth = (own > 0) & (better == 0), (own > 0) & (better < 5)
    preferred = np.array([is_preferred for _, _, is_preferred in ours])
    return GroupNamesReport(
        language=language,
        names=len(ours),
        all_right=int(first.sum()),
        all_at_1=float(first.mean()),
        all_at_5=float(fifth.mean()),
        preferred_at_1=float(first[preferred].mean()),
    )
