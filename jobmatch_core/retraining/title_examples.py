"""Judged titles with their candidates, and their possible outcomes."""

from collections.abc import Sequence

import numpy as np

from jobmatch_core.linking.candidates import have_equal_names, pool, score_names
from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.refit import JudgedCandidates
from jobmatch_core.retraining.title_labels import JudgedTitle
from jobmatch_core.titles.cleaning import clean_title


def judged_candidates(linker: Linker, titles: Sequence[JudgedTitle]) -> JudgedCandidates:
    """Find each title's candidates among the taxonomy's own names, and mark what its labels leave possible.

    Of a title with several forms each occupation has the form that equals one of its names, else its best form by the
    linker's weights. Where the occupation that
    a title means is not among its candidates, 'none of these' is right.
    """
    forms = [(number, form) for number, each in enumerate(titles) for form in _forms(linker, each.title)]
    n_features = len(linker.calibration.features)
    if not forms:
        nobody = np.empty(0, np.int64)
        features = np.empty((0, n_features), np.float32)
        no, every = nobody.astype(np.bool_), np.ones(len(titles), np.bool_)
        return JudgedCandidates(nobody, nobody, features, no, every, no)
    found = pool(linker.index, score_names(linker.index, [form for _, form in forms]))
    owners = np.array([number for number, _ in forms], dtype=np.int64)[found.queries]
    utilities = linker.calibration.logit.utilities(found.features)
    equal = have_equal_names(linker.index, found)
    order = np.lexsort((-utilities, ~equal, found.concepts, owners))
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (np.diff(owners[order]) != 0) | (np.diff(found.concepts[order]) != 0)
    kept = order[first]
    queries, concepts = owners[kept], found.concepts[kept]
    possible = np.array([_possible(titles[q], c) for q, c in zip(queries.tolist(), concepts.tolist(), strict=True)])
    proposed = np.zeros(len(titles), dtype=np.bool_)
    proposed[queries[possible.astype(np.bool_)]] = True
    known = np.array([bool(each.right) for each in titles])
    return JudgedCandidates(
        queries, concepts, found.features[kept], possible.astype(np.bool_), ~(known & proposed), equal[kept]
    )


def _forms(linker: Linker, title: str) -> tuple[str, ...]:
    return clean_title(title, linker.index.known_words).forms


def _possible(title: JudgedTitle, concept: int) -> bool:
    return concept in title.right if title.right else concept not in title.wrong
