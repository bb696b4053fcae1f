"""Coding of titles as statistical offices do it: the deepest group of ISCO-08 that is sure, or why there is none.

A linked title has its unit group. Of other titles the group counts whose occupations' probabilities add up to the
target precision: three, two or one digit of the code.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from jobmatch_core.entities import GroupOffer, LinkResult
from jobmatch_core.link_reasons import DECIDED, NO_JOB
from jobmatch_core.linking.abstention import likely_group
from jobmatch_core.linking.ranking import Ranking
from jobmatch_core.linking.title_texts import has_no_work
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.titles.gibberish import is_gibberish
from jobmatch_core.titles.relatives import RELATIVE

CODED, PARTLY_CODED, UNDECIDED, NO_OCCUPATION, NOT_CODABLE = CODINGS = (
    "coded",
    "partly coded",
    "not sure",
    "no occupation",
    "not codable",
)
LEVELS = {4: "unit group", 3: "minor group", 2: "sub-major group", 1: "major group"}  # by digits
EMPTY, NOTE, GIBBERISH = "empty", "a note, or general words alone", "gibberish"  # reasons for 'not codable'
NOT_IN_WORK = "has no job"  # reason for 'no occupation'


class CodeForm(StrEnum):
    """Forms in which offices write the code of a group above the unit groups: `25`, `2500`, `25..`."""

    SHORT = "short"
    ZEROS = "zeros"
    DOTS = "dots"


@dataclass(frozen=True, slots=True)
class Coding:
    """How a title is coded."""

    state: str  # one of CODINGS
    group: GroupOffer | None  # the group of ISCO-08; None if the title is neither coded nor partly coded
    reason: str  # why it is not coded as a unit group; '' if it is

    @property
    def level(self) -> str:
        """Name of the group's level, '' without one."""
        return LEVELS.get(len(self.group.code), "") if self.group else ""


def coding(result: LinkResult) -> Coding:
    """Return how a title is coded; of lists that an older release stored, groups have no names."""
    group = result.coded or _linked_group(result)
    if group is not None:
        is_whole = bool(result.level) or len(group.code) >= UNIT_DIGITS
        return Coding(CODED if is_whole else PARTLY_CODED, group, "" if is_whole else result.reason)
    if not any(map(str.isalnum, result.title)):
        return Coding(NOT_CODABLE, None, EMPTY)
    if result.reason in (RELATIVE, DECIDED):
        return Coding(NO_OCCUPATION, None, result.reason)
    if result.reason == NO_JOB:
        no_work = has_no_work(result.title)
        return Coding(*((NO_OCCUPATION, None, NOT_IN_WORK) if no_work else (NOT_CODABLE, None, NOTE)))
    if not result.level and is_gibberish(result.title):
        return Coding(NOT_CODABLE, None, GIBBERISH)
    return Coding(UNDECIDED, None, result.reason)


def coded(result: LinkResult, taxonomy: Taxonomy, ranking: Ranking, precision: float, show: str) -> LinkResult:
    """Return a link with the group of ISCO-08 that its title is coded as: the linked one, or the deepest that is sure.

    Args:
        taxonomy: the taxonomy of the occupations.
        ranking: all candidates of the title.
        precision: target precision.
        show: language of the group's name.
    """
    if result.level:
        linked = _linked_group(result)
        group = _with_all(linked, taxonomy, ranking, show) if linked and result.best else linked
    elif result.candidates and result.reason not in (NO_JOB, RELATIVE, DECIDED):
        group = likely_group(taxonomy, ranking.concepts, ranking.probabilities, show, least=precision)
        if group is not None and group.uri in {rejection.uri for rejection in result.rejected}:
            group = None
    else:
        group = None
    return replace(result, coded=group)


def written_code(code: str, form: CodeForm) -> str:
    """Return the code of a group in an office's form; a unit group has the same code in all."""
    if form is CodeForm.SHORT:
        return code
    return code.ljust(UNIT_DIGITS, "0" if form is CodeForm.ZEROS else ".")


def _with_all(group: GroupOffer, taxonomy: Taxonomy, ranking: Ranking, show: str) -> GroupOffer:
    # with its name, and the probability of all its occupations
    inside = [taxonomy.isco_codes[concept] == group.code for concept in ranking.concepts.tolist()]
    together = min(float(ranking.probabilities[inside].sum()), 1.0)
    return GroupOffer(group.code, taxonomy.group_name(group.code, show), max(together, group.probability))


def _linked_group(result: LinkResult) -> GroupOffer | None:
    if not result.level:
        return None
    best = result.best
    return (GroupOffer(best.isco, "", best.probability) if best.isco else None) if best else result.group
