"""Refit of the fusion on judged titles by maximum likelihood, regularised towards its earlier answers.

The likelihood of a title is the probability of all outcomes that its judgments leave possible: a rejection leaves any
other candidate and 'none of these'.
"""

# Titles that equal a name are answered by that name, whatever the weights, and left out of the fit. How often the name
# is right depends on the source of the titles, so it is counted: nearly always for a taxonomy's own names, for half of
# the vacancy titles that JobBERT's authors labelled.
#
# People judge the titles that they come across, mostly easy ones. So the loss includes the cross entropy from the older
# to the new probabilities over other titles (the anchors). Not the weights are anchored, since many weights give the
# same answers.

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from jobmatch_core.linking.arrays import Flags, Floats, Indices
from jobmatch_core.linking.corrections import EXACT_NAME
from jobmatch_core.linking.fusion import ConditionalLogit, log_sums
from jobmatch_core.linking.ranking import TitleCandidates

_NAME_PRIOR = 20  # weight of the earlier share of right names, in judged titles
_L2 = 1e-4  # per title, on the distance from the older weights; decides where the data does not


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers of a linker to judged titles, and the outcomes that the judgments leave possible."""

    titles: Indices  # (candidate,) title numbers, ascending
    concepts: Indices  # (candidate,) concept numbers
    probabilities: Floats  # (candidate,) probabilities, descending within a title
    possible: Flags  # (candidate,) true if it may be right
    none_possible: Flags  # (title,) true if 'none of these' may be right

    @property
    def ranks(self) -> Indices:
        """(candidate,) rank within its title, from 1."""
        return np.arange(1, len(self.titles) + 1) - np.searchsorted(self.titles, self.titles)

    @property
    def likelihoods(self) -> Floats:
        """(title,) probability of the possible outcomes."""
        n = len(self.none_possible)
        total = np.bincount(self.titles, self.probabilities, minlength=n)
        right = np.bincount(self.titles, self.probabilities * self.possible, minlength=n)
        return np.asarray(right + np.where(self.none_possible, 1 - total, 0.0), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class JudgedCandidates:
    """Judged titles with the linker's candidates."""

    proposals: TitleCandidates  # the candidates
    possible: Flags  # (row,) true if the occupation may be right
    has_answer: Flags  # (title,) true if a right occupation is known: if it is proposed, 'none of these' is wrong

    @property
    def n_titles(self) -> int:
        """Number of titles."""
        return len(self.has_answer)

    @classmethod
    def joined(cls, parts: Sequence["JudgedCandidates"]) -> "JudgedCandidates":
        """Return the titles of all parts, at least one, numbered consecutively."""
        return cls(
            TitleCandidates.joined([part.proposals for part in parts]),
            np.concatenate([part.possible for part in parts]),
            np.concatenate([part.has_answer for part in parts]),
        )

    def of_titles(self, chosen: Flags) -> "JudgedCandidates":
        """Return the *chosen* titles, renumbered."""
        rows = chosen[self.proposals.titles_of_rows(slice(None))]
        return JudgedCandidates(self.proposals.of_titles(chosen), self.possible[rows], self.has_answer[chosen])

    def without_names(self) -> "JudgedCandidates":
        """Return the titles that equal no name in any meaning."""
        named = np.zeros(self.n_titles, dtype=np.bool_)
        named[self.proposals.titles_of_rows(np.flatnonzero(self.proposals.rows.equal))] = True
        return self.of_titles(~named)

    def answers(self, logit: ConditionalLogit) -> Answers:
        """Return the answers of a linker with these weights."""
        ranked = self.proposals.ranked(logit)
        possible, concepts = self.possible[ranked.rows], self.proposals.rows.concepts[ranked.rows]
        return Answers(ranked.titles, concepts, ranked.probabilities, possible, self.none_possible(ranked.rows))

    def none_possible(self, rows: Indices) -> Flags:
        """Return (title,) true if 'none of these' may be right when *rows* are proposed."""
        proposed = np.zeros(self.n_titles, dtype=np.bool_)
        proposed[self.proposals.titles_of_rows(rows[self.possible[rows]])] = True
        return ~(self.has_answer & proposed)


