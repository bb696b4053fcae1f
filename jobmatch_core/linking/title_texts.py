"""Titles as the scorers read them: forms and readings, which of them belong to which meaning, and which are general.

A title of general words alone (`general_words.toml`), such as 'Employee', 'Mitarbeiter (m/w/d)' or 'Student', names no
occupation.
"""

import tomllib
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.linking.scorers import Indices
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.cleaning import CleanTitle, clean_title


@dataclass(frozen=True, slots=True)
class TitleTexts:
    """The folded texts of some titles, each scored once, and their meanings.

    A title has one meaning, or as many as its jobs and its abbreviation. A slot is a text in a meaning: the forms of a
    job are in all of the job's meanings, a reading in its own.

    Attributes:
        texts: folded texts, title by title: the forms, then the readings.
        owners: (meaning,) number of its title.
        manages: (meaning,) true if the title is most likely a manager's.
        slot_texts: (slot,) number of the text.
        meanings: (slot,) number of the meaning, ascending.
        places: (slot,) place of the text among the title's own.
        equal: (slot,) true if a name that equals the text equals the title.
    """

    texts: list[str]
    owners: Indices
    manages: NDArray[np.bool_]
    slot_texts: Indices
    meanings: Indices
    places: Indices
    equal: NDArray[np.bool_]

    @classmethod
    def of(cls, titles: Sequence[CleanTitle]) -> Self:
        """Collect the texts of cleaned titles."""
        texts: list[str] = []
        owners: list[int] = []
        slots: list[tuple[int, int, int, bool]] = []
        for number, title in enumerate(titles):
            first = len(texts)
            texts.extend(title.forms)
            texts.extend(fold(reading.text) for reading in title.readings)
            for job, meaning in product(range(title.n_jobs), range(title.n_meanings)):
                forms = [(place, True) for place in title.forms_of(job)]
                read = [
                    (place, reading.equal)
                    for place, reading in enumerate(title.readings, len(title.forms))
                    if reading.meaning in (meaning, None) and reading.job in (job, None)
                ]
                slots.extend((first + place, len(owners), place, equal) for place, equal in (*forms, *read))
                owners.append(number)
        slot_texts, meanings, places, equal = np.array(slots, dtype=np.intp).reshape(-1, 4).T
        manages = np.array([titles[owner].manages for owner in owners], dtype=bool)
        return cls(texts, np.array(owners, np.intp), manages, slot_texts, meanings, places, equal.astype(bool))

    def candidate_rows(self, queries: Indices) -> tuple[Indices, Indices]:
        """Return the rows of the candidates of each slot, slot by slot, and the slot of each.

        Args:
            queries: (candidate,) numbers of the texts, ascending.
        """
        bounds = np.searchsorted(queries, np.arange(len(self.texts) + 1))
        starts, counts = bounds[self.slot_texts], np.diff(bounds)[self.slot_texts]
        slots = np.repeat(np.arange(len(counts)), counts)
        before = np.cumsum(counts) - counts
        return np.arange(len(slots)) - before[slots] + starts[slots], slots

    def equal_names(self, titles: Sequence[str], slots: Indices, exact: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return (candidate,) true if a name equals its title; a cleaned title counts where none equals the whole.

        Args:
            titles: titles as typed.
            slots: (candidate,) its slot.
            exact: (candidate,) true if a name equals the text.
        """
        whole = [fold(title) for title in titles]
        owners = self.owners[self.meanings].tolist()
        as_typed = np.array(
            [self.texts[text] == whole[owner] for text, owner in zip(self.slot_texts.tolist(), owners, strict=True)],
            dtype=bool,
        )
        typed = exact & as_typed[slots]
        numbers = self.meanings[slots]
        by_whole = np.zeros(len(self.owners), dtype=bool)
        by_whole[numbers[typed]] = True
        equal: NDArray[np.bool_] = typed | (exact & self.equal[slots] & ~by_whole[numbers])
        return equal


def is_general(title: str, known_words: Container[str]) -> bool:
    """Return whether a cleaned title has only general words (`general_words.toml`), or no words.

    Args:
        title: the title as typed.
        known_words: folded words of the taxonomy's names, see `clean_title`.
    """
    return are_general(clean_title(title, known_words).forms)


def are_general(forms: Iterable[str]) -> bool:
    """Return whether the folded forms of a title have only general words, or there are none."""
    return all(_general_words().issuperset(form.split()) for form in forms)


@cache
def _general_words() -> frozenset[str]:
    text = (files("jobmatch_core.linking") / "general_words.toml").read_text("utf-8")
    return frozenset(fold(word) for words in tomllib.loads(text).values() for word in words)
