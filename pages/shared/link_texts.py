"""Links in the viewer's words: reasons, the matched name, earlier judgments, and the jobs of a title."""

from collections.abc import Callable, Sequence

from jobmatch_core.entities import Evidence, LinkResult
from jobmatch_core.judged_title import OwnName, Rejection
from jobmatch_core.link_reasons import NO_NAMES_IN
from jobmatch_core.linking.link_answer import linked_job
from pages.shared.language import _, day, joined, language_name, numeral

_NAMED = 3  # rejected occupations


def reason_text(reason: str) -> str:
    """Return why a title is not linked."""
    if reason.startswith(NO_NAMES_IN):
        return _("no names in {script}", script=reason.removeprefix(NO_NAMES_IN))
    return _(reason)


def job_text(job: LinkResult) -> str:
    """Return what one job of a title is linked to: 'driver: 8322 Car, taxi and van drivers'."""
    linked = linked_job(job)
    return f"{job.title}: {linked.isco} {linked.name}" if job.level else f"{job.title}: {_('not linked')}"


def matched_text(evidence: Evidence, named: Callable[[str], str]) -> str:
    """Return the language and source of the matched name, who accepted it when, and the title's reading."""
    words = [language_name(evidence.language) if evidence.language else _("a name of your own")]
    if evidence.from_lexicon:
        words.append(_("from the lexicon"))
    if evidence.own is not None:
        words.append(acceptance(evidence.own, named))
    if evidence.read_as:
        words.append(_("title read as: {reading}", reading=evidence.read_as))
    return ", ".join(words)


def acceptance(own: OwnName, named: Callable[[str], str]) -> str:
    """Return who accepted a title when: 'accepted by Ann and Bob on 21 Nov 2026'."""
    return _("accepted by {people} on {day}", people=joined([*map(named, own.by)]), day=day(own.on))


def no_occupation_text(own: OwnName, named: Callable[[str], str]) -> str:
    """Return who decided when that no occupation fits: 'no occupation: decided by Ann on 21 Nov 2026'."""
    return _("no occupation: decided by {people} on {day}", people=joined([*map(named, own.by)]), day=day(own.on))


def rejected_text(rejected: Sequence[Rejection], named: Callable[[str], str]) -> str:
    """Return what was rejected for a title, '' if nothing: 'rejected earlier: cook and chef (by Ann, 21 Nov 2026)'."""
    if not rejected:
        return ""
    names = [rejection.name for rejection in rejected[:_NAMED]]
    more = [_("{n} more", n=numeral(len(rejected) - _NAMED))] if len(rejected) > _NAMED else []
    by = dict.fromkeys(named(annotator) for rejection in rejected for annotator in rejection.own.by)
    return _(
        "rejected earlier: {names} (by {people}, {day})",
        names=joined([*names, *more]),
        people=joined(list(by)),
        day=day(max(rejection.own.on for rejection in rejected)),
    )
