"""Experiments with names of occupations: the bundled names beside the official ones, and both forms of gendered names.

Agreement of the bundled ISCO-08 names with the official group names: each of our names of a unit group is scored
against the official names of all 436 in the same language; it counts as right when its own group comes first. Everyday
titles often say another thing than the group's name does (`nurse`, `Nursing professionals`), so 100 % is not to be
expected; the preferred names are given apart.

Gendered names: whether both forms give the same occupation and the same ranking. The pairs are the taxonomy's own:
names such as `Koch/Köchin`, whose two forms are linked, and ranked by the encoder, each by itself.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.errors import DataFileError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.scorers import TfidfScorer
from jobmatch_core.metrics.rank_overlap import rank_biased_overlap
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.bundled import LANGUAGES, bundled_files
from jobmatch_core.taxonomy.rows import read_rows, split_names
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import expand_forms

GENDERED_LANGUAGES = ("de", "fr", "es", "it", "pl", "pt", "cs")
_DEPTH = 100  # of the rankings that are compared
_BLOCK = 512  # pairs


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

    Raises DataFileError if there is no such file, or one is damaged, lacks a column or a unit group.
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


@dataclass(frozen=True, slots=True)
class GenderReport:
    """The share of a language's pairs whose forms have the same first occupation."""

    language: str
    pairs: int
    equal: float
    differing: list[tuple[str, str]]


def gender_pairs(taxonomy: Taxonomy, language: str) -> list[tuple[str, str]]:
    """Return the different (masculine, feminine) forms of the preferred names that have exactly two."""
    names = taxonomy.tables.names
    occupations = set(taxonomy.occupation_numbers.tolist())
    chosen = names[names["preferred"] & (names["language"] == language) & names["text"].str.contains("/", regex=False)]
    pairs = []
    for concept, text in zip(chosen["concept"], chosen["text"], strict=True):
        forms = expand_forms(text)
        if concept in occupations and len(forms) == 2:
            pairs.append((forms[0], forms[1]))
    return sorted(set(pairs))


def evaluate_gender_forms(linker: Linker, language: str) -> GenderReport:
    """Link both forms of every pair and compare the first occupations."""
    pairs = gender_pairs(linker.taxonomy, language)
    first, second = (_first(linker, [pair[side] for pair in pairs]) for side in (0, 1))
    differing = [pair for pair, one, other in zip(pairs, first, second, strict=True) if one != other]
    equal = 1 - len(differing) / len(pairs) if pairs else 1.0
    return GenderReport(language, len(pairs), equal, differing)


def _first(linker: Linker, titles: list[str]) -> list[int]:
    return [int(ranking.concepts[0]) if len(ranking.concepts) else -1 for ranking in linker.rank(titles)]


@dataclass(frozen=True, slots=True)
class TwinReport:
    """Overlap of the encoder's rankings of a language's pairs."""

    language: str  # the pairs' language
    pairs: int
    names: float  # mean rank-biased overlap of the rankings of all the language's other names
    occupations: float  # the same, of the occupations by their best names


def evaluate_twins(taxonomy: Taxonomy, encoder: Encoder, language: str) -> TwinReport | None:
    """Rank a language's names by their cosine with either form of every pair, both forms left out of the ranking.

    None where the taxonomy has no pairs, or too few names to rank.
    """
    pairs = [(fold(one), fold(other)) for one, other in gender_pairs(taxonomy, language)]
    names = _names(taxonomy, language)
    if not pairs or len(names) < 2 * _DEPTH:
        return None
    places = {name: place for place, name in enumerate(names)}
    concepts = np.array(list(names.values()))
    encoded = np.asarray(encoder.encode(list(names)), dtype=np.float32)
    overlaps: list[tuple[float, float]] = []
    for start in range(0, len(pairs), _BLOCK):
        block = pairs[start : start + _BLOCK]
        sides = [np.asarray(encoder.encode([pair[side] for pair in block])) @ encoded.T for side in (0, 1)]
        for row, pair in enumerate(block):
            hidden = [places[form] for form in pair if form in places]
            rankings = [_ranked(scores[row], hidden) for scores in sides]
            overlaps.append((_overlap(rankings), _overlap([_occupations(concepts, ranking) for ranking in rankings])))
    of_names, of_occupations = np.mean(overlaps, axis=0)
    return TwinReport(language, len(pairs), float(of_names), float(of_occupations))


def _names(taxonomy: Taxonomy, language: str) -> dict[str, int]:
    """Return every folded form of the occupations' names in a language, with its occupation; the first of several."""
    table = taxonomy.tables.names
    chosen = table[(table["language"] == language) & table["concept"].isin(taxonomy.occupation_numbers)]
    names: dict[str, int] = {}
    for concept, text in zip(chosen["concept"], chosen["text"], strict=True):
        for form in expand_forms(text):
            names.setdefault(fold(form), int(concept))
    return names


def _ranked(scores: FloatArray, hidden: list[int]) -> list[int]:
    scores[hidden] = -1.0
    ranking: list[int] = np.argsort(-scores, kind="stable").tolist()
    return ranking


def _occupations(concepts: "np.typing.NDArray[np.intp]", ranking: list[int]) -> list[int]:
    return list(dict.fromkeys(concepts[ranking].tolist()))


def _overlap(rankings: list[list[int]]) -> float:
    one, other = (ranking[:_DEPTH] for ranking in rankings)
    return rank_biased_overlap(one, other)
