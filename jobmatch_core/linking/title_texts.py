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

from jobmatch_core.linking.arrays import Flags, Indices, ParallelArrays
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.cleaning import CleanTitle, clean_title

_NO_WORK = "none_"  # beginning of the tables of words for those who have no job


@dataclass(frozen=True, slots=True)
class Meanings(ParallelArrays):
    """Meanings of titles: a title has one, or as many as it has jobs and its abbreviation senses."""

    titles: Indices  # (meaning,) title numbers, ascending; every title has a meaning
    manages: Flags  # (meaning,) true if the title is most likely a manager's

    @property
    def n_titles(self) -> int:
        """Number of titles."""
        return int(self.titles[-1]) + 1 if len(self.titles) else 0


@dataclass(frozen=True, slots=True)
class Slots(ParallelArrays):
    """Queries in meanings: the forms of a job are in all of the job's meanings, a reading in its own."""

    queries: Indices  # (slot,) query numbers
    meanings: Indices  # (slot,) meaning numbers, ascending
    places: Indices  # (slot,) place of the query among those of its title: the forms, then the readings
    synonymous: Flags  # (slot,) true if the query means the same as the title: a name that equals it equals the title


@dataclass(frozen=True, slots=True)
class TitleTexts:
    """Queries of titles, each scored once, and their meanings."""

    queries: list[str]  # folded texts, title by title: the forms, then the readings
    meanings: Meanings  # meanings of the titles
    slots: Slots  # queries in meanings

    @classmethod
    def of(cls, titles: Sequence[CleanTitle]) -> Self:
        """Collect the queries of cleaned titles."""
        queries: list[str] = []
        titles_of_meanings: list[int] = []
        slots: list[tuple[int, int, int, bool]] = []
        for number, title in enumerate(titles):
            first = len(queries)
            queries.extend(title.forms)
            queries.extend(fold(reading.text) for reading in title.readings)
            for job, sense in product(range(title.n_jobs), range(title.n_meanings)):
                forms = [(place, True) for place in title.forms_of(job)]
                readings = [
                    (place, reading.equal)
                    for place, reading in enumerate(title.readings, len(title.forms))
                    if reading.meaning in (sense, None) and reading.job in (job, None)
                ]
                meaning = len(titles_of_meanings)
                slots.extend((first + place, meaning, place, equal) for place, equal in (*forms, *readings))
                titles_of_meanings.append(number)
        slot_queries, meanings, places, synonymous = np.array(slots, dtype=np.intp).reshape(-1, 4).T
        manages = np.array([titles[number].manages for number in titles_of_meanings], dtype=bool)
        return cls(
            queries,
            Meanings(np.array(titles_of_meanings, np.intp), manages),
            Slots(slot_queries, meanings, places, synonymous.astype(bool)),
        )

    def candidates_in_slots(self, queries: Indices) -> tuple[Indices, Indices]:
        """Return the candidates of each slot, slot by slot: (row,) candidate numbers and (row,) slot numbers.

        *queries* are the candidates' query numbers, ascending.
        """
        bounds = np.searchsorted(queries, np.arange(len(self.queries) + 1))
        starts, counts = bounds[self.slots.queries], np.diff(bounds)[self.slots.queries]
        slots = np.repeat(np.arange(len(counts)), counts)
        before = np.cumsum(counts) - counts
        return np.arange(len(slots)) - before[slots] + starts[slots], slots

    def equal_titles(self, titles: Sequence[str], slots: Indices, exact: Flags) -> Flags:
        """Return (row,) true if a name equals the title; a cleaned title counts where no name equals the typed one.

        Args:
            slots: (row,) slot numbers.
            exact: (row,) true if a name equals the query.
        """
        folded = [fold(title) for title in titles]
        titles_of_slots = self.meanings.titles[self.slots.meanings].tolist()
        as_typed = np.array(
            [
                self.queries[query] == folded[title]
                for query, title in zip(self.slots.queries.tolist(), titles_of_slots, strict=True)
            ],
            dtype=bool,
        )
        typed = exact & as_typed[slots]
        meanings = self.slots.meanings[slots]
        has_typed = np.zeros(len(self.meanings.titles), dtype=bool)
        has_typed[meanings[typed]] = True
        equal: Flags = typed | (exact & self.slots.synonymous[slots] & ~has_typed[meanings])
        return equal


def is_general(title: str, known_words: Container[str]) -> bool:
    """Return whether a title as typed, when cleaned, has only general words or none; words as for `clean_title`."""
    return are_general(clean_title(title, known_words).forms)


def are_general(forms: Iterable[str]) -> bool:
    """Return whether the folded forms of a title have only general words, or there are none."""
    return all(_general_words().issuperset(form.split()) for form in forms)


def has_no_work(title: str) -> bool:
    """Return whether a title of general words says that somebody has no job: `student`, `retired`, `Hausfrau`."""
    return not _general_words(_NO_WORK).isdisjoint(fold(title).split())


@cache
def _general_words(beginning: str = "") -> frozenset[str]:
    # the words of the tables whose names begin so
    text = (files("jobmatch_core.linking") / "general_words.toml").read_text("utf-8")
    tables = tomllib.loads(text).items()
    return frozenset(fold(word) for name, words in tables if name.startswith(beginning) for word in words)
