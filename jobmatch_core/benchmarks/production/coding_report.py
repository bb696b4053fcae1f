"""Figures of a coder: how often the right code is among the first ones, and production rates, by level and language."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.benchmarks.production.coded_titles import CodedTitles, Codes, shortened
from jobmatch_core.benchmarks.production.coders import Coder
from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.metrics.production_rate import RatePoint, production_rates
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.folding import fold

LEVEL_NAMES = {4: "unit groups", 3: "minor groups", 2: "sub-major groups", 1: "major groups"}  # by digits
FEWEST = 50  # titles of a language that has figures of its own
_NOWHERE = 1 << 30  # the place of a code without a score
_BLOCK = 512  # titles coded between two reports of progress


@dataclass(frozen=True, slots=True)
class CodingFigures:
    """Figures of a coder at a level of ISCO-08."""

    coder: str
    digits: int  # level, 1 to 4 digits
    language: str  # language of the titles; '' for all
    titles: int  # number of titles with a code of that level
    # first, among_5, among_10: share of titles whose right code is the first, or among the first 5 or 10
    first: float
    among_5: float
    among_10: float
    rates: tuple[RatePoint, ...]  # production rates, see `production_rates`
    agreement: float | None  # share of equal codes of two human coders; None if there is one coder


def coding_figures(coder: Coder, coded: CodedTitles, *, progress: Progress = no_progress) -> list[CodingFigures]:
    """Code all titles and return the figures of each level, the unit groups first, and of each frequent language."""
    levels = [_Level(coder, digits) for digits in range(UNIT_DIGITS, 0, -1)]
    for start in range(0, len(coded.titles), _BLOCK):
        block = slice(start, start + _BLOCK)
        scores = coder.scores(coded.titles[block])
        for level in levels:
            level.add(scores, coded.codes[block])
        progress(min(start + _BLOCK, len(coded.titles)), len(coded.titles))
    halves = np.array([_half(title) for title in coded.titles])
    languages = np.array(coded.languages) if coded.languages else np.full(len(coded.titles), "")
    figures = []
    for language in ["", *_frequent(coded.languages)]:
        chosen = (languages == language) if language else np.ones(len(coded.titles), dtype=np.bool_)
        figures += [level.figures(chosen, halves, language, coded) for level in levels]
    return [figure for figure in figures if figure.titles]


class _Level:
    # collects each title's first code's score, and the place of the right code

    def __init__(self, coder: Coder, digits: int) -> None:
        self._coder, self._digits = coder, digits
        self._kept = np.array([len(code) >= digits for code in coder.codes])
        prefixes = [code[:digits] for code in coder.codes if len(code) >= digits]
        codes, self._starts = np.unique(prefixes, return_index=True)
        self._number = {code: number for number, code in enumerate(codes.tolist())}
        self._scores: list[FloatArray] = []
        self._ranks: list[NDArray[np.intp]] = []

    def add(self, scores: FloatArray, right: Sequence[Codes]) -> None:
        join = np.add if self._coder.adds else np.maximum
        joined = join.reduceat(scores[:, self._kept], self._starts, axis=1)
        self._scores.append(joined.max(axis=1))
        self._ranks.append(np.array([self._rank(row, codes) for row, codes in zip(joined, right, strict=True)]))

    def _rank(self, scores: FloatArray, right: Codes) -> int:
        """Return the place of the best right code, 0 without one of this level, `_NOWHERE` if none has a score."""
        codes = shortened(right, self._digits)
        numbers = [self._number[code] for code in codes if code in self._number]
        places = (self._place(scores, number) for number in numbers if scores[number] > 0)
        return min(places, default=_NOWHERE) if codes else 0

    @staticmethod
    def _place(scores: FloatArray, number: int) -> int:
        return 1 + int((scores > scores[number]).sum() + (scores[:number] == scores[number]).sum())

    def figures(
        self, chosen: NDArray[np.bool_], halves: NDArray[np.bool_], language: str, coded: CodedTitles
    ) -> CodingFigures:
        ranks = np.concatenate(self._ranks)
        chosen = chosen & (ranks > 0)
        ranks, scores = ranks[chosen], np.concatenate(self._scores)[chosen].astype(np.float64)
        first, among_5, among_10 = (float((ranks <= most).mean()) if len(ranks) else 0.0 for most in (1, 5, 10))
        rates = production_rates(scores, ranks == 1, halves[chosen]) if len(ranks) else []
        agreement = None if language else coded.agreement(self._digits)
        return CodingFigures(
            self._coder.name, self._digits, language, len(ranks), first, among_5, among_10, tuple(rates), agreement
        )


def _half(title: str) -> bool:
    return blake2b(fold(title).encode(), digest_size=1).digest()[0] % 2 == 0


def _frequent(languages: Iterable[str]) -> list[str]:
    names, counts = np.unique(np.array(list(languages), dtype=np.str_), return_counts=True)
    return [str(name) for name, count in zip(names, counts, strict=True) if name and count >= FEWEST]
