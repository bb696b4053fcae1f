"""Refit of the fusion on judged titles, held near its earlier answers.

A judgment does not always say which occupation is right: if it only says that some are wrong, any other candidate, or
'none of these', may be right. So the likelihood of a title is the probability of all outcomes that its
judgments leave possible; for a title with a known occupation it is the probability of that one.

Titles that equal a name are answered by that name, whatever the weights; they are left out of the fit. How often the
name is right is counted among them, since it depends on where titles come from: nearly always for a taxonomy's own
names, for half of the vacancy titles that JobBERT's authors labelled.

People judge the titles they come across, most of them easy. So the fit must also answer other titles, names of the
taxonomy, as before: the cross entropy from the older probabilities to the new ones, over as many titles as are given,
is part of the loss. The older *answers* are the anchor, not the weights, since many weights answer alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from jobmatch_core.linking.fusion import EXACT_NAME, ConditionalLogit, log_sums
from jobmatch_core.linking.ranking import TitleCandidates
from jobmatch_core.linking.scorers import Indices

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
_NAME_PRIOR = 20  # judged titles that the earlier share of right names counts for
_L2 = 1e-4  # per title, on the weights' distance from the older ones: it decides where the data does not


@dataclass(frozen=True, slots=True)
class Answers:
    """What a linker with some weights answers to judged titles, and which outcomes their judgments leave possible.

    Attributes:
        titles: (candidate,) title numbers, ascending.
        concepts: (candidate,) concept numbers.
        probabilities: (candidate,) probabilities, descending in a title.
        possible: (candidate,) true if it may be right.
        none_possible: (title,) true if 'none of these' may be right.
    """

    titles: Indices
    concepts: Indices
    probabilities: Floats
    possible: Flags
    none_possible: Flags

    @property
    def ranks(self) -> Indices:
        """(candidate,) rank in its title, from 1."""
        return np.arange(1, len(self.titles) + 1) - np.searchsorted(self.titles, self.titles)

    @property
    def likelihoods(self) -> Floats:
        """(title,) probability of the possible outcomes."""
        n = len(self.none_possible)
        everything = np.bincount(self.titles, self.probabilities, minlength=n)
        right = np.bincount(self.titles, self.probabilities * self.possible, minlength=n)
        return np.asarray(right + np.where(self.none_possible, 1 - everything, 0.0), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class JudgedCandidates:
    """Titles with their candidates, as the linker has them, and what their judgments say.

    Attributes:
        found: the candidates.
        possible: (row,) true if the occupation may be right.
        known: (title,) true if only these may be right where there are any; 'none of these' may be, too, otherwise.
    """

    found: TitleCandidates
    possible: Flags
    known: Flags

    @property
    def n(self) -> int:
        """Number of titles."""
        return len(self.known)

    @classmethod
    def joined(cls, parts: Sequence["JudgedCandidates"]) -> "JudgedCandidates":
        """Return the titles of all parts, at least one, numbered one after the other."""
        return cls(
            TitleCandidates.joined([part.found for part in parts]),
            np.concatenate([part.possible for part in parts]),
            np.concatenate([part.known for part in parts]),
        )

    def of_titles(self, chosen: Flags) -> "JudgedCandidates":
        """Return some titles, renumbered."""
        rows = chosen[self.found.owners[self.found.meanings]]
        return JudgedCandidates(self.found.of_titles(chosen), self.possible[rows], self.known[chosen])

    def without_names(self) -> "JudgedCandidates":
        """Return the titles that equal no name in any meaning."""
        named = np.zeros(self.n, dtype=np.bool_)
        named[self.found.titles_of(np.flatnonzero(self.found.equal))] = True
        return self.of_titles(~named)

    def answers(self, logit: ConditionalLogit) -> Answers:
        """Return what a linker with some weights answers."""
        ranked = self.found.ranked(logit)
        possible, concepts = self.possible[ranked.rows], self.found.concepts[ranked.rows]
        return Answers(ranked.titles, concepts, ranked.probabilities, possible, self.none_possible(ranked.rows))

    def none_possible(self, rows: Indices) -> Flags:
        """Return (title,) true if 'none of these' may be right, these being some rows."""
        proposed = np.zeros(self.n, dtype=np.bool_)
        proposed[self.found.titles_of(rows[self.possible[rows]])] = True
        return ~(self.known & proposed)


def refit(start: ConditionalLogit, titles: JudgedCandidates, anchors: JudgedCandidates) -> ConditionalLogit:
    """Maximise the likelihood of judged titles and of the older answers to others; weights stay at least zero.

    Each occupation's text is the one that the older weights choose.

    Args:
        start: the weights to answer like.
        titles: judged titles; those that equal a name give `exact_name` alone, and are ignored among the anchors.
        anchors: titles to be answered as before; their possible outcomes are ignored.
    """
    exact_name = _exact_name(start, titles)
    origin = np.append(start.weights, start.none)
    judged, anchored = (_Outcomes.of(start, each.without_names()) for each in (titles, anchors))
    before = np.exp(anchored.log_shares(origin))
    n = max(judged.n_titles + anchored.n_titles, 1)

    def loss(parameters: Floats) -> tuple[float, Floats]:
        shares, now = judged.log_shares(parameters), anchored.log_shares(parameters)
        right, pull = judged.likelihood(shares)
        moved = parameters - origin
        value = -right - before @ now
        slope = (np.exp(now) - before) @ anchored.features - pull @ judged.features
        return float(value / n + _L2 * (moved**2).sum()), slope / n + 2 * _L2 * moved

    bounds = [(0.0, None)] * len(start.weights) + [(None, None)]
    found = minimize(loss, origin, jac=True, method="L-BFGS-B", bounds=bounds)
    return ConditionalLogit(found.x[:-1], float(found.x[-1]), exact_name)


@dataclass(frozen=True, slots=True)
class _Outcomes:
    """All outcomes of titles in one: the chosen candidates of each meaning, then its 'none of these'.

    Attributes:
        meanings: (outcome,) number of the meaning.
        titles: (outcome,) number of the title.
        features: (outcome, feature + 1); the last is 1 for 'none' alone, whose weight is its utility.
        offsets: (outcome,) what its utility is more than weights times features.
        possible: (outcome,) true if it may be right.
        n_meanings: number of meanings.
        n_titles: number of titles.
    """

    meanings: Indices
    titles: Indices
    features: Floats
    offsets: Floats
    possible: Flags
    n_meanings: int
    n_titles: int

    @classmethod
    def of(cls, logit: ConditionalLogit, judged: JudgedCandidates) -> "_Outcomes":
        found, chosen = judged.found, judged.found.chosen(logit)
        owners, count = found.owners, len(chosen.rows)
        width = found.candidates.features.shape[1]
        features = np.zeros((count + len(owners), width + 1))
        features[:count, :width] = found.candidates.features[found.rows[chosen.rows]]
        features[count:, width] = 1.0
        return cls(
            np.concatenate([found.meanings[chosen.rows], np.arange(len(owners))]),
            np.concatenate([found.titles_of(chosen.rows), owners]),
            features,
            np.concatenate([chosen.offsets, np.zeros(len(owners))]),
            np.concatenate([judged.possible[chosen.rows], judged.none_possible(chosen.rows)[owners]]),
            len(owners),
            judged.n,
        )

    def log_shares(self, parameters: Floats) -> Floats:
        """Return the log of each outcome's probability in its meaning."""
        utilities = self.features @ parameters + self.offsets
        return np.asarray(utilities - log_sums(self.meanings, utilities, self.n_meanings)[self.meanings])

    def likelihood(self, log_shares: Floats) -> tuple[float, Floats]:
        """Return the log likelihood but for a constant, and how far it pulls each outcome's utility up.

        A title's likelihood is the mean over its meanings of the probability of the possible outcomes.
        """
        titles, shares = self.titles[self.possible], log_shares[self.possible]
        of_titles = log_sums(titles, shares, self.n_titles)
        right = np.zeros(len(log_shares))
        right[self.possible] = np.exp(shares - of_titles[titles])
        of_meanings = np.bincount(self.meanings, right, minlength=self.n_meanings)
        return float(of_titles.sum()), right - of_meanings[self.meanings] * np.exp(log_shares)


def _exact_name(start: ConditionalLogit, titles: JudgedCandidates) -> float | None:
    """Return the share of right names among titles that equal one in each meaning, drawn towards the earlier share.

    A title that may be answered by the name and by something else says nothing.
    """
    found = titles.found
    equal = np.zeros(len(found.owners), dtype=np.bool_)
    equal[found.meanings[found.equal]] = True
    owners = found.owners[found.meanings]
    named = np.bincount(found.owners, equal, titles.n) == np.bincount(found.owners, minlength=titles.n)
    by_name = np.bincount(owners, titles.possible & found.equal, titles.n) > 0
    others = np.bincount(owners, titles.possible & ~found.equal, titles.n) > 0
    otherwise = others | titles.none_possible(np.flatnonzero(titles.possible))
    right, wrong = int((named & by_name & ~otherwise).sum()), int((named & ~by_name).sum())
    if right + wrong == 0:
        return start.exact_name
    before = EXACT_NAME if start.exact_name is None else start.exact_name
    return (right + _NAME_PRIOR * before) / (right + wrong + _NAME_PRIOR)
