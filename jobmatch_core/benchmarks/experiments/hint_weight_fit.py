"""The fit of the weights by which a general title and a short description are fused, as they come with jobmatch.

The descriptions are our queries over occupations ('someone who repairs lifts'); the title of each is the general word
in its occupation's name ('technician'). For a fifth the graded occupations are taken away, so that 'none of these' is
right. The search encoder has seen none of the queries.
"""

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.benchmarks.experiments.posting_weight_fit import SHARE_GONE
from jobmatch_core.benchmarks.experiments.search_queries import OccupationQuery, occupation_queries
from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.posting_linker import DescriptionEncoder, PostingLinker
from jobmatch_core.linking.posting_weights import PostingWeights
from jobmatch_core.taxonomy import Taxonomy

_START = PostingWeights((1.0, 10.0, 10.0), 5.0, 0.5, {})  # what features are computed with before there are any
_UNLIKE = (0.0, -1.0, -1.0)  # features of an occupation that is taken away
_HEAD_LAST = frozenset({"de", "en", "nl"})  # languages whose names end with the general word; others begin with it
_SEED = 6


def fit_hint_weights(linker: Linker, encoder: DescriptionEncoder) -> PostingWeights:
    """Fit the weights on the queries whose best occupation the linker's taxonomy has.

    Raises:
        TaxonomyError: it has none of them; they are ESCO's.
    """
    numbers = {uri: number for number, uri in enumerate(linker.taxonomy.uris)}
    queries = [query for query in occupation_queries() if _best(query) in numbers]
    if not queries:
        raise TaxonomyError(f"The queries are for ESCO's occupations, which {linker.taxonomy.id} does not have.")
    fused = PostingLinker(linker, encoder, _START)
    best = [numbers[_best(query)] for query in queries]
    titles = [
        general_word(linker.taxonomy, number, query.language) for number, query in zip(best, queries, strict=True)
    ]
    features = np.concatenate(list(fused.features(titles, [query.text for query in queries])))
    graded = [
        np.searchsorted(fused.concepts, [numbers[uri] for uri in query.grades if uri in numbers]) for query in queries
    ]
    return PostingWeights.fit(*_some_gone(features, np.searchsorted(fused.concepts, best), graded))


def general_word(taxonomy: Taxonomy, number: int, language: str) -> str:
    """Return the word of an occupation's name that says what kind of job it is: 'technician' of a lift technician."""
    words = taxonomy.name(number, language).split("/")[0].split()
    return words[-1 if language in _HEAD_LAST else 0]


def _best(query: OccupationQuery) -> str:
    """Return the URI of the occupation with the highest grade, the first of several."""
    return max(query.grades, key=query.grades.__getitem__)


def _some_gone(
    features: FloatArray, right: NDArray[np.int64], graded: list[NDArray[np.int64]]
) -> tuple[FloatArray, NDArray[np.int64]]:
    """Make the graded occupations of a share of the queries as unlike as can be, and say that none is right there."""
    gone = np.random.default_rng(_SEED).random(len(right)) < SHARE_GONE
    for row in np.flatnonzero(gone).tolist():
        features[row, graded[row]] = _UNLIKE
    return features, np.where(gone, -1, right)
