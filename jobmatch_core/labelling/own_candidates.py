"""An annotator's candidates from a pool of pairs: their share, unjudged pairs, and pairs judged by others."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Pair, Provenance
from jobmatch_core.judgment_tallies import JudgedPair
from jobmatch_core.labelling.candidates import Codes, Floats, PairCandidates, code_of, draws, shares
from jobmatch_core.labelling.labels import label_of
from jobmatch_core.labelling.pair_pool import PairPool
from jobmatch_core.labelling.queues import POLICIES, RANDOM, QueueItem, QueueSettings, queue
from jobmatch_core.quotas import Quotas

Places = NDArray[np.int64]

_ANYBODY = ""  # annotators without a share of their own
_START, _MOVED = 3, 4  # seeds of the sampling of pairs, and of the order in which pairs are moved


def is_own(codes: Codes, quotas: Quotas, annotator: str) -> NDArray[np.bool_]:
    """Return which shared pairs, by hash, are assigned to an annotator, or to anybody if they have no own share."""
    left = max(0.0, 1 - sum(share for _, share in quotas.shares))
    share_of = {_ANYBODY: left} | dict(sorted(quotas.shares))
    parts = quotas.judgments * np.array(list(share_of.values()))
    places = _sampled(codes, [code_of(name) for name in share_of], parts)
    _balance(places, _rounded(parts * len(codes)), draws(codes, _MOVED))
    column = list(share_of).index(annotator if annotator in share_of else _ANYBODY)
    return np.asarray(places[:, column] > 0, dtype=np.bool_)


def _sampled(codes: Codes, people: list[int], parts: NDArray[np.float64]) -> Places:
    """Assign judgments to people by systematic sampling: (pair, person) counts, above 1 only for anybody.

    Args:
        codes: (pair,) hashes of pairs.
        people: (person,) hashes of names.
        parts: (person,) mean number of judgments of a pair.
    """
    order = np.argsort(np.stack([draws(codes, person) for person in people], axis=1), axis=1)
    ends = np.cumsum(parts[order], axis=1)
    # each person has an interval; those that contain a point start, start + 1, start + 2, ... get the pair
    start = shares(codes, _START)[:, np.newaxis]
    points = np.ceil(ends - start) - np.ceil(np.pad(ends[:, :-1], ((0, 0), (1, 0))) - start)
    places = np.zeros(order.shape, dtype=np.int64)
    np.put_along_axis(places, order, points.astype(np.int64), axis=1)
    return places


def _rounded(targets: NDArray[np.float64]) -> Places:
    """Round to integers with the same sum, by largest remainders."""
    whole = np.floor(targets + 1e-9)
    left = round(targets.sum() - whole.sum())
    whole[np.argsort(whole - targets, kind="stable")[:left]] += 1
    return whole.astype(np.int64)


def _balance(places: Places, targets: Places, order: Codes) -> None:
    """Move judgments in place from people with too many to people with too few who lack that pair.

    Args:
        places: (pair, person) numbers of judgments.
        targets: (person,) target sums.
        order: (pair,) keys; movable pairs with the lowest keys are moved.
    """
    over = places.sum(axis=0) - targets
    for giver in np.flatnonzero(over > 0).tolist():
        for taker in np.flatnonzero(over < 0).tolist():
            rows = np.flatnonzero((places[:, giver] > 0) & (places[:, taker] == 0))
            rows = rows[np.argsort(order[rows])][: min(over[giver], -over[taker])]
            places[rows, giver] -= 1
            places[rows, taker] += 1
            over[giver] -= len(rows)
            over[taker] += len(rows)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A pair to judge, and why it is shown."""

    pair: Pair
    provenance: Provenance

    @property
    def blind(self) -> bool:
        """True if it must be shown without score, rank and others' verdicts."""
        policy = POLICIES.get(self.provenance.policy)
        return policy is not None and policy.blind


def proposals(
    pool: PairPool,
    judged: Collection[JudgedPair],
    annotator: str,
    settings: QueueSettings,
    limit: int,
    *,
    category: str = "",
    languages: Collection[str] = (),
    without: Collection[Pair] = (),
) -> list[Proposal]:
    """Return the next pairs for an annotator, best first.

    Args:
        judged: judged pairs of its marketplace, as seen by the annotator: those of the pool, and others that may get
            a second opinion.
        category: category key of projects; '' for all.
        languages: two-letter codes of the annotator's languages, which both sides must be in; empty for all.
        without: pairs to leave out.

    Raises LabellingError if the policy is unknown, or needs a second model that is missing.
    """
    candidates, ranks = own_candidates(
        pool, judged, settings.policy, category=category, languages=languages, without=without
    )
    # shares may move pairs from far down the queue to its front, so then the whole queue is needed
    items = queue(candidates, settings, len(candidates) if settings.quotas.shares else limit)
    if settings.quotas.shares:
        rows = _chosen_rows(pool, settings.policy, category, languages)
        shared = [pool.pairs[row] for row in rows]
        own = set(compress(shared, is_own(pool.codes[rows], settings.quotas, annotator).tolist()))
        items.sort(key=lambda item: item.pair not in own)
        if settings.own_share:
            done = {pair.pair for pair in judged if pair.own_verdict}
            limit = min(limit, max(0, len(own) - len((done | set(without)).intersection(shared))))
    return [_proposal(item, candidates, ranks, pool.model) for item in items[:limit]]


