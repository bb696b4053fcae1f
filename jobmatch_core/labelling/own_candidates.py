"""Candidates of one annotator from a pool of pairs: their share, unjudged pairs, and those judged by others."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Pair, Provenance
from jobmatch_core.judgment_tallies import JudgedPair
from jobmatch_core.labelling.candidates import Candidates, Codes, Floats, code_of, draws, shares
from jobmatch_core.labelling.labels import label_of
from jobmatch_core.labelling.pair_pool import PairPool
from jobmatch_core.labelling.queues import POLICIES, RANDOM, QueueItem, QueueSettings, queue
from jobmatch_core.quotas import Quotas

Places = NDArray[np.int64]

_ANYBODY = ""  # who has no share of their own
_START, _MOVED = 3, 4  # seeds: of where the sampling of a pair begins, and of the order in which pairs are moved


def is_own(codes: Codes, quotas: Quotas, annotator: str) -> NDArray[np.bool_]:
    """Return which pairs are assigned to an annotator, or to anybody if they have no share of their own.

    Args:
        codes: (pair,) hashes of all pairs that are shared.
        quotas: the judgments per pair, and the shares.
        annotator: name of the annotator.
    """
    left = max(0.0, 1 - sum(share for _, share in quotas.shares))
    share_of = {_ANYBODY: left} | dict(sorted(quotas.shares))
    parts = quotas.judgments * np.array(list(share_of.values()))
    places = _sampled(codes, [code_of(name) for name in share_of], parts)
    _balance(places, _rounded(parts * len(codes)), draws(codes, _MOVED))
    column = list(share_of).index(annotator if annotator in share_of else _ANYBODY)
    return np.asarray(places[:, column] > 0, dtype=np.bool_)


def _sampled(codes: Codes, people: list[int], parts: NDArray[np.float64]) -> Places:
    """Return how many judgments of each pair each person is to make, (pair, person); only anybody makes several.

    Args:
        codes: (pair,) hashes of pairs.
        people: (person,) hashes of names.
        parts: (person,) mean number of judgments of a pair.
    """
    order = np.argsort(np.stack([draws(codes, person) for person in people], axis=1), axis=1)
    ends = np.cumsum(parts[order], axis=1)
    # each person has an interval; those that hold a point start, start + 1, start + 2, ... get the pair
    start = shares(codes, _START)[:, np.newaxis]
    points = np.ceil(ends - start) - np.ceil(np.pad(ends[:, :-1], ((0, 0), (1, 0))) - start)
    places = np.zeros(order.shape, dtype=np.int64)
    np.put_along_axis(places, order, points.astype(np.int64), axis=1)
    return places


def _rounded(wished: NDArray[np.float64]) -> Places:
    """Return whole numbers with the same sum, by largest remainders."""
    whole = np.floor(wished + 1e-9)
    left = round(wished.sum() - whole.sum())
    whole[np.argsort(whole - wished, kind="stable")[:left]] += 1
    return whole.astype(np.int64)


def _balance(places: Places, wished: Places, order: Codes) -> None:
    """Move judgments from people with too many to people with too few, in place, who have none of that pair yet.

    Args:
        places: (pair, person) numbers of judgments.
        wished: (person,) wished sums.
        order: (pair,) keys; of the pairs that may be moved, those with the lowest are.
    """
    over = places.sum(axis=0) - wished
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
    """A pair to judge, and the reason it is shown."""

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
        pool: pool of pairs.
        judged: judged pairs of its marketplace, as the annotator finds them: those of the pool, and others that may get
            a second opinion.
        annotator: name of the annotator.
        settings: settings of the queue.
        limit: maximum number of pairs.
        category: category key of projects; all where empty.
        languages: two-letter codes of the annotator's languages; both sides are in one of them. All where empty.
        without: pairs to leave out.

    Raises:
        LabellingError: the policy is unknown, or needs a second model and there is none.
    """
    candidates, ranks = own_candidates(
        pool, judged, settings.policy, category=category, languages=languages, without=without
    )
    # only shares put pairs from far down the queue first
    items = queue(candidates, settings, len(candidates) if settings.quotas.shares else limit)
    if settings.quotas.shares:
        rows = _chosen_rows(pool, settings.policy, category, languages)
        shared = [pool.pairs[row] for row in rows]
        own = set(compress(shared, is_own(pool.codes[rows], settings.quotas, annotator).tolist()))
        items.sort(key=lambda item: item.pair not in own)
        if settings.own_share:
            done = {each.pair for each in judged if each.own_verdict}
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
) -> tuple[Candidates, list[int | None]]:
    """Return the candidates of an annotator, who finds pairs *judged*, for a policy, and the model's rank of each row.

    For random draws there is only the fair sample. Pairs judged by others that are not in the pool, because another
    model found them, come after it, for a second opinion. Their categories and languages are unknown here, so they are
    left out if only some of these are requested.
    """
    done = {*without, *(each.pair for each in judged if each.own)}
    others = {each.pair: each.others for each in judged if each.others}
    chosen = _chosen_rows(pool, policy, category, languages, others)
    rows = [row for row in chosen if pool.pairs[row] not in done]
    others_found = [pair for pair in others if pair not in done and pair not in pool.row_of]
    elsewhere = [] if category or languages else others_found
    pairs = [*(pool.pairs[row] for row in rows), *elsewhere]
    candidates = Candidates(
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
    """Return the rows that a queue is made of, judged or not; those of *others* need not be in the fair sample."""
    return [
        row
        for row, pair in enumerate(pool.pairs)
        if (not category or pool.left_categories[row] == category)
        and (not languages or {pool.left_languages[row], pool.right_languages[row]} <= set(languages))
        and (policy != RANDOM or pool.drawn[row] or pair in others)
    ]


def _boundary(pool: PairPool, judged: Iterable[JudgedPair]) -> float | None:
    """Return the score that best separates positive from negative labels; the pool's median until it is known."""
    labels = {pool.row_of[each.pair]: label_of(each.votes) for each in judged if each.pair in pool.row_of}
    rows = [row for row, label in labels.items() if label is not None]
    found = decision_boundary(pool.scores[rows], [bool(labels[row]) for row in rows])
    return float(np.median(pool.scores)) if found is None and len(pool) else found


def _padded(scores: Floats, count: int) -> Floats:
    """Append the lowest score for each of *count* rows that no model has seen, so that no other row ranks below."""
    return np.concatenate([scores, np.full(count, np.finfo(scores.dtype).min)])


def _proposal(item: QueueItem, candidates: Candidates, ranks: list[int | None], model: str) -> Proposal:
    if POLICIES[item.policy].blind:
        return Proposal(item.pair, Provenance(item.policy))
    score = float(candidates.scores[item.row])
    return Proposal(item.pair, Provenance(item.policy, model, ranks[item.row], score))


def decision_boundary(scores: Floats, positive: NDArray[np.bool_] | Sequence[bool]) -> float | None:
    """Return the score that best separates judged pairs: the one with the highest Youden's J (1950).

    J is the share of positives at or above the score minus that of negatives. Candidates are the midpoints between
    neighbouring scores; of equally good ones the middle one is taken.

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
