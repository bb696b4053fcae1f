"""The English skill names of a taxonomy, searchable by letters, words and meaning."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.entities import Encoder, FloatArray, Progress, no_progress
from jobmatch_core.linking.scorers import TfidfScorer
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.vectors import in_blocks

_PROPOSED = 30  # names for each text and each lexical scorer
_PROPOSED_BY_MEANING = 200  # names for a sentence
_KNOWLEDGE, _TRANSVERSAL = "knowledge", "transversal"  # ESCO's kind, and its reuse level


@dataclass(frozen=True, slots=True)
class EncodedTexts:
    """Texts encoded by every scorer, a row each."""

    letters: csr_matrix
    words: csr_matrix
    vectors: FloatArray

    def part(self, rows: slice) -> "EncodedTexts":
        """Return some of the texts."""
        return EncodedTexts(self.letters[rows], self.words[rows], self.vectors[rows])


@dataclass(frozen=True, slots=True)
class NameRows:
    """Names of some skills."""

    skills: NDArray[np.intp]  # (skill,) the skills, ascending
    starts: NDArray[np.intp]  # (skill,) place of each skill's first name in *rows*; it is the preferred one
    rows: NDArray[np.intp]  # (name,) rows of their names in the index

    def best(self, scores: FloatArray) -> FloatArray:
        """Return the highest score of each skill's names, (..., skill), of (..., name) scores."""
        return np.asarray(np.maximum.reduceat(scores, self.starts, axis=-1))


class SkillIndex:
    """Names of all skills that have an English one; a skill is its place here, not its number in the taxonomy."""

    def __init__(self, taxonomy: Taxonomy, encoder: Encoder, progress: Progress = no_progress) -> None:
        """Fit the lexical scorers and encode the skills; one has an English name. ESCO takes some ten seconds."""
        names, own = _english_names(taxonomy)
        self.encoder = encoder
        # numbers: (skill,) numbers in the taxonomy, ascending
        self.numbers, first, self._counts = np.unique(own, return_index=True, return_counts=True)
        self._first = first
        self._own = np.repeat(np.arange(len(first)), self._counts)
        folded = [fold(name) for name in names]
        self._letters, self._words = TfidfScorer.fit("char", folded), TfidfScorer.fit("word", folded)
        self._vectors = in_blocks(encoder.encode, names, progress)
        # (skill, 3) logarithm of one plus the number of occupations that require it; 1 for knowledge; 1 for a
        # transversal skill
        self.traits = _traits(taxonomy, self.numbers)
        texts = _descriptions(taxonomy, self.numbers, [names[row] for row in first])
        # (skill, dimension) vectors of the English descriptions, of the preferred names without any
        self.descriptions = in_blocks(encoder.encode, texts, no_progress)

    def encode(self, texts: Sequence[str]) -> EncodedTexts:
        """Encode texts by every scorer."""
        folded = [fold(text) for text in texts]
        return EncodedTexts(self._letters.encode(folded), self._words.encode(folded), self.encoder.encode(texts))

    def candidates(self, texts: EncodedTexts) -> NameRows:
        """Return the names of the skills that have a name near one of the texts."""
        lexical = [
            scorer.nearest(encoded, _PROPOSED).entries
            for scorer, encoded in ((self._letters, texts.letters), (self._words, texts.words))
        ]
        closest = (texts.vectors @ self._vectors.T).max(axis=0)
        most = min(_PROPOSED_BY_MEANING, len(closest))
        by_meaning = np.argpartition(-closest, most - 1)[:most]
        return self.names_of(np.unique(self._own[np.concatenate([*lexical, by_meaning])]))

    def names_of(self, skills: NDArray[np.intp]) -> NameRows:
        """Return the names of some skills, which are ascending."""
        counts = self._counts[skills]
        starts = np.cumsum(counts) - counts
        inside = np.arange(counts.sum()) - np.repeat(starts, counts)
        return NameRows(skills, starts, np.repeat(self._first[skills], counts) + inside)

    def letters(self, texts: EncodedTexts, names: NameRows) -> FloatArray:
        """Return the TF-IDF cosines of letters, (text, name)."""
        return self._letters.table(texts.letters, names.rows)

    def words(self, texts: EncodedTexts, names: NameRows) -> FloatArray:
        """Return the TF-IDF cosines of words, (text, name)."""
        return self._words.table(texts.words, names.rows)

    def covered(self, texts: EncodedTexts, names: NameRows) -> FloatArray:
        """Return the share of each name whose words a text has, (text, name)."""
        return self._words.covered(texts.words, names.rows)

    def meaning(self, texts: EncodedTexts, names: NameRows) -> FloatArray:
        """Return the cosines of the vectors, (text, name)."""
        return np.asarray(texts.vectors @ self._vectors[names.rows].T)


# the names, each skill's preferred one first, and the number of each name's skill, ascending
def _english_names(taxonomy: Taxonomy) -> tuple[list[str], NDArray[np.intp]]:
    table = taxonomy.tables.skill_names
    english = table[table["language"] == ENGLISH]
    ordered = english.sort_values(["skill", "preferred"], ascending=[True, False], kind="stable")
    return ordered["text"].to_list(), ordered["skill"].to_numpy(np.intp)


def _traits(taxonomy: Taxonomy, numbers: NDArray[np.intp]) -> FloatArray:
    tables, skills = taxonomy.tables, taxonomy.skill_catalogue
    required = np.bincount(tables.relations["skill"].to_numpy(np.intp), minlength=len(tables.skills))
    knowledge = [skills.kinds[number] == _KNOWLEDGE for number in numbers]
    transversal = [skills.level(int(number)) == _TRANSVERSAL for number in numbers]
    return np.stack([np.log1p(required[numbers]), knowledge, transversal], axis=1).astype(np.float32)


def _descriptions(taxonomy: Taxonomy, numbers: NDArray[np.intp], names: Sequence[str]) -> list[str]:
    table = taxonomy.tables.skill_descriptions
    english = table[table["language"] == ENGLISH]
    by_number = dict(zip(english["node"], english["text"], strict=True))
    return [by_number.get(number) or name for number, name in zip(numbers.tolist(), names, strict=True)]