def own_candidates(
    pool: PairPool,
    judged: Collection[JudgedPair],
    policy: str,
    *,
    category: str = "",
    languages: Collection[str] = (),
    without: Collection[Pair] = (),
) -> tuple[PairCandidates, list[int | None]]:
    """Return an annotator's candidates for a policy, and the model's rank of each row; arguments as of `proposals`.

    The random policy uses only the fair sample. Pairs outside the pool that others have judged follow, for a second
    opinion; they are left out if *category* or *languages* is given, since theirs are unknown here.
    """
    done = {*without, *(pair.pair for pair in judged if pair.own)}
    others = {pair.pair: pair.others for pair in judged if pair.others}
    chosen = _chosen_rows(pool, policy, category, languages, others)
    rows = [row for row in chosen if pool.pairs[row] not in done]
    outside = [pair for pair in others if pair not in done and pair not in pool.row_of]
    elsewhere = [] if category or languages else outside
    pairs = [*(pool.pairs[row] for row in rows), *elsewhere]
    candidates = PairCandidates(
        pairs=pairs,
        scores=_padded(pool.scores[rows], len(elsewhere)),
        left_categories=[*(pool.left_categories[row] for row in rows), *("" for _ in elsewhere)],
        right_categories=[*(pool.right_categories[row] for row in rows), *("" for _ in elsewhere)],
        n_judgments=np.array([others.get(pair, 0) for pair in pairs], dtype=np.int64),
        other_scores=None if pool.other_scores is None else _padded(pool.other_scores[rows], len(elsewhere)),
        boundary=_boundary(pool, judged),
    )
    return candidates, [*(pool.ranks[row] for row in rows), *(None for _ in elsewhere)]


def _chosen_rows(
    pool: PairPool, policy: str, category: str, languages: Collection[str], others: Collection[Pair] = ()
) -> list[int]:
    # pairs that others have judged need not be in the fair sample
    return [
        row
        for row, pair in enumerate(pool.pairs)
        if (not category or pool.left_categories[row] == category)
        and (not languages or {pool.left_languages[row], pool.right_languages[row]} <= set(languages))
        and (policy != RANDOM or pool.drawn[row] or pair in others)
    ]


def _boundary(pool: PairPool, judged: Iterable[JudgedPair]) -> float | None:
    labels = {pool.row_of[pair.pair]: label_of(pair.votes) for pair in judged if pair.pair in pool.row_of}
    rows = [row for row, label in labels.items() if label is not None]
    boundary = decision_boundary(pool.scores[rows], [bool(labels[row]) for row in rows])
    return float(np.median(pool.scores)) if boundary is None and len(pool) else boundary


def _padded(scores: Floats, count: int) -> Floats:
    # rows that no model has scored get the lowest score, so that no other row ranks below them
    return np.concatenate([scores, np.full(count, np.finfo(scores.dtype).min)])


def _proposal(item: QueueItem, candidates: PairCandidates, ranks: list[int | None], model: str) -> Proposal:
    if POLICIES[item.policy].blind:
        return Proposal(item.pair, Provenance(item.policy))
    score = float(candidates.scores[item.row])
    return Proposal(item.pair, Provenance(item.policy, model, ranks[item.row], score))


def decision_boundary(scores: Floats, positive: NDArray[np.bool_] | Sequence[bool]) -> float | None:
    """Return the score that best separates judged pairs by Youden's J (1950).

    J is the share of positives at or above the score minus that of negatives. Candidates are the midpoints between
    neighbouring scores; of ties, the middle one is taken.

    Args:
        scores: (pair,) scores of judged pairs by the model in use.
        positive: (pair,) true if judged positive.

    Returns:
        The boundary, or None without a positive and a negative, or if all have the same score.
    """
    yes = np.asarray(positive, dtype=np.bool_)
    distinct = np.unique(np.asarray(scores, dtype=np.float64))
    if yes.all() or not yes.any() or len(distinct) < 2:
        return None
    cuts = (distinct[1:] + distinct[:-1]) / 2
    above = [len(side) - np.searchsorted(np.sort(side), cuts) for side in (scores[yes], scores[~yes])]
    gain = above[0] / yes.sum() - above[1] / (~yes).sum()
    best = np.flatnonzero(np.isclose(gain, gain.max()))
    return float(cuts[best[(len(best) - 1) // 2]])