def refit(start: ConditionalLogit, titles: JudgedCandidates, anchors: JudgedCandidates) -> ConditionalLogit:
    """Fit weights to judged titles and to the earlier answers to other titles; weights stay non-negative.

    Args:
        start: the earlier weights; they also choose each occupation's text.
        titles: judged titles; those that equal a name only set `exact_name`.
        anchors: titles to be answered as before; their judgments and those that equal a name are ignored.
    """
    exact_name = _exact_name(start, titles)
    origin = np.append(start.weights, start.none)
    judged, anchored = (_Outcomes.of(start, part.without_names()) for part in (titles, anchors))
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
    fitted = minimize(loss, origin, jac=True, method="L-BFGS-B", bounds=bounds).x
    return ConditionalLogit(fitted[:-1], float(fitted[-1]), exact_name, start.name_trust)


@dataclass(frozen=True, slots=True)
class _Outcomes:
    """All outcomes of titles: the chosen candidates of all meanings, then 'none of these' of each meaning."""

    meanings: Indices  # (outcome,) number of the meaning
    titles: Indices  # (outcome,) number of the title
    features: Floats  # (outcome, feature + 1); the last is 1 for 'none' only: its weight is the utility of 'none'
    offsets: Floats  # (outcome,) added to weights times features
    possible: Flags  # (outcome,) true if it may be right
    n_meanings: int
    n_titles: int

    @classmethod
    def of(cls, logit: ConditionalLogit, judged: JudgedCandidates) -> "_Outcomes":
        proposals, chosen = judged.proposals, judged.proposals.chosen(logit)
        owners, count = proposals.meanings.titles, len(chosen.rows)
        width = proposals.candidates.features.shape[1]
        features = np.zeros((count + len(owners), width + 1))
        features[:count, :width] = proposals.candidates.features[proposals.rows.candidates[chosen.rows]]
        features[count:, width] = 1.0
        return cls(
            np.concatenate([proposals.rows.meanings[chosen.rows], np.arange(len(owners))]),
            np.concatenate([proposals.titles_of_rows(chosen.rows), owners]),
            features,
            np.concatenate([chosen.offsets, np.zeros(len(owners))]),
            np.concatenate([judged.possible[chosen.rows], judged.none_possible(chosen.rows)[owners]]),
            len(owners),
            judged.n_titles,
        )

    def log_shares(self, parameters: Floats) -> Floats:
        """Return the log of each outcome's probability within its meaning."""
        utilities = self.features @ parameters + self.offsets
        return np.asarray(utilities - log_sums(self.meanings, utilities, self.n_meanings)[self.meanings])

    def likelihood(self, log_shares: Floats) -> tuple[float, Floats]:
        """Return the log likelihood up to a constant, and its gradient by the outcomes' utilities."""
        # a title's likelihood is the mean over its meanings of the probability of the possible outcomes
        titles, shares = self.titles[self.possible], log_shares[self.possible]
        of_titles = log_sums(titles, shares, self.n_titles)
        right = np.zeros(len(log_shares))
        right[self.possible] = np.exp(shares - of_titles[titles])
        of_meanings = np.bincount(self.meanings, right, minlength=self.n_meanings)
        return float(of_titles.sum()), right - of_meanings[self.meanings] * np.exp(log_shares)


def _exact_name(start: ConditionalLogit, titles: JudgedCandidates) -> float | None:
    """Return the share of right names among titles that equal one in each meaning, shrunk to the earlier share."""
    meanings, rows = titles.proposals.meanings, titles.proposals.rows
    equal = np.zeros(len(meanings.titles), dtype=np.bool_)
    equal[rows.meanings[rows.equal]] = True
    owners = meanings.titles[rows.meanings]
    n_titles = titles.n_titles
    named = np.bincount(meanings.titles, equal, n_titles) == np.bincount(meanings.titles, minlength=n_titles)
    by_name = np.bincount(owners, titles.possible & rows.equal, n_titles) > 0
    others = np.bincount(owners, titles.possible & ~rows.equal, n_titles) > 0
    # a title that the name or something else may answer is not counted
    otherwise = others | titles.none_possible(np.flatnonzero(titles.possible))
    right, wrong = int((named & by_name & ~otherwise).sum()), int((named & ~by_name).sum())
    if right + wrong == 0:
        return start.exact_name
    before = EXACT_NAME if start.exact_name is None else start.exact_name
    return (right + _NAME_PRIOR * before) / (right + wrong + _NAME_PRIOR)
