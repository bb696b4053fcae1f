"""Titles' candidates in all their meanings, and how weights rank them: for links, and to fit the weights on judgments.

A title may have several texts, its forms and readings, and several meanings, see `title_texts`. In each meaning an
occupation has its best text; the probabilities of a title are the mean of those of its meanings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.candidates import OccupationCandidates, feature_names, have_equal_names, pool, score_names
from jobmatch_core.linking.corrections import NO_MANAGER, OWN_NAME_FIRST
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.linking.index import NO_UNIT, NameIndex
from jobmatch_core.linking.own_names import OwnLayer
from jobmatch_core.linking.scorers import Indices
from jobmatch_core.linking.title_texts import TitleTexts
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.cleaning import CleanTitle

MANAGERS = 1  # the major group
_DECIMALS = 3  # of utilities that are compared: of two forms that the encoder reads as one, rounding must not choose

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


_OF_ROWS = ("places", "said", "equal", "further", "may_manage", "general")


@dataclass(frozen=True, slots=True)
class Ranking:
    """One title's candidates, best first.

    Attributes:
        concepts: (candidate,) concept numbers in the taxonomy.
        entries: (candidate,) entry of the index that matched; higher ones belong to the layer of own names.
        texts: (candidate,) which of the title's forms and readings matched, as numbered by `TitleTexts`.
        shares: (candidate, scorer) share of each scorer in the utility, see `Calibration.scorer_shares`.
        probabilities: (candidate,) probability of each.
    """

    concepts: Indices
    entries: Indices
    texts: Indices
    shares: Floats
    probabilities: Floats

    def take(self, order: Indices | slice) -> "Ranking":
        """Return the candidates in another order."""
        return Ranking(*(getattr(self, name)[order] for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rows of `TitleCandidates` that weights choose: one for each occupation of a meaning, meaning by meaning.

    Attributes:
        rows: (chosen,) the rows.
        offsets: (chosen,) what their utility is more than weights times features.
        probabilities: (chosen,) probability in the meaning.
    """

    rows: Indices
    offsets: Floats
    probabilities: Floats


@dataclass(frozen=True, slots=True)
class Ranked:
    """The candidates of titles, title by title, best first.

    Attributes:
        rows: (candidate,) the row of `TitleCandidates` that speaks for it.
        titles: (candidate,) number of the title, ascending.
        probabilities: (candidate,) probability of each.
    """

    rows: Indices
    titles: Indices
    probabilities: Floats


