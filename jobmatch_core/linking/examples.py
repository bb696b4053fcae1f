"""Titles with known answers and their candidates, to fit and measure the fusion and the thresholds.

Held-out titles are names of the taxonomy, of which the occupation is known; coded titles come from statistical offices,
which publish the ISCO-08 unit group only. No benchmark's data is used.
"""

# A held-out name is left out of the index, together with its near twins of the same occupation (the plural, the other
# gender, the same word in a sister language), since a real title seldom has a twin. Some titles are garbled, as real
# ones are. For some the whole occupation is left out, and some are no job: the right answer to both is 'none of these'.

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.linking.arrays import UNITS, Indices, unit_keys
from jobmatch_core.linking.candidates import NamePairs, OccupationCandidates, have_equal_names, pool, score_names
from jobmatch_core.linking.equal_names import EqualNames, NameTrust, in_sets
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.linking.index import NO_UNIT, NameIndex
from jobmatch_core.linking.scorers import n_threads
from jobmatch_core.text.folding import fold

NO_CONCEPT = -1
TWIN_RATIO = 70.0  # similarity from which two names of one occupation are twins, and left out together
SHARE_KEPT = 0.3  # titles whose name stays in the index: many people type exact names, some with a typo
SHARE_TWINS_KEPT = 0.15  # titles whose name is left out while its near twins stay
SHARE_GONE = 0.2  # titles whose whole occupation is left out
SHARE_NONSENSE = 0.1  # further titles that are no job

