"""Reasons why a title is not linked and has to be checked. Every page, file and filter shows the linker's own."""

from collections.abc import Sequence, Set

from jobmatch_core.entities import Candidate
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import name_forms
from jobmatch_core.titles.cleaning import clean_title

SEVERAL, NOTHING_LIKE_IT, NOT_SURE = "several occupations of that name", "nothing like it", "not sure enough"
NO_JOB = "not a job"
_NOTHING_BELOW = 0.05  # probability of the best candidate


def no_names_in(script: str) -> str:
    """Return the reason for a title in a script of which no name is: 'no names in Thai'."""
    return f"no names in {script}"


def reason_of(forms: Set[str], candidates: Sequence[Candidate]) -> str:
    """Return why none of a title's candidates is linked: several bear its name, none is like it, or none is sure.

    Args:
        forms: the title, folded, and its folded forms.
        candidates: the likeliest occupations, best first.
    """
    if sum(not forms.isdisjoint(_names(each.evidence.name)) for each in candidates) > 1:
        return SEVERAL
    best = candidates[0].probability if candidates else 0.0
    return NOTHING_LIKE_IT if best < _NOTHING_BELOW else NOT_SURE


def forms_of(title: str) -> frozenset[str]:
    """Return a title, folded, and its folded forms, for links of which only the title is known."""
    return frozenset({fold(title), *clean_title(title, frozenset()).forms})


def _names(name: str) -> frozenset[str]:
    """Return the folded forms of a matched name: `Koch/Köchin` is equal to `Köchin`."""
    return frozenset(fold(form) for form in name_forms(name))