@dataclass(frozen=True, slots=True)
class TitleCandidates:
    """The candidates of some titles as they are whatever the weights; a row is a candidate of a text in a meaning.

    Attributes:
        owners: (meaning,) number of its title, ascending; every title has a meaning.
        manages: (meaning,) true if the title is most likely a manager's.
        candidates: the candidates of the texts.
        rows: (row,) number of the candidate.
        concepts: (row,) its concept number in the taxonomy.
        meanings: (row,) number of the meaning, ascending.
        places: (row,) place of the text among the title's own.
        said: (row,) true if the text says the same as the title.
        equal: (row,) true if a name equals the title.
        further: (row,) true if that name is none of the taxonomy's own.
        may_manage: (row,) true if the occupation is a manager's, or has no unit group.
        general: (row,) number of unit groups that share the title's probability if the row comes first; 0 for none.
    """

    owners: Indices
    manages: Flags
    candidates: OccupationCandidates
    rows: Indices
    concepts: Indices
    meanings: Indices
    places: Indices
    said: Flags
    equal: Flags
    further: Flags
    may_manage: Flags
    general: Indices

    @classmethod
    def of(
        cls,
        index: NameIndex,
        taxonomy: Taxonomy,
        titles: Sequence[str],
        cleaned: Sequence[CleanTitle],
        own: OwnLayer | None = None,
    ) -> "TitleCandidates":
        """Score titles by all their texts.

        Args:
            index: index of the taxonomy's names, or a part of it.
            taxonomy: the taxonomy.
            titles: titles as typed.
            cleaned: the same, cleaned.
            own: layer of own names, None without one.
        """
        texts = TitleTexts.of(cleaned)
        candidates = _candidates(index, texts.texts, own)
        rows, slots = texts.candidate_rows(candidates.queries)
        equal = texts.equal_names(titles, slots, have_equal_names(index, candidates)[rows])
        further = np.zeros(len(rows), dtype=bool)
        further[equal] = index.are_further(taxonomy, candidates.entries[rows[equal]])
        concepts, meanings = candidates.concepts[rows], texts.meanings[slots]
        units = index.units[concepts]
        return cls(
            texts.owners,
            texts.manages,
            candidates,
            rows,
            concepts,
            meanings,
            texts.places[slots],
            texts.equal[slots],
            equal,
            further,
            (units == NO_UNIT) | (units // 1000 == MANAGERS),
            _general_groups(index, cleaned, candidates.entries[rows], texts.owners[meanings]),
        )

    @classmethod
    def of_names(cls, candidates: OccupationCandidates, equal: Flags, n: int) -> "TitleCandidates":
        """Return the candidates of *n* folded titles, each of one text, of which `equal` have a name that equals it."""
        rows, zeros, no = np.arange(len(equal)), np.zeros(len(equal), np.intp), np.zeros(len(equal), bool)
        return cls(
            np.arange(n),
            np.zeros(n, bool),
            candidates,
            rows,
            candidates.concepts,
            candidates.queries,
            zeros,
            ~no,
            equal,
            no,
            no,
            zeros,
        )

    @property
    def n(self) -> int:
        """Number of titles."""
        return int(self.owners[-1]) + 1 if len(self.owners) else 0

    def titles_of(self, rows: Indices) -> Indices:
        """Return the titles of some rows."""
        return self.owners[self.meanings[rows]]

    def of_titles(self, chosen: Flags) -> "TitleCandidates":
        """Return some titles, renumbered.

        Args:
            chosen: (title,) true for those.
        """
        kept = chosen[self.owners]
        rows = kept[self.meanings]
        return TitleCandidates(
            (np.cumsum(chosen) - 1)[self.owners[kept]],
            self.manages[kept],
            self.candidates,
            self.rows[rows],
            self.concepts[rows],
            (np.cumsum(kept) - 1)[self.meanings[rows]],
            *(getattr(self, name)[rows] for name in _OF_ROWS),
        )

    @classmethod
    def joined(cls, parts: "Sequence[TitleCandidates]") -> "TitleCandidates":
        """Return the titles of all parts, at least one, numbered one part after the other."""
        titles, meanings, rows = (
            np.cumsum([0, *counts])
            for counts in zip(*((p.n, len(p.owners), len(p.candidates.queries)) for p in parts), strict=True)
        )
        candidates = OccupationCandidates(
            *(
                np.concatenate([getattr(part.candidates, name) for part in parts])
                for name in OccupationCandidates.__slots__
            )
        )
        return cls(
            np.concatenate([part.owners + start for part, start in zip(parts, titles, strict=False)]),
            np.concatenate([part.manages for part in parts]),
            candidates,
            np.concatenate([part.rows + start for part, start in zip(parts, rows, strict=False)]),
            np.concatenate([part.concepts for part in parts]),
            np.concatenate([part.meanings + start for part, start in zip(parts, meanings, strict=False)]),
            *(np.concatenate([getattr(part, name) for part in parts]) for name in _OF_ROWS),
        )

    def chosen(self, logit: ConditionalLogit) -> Chosen:
        """Choose each occupation's text in every meaning: of a name that equals the title, else of highest utility."""
        by_features = logit.utilities(self.candidates.features)[self.rows]
        undecided = self._not_led(by_features)[self.meanings]
        utilities = by_features - NO_MANAGER * (undecided & self.manages[self.meanings] & ~self.may_manage)
        utilities = utilities - OWN_NAME_FIRST * self.further
        counted = np.flatnonzero(self.said | undecided)
        keys = (-utilities.round(_DECIMALS), ~self.equal, self.concepts, self.meanings)
        order = counted[np.lexsort([key[counted] for key in keys])]
        starts = _starts(self.meanings[order], self.concepts[order])
        rows = order[starts]  # an equal name is the evidence, also where another text has the higher utility
        highest = np.maximum.reduceat(utilities[order], starts) if len(starts) else utilities[rows]
        meanings = self.meanings[rows]
        probabilities = logit.probabilities(meanings, highest, len(self.owners))
        probabilities = logit.with_names(meanings, probabilities, self.equal[rows])
        return Chosen(rows, (utilities - by_features)[rows], probabilities)

    def ranked(self, logit: ConditionalLogit) -> Ranked:
        """Rank the candidates of each title; several meanings are equally likely."""
        chosen = self.chosen(logit)
        rows, means = self._means(chosen) if len(self.owners) > self.n else (chosen.rows, chosen.probabilities)
        titles = self.titles_of(rows)
        best_first = np.lexsort((-means, titles))
        rows, means = rows[best_first], means[best_first]
        first = np.searchsorted(titles, titles)
        return Ranked(rows, titles, means / np.maximum(self.general[rows[first]], 1))

    def _means(self, chosen: Chosen) -> tuple[Indices, Floats]:
        """Return the rows of each title's candidates where they are likeliest, and the means over its meanings."""
        titles, concepts = self.titles_of(chosen.rows), self.concepts[chosen.rows]
        order = np.lexsort((-chosen.probabilities, concepts, titles))
        starts = _starts(titles[order], concepts[order])
        if not len(starts):
            return chosen.rows, chosen.probabilities
        n_meanings = np.bincount(self.owners)[titles[order[starts]]]
        return chosen.rows[order[starts]], np.add.reduceat(chosen.probabilities[order], starts) / n_meanings

    def rankings(self, calibration: Calibration) -> list[Ranking]:
        """Return each title's ranking."""
        ranked = self.ranked(calibration.logit)
        found = self.rows[ranked.rows]
        every = Ranking(
            self.concepts[ranked.rows],
            self.candidates.entries[found],
            self.places[ranked.rows],
            calibration.scorer_shares(self.candidates.features[found]),
            ranked.probabilities,
        )
        bounds = np.searchsorted(ranked.titles, np.arange(self.n + 1))
        return [every.take(slice(start, end)) for start, end in pairwise(bounds.tolist())]

    def _not_led(self, utilities: Floats) -> Flags:
        """Return (meaning,) true unless the title leads to a manager as it stands."""
        meanings, said = self.meanings, self.said
        highest = np.full(len(self.owners), -np.inf)
        np.maximum.at(highest, meanings[said], utilities[said])
        not_led = np.ones(len(self.owners), dtype=bool)
        not_led[meanings[said & self.may_manage & (utilities == highest[meanings])]] = False
        return not_led


def n_general(index: NameIndex, clean: CleanTitle, entry: int) -> int:
    """Return the number of unit groups that a title stands for as a general word, 0 for other titles.

    Args:
        index: index of the names.
        clean: the cleaned title.
        entry: the entry that matched it best; that of an own name says what it means.
    """
    if entry >= len(index.texts) or not index.general[entry] or clean.n_jobs > 1:
        return 0
    said = {*clean.forms, *(fold(reading.text) for reading in clean.readings)}
    return int(index.general[entry]) if index.texts[entry] in said else 0


def _general_groups(index: NameIndex, cleaned: Sequence[CleanTitle], entries: Indices, owners: Indices) -> Indices:
    """Return (row,) `n_general` of the title by the row's entry, *owners* being the titles."""
    groups = np.zeros(len(entries), np.intp)
    general = index.general.take(entries, mode="clip") > 0
    for row in np.flatnonzero(general).tolist():
        groups[row] = n_general(index, cleaned[owners[row]], int(entries[row]))
    return groups


def _candidates(index: NameIndex, texts: Sequence[str], own: OwnLayer | None) -> OccupationCandidates:
    """Return the candidates of folded texts; the pairs of texts and names that they are made of are not kept."""
    if not texts:
        nobody = np.empty(0, np.int64)
        return OccupationCandidates(
            nobody, nobody, nobody, np.empty((0, len(feature_names(list(index.scorers)))), np.float32)
        )
    return pool(index, score_names(index, texts, own=own), own)


def _starts(first: Indices, second: Indices) -> Indices:
    """Return where each run of equal pairs begins."""
    return np.flatnonzero((np.diff(first, prepend=-1) != 0) | (np.diff(second, prepend=-1) != 0))
