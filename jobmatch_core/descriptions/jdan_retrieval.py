"""Retrieval of titles by their descriptions: a check of a training of both."""

from collections.abc import Sequence

import numpy as np

from jobmatch_core.descriptions.aggregators import PostingEncoder
from jobmatch_core.descriptions.jdan_report import TitleRetrieval
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.metrics.ranking import mean_reciprocal_rank, recall_at

_BLOCK = 1024  # postings


def title_retrieval(model: PostingEncoder, postings: Sequence[Posting]) -> TitleRetrieval | None:
    """Rank all of the postings' titles by each description's vector; None where there is no posting.

    Of titles that score the same, the right one is taken to stand last, so that nothing is gained by saying nothing.
    """
    if not postings:
        return None
    titles: dict[str, int] = {}
    right = np.array([titles.setdefault(posting.title, len(titles)) for posting in postings])
    encoded = model.encode_titles(list(titles))
    ranks = []
    for start in range(0, len(postings), _BLOCK):
        scores = model.encode_postings(postings[start : start + _BLOCK]) @ encoded.T
        own = np.take_along_axis(scores, right[start : start + _BLOCK, None], axis=1)
        ranks.append((scores >= own).sum(axis=1).astype(np.float64))
    found = np.concatenate(ranks)
    return TitleRetrieval(
        postings=len(postings),
        titles=len(titles),
        recall_at_1=recall_at(found, 1),
        recall_at_10=recall_at(found, 10),
        mrr=mean_reciprocal_rank(found),
    )
