"""Titles' candidates in all their meanings, and how weights rank them: for links, and to fit the weights on judgments.

In each meaning of a title an occupation has its best query; the probabilities of a title are the mean of those of its
meanings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.linking.arrays import Flags, Floats, Indices, ParallelArrays
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.candidates import OccupationCandidates, have_equal_names, pool, score_names
from jobmatch_core.linking.corrections import NO_MANAGER
from jobmatch_core.linking.equal_names import EqualNames
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.linking.index import NO_UNIT, NameIndex
from jobmatch_core.linking.own_names import OwnLayer
from jobmatch_core.linking.title_texts import Meanings, TitleTexts
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.cleaning import CleanTitle

MANAGERS = 1  # the major group
BY_CONTEXT = -1  # place of a candidate of what is known beside the title
_DECIMALS = 3  # of utilities that are compared: of two forms that the encoder reads as one, rounding must not choose


@dataclass(frozen=True, slots=True)
class Ranking(ParallelArrays):
    """Candidates of one title, best first."""

    concepts: Indices  # (candidate,) concept numbers
    entries: Indices  # (candidate,) numbers of the entries that matched
    # (candidate,) places of the queries that matched: the title's forms, then its readings; `BY_CONTEXT` for candidates
    # that the title alone does not have
    places: Indices
    shares: Floats  # (candidate, scorer) share of each scorer in the utility, see `Calibration.scorer_shares`
    probabilities: Floats  # (candidate,) probabilities


@dataclass(frozen=True, slots=True)
class Rows(ParallelArrays):
    """Candidates in slots."""

    candidates: Indices  # (row,) candidate numbers
    concepts: Indices  # (row,) concept numbers
    meanings: Indices  # (row,) meaning numbers, ascending
    places: Indices  # (row,) place of the query among those of its title
    synonymous: Flags  # (row,) true if the query means the same as the title
    # equal, further, preferred, part, votes, units: (row,) see `EqualNames`; names are compared with the title as
    # typed, and with the cleaned one if none equals that
    equal: Flags
    further: Flags
    preferred: Flags
    part: Flags
    votes: NDArray[np.int8]
    units: Indices
    may_manage: Flags  # (row,) true if the occupation is a manager's, or has no unit group
    # (row,) number of unit groups that share the title's probability if the row comes first; 0 for none
    general: Indices

    @property
    def names(self) -> EqualNames:
        """The names of the rows."""
        return EqualNames(self.equal, self.further, self.preferred, self.part, self.votes, self.units)


@dataclass(frozen=True, slots=True)
class ChosenRows:
    """The rows that weights choose: one for each occupation of a meaning, meaning by meaning."""

    rows: Indices  # (chosen,) row numbers
    offsets: Floats  # (chosen,) corrections of the utility, beside weights times features
    probabilities: Floats  # (chosen,) probability in the meaning


@dataclass(frozen=True, slots=True)
class RankedRows:
    """The rows that stand for the occupations of titles, title by title, best first."""

    rows: Indices  # (ranked,) row numbers
    titles: Indices  # (ranked,) title numbers, ascending
    probabilities: Floats  # (ranked,) probability in the title


@dataclass(frozen=True, slots=True)
class TitleCandidates:
    """Candidates of titles, whatever the weights."""

    meanings: Meanings  # meanings of the titles
    candidates: OccupationCandidates  # candidates of the queries
    rows: Rows  # candidates in the slots

    @classmethod
    def of(
        cls,
        index: NameIndex,
        titles: Sequence[str],
        cleaned: Sequence[CleanTitle],
        own: OwnLayer | None = None,
    ) -> Self:
        """Score titles by all their queries.

        Args:
            index: index of the taxonomy's names, or a part of it.
            titles: titles as typed.
            cleaned: the same, cleaned.
            own: layer of own names, None without one.
        """
        texts = TitleTexts.of(cleaned)
        candidates = OccupationCandidates.none(index)
        if texts.queries:
            candidates = pool(index, score_names(index, texts.queries, own=own), own)
        numbers, slots = texts.candidates_in_slots(candidates.queries)
        concepts, entries = candidates.concepts[numbers], candidates.entries[numbers]
        meanings = texts.slots.meanings[slots]
        equal = texts.equal_titles(titles, slots, have_equal_names(index, candidates)[numbers])
        names = EqualNames.of(index, concepts, entries, equal)
        general = np.zeros(len(numbers), np.intp)
        for row in np.flatnonzero(index.general.take(entries, mode="clip") > 0).tolist():
            general[row] = n_general(index, cleaned[texts.meanings.titles[meanings[row]]], int(entries[row]))
        rows = Rows(
            numbers,
            concepts,
            meanings,
            texts.slots.places[slots],
            texts.slots.synonymous[slots],
            names.equal,
            names.further,
            names.preferred,
            names.part,
            names.votes,
            names.units,
            (names.units == NO_UNIT) | (names.units // 1000 == MANAGERS),
            general,
        )
        return cls(texts.meanings, candidates, rows)

    @classmethod
    def of_names(cls, candidates: OccupationCandidates, names: EqualNames, n_titles: int) -> Self:
        """Return the candidates of folded titles, each of one query, with their names."""
        n_rows = len(names.equal)
        zeros, no = np.zeros(n_rows, np.intp), np.zeros(n_rows, bool)
        rows = Rows(
            candidates=np.arange(n_rows),
            concepts=candidates.concepts,
            meanings=candidates.queries,
            places=zeros,
            synonymous=~no,
            equal=names.equal,
            further=names.further,
            preferred=names.preferred,
            part=names.part,
            votes=names.votes,
            units=names.units,
            may_manage=no,
            general=zeros,
        )
        return cls(Meanings(np.arange(n_titles), np.zeros(n_titles, bool)), candidates, rows)

    def titles_of_rows(self, rows: Indices | slice) -> Indices:
        """Return the title number of each of *rows*."""
        return self.meanings.titles[self.rows.meanings[rows]]

    def of_titles(self, chosen: Flags) -> "TitleCandidates":
        """Return the titles that are *chosen*, (title,), renumbered."""
        in_chosen = chosen[self.meanings.titles]
        meanings, rows = self.meanings.take(in_chosen), self.rows.take(in_chosen[self.rows.meanings])
        return TitleCandidates(
            replace(meanings, titles=(np.cumsum(chosen) - 1)[meanings.titles]),
            self.candidates,
            replace(rows, meanings=(np.cumsum(in_chosen) - 1)[rows.meanings]),
        )

    @classmethod
    def joined(cls, parts: "Sequence[TitleCandidates]") -> Self:
        """Return the titles of all parts, at least one, numbered one part after the other."""
        n_titles = n_meanings = n_candidates = 0
        meanings, rows = [], []
        for part in parts:
            meanings.append(replace(part.meanings, titles=part.meanings.titles + n_titles))
            rows.append(
                replace(
                    part.rows,
                    candidates=part.rows.candidates + n_candidates,
                    meanings=part.rows.meanings + n_meanings,
                )
            )
            n_titles += part.meanings.n_titles
            n_meanings += len(part.meanings.titles)
            n_candidates += len(part.candidates.concepts)
        candidates = OccupationCandidates.concatenated([part.candidates for part in parts])
        return cls(Meanings.concatenated(meanings), candidates, Rows.concatenated(rows))

    def chosen(self, logit: ConditionalLogit) -> ChosenRows:
        """Choose each occupation's row in every meaning: of a name that equals the title, else of highest utility."""
        rows, n_meanings = self.rows, len(self.meanings.titles)
        by_features = logit.utilities(self.candidates.features)[rows.candidates]
        undecided = self._not_led(by_features)[rows.meanings]
        no_manager = undecided & self.meanings.manages[rows.meanings] & ~rows.may_manage
        utilities = by_features - NO_MANAGER * no_manager
        utilities = utilities - self._lost_to_rivals(logit)
        counted = np.flatnonzero(rows.synonymous | undecided)
        keys = (-utilities.round(_DECIMALS), ~rows.equal, rows.concepts, rows.meanings)
        order = counted[np.lexsort([key[counted] for key in keys])]
        starts = _starts(rows.meanings[order], rows.concepts[order])
        chosen = order[starts]  # an equal name is the evidence, also where another query has the higher utility
        highest = np.maximum.reduceat(utilities[order], starts) if len(starts) else utilities[chosen]
        meanings = rows.meanings[chosen]
        probabilities = logit.probabilities(meanings, highest, n_meanings)
        probabilities = logit.with_names(meanings, probabilities, rows.names.take(chosen))
        return ChosenRows(chosen, (utilities - by_features)[chosen], probabilities)

    def ranked(self, logit: ConditionalLogit) -> RankedRows:
        """Rank the occupations of each title; several meanings are equally likely."""
        chosen = self.chosen(logit)
        rows, means = chosen.rows, chosen.probabilities
        if len(self.meanings.titles) > self.meanings.n_titles:
            rows, means = self._means(chosen)
        titles = self.titles_of_rows(rows)
        best_first = np.lexsort((-means, titles))
        rows, means = rows[best_first], means[best_first]
        first = np.searchsorted(titles, titles)
        return RankedRows(rows, titles, means / np.maximum(self.rows.general[rows[first]], 1))

    def rankings(self, calibration: Calibration) -> list[Ranking]:
        """Return the ranking of each title."""
        ranked = self.ranked(calibration.logit)
        numbers = self.rows.candidates[ranked.rows]
        rankings = Ranking(
            self.rows.concepts[ranked.rows],
            self.candidates.entries[numbers],
            self.rows.places[ranked.rows],
            calibration.scorer_shares(self.candidates.features[numbers]),
            ranked.probabilities,
        )
        bounds = np.searchsorted(ranked.titles, np.arange(self.meanings.n_titles + 1))
        return [rankings.take(slice(start, end)) for start, end in pairwise(bounds.tolist())]

    # (row,) utility that occupations lose to others with a name that equals the title, see `NameRivals`
    def _lost_to_rivals(self, logit: ConditionalLogit) -> Floats:
        rows, names, rivals = self.rows, self.rows.names, logit.rivals
        lost: Floats = rivals.lexicon * (rows.further & ~names.agreed).astype(np.float64)
        lost[names.foreign(rows.meanings)] = rivals.foreign
        whole = names.equal & ~names.part
        lost[names.part & np.isin(rows.meanings, rows.meanings[whole])] += rivals.part
        if logit.name_trust is None:  # the names were written for coding
            return lost
        for chosen, utility in ((names.preferred, rivals.preferred), (names.agreed, rivals.agreed)):
            against = names.alternative & names.against(rows.meanings, chosen)
            if against.any():
                occupations = rows.meanings * (int(rows.concepts.max()) + 1) + rows.concepts
                lost[np.isin(occupations, occupations[against])] = utility
        return lost

    # the rows where each title's occupations are likeliest, and the means of their probabilities over its meanings
    def _means(self, chosen: ChosenRows) -> tuple[Indices, Floats]:
        titles, concepts = self.titles_of_rows(chosen.rows), self.rows.concepts[chosen.rows]
        order = np.lexsort((-chosen.probabilities, concepts, titles))
        starts = _starts(titles[order], concepts[order])
        if not len(starts):
            return chosen.rows, chosen.probabilities
        n_meanings = np.bincount(self.meanings.titles)[titles[order[starts]]]
        return chosen.rows[order[starts]], np.add.reduceat(chosen.probabilities[order], starts) / n_meanings

    # (meaning,) true unless the title leads to a manager as it stands
    def _not_led(self, utilities: Floats) -> Flags:
        rows, n_meanings = self.rows, len(self.meanings.titles)
        highest = np.full(n_meanings, -np.inf)
        np.maximum.at(highest, rows.meanings[rows.synonymous], utilities[rows.synonymous])
        not_led = np.ones(n_meanings, dtype=bool)
        not_led[rows.meanings[rows.synonymous & rows.may_manage & (utilities == highest[rows.meanings])]] = False
        return not_led


def n_general(index: NameIndex, clean: CleanTitle, entry: int) -> int:
    """Return the number of unit groups that a title stands for as a general word, 0 for other titles.

    Args:
        clean: the cleaned title.
        entry: the entry that matched it best; an own name says what it means.
    """
    if entry >= len(index.texts) or not index.general[entry] or clean.n_jobs > 1:
        return 0
    queries = {*clean.forms, *(fold(reading.text) for reading in clean.readings)}
    return int(index.general[entry]) if index.texts[entry] in queries else 0


# where each run of equal pairs begins
def _starts(first: Indices, second: Indices) -> Indices:
    return np.flatnonzero((np.diff(first, prepend=-1) != 0) | (np.diff(second, prepend=-1) != 0))
