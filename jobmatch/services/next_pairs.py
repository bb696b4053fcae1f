"""The next pairs for an annotator: of a pool, and of the judgments in a label store."""

from collections.abc import Collection

from db.label_store import LabelStore
from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.labelling.own_candidates import Proposal, proposals
from jobmatch_core.labelling.pair_pool import PairPool
from jobmatch_core.labelling.queues import QueueSettings


def next_pairs(
    store: LabelStore,
    pool: PairPool,
    source: str,
    annotator: str,
    settings: QueueSettings,
    limit: int,
    *,
    category: str = "",
    languages: Collection[str] = (),
    without: Collection[Pair] = (),
) -> list[Proposal]:
    """Return the next pairs for an annotator, best first.

    Only judgments of the pool's pairs are read, and of others that wait for a second opinion.

    Args:
        store: store of the judgments.
        pool: pool of pairs.
        source: marketplace that they are of.
        annotator: name of the annotator.
        settings: settings of the queue.
        limit: maximum number of pairs.
        category: category key of projects; all where empty.
        languages: two-letter codes of the annotator's languages; all where empty.
        without: pairs to leave out.

    Raises:
        JobMatchError: the store cannot be used, the policy is unknown, or needs a second model and there is none.
    """
    judged = store.judged_pairs(annotator, pool.pairs)
    if settings.most_others:
        waiting = store.second_opinions(annotator, PairKind.PROJECT_FREELANCER, source, settings.most_others)
        judged += [each for each in waiting if each.pair not in pool.row_of]
    return proposals(
        pool, judged, annotator, settings, limit, category=category, languages=languages, without=without
    )  # fmt: skip
