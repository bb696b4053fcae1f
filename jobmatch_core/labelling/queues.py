"""Queue policies: the order in which candidates are judged, as pure functions of the candidates and a seed.

Ties are broken by the pairs' hashes, so queues are reproducible, and judging other pairs does not move a pair.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Pair
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.candidates import PairCandidates, Rows, draws, interleaved, numbered, ranks_within, shares
from jobmatch_core.quotas import NO_QUOTAS, Quotas

UNCERTAIN = "uncertain"
DISAGREE = "models-disagree"
HARD_NEGATIVES = "hard-negatives"
RANDOM = "random"
BY_CATEGORY = "by-category"
SECOND_OPINION = "second-opinion"

_SECOND_SEED = 2  # selects the pairs for a second opinion, in all sessions


@dataclass(frozen=True, slots=True)
class QueueSettings:
    """Settings of a queue."""

    policy: str  # a key of `POLICIES`
    # share of all pairs that two people should judge, mixed into other policies at that rate: one after every 5 fresh
    # pairs for 0.2. Ignored if the quotas require several judgments of every pair
    second_share: float = 0.0
    seed: int = 0  # random seed
    quotas: Quotas = NO_QUOTAS  # number of judgments per pair, and shares of annotators
    own_share: bool = False  # true if the queue ends once the annotator's share is judged ('my queue')

    @property
    def every_pair_again(self) -> bool:
        """True if several people should judge every pair."""
        return self.quotas.judgments > 1

    @property
    def most_others(self) -> int:
        """Maximum number of others who may have judged a pair that is shown again; 0 if none is."""
        return self.quotas.judgments - 1 if self.every_pair_again else int(self.second_share > 0)


@dataclass(frozen=True, slots=True)
class Policy:
    """A way to choose the next pairs."""

    label: str  # name on the page
    help: str  # purpose in one line
    order: Callable[[PairCandidates, QueueSettings], Rows]  # returns the rows to judge, best first
    # why no pairs are left, in one sentence or two
    empty: str = "All pairs in this queue are judged, or other annotators are judging them now."
    blind: bool = False  # true if scores, ranks and others' verdicts must be hidden


@dataclass(frozen=True, slots=True)
class QueueItem:
    """A pair to judge, its row among the candidates, and the policy that chose it."""

    pair: Pair
    row: int
    policy: str


def queue(candidates: PairCandidates, settings: QueueSettings, limit: int) -> list[QueueItem]:
    """Return the next pairs to judge, best first.

    Raises LabellingError if the policy is unknown, needs a second model that is missing, or the share is invalid.
    """
    if settings.policy not in POLICIES:
        raise LabellingError(f"There is no queue policy {settings.policy!r}; choose one of {', '.join(POLICIES)}.")
    if not 0 <= settings.second_share <= 1:
        raise LabellingError(f"The share of second opinions must be between 0 and 1; it is {settings.second_share}.")
    chosen = POLICIES[settings.policy].order(candidates, settings)[:limit]
    if settings.policy == SECOND_OPINION:
        return _items(candidates, chosen, SECOND_OPINION)
    second = _second_opinion(candidates, settings)[:limit]
    if settings.every_pair_again:  # pairs that others have judged come first, so that few stay incomplete
        return [*_items(candidates, second, SECOND_OPINION), *_items(candidates, chosen, settings.policy)][:limit]
    return _mixed(candidates, settings, chosen, second)[:limit]


def _items(candidates: PairCandidates, rows: Rows, policy: str) -> list[QueueItem]:
    return [QueueItem(candidates.pairs[row], row, policy) for row in rows.tolist()]


def _mixed(candidates: PairCandidates, settings: QueueSettings, fresh: Rows, second: Rows) -> list[QueueItem]:
    # second opinions are spread evenly among fresh pairs; if one kind runs out, the other continues
    places = np.concatenate(
        [np.arange(1.0, len(fresh) + 1), np.arange(1, len(second) + 1) / (settings.second_share or 1)]
    )
    rows = np.concatenate([fresh, second])
    policies = (settings.policy, SECOND_OPINION)
    return [
        QueueItem(candidates.pairs[rows[place]], int(rows[place]), policies[place >= len(fresh)])
        for place in np.argsort(places, kind="stable").tolist()
    ]


def _fresh(candidates: PairCandidates) -> Rows:
    return np.flatnonzero(candidates.n_judgments == 0)


def _lowest(candidates: PairCandidates, settings: QueueSettings, rows: Rows, key: NDArray[np.number]) -> Rows:
    # lowest key first, ties at random; projects take turns
    order = rows[np.lexsort((draws(candidates.codes[rows], settings.seed), key))]
    return interleaved(order, candidates.projects)


def _uncertain(candidates: PairCandidates, settings: QueueSettings) -> Rows:
    rows = _fresh(candidates)
    boundary = candidates.boundary
    if boundary is None and len(candidates):
        boundary = float(np.median(candidates.scores))
    return _lowest(candidates, settings, rows, np.abs(candidates.scores[rows] - (boundary or 0.0)))


def _models_disagree(candidates: PairCandidates, settings: QueueSettings) -> Rows:
    if candidates.other_scores is None:
        raise LabellingError(
            "This queue compares two models, and there is only one: train another on 'Train models', or choose another "
            "queue."
        )
    ranks, other = (
        ranks_within(candidates.projects, scores) for scores in (candidates.scores, candidates.other_scores)
    )
    rows = _fresh(candidates)
    return _lowest(candidates, settings, rows, -np.abs(ranks - other)[rows])


def _hard_negatives(candidates: PairCandidates, settings: QueueSettings) -> Rows:
    left, right = (
        np.array(categories, dtype=object) for categories in (candidates.left_categories, candidates.right_categories)
    )
    differ = (left != "") & (right != "") & (left != right)
    rows = _fresh(candidates)
    rows = rows[differ[rows].astype(np.bool_)]
    return _lowest(candidates, settings, rows, -candidates.scores[rows])


def _random(candidates: PairCandidates, settings: QueueSettings) -> Rows:
    # projects do not take turns, so that it stays a sample of pairs and measurements on it need no weights
    rows = _fresh(candidates)
    return rows[np.argsort(draws(candidates.codes[rows], settings.seed), kind="stable")]


def _by_category(candidates: PairCandidates, settings: QueueSettings) -> Rows:
    rows = _fresh(candidates)
    order = _lowest(candidates, settings, rows, np.zeros(len(rows)))
    return interleaved(order, numbered(candidates.left_categories))


def _second_opinion(candidates: PairCandidates, settings: QueueSettings) -> Rows:
    if settings.every_pair_again:
        wanted = (candidates.n_judgments > 0) & (candidates.n_judgments < settings.quotas.judgments)
    else:
        chosen = shares(candidates.codes, _SECOND_SEED) < settings.second_share
        wanted = (candidates.n_judgments == 1) & chosen
    rows = np.flatnonzero(wanted)
    return _lowest(candidates, settings, rows, np.zeros(len(rows)))


POLICIES = {
    UNCERTAIN: Policy(
        "Most uncertain", "Pairs closest to the decision threshold; they teach the model most.", _uncertain
    ),
    DISAGREE: Policy(
        "Models disagree",
        "Pairs that one model ranks high and the other low.",
        _models_disagree,
        "No pairs are left that both models rank.",
    ),
    HARD_NEGATIVES: Policy(
        "Across categories",
        "Pairs with similar texts and different categories.",
        _hard_negatives,
        "No pairs are left that the model finds similar although project and freelancer have different categories.",
    ),
    RANDOM: Policy(
        "Random",
        "A fair sample of all pairs; use it to evaluate models.",
        _random,
        "The fair sample of all pairs is judged.",
    ),
    BY_CATEGORY: Policy(
        "By category",
        "Random pairs, the same number for each category of projects.",
        _by_category,
        "All pairs of all categories are judged.",
    ),
    SECOND_OPINION: Policy(
        "Second opinion",
        "Pairs that somebody else has judged, without their verdict.",
        _second_opinion,
        "No pairs are waiting for a second opinion: nobody else has judged a pair that a second person is still to "
        "judge. The queue's menu has the share of pairs that two people judge.",
        blind=True,
    ),
}