_GARBLE_SHARES = [0.3, 0.2, 0.2, 0.2, 0.1]  # of `_GARBLES`
_BLOCK = 1000
_Garble = Callable[[list[str], Sequence[str], np.random.Generator], list[str]]


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Titles with their answers."""

    titles: list[str]  # folded
    names: list[str]  # the name behind each title, '' for nonsense
    answers: NDArray[np.int64]  # (title,) concept numbers, or NO_CONCEPT
    owners: NDArray[np.int64]  # (title,) the concept of the name, also if the answer is NO_CONCEPT
    name_kept: NDArray[np.bool_]  # (title,) true if the name stays in the index
    twins_kept: NDArray[np.bool_]  # (title,) true if its near twins stay in the index

    def chosen(self, rows: NDArray[np.bool_] | slice) -> "HeldOut":
        """Return the titles of some rows."""
        numbers = np.arange(len(self.titles))[rows].tolist()
        titles, names = ([texts[number] for number in numbers] for texts in (self.titles, self.names))
        return HeldOut(
            titles, names, self.answers[rows], self.owners[rows], self.name_kept[rows], self.twins_kept[rows]
        )


def held_out_titles(index: NameIndex, n: int, seed: int) -> HeldOut:
    """Draw up to *n* titles from the names, and add `SHARE_NONSENSE` times as many that are no job."""
    random = np.random.default_rng(seed)
    chosen = random.choice(len(index.texts), size=min(n, len(index.texts)), replace=False)
    names = index.texts.take(chosen)
    words = [word for name in names for word in name.split()]
    garbles = random.choice(len(_GARBLES), size=len(names), p=_GARBLE_SHARES)
    titles = [" ".join(_GARBLES[g](name.split(), words, random)) for g, name in zip(garbles, names, strict=True)]
    owners = index.concepts[chosen].astype(np.int64)
    fate = random.random(len(names))
    name_kept, twins_kept = fate < SHARE_KEPT, fate < SHARE_KEPT + SHARE_TWINS_KEPT
    gone = ~twins_kept & (random.random(len(names)) < SHARE_GONE)
    nonsense = _nonsense(round(len(names) * SHARE_NONSENSE), random)
    none = np.full(len(nonsense), NO_CONCEPT, dtype=np.int64)
    return HeldOut(
        titles=titles + nonsense,
        names=names + [""] * len(nonsense),
        answers=np.concatenate([np.where(gone, NO_CONCEPT, owners), none]),
        owners=np.concatenate([owners, none]),
        name_kept=np.concatenate([name_kept, np.zeros(len(nonsense), dtype=bool)]),
        twins_kept=np.concatenate([twins_kept, np.zeros(len(nonsense), dtype=bool)]),
    )


def leave_out(index: NameIndex, held_out: HeldOut, pairs: NamePairs) -> NamePairs:
    """Drop the pairs of held-out titles with their own names and twins."""
    own = index.concepts[pairs.entries] == held_out.owners[pairs.queries]
    gone = (held_out.answers == NO_CONCEPT)[pairs.queries]
    names = [held_out.names[query] for query in pairs.queries]
    texts = index.texts.take(pairs.entries)
    alike = process.cpdist(names, texts, scorer=fuzz.ratio, workers=n_threads())
    same = np.array([name == text for name, text in zip(names, texts, strict=True)], dtype=bool)
    twin = (alike >= TWIN_RATIO) & ~held_out.twins_kept[pairs.queries]
    dropped = (own & (gone | twin)) | same
    return pairs.without(dropped & ~held_out.name_kept[pairs.queries], _occupations_without(index, held_out, pairs))


def garbled(name: str, others: Sequence[str], random: np.random.Generator) -> str:
    """Garble a name of at least one word: drop, add (from *others*) or swap a word, swap two letters, or keep it."""
    kind = int(np.searchsorted(np.cumsum(_GARBLE_SHARES[:-1]), random.random(), side="right"))
    return " ".join(_GARBLES[kind](name.split(), others, random))


def twins(index: NameIndex, name: str, concept: int) -> NDArray[np.intp]:
    """Return the entries of a concept that are twins of a name, including the name itself."""
    entries = index.entries_of(concept)
    alike = process.cdist([name], index.texts.take(entries), scorer=fuzz.ratio)[0]
    return np.asarray(entries[alike >= TWIN_RATIO], dtype=np.intp)


def _occupations_without(index: NameIndex, held_out: HeldOut, pairs: NamePairs) -> FloatArray:
    """Return the concept head's scores, computed without the titles' own names and twins."""
    scorer = index.encoder
    if scorer is None:
        return pairs.occupations
    scores = pairs.occupations.copy()
    vectors = scorer.encode(held_out.titles)
    for title in np.flatnonzero(~held_out.name_kept & (held_out.answers != NO_CONCEPT)):
        concept = int(held_out.owners[title])
        name = held_out.names[title]
        left_out = twins(index, name, concept)
        if held_out.twins_kept[title]:
            left_out = np.array([entry for entry in left_out.tolist() if index.texts[entry] == name], dtype=np.intp)
        scores[title, scorer.columns(np.array([concept]))] = scorer.without(vectors[title], concept, left_out)
    return scores


def _nonsense(n: int, random: np.random.Generator) -> list[str]:
    """Return texts that are no job: half of them real texts, half random letters."""
    texts = [_out_of_domain()[i] for i in random.integers(len(_out_of_domain()), size=n - n // 2)]
    letters = np.array(list("abcdefghijklmnoprstuvwxyz"))
    noise = [
        " ".join("".join(random.choice(letters, size=random.integers(2, 9))) for _ in range(random.integers(1, 4)))
        for _ in range(n // 2)
    ]
    return texts + noise


@cache
def _out_of_domain() -> list[str]:
    text = (files("jobmatch_core.linking") / "out_of_domain.txt").read_text("utf-8")
    return [folded for line in text.splitlines() if (folded := fold(line))]


def _lose_a_word(words: list[str], others: Sequence[str], random: np.random.Generator) -> list[str]:
    if len(words) < 2:
        return words
    lost = random.integers(len(words))
    return words[:lost] + words[lost + 1 :]


def _gain_a_word(words: list[str], others: Sequence[str], random: np.random.Generator) -> list[str]:
    place = random.integers(len(words) + 1)
    return [*words[:place], others[int(random.integers(len(others)))], *words[place:]]


def _swap_a_word(words: list[str], others: Sequence[str], random: np.random.Generator) -> list[str]:
    return _gain_a_word(_lose_a_word(words, others, random), others, random) if len(words) > 1 else words


def _mistype(words: list[str], others: Sequence[str], random: np.random.Generator) -> list[str]:
    which = random.integers(len(words))
    word = words[which]
    if len(word) < 4:
        return words
    at = random.integers(1, len(word) - 1)
    swapped = word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]
    return [*words[:which], swapped, *words[which + 1 :]]


_GARBLES: list[_Garble] = [lambda words, others, random: words, _lose_a_word, _gain_a_word, _swap_a_word, _mistype]


@dataclass(frozen=True, slots=True)
class CodedTitle:
    """A title with its unit groups."""

    text: str  # folded
    units: tuple[int, ...]  # codes of possible unit groups; empty if it is no job
    concept: int = NO_CONCEPT  # concept number of its occupation; NO_CONCEPT if only its unit groups are known


@dataclass(frozen=True, slots=True)
class Examples:
    """Titles with their candidates."""

    n_titles: int
    candidates: OccupationCandidates  # candidates of the titles, without held-out names
    right: NDArray[np.bool_]  # (candidate,) true if it may be the right one
    unit_right: NDArray[np.bool_]  # (candidate,) true if its unit group is a right one
    names: EqualNames  # their names, and their unit groups

    @property
    def arguments(self) -> tuple[Indices, NDArray[np.float32], NDArray[np.bool_], int]:
        """The arguments of `ConditionalLogit.fit`: titles that equal no name, since others need no weights."""
        queries = self.candidates.queries
        weighed = np.ones(self.n_titles, dtype=bool)
        weighed[queries[self.names.equal]] = False
        rows = weighed[queries]
        numbers = np.cumsum(weighed) - 1
        return numbers[queries[rows]], self.candidates.features[rows], self.right[rows], int(weighed.sum())

    def probabilities(self, logit: ConditionalLogit) -> NDArray[np.float64]:
        """Return the probability of each candidate."""
        return logit.with_names(self.candidates.queries, self._by_features(logit), self.names)

    def name_trust(self, logit: ConditionalLogit) -> NameTrust | None:
        """Fit the trust in names of the taxonomy that equal a title; None without right and wrong ones."""
        queries, names, n_titles = self.candidates.queries, self.names, self.n_titles
        masses = names.group_masses(queries, self._by_features(logit), n_titles)
        preferred, votes = in_sets(queries, names.preferred, n_titles), names.votes_of(queries, n_titles)
        votes[:, 0] = 0  # most of these titles are the lexicon's, which would vote for its own
        right = in_sets(queries, names.equal & self.unit_right, n_titles)
        chosen = names.of_taxonomy(queries, n_titles)
        if len(np.unique(right[chosen])) < 2:
            return None
        return NameTrust.fit(masses[chosen], preferred[chosen], votes[chosen], right[chosen])

    def _by_features(self, logit: ConditionalLogit) -> NDArray[np.float64]:
        queries, features = self.candidates.queries, self.candidates.features
        return logit.probabilities(queries, logit.utilities(features), self.n_titles)

    @classmethod
    def joined(cls, parts: "Sequence[Examples]") -> "Examples":
        """Return the titles of all parts, numbered consecutively."""
        starts = np.cumsum([0, *(part.n_titles for part in parts)])
        candidates = OccupationCandidates.concatenated(
            [
                replace(part.candidates, queries=part.candidates.queries + start)
                for part, start in zip(parts, starts, strict=False)
            ]
        )
        right, unit_right = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("right", "unit_right")
        )
        names = EqualNames.concatenated([part.names for part in parts])
        return cls(sum(part.n_titles for part in parts), candidates, right, unit_right, names)


def examples(index: NameIndex, held_out: HeldOut, progress: Progress = no_progress) -> Examples:
    """Return the candidates of held-out titles, found without their names in the index."""
    parts = []
    for start in range(0, len(held_out.titles), _BLOCK):
        progress(start, len(held_out.titles))
        part = held_out.chosen(slice(start, start + _BLOCK))
        block = pool(index, leave_out(index, part, score_names(index, part.titles)))
        parts.append(replace(block, queries=block.queries + start))
    candidates = OccupationCandidates.concatenated(parts)
    answers = held_out.answers[candidates.queries]
    names = _names(index, candidates)
    answer_units = np.where(answers < 0, NO_UNIT, index.units[answers])
    right_unit = (names.units == answer_units) & (names.units != NO_UNIT)
    return Examples(len(held_out.titles), candidates, candidates.concepts == answers, right_unit, names)


def coded_examples(index: NameIndex, titles: Sequence[CodedTitle]) -> Examples:
    """Return the candidates of coded titles; all occupations of a right unit group may be right."""
    parts = []
    for start in range(0, len(titles), _BLOCK):
        block = titles[start : start + _BLOCK]
        candidates = pool(index, score_names(index, [title.text for title in block]))
        names = _names(index, candidates)
        right_unit = np.array(
            [unit in block[query].units for query, unit in zip(candidates.queries, names.units, strict=True)],
            dtype=bool,
        )
        concepts = np.array([title.concept for title in block])[candidates.queries]
        of_unit = right_unit & ~index.groups[candidates.concepts]
        right = np.where(concepts == NO_CONCEPT, of_unit, candidates.concepts == concepts)
        parts.append(Examples(len(block), candidates, right, right_unit, names))
    return Examples.joined(parts)


def _names(index: NameIndex, candidates: OccupationCandidates) -> EqualNames:
    return EqualNames.of(index, candidates.concepts, candidates.entries, have_equal_names(index, candidates))


def top_candidates(logit: ConditionalLogit, examples: Examples) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return each title's highest probability of a candidate, and whether that candidate is right."""
    return highest(examples.candidates.queries, examples.probabilities(logit), examples.right, examples.n_titles)


def top_units(logit: ConditionalLogit, examples: Examples) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return each title's highest probability of a unit group, and whether that group is right."""
    queries, probabilities = examples.candidates.queries, examples.probabilities(logit)
    units = examples.names.units
    has_unit = units != NO_UNIT
    keys, groups = np.unique(unit_keys(queries[has_unit], units[has_unit]), return_inverse=True)
    sums = np.bincount(groups, probabilities[has_unit], minlength=len(keys)).astype(np.float64)
    right = np.zeros(len(keys), dtype=bool)
    right[groups] = examples.unit_right[has_unit]
    return highest(keys // UNITS, sums, right, examples.n_titles)


def highest(
    queries: Indices, probabilities: NDArray[np.float64], right: NDArray[np.bool_], n_titles: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return each query's highest probability, 0 without candidates, and whether it belongs to a right candidate."""
    top = np.zeros(n_titles)
    np.maximum.at(top, queries, probabilities)
    correct = np.zeros(n_titles, dtype=bool)
    correct[queries[right & (probabilities == top[queries])]] = True
    return top, correct
