"""Abstention: why a title is not linked to an occupation, and the ISCO group that it most likely belongs to."""

from collections.abc import Sequence, Set

import numpy as np

from jobmatch_core.entities import Candidate, GroupOffer
from jobmatch_core.link_reasons import NOT_SURE, NOTHING_LIKE_IT, SEVERAL, UNKNOWN_WORD
from jobmatch_core.linking.arrays import Floats, Indices
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import name_forms
from jobmatch_core.titles.cleaning import clean_title

GROUP_CONFIDENCE = 0.5  # a group is offered when its occupations' probabilities add up to this
_NOTHING_BELOW = 0.05  # probability of the best candidate
_NEGLIGIBLE = 0.001  # less likely candidates cannot make a group sure


def reason_of(forms: Set[str], candidates: Sequence[Candidate], *, has_unknown_word: bool = False) -> str:
    """Return the reason why none of a title's candidates is linked.

    Args:
        forms: the title, folded, and its folded forms.
        candidates: the likeliest occupations, best first.
        has_unknown_word: whether a word of the title is in no name.
    """
    # `Koch/Köchin` is a name of `Köchin`
    names = [{fold(form) for form in name_forms(candidate.evidence.name)} for candidate in candidates]
    if sum(not forms.isdisjoint(name) for name in names) > 1:
        return SEVERAL
    best = candidates[0].probability if candidates else 0.0
    if best < _NOTHING_BELOW:
        return NOTHING_LIKE_IT
    return UNKNOWN_WORD if has_unknown_word else NOT_SURE


def forms_of(title: str) -> frozenset[str]:
    """Return a title, folded, and its folded forms."""
    return frozenset({fold(title), *clean_title(title, frozenset()).forms})


def group_first(taxonomy: Taxonomy, concepts: Indices, code: str, most: int) -> Indices:
    """Return the order of candidates with the likeliest of a unit group, at most that many, before the others."""
    inside = np.array([taxonomy.isco_codes[concept].startswith(code) for concept in concepts.tolist()], dtype=np.bool_)
    return np.argsort(~(inside & (np.cumsum(inside) <= most)), kind="stable")


def likely_group(
    taxonomy: Taxonomy, concepts: Indices, probabilities: Floats, show: str, least: float = GROUP_CONFIDENCE
) -> GroupOffer | None:
    """Return the deepest ISCO group whose occupations' probabilities add up to *least*; None without one.

    Args:
        concepts: (candidate,) concept numbers.
        probabilities: (candidate,) probabilities.
        show: language of the group's name.
        least: lowest probability of the group.
    """
    likely = probabilities >= _NEGLIGIBLE
    codes = [taxonomy.isco_codes[concept] for concept in concepts[likely].tolist()]
    for digits in (4, 3, 2, 1):
        sums: dict[str, float] = {}
        for code, probability in zip(codes, probabilities[likely].tolist(), strict=True):
            if len(code) >= digits:
                sums[code[:digits]] = sums.get(code[:digits], 0.0) + probability
        best = max(sums, key=sums.__getitem__, default=None)
        if best is not None and sums[best] >= least:
            return GroupOffer(best, taxonomy.group_name(best, show), min(sums[best], 1.0))
    return None
