"""Terms of profiles as sparse rows on disk, so that a pool of hundreds is compared with a project in milliseconds.

A term is a word, a skill or a value of a field, numbered by a hash: no vocabulary has to be stored or looked up. Of
30,000 words, 3 in 100 share their number with another.
"""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.entities import FloatArray, Freelancer, NamedSkill, Project
from jobmatch_core.errors import MatchingError
from jobmatch_core.text.bm25 import okapi_weights
from jobmatch_core.text.folding import fold
from jobmatch_core.text.tfidf import term_rarity, unit_rows
from jobmatch_core.towers.documents import freelancer_document

COLUMNS = 1 << 20
FACTS = ("category", "family", "language", "country")
_MATRICES = ("words", "core", "skills")
_PARTS = ("data", "indices", "indptr")
_UNKNOWN = -1


@dataclass(frozen=True)
class ProfileTerms:
    """Terms of profiles; rows are profiles, columns hashes."""

    words: csr_matrix  # BM25 weights of all words
    core: csr_matrix  # TF-IDF weights of the distinct words of the title and the skills, L2-normalised
    skills: csr_matrix  # 1 for each declared skill
    facts: NDArray[np.int32]  # (profile, fact of `FACTS`) hashes; -1 if unknown
    rarity: FloatArray  # (column,) inverse document frequencies of the words of `core`, 0 to 1

    def __len__(self) -> int:
        return len(self.facts)

    @classmethod
    def of(cls, freelancers: Iterable[Freelancer]) -> "ProfileTerms":
        """Return the terms of profiles, read once, in their order."""
        words, core, skills = _Rows(), _Rows(), _Rows()
        facts = []
        for freelancer in freelancers:
            document = freelancer_document(freelancer)
            words.add(term_numbers(document.whole))
            core.add(set(core_numbers(document.texts[:1], freelancer.skills)))  # the title
            skills.add({term_number(skill.key) for skill in freelancer.skills})
            facts.append(fact_numbers(freelancer))
        counts = core.matrix()
        rarity = term_rarity(counts.indices, len(facts), COLUMNS)
        return cls(
            words=okapi_weights(words.matrix()).astype(np.float32) if words else words.matrix(),
            core=unit_rows(counts, rarity),
            skills=skills.matrix(),
            facts=np.array(facts, dtype=np.int32).reshape(-1, len(FACTS)),
            rarity=rarity,
        )

    def take(self, rows: Sequence[int] | NDArray[np.intp]) -> "ProfileTerms":
        """Return the terms of some profiles, in memory."""
        chosen = np.asarray(rows, dtype=np.intp)
        return ProfileTerms(self.words[chosen], self.core[chosen], self.skills[chosen], self.facts[chosen], self.rarity)

    def save(self, folder: Path) -> None:
        """Write the arrays into a folder, which is made; OSError if they cannot be written."""
        folder.mkdir(exist_ok=True)
        for name in _MATRICES:
            for part in _PARTS:
                np.save(folder / f"{name}.{part}.npy", getattr(getattr(self, name), part))
        np.save(folder / "facts.npy", self.facts)
        np.save(folder / "rarity.npy", self.rarity)

    @classmethod
    def load(cls, folder: Path) -> "ProfileTerms":
        """Open the arrays that `save` wrote, memory-mapped; raises MatchingError if a file is missing or damaged."""
        try:
            arrays = {path.stem: np.load(path, mmap_mode="r") for path in folder.glob("*.npy")}
            facts = arrays["facts"]
            words, core, skills = (
                csr_matrix(tuple(arrays[f"{name}.{part}"] for part in _PARTS), shape=(len(facts), COLUMNS), copy=False)
                for name in _MATRICES
            )
            return cls(words, core, skills, facts, arrays["rarity"])
        except (OSError, ValueError, EOFError, KeyError) as error:
            raise MatchingError(f"The terms in {folder} are damaged ({error}); delete that folder.") from error


def term_number(term: str) -> int:
    """Return the column of a term."""
    return zlib.crc32(term.encode("utf-8", "surrogatepass")) % COLUMNS


def term_numbers(text: str) -> list[int]:
    """Return the columns of the folded words of a text, in order."""
    return [term_number(word) for word in fold(text).split()]


def core_numbers(titles: Iterable[str], skills: Iterable[NamedSkill]) -> list[int]:
    """Return the distinct columns of the words of titles and skills, in order."""
    texts = [*titles, *(skill.text for skill in skills)]
    return [*dict.fromkeys(number for text in texts for number in term_numbers(text))]


def fact_numbers(record: Freelancer | Project) -> list[int]:
    """Return the numbers of the values of `FACTS`; -1 for an unknown one."""
    values = [getattr(record, fact) for fact in FACTS]
    return [term_number(value) if value else _UNKNOWN for value in values]


def term_row(numbers: Iterable[int]) -> csr_matrix:
    """Return one row of the counts of columns."""
    rows = _Rows()
    rows.add(numbers)
    return rows.matrix()


class _Rows:
    def __init__(self) -> None:
        self._columns: list[NDArray[np.int32]] = []

    def __len__(self) -> int:
        return len(self._columns)

    def add(self, numbers: Iterable[int]) -> None:
        self._columns.append(np.fromiter(numbers, dtype=np.int32))

    def matrix(self) -> csr_matrix:
        ends = np.concatenate([[0], np.cumsum([*map(len, self._columns)], dtype=np.int64)])
        columns = np.concatenate([*self._columns, np.empty(0, dtype=np.int32)])
        matrix = csr_matrix(
            (np.ones(len(columns), dtype=np.float32), columns, ends), shape=(len(self._columns), COLUMNS)
        )
        matrix.sum_duplicates()
        return matrix
