"""Held-out names of the taxonomy, and the ranks that a model gives their occupations.

A left-out name takes its near twins of the same occupation with it (the plural, the other gender, the same word in a
sister language), as real titles seldom have one in the training data. The preferred names stay: they are ranked.
No benchmark's data is used, so the temperature may be chosen by these figures.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from jobmatch_core.entities import FloatArray
from jobmatch_core.text.folding import fold
from jobmatch_core.text.languages import ENGLISH
from jobmatch_core.titles.geometry import PairGeometry, pair_geometry
from jobmatch_core.titles.occupation_names import OccupationNames

TWIN_RATIO = 80.0  # of RapidFuzz

Encode = Callable[[Sequence[str]], FloatArray]


@dataclass(frozen=True, slots=True)
class LanguageFigures:
    """Mean reciprocal ranks of one language's left-out names, among the preferred names of all occupations.

    Attributes:
        language: language of the names.
        titles: number of left-out names.
        mrr: among the preferred names of their own language.
        mrr_to_english: among the English ones; None where there are none, or they are the same.
    """

    language: str
    titles: int
    mrr: float
    mrr_to_english: float | None


@dataclass(frozen=True, slots=True)
class HeldOutFigures:
    """Quality of a model before or after a stage.

    Attributes:
        mrr, mrr_to_english: means over the languages, higher is better.
        languages: the figures of each language.
        geometry: alignment and uniformity of the English preferred names with each other language's.
    """

    mrr: float
    mrr_to_english: float | None
    languages: tuple[LanguageFigures, ...]
    geometry: tuple[PairGeometry, ...]

    @property
    def score(self) -> float:
        """The mean of both MRRs, to choose a model by; higher is better."""
        return self.mrr if self.mrr_to_english is None else (self.mrr + self.mrr_to_english) / 2


def leave_out(names: OccupationNames, n: int, seed: int) -> tuple[OccupationNames, OccupationNames]:
    """Split names into training names and up to *n* held-out ones.

    Only alternative names are left out, and none that is a twin of a preferred name of its occupation.
    """
    folded = [fold(text) for text in names.texts]
    rows_of: dict[int, list[int]] = {}
    for row, concept in enumerate(names.concepts.tolist()):
        rows_of.setdefault(concept, []).append(row)
    kept = np.ones(len(names.texts), dtype=np.bool_)
    chosen: list[int] = []
    for row in np.random.default_rng(seed).permutation(np.flatnonzero(~names.preferred)).tolist():
        if len(chosen) >= n:
            break
        own = np.array(rows_of[int(names.concepts[row])])
        ratios = process.cdist([folded[row]], [folded[each] for each in own], scorer=fuzz.ratio)[0]
        twins = own[ratios >= TWIN_RATIO]
        if kept[row] and not names.preferred[twins].any():
            kept[twins] = False
            chosen.append(row)
    left_out = np.zeros(len(names.texts), dtype=np.bool_)
    left_out[chosen] = True
    return names.keep(kept), names.keep(left_out)


def measure(encode: Encode, names: OccupationNames, titles: OccupationNames) -> HeldOutFigures:
    """Measure a model on left-out titles.

    Args:
        encode: returns unit vectors of texts, shape (text, dimension).
        names: names that include the preferred names to rank.
        titles: the held-out names.
    """
    languages = sorted(set(titles.languages.tolist()))
    english = _Preferred.of(encode, names, ENGLISH)
    figures, geometry = [], []
    for language in languages:
        own = english if language == ENGLISH else _Preferred.of(encode, names, language)
        mask = titles.languages == language
        vectors = encode([titles.texts[row] for row in np.flatnonzero(mask)])
        concepts = titles.concepts[mask]
        foreign = language != ENGLISH and len(english.concepts) > 0
        to_english = _mrr(vectors, concepts, english) if foreign else None
        figures.append(LanguageFigures(language, len(concepts), _mrr(vectors, concepts, own), to_english))
        shared = np.intersect1d(english.concepts, own.concepts, return_indices=True)[1:]
        if foreign and len(shared[0]):
            first, second = english.vectors[shared[0]], own.vectors[shared[1]]
            geometry.append(pair_geometry((ENGLISH, language), first, second))
    across = [each.mrr_to_english for each in figures if each.mrr_to_english is not None]
    return HeldOutFigures(
        mrr=_mean([each.mrr for each in figures]),
        mrr_to_english=_mean(across) if across else None,
        languages=tuple(figures),
        geometry=tuple(geometry),
    )


@dataclass(frozen=True, slots=True)
class _Preferred:
    """The preferred names of one language: their unit vectors and their concepts, in the same order."""

    concepts: NDArray[np.int32]
    vectors: FloatArray

    @classmethod
    def of(cls, encode: Encode, names: OccupationNames, language: str) -> "_Preferred":
        rows = np.flatnonzero(names.preferred & (names.languages == language))
        concepts, first = np.unique(names.concepts[rows], return_index=True)
        return cls(concepts, encode([names.texts[row] for row in rows[first]]))


def _mrr(vectors: FloatArray, concepts: NDArray[np.int32], preferred: _Preferred) -> float:
    """Return the mean reciprocal rank of the titles' own occupations; ties count against them, absence as 0."""
    known = np.isin(concepts, preferred.concepts)
    scores = vectors[known] @ preferred.vectors.T
    own = scores[np.arange(len(scores)), np.searchsorted(preferred.concepts, concepts[known])]
    ranks = (scores >= own[:, None]).sum(axis=1)
    return float((1 / ranks).sum() / len(concepts)) if len(concepts) else 0.0


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0
