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

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking.fusion import EXACT_NAME, ConditionalLogit
from jobmatch_core.linking.scorers import Indices

Floats = NDArray[np.float64]
_NAME_PRIOR = 20  # judged titles that the earlier share of right names counts for
_L2 = 1e-4  # per title, on the weights' distance from the older ones: it decides where the data does not


@dataclass(frozen=True)
class JudgedCandidates:
    """Titles, their candidates, and which outcomes their judgments leave possible.

    Attributes:
        queries: (candidate,) title numbers, ascending.
        concepts: (candidate,) concept numbers.
        features: (candidate, feature).
        possible: (candidate,) true if it may be right.
        none_possible: (title,) true if 'none of these' may be right.
        equal: (candidate,) true if one of its names equals the title.
    """

    queries: Indices
    concepts: Indices
    features: FloatArray
    possible: NDArray[np.bool_]
    none_possible: NDArray[np.bool_]
    equal: NDArray[np.bool_]

    @property
    def n(self) -> int:
        """Number of titles."""
        return len(self.none_possible)

    @classmethod
    def joined(cls, parts: Sequence["JudgedCandidates"]) -> "JudgedCandidates":
        """Return the titles of all parts, at least one, numbered one after the other."""
        starts = np.cumsum([0, *(part.n for part in parts)])
        return cls(
            np.concatenate([part.queries + start for part, start in zip(parts, starts, strict=False)]),
            *(np.concatenate([getattr(part, name) for part in parts]) for name in
              ("concepts", "features", "possible", "none_possible", "equal")),
        )  # fmt: skip

    def of_titles(self, chosen: NDArray[np.bool_]) -> "JudgedCandidates":
        """Return some titles, renumbered."""
        rows = chosen[self.queries]
        numbers = np.cumsum(chosen) - 1
        return JudgedCandidates(
            numbers[self.queries[rows]], self.concepts[rows], self.features[rows], self.possible[rows],
            self.none_possible[chosen], self.equal[rows],
        )  # fmt: skip

    def without_names(self) -> "JudgedCandidates":
        """Return the titles that equal no name."""
        named = np.zeros(self.n, dtype=np.bool_)
        named[self.queries[self.equal]] = True
        return self.of_titles(~named)

    def probabilities(self, logit: ConditionalLogit) -> Floats:
        """Return the probability that the linker gives each candidate, shape (candidate,)."""
        found = logit.probabilities(self.queries, logit.utilities(self.features), self.n)
        return logit.with_names(self.queries, found, self.equal)


def likelihoods(logit: ConditionalLogit, titles: JudgedCandidates) -> Floats:
    """Return the probability of the possible outcomes, shape (title,)."""
    probabilities = titles.probabilities(logit)
    of_candidates = np.bincount(titles.queries, probabilities, minlength=titles.n)
    right = np.bincount(titles.queries, probabilities * titles.possible, minlength=titles.n)
    return np.asarray(right + np.where(titles.none_possible, 1 - of_candidates, 0.0), dtype=np.float64)


def refit(start: ConditionalLogit, titles: JudgedCandidates, anchors: JudgedCandidates) -> ConditionalLogit:
    """Maximise the likelihood of judged titles and of the older answers to others; weights stay at least zero.

    Args:
        start: the weights to answer like.
        titles: judged titles; those that equal a name give `exact_name` alone, and are ignored among the anchors.
        anchors: titles to be answered as before; their possible outcomes are ignored.
    """
    exact_name = _exact_name(start, titles)
    titles, anchors = titles.without_names(), anchors.without_names()
    origin = np.append(start.weights, start.none)
    judged, anchored = _Outcomes.of(titles), _Outcomes.of(anchors)
    possible = np.concatenate([titles.possible, titles.none_possible])
    before = anchored.softmax(origin)[1]
    n = max(titles.n + anchors.n, 1)

    def loss(parameters: Floats) -> tuple[float, Floats]:
        everything, share_of_all = judged.softmax(parameters)
        right, share_of_right = judged.softmax(parameters, possible)
        totals, share = anchored.softmax(parameters)
        moved = parameters - origin
        value = (everything - right).sum() + totals.sum() - before @ (anchored.features @ parameters)
        slope = (share_of_all - share_of_right) @ judged.features + (share - before) @ anchored.features
        return float(value / n + _L2 * (moved**2).sum()), slope / n + 2 * _L2 * moved

    bounds = [(0.0, None)] * len(start.weights) + [(None, None)]
    found = minimize(loss, origin, jac=True, method="L-BFGS-B", bounds=bounds)
    return ConditionalLogit(found.x[:-1], float(found.x[-1]), exact_name)


def _exact_name(start: ConditionalLogit, titles: JudgedCandidates) -> float | None:
    """Return the share of right names among titles that equal one, drawn towards the earlier share.

    A title that may be answered by the name and by something else says nothing.
    """
    named = np.bincount(titles.queries, titles.equal, titles.n) > 0
    by_name = np.bincount(titles.queries, titles.possible & titles.equal, titles.n) > 0
    otherwise = (np.bincount(titles.queries, titles.possible & ~titles.equal, titles.n) > 0) | titles.none_possible
    right, wrong = int((by_name & ~otherwise).sum()), int((named & ~by_name).sum())
    if right + wrong == 0:
        return start.exact_name
    before = EXACT_NAME if start.exact_name is None else start.exact_name
    return (right + _NAME_PRIOR * before) / (right + wrong + _NAME_PRIOR)


@dataclass(frozen=True)
class _Outcomes:
    """All outcomes of some titles in one: the candidates' rows, then a row a title for 'none of these'.

    Attributes:
        rows: (outcome,) title numbers.
        features: (outcome, feature + 1); the last is 1 for 'none' alone, whose weight is its utility.
        n: number of titles.
    """

    rows: Indices
    features: Floats
    n: int

    @classmethod
    def of(cls, titles: JudgedCandidates) -> "_Outcomes":
        count, width = titles.features.shape
        features = np.zeros((count + titles.n, width + 1))
        features[:count, :width] = titles.features
        features[count:, width] = 1.0
        return cls(np.concatenate([titles.queries, np.arange(titles.n)]), features, titles.n)

    def softmax(self, parameters: Floats, among: NDArray[np.bool_] | None = None) -> tuple[Floats, Floats]:
        """Return the log of each title's sum of exponentials, and each outcome's share; only among some if given."""
        utilities = self.features @ parameters
        masked = utilities if among is None else np.where(among, utilities, -np.inf)
        highest = np.full(self.n, -np.inf)
        np.maximum.at(highest, self.rows, masked)
        exponentials = np.exp(masked - highest[self.rows])
        totals = np.bincount(self.rows, exponentials, minlength=self.n)
        return np.log(totals) + highest, exponentials / totals[self.rows]
