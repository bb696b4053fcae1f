"""Judged titles with their candidates, and their possible outcomes."""

from collections.abc import Sequence

import numpy as np

from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.refit import JudgedCandidates
from jobmatch_core.retraining.title_labels import JudgedTitle


def judged_candidates(linker: Linker, titles: Sequence[JudgedTitle]) -> JudgedCandidates:
    """Find each title's candidates among the taxonomy's own names, and mark what its labels leave possible.

    The candidates are those that the linker ranks. Where the occupation that a title means is not among them, 'none of
    these' is right.
    """
    found = linker.with_own_names(()).candidates([each.title for each in titles])
    owners = found.owners[found.meanings].tolist()
    possible = [
        _possible(titles[title], concept) for title, concept in zip(owners, found.concepts.tolist(), strict=True)
    ]
    known = [bool(each.right) for each in titles]
    return JudgedCandidates(found, np.array(possible, dtype=np.bool_), np.array(known, dtype=np.bool_))


def _possible(title: JudgedTitle, concept: int) -> bool:
    return concept in title.right if title.right else concept not in title.wrong
