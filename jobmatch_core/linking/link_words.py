"""Links in words for people: confidence, matched name, earlier judgments, and the jobs of a title."""

from collections.abc import Sequence

from jobmatch_core.entities import Evidence, LinkResult
from jobmatch_core.judged_title import OwnName, Rejection
from jobmatch_core.linking.coding import NO_OCCUPATION
from jobmatch_core.linking.link_answer import Named, linked_job
from jobmatch_core.text.locales import language_name

SURE, LIKELY, UNSURE, TO_CHECK = CONFIDENCES = ("sure", "likely", "unsure", "to check")
SURE_FROM, _LIKELY_FROM = 0.8, 0.5
_NAMED = 3  # rejected occupations


def confidence_word(probability: float) -> str:
    """Return the word for a probability: sure (from 0.8), likely (from 0.5), unsure."""
    return SURE if probability >= SURE_FROM else LIKELY if probability >= _LIKELY_FROM else UNSURE


def confidence(result: LinkResult) -> str:
    """Return the word for a link's confidence; 'to check' if the linker abstained, unless people decided before."""
    if result.no_occupation:
        return NO_OCCUPATION
    return confidence_word(result.probability) if result.level else TO_CHECK


def job_in_words(job: LinkResult) -> str:
    """Return what one job of a title is linked to: 'driver: 8322 Car, taxi and van drivers'."""
    linked = linked_job(job)
    return f"{job.title}: {linked.isco} {linked.name}" if job.level else f"{job.title}: not linked"


def matched_words(evidence: Evidence, named: Named = str) -> str:
    """Return the language and source of the matched name, who accepted it when, and the title's reading."""
    words = [language_name(evidence.language) if evidence.language else "a name of your own"]
    if evidence.from_lexicon:
        words.append("from the lexicon")
    if evidence.own is not None:
        words.append(acceptance(evidence.own, named))
    if evidence.read_as:
        words.append(f"title read as: {evidence.read_as}")
    return ", ".join(words)


def acceptance(own: OwnName, named: Named = str) -> str:
    """Return who accepted a title when: 'accepted by Ann and Bob on 21 Nov 2026'."""
    return f"accepted by {_listed([*map(named, own.by)])} on {own.on.day} {own.on:%b %Y}"


def decision_words(own: OwnName, named: Named = str) -> str:
    """Return who decided when that no occupation fits: 'no occupation: decided by Ann on 21 Nov 2026'."""
    return f"{NO_OCCUPATION}: decided by {_listed([*map(named, own.by)])} on {own.on.day} {own.on:%b %Y}"


def rejected_words(rejected: Sequence[Rejection], named: Named = str) -> str:
    """Return what was rejected for a title, '' if nothing: 'rejected earlier: cook and chef (by Ann, 21 Nov 2026)'."""
    if not rejected:
        return ""
    names = [rejection.name for rejection in rejected[:_NAMED]]
    more = [f"{len(rejected) - _NAMED} more"] if len(rejected) > _NAMED else []
    by = dict.fromkeys(named(annotator) for rejection in rejected for annotator in rejection.own.by)
    on = max(rejection.own.on for rejection in rejected)
    return f"rejected earlier: {_listed([*names, *more])} (by {_listed(list(by))}, {on.day} {on:%b %Y})"


def _listed(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
