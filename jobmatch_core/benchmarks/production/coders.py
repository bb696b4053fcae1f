"""Coders, which give titles ISCO-08 codes with scores: the linker, a dictionary of names, the nearest name."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.datasets.melo import names_of
from jobmatch_core.benchmarks.systems.system import Ranker, System
from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.linking import Linker
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold

LINKER, DICTIONARY = "linker", "equal names"  # names of coders
_TASK = "production-rate"
_BLOCK = 64  # titles that are compared with every name at a time


class Coder(Protocol):
    """Gives titles codes."""

    name: str  # name in tables
    codes: list[str]  # (code,) ISCO-08 codes in ascending order
    # whether a broader code's score is the sum of its codes' scores, as of probabilities; else their maximum
    adds: bool

    def scores(self, titles: Sequence[str]) -> FloatArray:
        """Return how well each code fits each title, shape (title, code); 0 if it does not."""


class LinkerCoder:
    """The linker: a code's score is the probability of its occupations."""

    adds = True

    def __init__(self, linker: Linker, languages: Collection[str] = ()) -> None:
        """Match only names in *languages*, or in all."""
        self.name, self._linker, self._languages = LINKER, linker, languages
        codes, self._code_of = np.unique(linker.taxonomy.isco_codes, return_inverse=True)
        self.codes: list[str] = codes.tolist()

    def scores(self, titles: Sequence[str]) -> FloatArray:
        """Return probabilities."""
        scores = np.zeros((len(titles), len(self.codes)), dtype=np.float32)
        for row, ranking in zip(scores, self._linker.rank(titles, languages=self._languages), strict=True):
            np.add.at(row, self._code_of[ranking.concepts], ranking.probabilities)
        return scores


@dataclass(frozen=True, slots=True)
class CodedNames:
    """The names of a taxonomy's occupations, sorted by code."""

    dataset: RankingDataset  # the names as elements, without queries
    codes: list[str]  # (code,) ISCO-08 codes in ascending order
    starts: NDArray[np.intp]  # (code,) place of its first name

    @classmethod
    def of(cls, taxonomy: Taxonomy, languages: Collection[str] = ()) -> "CodedNames":
        """Return the names in *languages*, or in all."""
        languages = list(languages or taxonomy.manifest.languages)
        corpus = names_of(taxonomy, taxonomy.occupation_numbers.tolist(), languages)
        isco = np.array([taxonomy.isco_codes[taxonomy.number(uri)] for uri in corpus.concepts])[corpus.element_concepts]
        order = np.argsort(isco, kind="stable")
        codes, starts = np.unique(isco[order], return_index=True)
        dataset = RankingDataset(
            name=taxonomy.id,
            task=_TASK,
            query_language=languages[0],
            corpus_languages=tuple(languages),
            query_ids=[],
            queries=[],
            element_ids=[corpus.element_ids[place] for place in order],
            elements=[corpus.elements[place] for place in order],
            element_languages=[corpus.element_languages[place] for place in order],
            concepts=corpus.concepts,
            element_concepts=corpus.element_concepts[order],
            relevant=csr_matrix(np.zeros((0, len(order)), dtype=np.bool_)),
            data_hash=taxonomy.manifest.source_hash,
            taxonomy=taxonomy.id,
        )
        return cls(dataset, codes.tolist(), starts)


class DictionaryCoder:
    """Equal names alone: a code's score is its share of the occupations that have the title as a name."""

    adds = True

    def __init__(self, names: CodedNames) -> None:
        """Fold the names; accents, case and punctuation do not count."""
        self.name, self.codes = DICTIONARY, names.codes
        ends = np.append(names.starts[1:], len(names.dataset.elements))
        self._concepts: dict[str, dict[int, int]] = {}  # folded name -> concept -> code
        for code, (start, end) in enumerate(zip(names.starts, ends, strict=True)):
            for place in range(start, end):
                concepts = self._concepts.setdefault(fold(names.dataset.elements[place]), {})
                concepts[int(names.dataset.element_concepts[place])] = code

    def scores(self, titles: Sequence[str]) -> FloatArray:
        """Return shares."""
        scores = np.zeros((len(titles), len(self.codes)), dtype=np.float32)
        for row, title in zip(scores, titles, strict=True):
            codes = list(self._concepts.get(fold(title), {}).values())
            np.add.at(row, codes, 1 / max(len(codes), 1))
        return scores


class NearestNameCoder:
    """A ranking system: a code's score is that of its most similar name."""

    adds = False

    def __init__(self, system: System, names: CodedNames, progress: Progress = no_progress) -> None:
        self.name, self.codes, self._starts = system.name, names.codes, names.starts
        self._ranker: Ranker = system.prepare(names.dataset, progress=progress)

    def scores(self, titles: Sequence[str]) -> FloatArray:
        """Return similarities."""
        blocks = (titles[start : start + _BLOCK] for start in range(0, len(titles), _BLOCK))
        best = [np.maximum.reduceat(self._ranker.scores(block), self._starts, axis=1) for block in blocks]
        return np.concatenate(best) if best else np.zeros((0, len(self.codes)), dtype=np.float32)
