"""Judgments given on cards and in lists, stored at once or held until the store is available; words for stored ones."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from db.history import JudgmentFilter
from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import LabellingError, LabelStoreError
from jobmatch_core.labelling.exports import ANSWERS
from jobmatch_core.labelling.judging import judged, last_link, taking_back
from jobmatch_core.labelling.label_files import json_line
from jobmatch_core.labelling.label_records import label_record
from jobmatch_core.labelling.labels import current_judgments
from jobmatch_core.labelling.queues import POLICIES
from jobmatch_core.settings import Settings
from pages.shared import resources, sign_in
from pages.shared.annotator import given_name, shown, with_name
from pages.shared.composed import composed
from pages.shared.downloads import download
from pages.shared.language import N_, _, capital, day, numeral, plural
from pages.shared.widgets import plain

ICONS = {
    Verdict.POSITIVE: ":material/thumb_up:",
    Verdict.NEGATIVE: ":material/thumb_down:",
    Verdict.UNSURE: ":material/question_mark:",
    Verdict.SKIP: ":material/skip_next:",
}
_COLOURS = {Verdict.POSITIVE: "blue", Verdict.NEGATIVE: "orange", Verdict.UNSURE: "violet", Verdict.SKIP: "gray"}
KINDS = {
    PairKind.PROJECT_FREELANCER: N_("Projects and freelancers"),
    PairKind.TITLE_OCCUPATION: N_("Titles and occupations"),
    PairKind.TITLE_TITLE: N_("Titles and titles"),
}
_LONGEST_NOTE = 2000
_UNSAVED_KEY, _PROBLEM_KEY, _REFUSED_KEY = "judging_held", "judging_problem", "judging_refused"
_NAMES_SHOWN = 3  # of annotators with the same verdict
Judged = dict[Pair, list[Judgment]]


def verdict_word(verdict: Verdict | None, kind: PairKind = PairKind.PROJECT_FREELANCER) -> str:
    """Return a verdict in words, such as 'fits'; 'withdrawn' for None."""
    if verdict is None:
        return _("withdrawn")
    return _("skipped") if verdict is Verdict.SKIP else _(ANSWERS[kind][verdict])


def typed_note(key: str) -> str:
    """Return the note typed into the field with a widget key.

    The field itself has no limit: with one, the browser drops a longer text that is pasted, and says nothing.

    Raises:
        LabellingError: the note is too long.
    """
    note = str(st.session_state.get(key) or "").strip()
    if len(note) > _LONGEST_NOTE:
        raise LabellingError(
            _(
                "This note was not saved: it has {n_note} characters, and at most {longest_note} are stored. "
                "Shorten it.",
                n_note=numeral(len(note)),
                longest_note=numeral(_LONGEST_NOTE),
            )
        )
    return note


def verdict_badge(judgment: Judgment) -> str:
    """Return a verdict as a badge in Markdown."""
    word = verdict_word(judgment.verdict, judgment.pair.kind)
    if judgment.verdict is None:
        return f":gray-badge[:material/undo: {word}]"
    return f":{_COLOURS[judgment.verdict]}-badge[{ICONS[judgment.verdict]} {word}]"


def policy_name(policy: str) -> str:
    """Return the name of a queue, or of the page where a pair was judged."""
    return _(POLICIES[policy].label) if policy in POLICIES else policy.replace("-", " ") or _("unknown")


def zone() -> ZoneInfo:
    """Return the browser's time zone, UTC if unknown."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def when(at: datetime) -> str:
    """Return a time in the browser's time zone in words."""
    local, today = at.astimezone(zone()), datetime.now(UTC).astimezone(zone()).date()
    return f"{_('today') if local.date() == today else day(local)}, {local:%H:%M}"


def judged_before(pairs: Sequence[Pair]) -> Judged:
    """Return the current judgments of pairs by all annotators, including unsaved ones.

    If the store cannot be read, draws a warning and returns the unsaved ones alone.
    """
    stored: list[Judgment] = []
    if pairs and Settings.from_environment().may_have_labels:
        try:
            stored = resources.label_store().current(JudgmentFilter(pairs=tuple(pairs)))[::-1]
        except LabelStoreError as error:
            st.warning(
                _("Earlier judgments cannot be shown. {error}", error=plain(composed(str(error)), limit=1000)),
                icon=":material/history_off:",
            )
    earlier: Judged = {}
    for judgment in current_judgments([*stored, *_unsaved()]):
        earlier.setdefault(judgment.pair, []).append(judgment)
    return earlier


def save(judgments: Sequence[Judgment]) -> bool:
    """Store judgments together with the unsaved ones; return whether all are stored now.

    If the store is unavailable, they are held until the next call; judgments that it refuses are dropped.
    """
    waiting = [*_unsaved(), *judgments]
    try:
        refused = resources.label_store().record_each(waiting)
    except LabelStoreError as error:
        st.session_state[_UNSAVED_KEY], st.session_state[_PROBLEM_KEY] = waiting, str(error)
        return False
    _forget()
    st.session_state[_REFUSED_KEY] = list(refused.values())
    return not refused


