"""A taxonomy's names of occupations to train on, and held-out names to measure a title encoder.

Near twins of a held-out name (plural, other gender, sister language) are held out with it; preferred names are not,
since a model is measured by their ranks. Alignment and uniformity of vectors: Wang & Isola (2020), lower is better, as
in Deniz et al. (2024), Figure 5.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import ENGLISH

ALPHA = 2.0  # both as in Wang & Isola
T = 2.0
TWIN_RATIO = 80.0  # of RapidFuzz
Encode = Callable[[Sequence[str]], FloatArray]


@dataclass(frozen=True, slots=True)
class OccupationNames:
    """Names with their occupations."""

    texts: list[str]  # every name
    languages: NDArray[np.str_]  # (name,) language of each name
    concepts: NDArray[np.int32]  # (name,) number in *uris* of each name's occupation
    preferred: NDArray[np.bool_]  # (name,) true if it is the preferred name in its language
    uris: list[str]  # URI of every concept of the taxonomy
    isco: list[str]  # ISCO-08 code of every concept; '' where it has none
    parents: NDArray[np.int32]  # (relation, 2) number of an occupation and of its broader occupation

    @classmethod
    def of(
        cls, taxonomy: Taxonomy, languages: Sequence[str] = (), relations: Taxonomy | None = None
    ) -> "OccupationNames":
        """Return the occupation names of a taxonomy.

        Args:
            languages: languages of the names; all if empty.
            relations: the taxonomy with the relations between occupations, joined by URI; *taxonomy* by default.

        Raises:
            TaxonomyError: there is no name in one of the languages.
        """
        table = taxonomy.tables.names
        table = table[table["concept"].isin(taxonomy.occupation_numbers)]
        if missing := sorted(set(languages) - set(table["language"])):
            raise TaxonomyError(
                f"{taxonomy.id} has no names in {', '.join(missing)}; it has {', '.join(taxonomy.manifest.languages)}."
            )
        if languages:
            table = table[table["language"].isin(languages)]
        return cls(
            texts=table["text"].to_list(),
            languages=table["language"].to_numpy(dtype=np.str_),
            concepts=table["concept"].to_numpy(dtype=np.int32),
            preferred=table["preferred"].to_numpy(dtype=np.bool_),
            uris=taxonomy.uris,
            isco=taxonomy.isco_codes,
            parents=_parents(taxonomy, relations or taxonomy),
        )

    def keep(self, mask: NDArray[np.bool_]) -> "OccupationNames":
        """Return only the names where *mask*, shape (name,), is true."""
        return replace(
            self,
            texts=[self.texts[row] for row in np.flatnonzero(mask)],
            languages=self.languages[mask],
            concepts=self.concepts[mask],
            preferred=self.preferred[mask],
        )


def _parents(taxonomy: Taxonomy, relations: Taxonomy) -> NDArray[np.int32]:
    numbers = {taxonomy.uris[number]: number for number in taxonomy.occupation_numbers.tolist()}
    to_ours = pd.Series(relations.uris, dtype="str").map(numbers)
    both = relations.tables.broader[["child", "parent"]].apply(lambda column: column.map(to_ours)).dropna()
    return np.asarray(both, dtype=np.int32).reshape(-1, 2)


@dataclass(frozen=True, slots=True)
class PairGeometry:
    """A point of Figure 5: alignment and uniformity of the titles of one language with their translations."""

    languages: tuple[str, str]  # languages of the first and the second title of each pair
    pairs: int
    # alignment, uniformity: the two measures, lower is better
    alignment: float
    uniformity: float


def alignment(first: FloatArray, second: FloatArray) -> float:
    """Return the mean of |x - y|^2 over pairs of unit vectors, shapes (pair, dimension)."""
    return float(np.mean(np.linalg.norm(first - second, axis=1) ** ALPHA))


def uniformity(vectors: FloatArray) -> float:
    """Return log of the mean of exp(-2 |x - y|^2) over all pairs of different rows, shape (vector, dimension).

    0 if all vectors are equal; the more evenly they cover the sphere, the lower.
    """
    squares: NDArray[np.float64] = (2 - 2 * (vectors @ vectors.T)[np.triu_indices(len(vectors), k=1)]).astype(float)
    return float(np.log(np.mean(np.exp(-T * squares)))) if len(squares) else 0.0


def pair_geometry(languages: tuple[str, str], first: FloatArray, second: FloatArray) -> PairGeometry:
    """Measure pairs of unit vectors, shapes (pair, dimension).

    Uniformity is the mean of both sides', as in Wang & Isola's code; the paper does not specify it.
    """
    return PairGeometry(languages, len(first), alignment(first, second), (uniformity(first) + uniformity(second)) / 2)


@dataclass(frozen=True, slots=True)
class LanguageRanks:
    """Mean reciprocal ranks of one language's held-out names among all preferred names."""

    language: str
    titles: int  # number of held-out names
    mrr: float  # among the preferred names of the same language
    mrr_to_english: float | None  # among the English ones; None for English, or if there are none


