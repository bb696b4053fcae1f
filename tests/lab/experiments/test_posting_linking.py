"""Ranks of postings' occupations in three ways, by hand."""

import numpy as np
import pytest

from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.linking.posting_linker import PostingLinker, PostingWeights
from jobmatch_core.linking.store import open_linker
from jobmatch_core.taxonomy import TaxonomyStore
from lab.experiments.coded_postings import CodedPosting
from lab.experiments.posting_linking import (
    BOTH,
    DESCRIPTION,
    TITLE,
    best_ranks,
    evaluate_posting_linking,
    known_postings,
)
from tests.core.linking.test_posting_linker import Words


def test_ranks_by_hand() -> None:
    """The best of several right ones counts; of equals the right one stands last; none is infinitely far."""
    utilities = np.array([[3.0, 1.0, 2.0], [1.0, 1.0, 1.0], [0.0, 0.0, 5.0], [1.0, 2.0, 3.0]])
    assert best_ranks(utilities, [[1, 2], [0], [1], []]) == [2, 3, 3, np.inf]
    assert best_ranks(utilities, [[1, 2], [0], [1], []], nothing=0.0) == [2, 3, np.inf, np.inf]


@pytest.mark.thorough
@pytest.mark.usefixtures("use_linker_home")
def test_three_ways_over_the_bundled_taxonomy() -> None:
    """A title, a description, both; who has an unknown code is left out."""
    postings = [
        CodedPosting(Posting("1", "Bakers", "Midwives work here."), ("7512", "0000")),
        CodedPosting(Posting("2", "Associate", "Cooks plan, prepare and cook dishes in a restaurant"), ("5120",)),
        CodedPosting(Posting("3", "Cooks", "Cooks"), ("0000",)),
    ]
    coded, right = known_postings(postings, TaxonomyStore.open().load("isco-08"))
    assert [each.posting.id for each in coded] == ["1", "2"]
    fused = PostingLinker(open_linker(), Words(), PostingWeights((1.0, 8.0, 8.0), 0.0, 0.5, {}))
    seen: list[tuple[int, int]] = []
    figures = evaluate_posting_linking(fused, coded, right, progress=lambda done, total: seen.append((done, total)))
    by = {each.by: each for each in figures}
    assert list(by) == [TITLE, DESCRIPTION, BOTH]
    assert (by[TITLE].accuracy_at_1, by[TITLE].mrr, by[TITLE].postings) == (0.5, 0.5, 2)
    assert 0 < by[DESCRIPTION].mrr < 1
    assert (by[BOTH].accuracy_at_1, by[BOTH].mrr) == (1, 1)
    assert seen == [(2, 2)]
    assert by[BOTH].mrr_interval.n == 2