def show_unsaved() -> None:
    """Draw the refused and the unsaved judgments, with ways to recover; nothing if all are stored."""
    reasons: list[str] = st.session_state.get(_REFUSED_KEY, [])
    if reasons:
        st.warning(
            plural(
                "**{n} judgment was refused and discarded; all others are saved.** {reason} The current judgments "
                "are listed under 'History' on 'Label pairs'.",
                "**{n} judgments were refused and discarded; all others are saved.** {reason} The current judgments "
                "are listed under 'History' on 'Label pairs'.",
                len(reasons),
                reason=plain(composed(reasons[0]), limit=1000),
            ),
            icon=":material/block:",
        )
    held = _unsaved()
    if not held:
        return
    with st.container(border=True, key="judging_held"):
        st.error(
            plural(
                "**{n} judgment is not saved yet.** {problem}",
                "**{n} judgments are not saved yet.** {problem}",
                len(held),
                problem=plain(composed(st.session_state[_PROBLEM_KEY]), limit=1000),
            ),
            icon=":material/save:",
        )
        with st.container(horizontal=True):
            st.button(
                _("Try again"), key="judging_again", type="primary", icon=":material/refresh:", on_click=_try_again
            )
            download(
                _("Download"),
                b"".join(json_line(label_record(judgment)) for judgment in held),
                "judgments.jsonl",
                "judging_download",
                explanation=_("Import them later with `jobmatch labels import judgments.jsonl`."),
            )
            st.button(_("Discard"), key="judging_drop", type="tertiary", icon=":material/delete:", on_click=_forget)


def verdicts(
    pair: Pair,
    provenance: Provenance,
    offered: Iterable[Verdict],
    earlier: Judged,
    *,
    key: str,
    width: Literal["stretch", "content"] = "stretch",
    on_positive: Callable[[], None] = lambda: None,
) -> None:
    """Draw verdict buttons for a pair, the current verdict marked, with 'Undo'; nothing for viewers who may not judge.

    Args:
        pair: The pair to judge.
        provenance: Why the pair is shown, stored with the judgment.
        offered: Verdicts, a button each.
        earlier: Result of `judged_before`.
        key: Key prefix of the buttons.
        width: Width of the row of buttons.
        on_positive: Called when a positive verdict was given.
    """
    if not sign_in.may("judge"):
        return
    own = _own(earlier.get(pair, []))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=key, width=width):
        for verdict in offered:
            chosen = own is not None and own.verdict is verdict
            st.button(
                capital(verdict_word(verdict, pair.kind)),
                key=f"{key}_{verdict}",
                icon=ICONS[verdict],
                type="primary" if chosen else "secondary",
                on_click=None if chosen else with_name,
                args=(_judge, pair, verdict, provenance, on_positive),
            )
        if own is not None:
            st.button(
                _("Undo"),
                key=f"{key}_undo",
                type="tertiary",
                icon=":material/undo:",
                on_click=with_name,
                args=(_undo, own),
                help=_(
                    "Withdraws your verdict '{verdict}', {when}.",
                    verdict=verdict_word(own.verdict, pair.kind),
                    when=when(own.at),
                ),
            )


def show_others(pair: Pair, earlier: Judged) -> None:
    """Draw the verdicts of other annotators on a pair, if any."""
    before = earlier.get(pair, [])
    own = _own(before)
    show_earlier([judgment for judgment in before if judgment is not own])


def _own(judgments: Sequence[Judgment]) -> Judgment | None:
    annotator = given_name()
    return next((own for own in judgments if own.annotator == annotator and not own.adjudicates), None)


def show_earlier(judgments: Sequence[Judgment]) -> None:
    """Draw earlier verdicts with their annotators, if any."""
    names: dict[str, list[Judgment]] = {}
    for judgment in judgments:
        names.setdefault(verdict_badge(judgment), []).append(judgment)
    if names:
        verdicts = " ".join(f"{badge} {_by(given)}" for badge, given in names.items())
        st.markdown(_("Earlier verdicts: {verdicts}", verdicts=verdicts))


def _by(judgments: Sequence[Judgment]) -> str:
    names = ", ".join(
        plain(shown(judgment.annotator), limit=40) + (_(" (settled)") if judgment.adjudicates else "")
        for judgment in judgments[:_NAMES_SHOWN]
    )
    more = len(judgments) - _NAMES_SHOWN
    return f":small[{names}{_(' and {n} more', n=numeral(more)) if more > 0 else ''}]"


def _judge(pair: Pair, verdict: Verdict, provenance: Provenance, on_positive: Callable[[], None]) -> None:
    if verdict is Verdict.POSITIVE:
        on_positive()
    if save([judged(pair, verdict, given_name(), provenance)]):
        st.toast(_("Saved: {verdict}.", verdict=verdict_word(verdict, pair.kind)), icon=ICONS[verdict])


def _undo(judgment: Judgment) -> None:
    try:
        stored = resources.label_store().judgments(JudgmentFilter(annotator=judgment.annotator, pairs=(judgment.pair,)))
    except LabelStoreError:  # storing the withdrawal fails as well, and shows why
        stored = [judgment]
    history = [*stored[::-1], *_unsaved()]
    if judgment.id not in {current.id for current in current_judgments(history)}:
        st.toast(_("Nothing to undo: this verdict is already withdrawn or replaced."), icon=":material/info:")
        return
    if save([taking_back(last_link(judgment, history))]):
        st.toast(
            _("Withdrawn: {verdict}.", verdict=verdict_word(judgment.verdict, judgment.pair.kind)),
            icon=":material/undo:",
        )


def _try_again() -> None:
    if save(()):
        st.toast(_("Everything is saved now."), icon=":material/check:")


def _unsaved() -> list[Judgment]:
    held: list[Judgment] = st.session_state.get(_UNSAVED_KEY, [])
    return held


def _forget() -> None:
    for key in (_UNSAVED_KEY, _PROBLEM_KEY):
        st.session_state.pop(key, None)