@dataclass(frozen=True, slots=True)
class HeldOutFigures:
    """Quality of a model before or after a stage."""

    # mrr, mrr_to_english: means over the languages, higher is better
    mrr: float
    mrr_to_english: float | None
    languages: tuple[LanguageRanks, ...]  # the figures of each language
    # alignment and uniformity of the English preferred names with each other language's
    geometry: tuple[PairGeometry, ...]

    @property
    def score(self) -> float:
        """The mean of both MRRs, to choose a model by; higher is better."""
        return self.mrr if self.mrr_to_english is None else (self.mrr + self.mrr_to_english) / 2


def leave_out(names: OccupationNames, n: int, seed: int) -> tuple[OccupationNames, OccupationNames]:
    """Split names into training names and up to *n* held-out ones, none of them a twin of a preferred name."""
    folded = [fold(text) for text in names.texts]
    rows_of: dict[int, list[int]] = {}
    for row, concept in enumerate(names.concepts.tolist()):
        rows_of.setdefault(concept, []).append(row)
    mask = np.ones(len(names.texts), dtype=np.bool_)
    chosen: list[int] = []
    for row in np.random.default_rng(seed).permutation(np.flatnonzero(~names.preferred)).tolist():
        if len(chosen) >= n:
            break
        own = np.array(rows_of[int(names.concepts[row])])
        ratios = process.cdist([folded[row]], [folded[other] for other in own], scorer=fuzz.ratio)[0]
        twins = own[ratios >= TWIN_RATIO]
        if mask[row] and not names.preferred[twins].any():
            mask[twins] = False
            chosen.append(row)
    left_out = np.zeros(len(names.texts), dtype=np.bool_)
    left_out[chosen] = True
    return names.keep(mask), names.keep(left_out)


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
        figures.append(LanguageRanks(language, len(concepts), _mrr(vectors, concepts, own), to_english))
        shared = np.intersect1d(english.concepts, own.concepts, return_indices=True)[1:]
        if foreign and len(shared[0]):
            first, second = english.vectors[shared[0]], own.vectors[shared[1]]
            geometry.append(pair_geometry((ENGLISH, language), first, second))
    across = [language.mrr_to_english for language in figures if language.mrr_to_english is not None]
    return HeldOutFigures(
        mrr=_mean([language.mrr for language in figures]),
        mrr_to_english=_mean(across) if across else None,
        languages=tuple(figures),
        geometry=tuple(geometry),
    )


@dataclass(frozen=True, slots=True)
class _Preferred:
    concepts: NDArray[np.int32]
    vectors: FloatArray

    @classmethod
    def of(cls, encode: Encode, names: OccupationNames, language: str) -> "_Preferred":
        rows = np.flatnonzero(names.preferred & (names.languages == language))
        concepts, first = np.unique(names.concepts[rows], return_index=True)
        return cls(concepts, encode([names.texts[row] for row in rows[first]]))


def _mrr(vectors: FloatArray, concepts: NDArray[np.int32], preferred: _Preferred) -> float:
    """Return the mean reciprocal rank of the titles' own occupations; ties count against them, absence as 0."""
    has_preferred = np.isin(concepts, preferred.concepts)
    scores = vectors[has_preferred] @ preferred.vectors.T
    own = scores[np.arange(len(scores)), np.searchsorted(preferred.concepts, concepts[has_preferred])]
    ranks = (scores >= own[:, None]).sum(axis=1)
    return float((1 / ranks).sum() / len(concepts)) if len(concepts) else 0.0


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0
