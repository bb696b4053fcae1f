"""The fit of the weights by which a general title and a short description are fused, as they come with jobmatch.

The descriptions are our queries over occupations ('someone who repairs lifts'); their titles are the general words in
the names of the occupation meant ('technician', 'mechanic'). For a fifth the graded occupations are taken away, so that
'none of these' is right. The search encoder has seen none of the queries.
"""

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.benchmarks.experiments.posting_weight_fit import SHARE_GONE, some_gone
from jobmatch_core.benchmarks.experiments.search_queries import ACCEPTABLE, MEANT, OccupationQuery, occupation_queries
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.calibration import PRECISION
from jobmatch_core.linking.posting_linker import DescriptionEncoder, PostingLinker
from jobmatch_core.linking.posting_weights import PostingWeights
from jobmatch_core.taxonomy import Taxonomy

_START = PostingWeights((1.0, 10.0, 10.0), 5.0, 0.5, {})  # what features are computed with before there are any
_HEAD_LAST = frozenset({"de", "en", "nl"})  # languages whose names end with the general word; others begin with it
_TITLES = 3  # at most, of a query
_SEED = 6


def fit_hint_weights(linker: Linker, encoder: DescriptionEncoder) -> PostingWeights:
    """Fit the weights on the queries whose best occupation the linker's taxonomy has.

    Raises:
        TaxonomyError: it has none of them; they are ESCO's.
    """
    taxonomy = linker.taxonomy
    queries = [query for query in occupation_queries() if taxonomy.has_concept(_best(query))]
    if not queries:
        raise TaxonomyError(f"The queries are for ESCO's occupations, which {taxonomy.id} does not have.")
    asked = [
        (number, word)
        for number, query in enumerate(queries)
        for word in general_words(taxonomy, taxonomy.number(_best(query)), query.language)
    ]
    owners = np.array([number for number, _ in asked])
    fused = PostingLinker(linker, encoder, _START, general_titles=True)
    titles, texts = [word for _, word in asked], [queries[number].text for number in owners.tolist()]
    features = np.concatenate(list(fused.features(titles, texts)))
    meant, graded = (
        np.stack([_graded(fused, query, at_least) for query in queries])[owners] for at_least in (MEANT, ACCEPTABLE)
    )
    gone = np.random.default_rng(_SEED).random(len(queries)) < SHARE_GONE
    drawn = some_gone(features, meant, graded, gone[owners])
    return PostingWeights.fit(*drawn, owners % 2 == 1, precision=PRECISION)


def general_words(taxonomy: Taxonomy, number: int, language: str) -> list[str]:
    """Return the words of an occupation's names that say what kind of job it is: 'technician' of a lift technician.

    At most `_TITLES`, that of its preferred name first.
    """
    names = taxonomy.occupation(taxonomy.uris[number]).names
    texts = [taxonomy.name(number, language), *(name.text for name in names if name.language == language)]
    place = -1 if language in _HEAD_LAST else 0
    words = [words[place].casefold() for text in texts if (words := text.split("/")[0].split())]
    return list(dict.fromkeys(words))[:_TITLES]


def _graded(fused: PostingLinker, query: OccupationQuery, at_least: int) -> NDArray[np.bool_]:
    """Return (occupation,) true for those with a grade of so much, or more."""
    grades = [query.grades.get(fused.linker.taxonomy.uris[concept], 0) for concept in fused.concepts.tolist()]
    return np.array(grades) >= at_least


def _best(query: OccupationQuery) -> str:
    """Return the URI of the occupation with the highest grade, the first of several."""
    return max(query.grades, key=query.grades.__getitem__)
