"""Judgments given on cards and in lists, and the words for stored ones: verdicts, queues, times.

They are saved at once, or held in the session until the store can be written.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from db.history import JudgmentFilter
from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.labelling.exports import ANSWERS
from jobmatch_core.labelling.judging import judged, last_link, taking_back
from jobmatch_core.labelling.label_files import json_line
from jobmatch_core.labelling.label_records import label_record
from jobmatch_core.labelling.labels import current_judgments
from jobmatch_core.labelling.queues import POLICIES
from jobmatch_core.settings import Settings
from pages.shared import resources, sign_in
from pages.shared.annotator import given_name, shown, with_name
from pages.shared.widgets import plain

ICONS = {
    Verdict.POSITIVE: ":material/thumb_up:",
    Verdict.NEGATIVE: ":material/thumb_down:",
    Verdict.UNSURE: ":material/question_mark:",
    Verdict.SKIP: ":material/skip_next:",
}
_COLOURS = {Verdict.POSITIVE: "blue", Verdict.NEGATIVE: "orange", Verdict.UNSURE: "violet", Verdict.SKIP: "gray"}
KINDS = {
    PairKind.PROJECT_FREELANCER: "Projects and freelancers",
    PairKind.TITLE_OCCUPATION: "Titles and occupations",
    PairKind.TITLE_TITLE: "Titles and titles",
}


_UNSAVED_KEY, _PROBLEM_KEY, _REFUSED_KEY = "judging_held", "judging_problem", "judging_refused"
_NAMES_SHOWN = 3  # of others who judged the same


def verdict_word(verdict: Verdict | None, kind: PairKind = PairKind.PROJECT_FREELANCER) -> str:
    """Return a verdict in words, such as 'fits'; 'withdrawn' for None."""
    if verdict is None:
        return "withdrawn"
    return "skipped" if verdict is Verdict.SKIP else ANSWERS[kind][verdict]


def verdict_badge(judgment: Judgment) -> str:
    """Return a verdict as a badge in Markdown."""
    word = verdict_word(judgment.verdict, judgment.pair.kind)
    if judgment.verdict is None:
        return f":gray-badge[:material/undo: {word}]"
    return f":{_COLOURS[judgment.verdict]}-badge[{ICONS[judgment.verdict]} {word}]"


def policy_name(policy: str) -> str:
    """Return the name of a queue, or of the page that a pair came from."""
    return POLICIES[policy].label if policy in POLICIES else policy.replace("-", " ") or "unknown"


def zone() -> ZoneInfo:
    """Return the browser's time zone, UTC if unknown."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def when(at: datetime) -> str:
    """Return a time in the browser's time zone in words."""
    local, today = at.astimezone(zone()), datetime.now(UTC).astimezone(zone()).date()
    day = "today" if local.date() == today else f"{local.day} {local:%b %Y}"
    return f"{day}, {local:%H:%M}"


Judged = dict[Pair, list[Judgment]]


def judged_before(pairs: Sequence[Pair]) -> Judged:
    """Return the current judgments of some pairs by all annotators, including those not saved yet.

    Where the store cannot be read, that is drawn, and what is held is returned alone.
    """
    stored: list[Judgment] = []
    if pairs and Settings.from_environment().may_have_labels:
        try:
            stored = resources.label_store().current(JudgmentFilter(pairs=tuple(pairs)))[::-1]
        except LabelStoreError as error:
            st.warning(
                f"Earlier judgments cannot be shown. {plain(str(error), limit=1000)}",
                icon=":material/history_off:",
            )
    found: Judged = {}
    for judgment in current_judgments([*stored, *_unsaved()]):
        found.setdefault(judgment.pair, []).append(judgment)
    return found


def save(judgments: Sequence[Judgment]) -> bool:
    """Save judgments and those held; return whether all are saved now.

    Where the store cannot be used they are held, and tried again with the next ones; what it refuses is dropped.
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
    """Draw the judgments that could not be saved, with ways to recover; nothing if all are saved."""
    _refused_shown()
    held = _unsaved()
    if not held:
        return
    with st.container(border=True, key="judging_held"):
        count = f"{len(held):,} judgment{'s are' if len(held) > 1 else ' is'}"
        st.error(
            f"**{count} not saved yet.** {plain(st.session_state[_PROBLEM_KEY], limit=1000)}", icon=":material/save:"
        )
        with st.container(horizontal=True):
            st.button("Try again", key="judging_again", type="primary", icon=":material/refresh:", on_click=_try_again)
            st.download_button(
                "Download",
                _as_lines(held),
                "judgments.jsonl",
                "application/jsonl",
                key="judging_download",
                icon=":material/download:",
                on_click="ignore",
                help="Import them later with `jobmatch labels import judgments.jsonl`.",
            )
            st.button("Discard", key="judging_drop", type="tertiary", icon=":material/delete:", on_click=_forget)


def _refused_shown() -> None:
    reasons: list[str] = st.session_state.get(_REFUSED_KEY, [])
    if reasons:
        count = f"{len(reasons):,} judgments were" if len(reasons) > 1 else "1 judgment was"
        st.warning(
            f"**{count} refused and discarded; all others are saved.** {plain(reasons[0], limit=1000)} The current "
            "judgments are listed under 'History' on 'Label pairs'.",
            icon=":material/block:",
        )


def verdicts(
    pair: Pair,
    provenance: Provenance,
    offered: Iterable[Verdict],
    earlier: Judged,
    *,
    key: str,
    width: Literal["stretch", "content"] = "stretch",
) -> None:
    """Draw verdict buttons for a pair, with the current verdict marked and its undo; nothing for who may not judge.

    Args:
        pair: to be judged.
        provenance: why it is seen.
        offered: the verdicts.
        earlier: what `judged_before` returned.
        key: begins the keys of the buttons.
        width: of the place, all that there is or what the buttons need.
    """
    if not sign_in.may("judge"):
        return
    own = _own(earlier.get(pair, []), given_name())
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=key, width=width):
        for verdict in offered:
            chosen = own is not None and own.verdict is verdict
            st.button(
                verdict_word(verdict, pair.kind).capitalize(),
                key=f"{key}_{verdict}",
                icon=ICONS[verdict],
                type="primary" if chosen else "secondary",
                on_click=None if chosen else with_name,
                args=(_judge, pair, verdict, provenance),
            )
        if own is not None:
            st.button(
                "Undo",
                key=f"{key}_undo",
                type="tertiary",
                icon=":material/undo:",
                on_click=with_name,
                args=(_undo, own),
                help=f"Withdraws your verdict '{verdict_word(own.verdict, pair.kind)}', {when(own.at)}.",
            )


def show_others(pair: Pair, earlier: Judged) -> None:
    """Draw the verdicts of other annotators on a pair, if any."""
    before = earlier.get(pair, [])
    own = _own(before, given_name())
    show_earlier([each for each in before if each is not own])


def _own(judgments: Sequence[Judgment], annotator: str) -> Judgment | None:
    return next((each for each in judgments if each.annotator == annotator and not each.adjudicates), None)


def show_earlier(judgments: Sequence[Judgment]) -> None:
    """Draw earlier verdicts with their annotators, if any."""
    names: dict[str, list[Judgment]] = {}
    for judgment in judgments:
        names.setdefault(verdict_badge(judgment), []).append(judgment)
    if names:
        st.markdown("Earlier verdicts: " + " ".join(f"{badge} {_by(given)}" for badge, given in names.items()))


def _by(judgments: Sequence[Judgment]) -> str:
    names = ", ".join(
        plain(shown(each.annotator), limit=40) + (" (settled)" if each.adjudicates else "")
        for each in judgments[:_NAMES_SHOWN]
    )
    more = len(judgments) - _NAMES_SHOWN
    return f":small[{names}{f' and {more:,} more' if more > 0 else ''}]"


def _judge(pair: Pair, verdict: Verdict, provenance: Provenance) -> None:
    if save([judged(pair, verdict, given_name(), provenance)]):
        st.toast(f"Saved: {verdict_word(verdict, pair.kind)}.", icon=ICONS[verdict])


def _undo(judgment: Judgment) -> None:
    try:
        stored = resources.label_store().judgments(JudgmentFilter(annotator=judgment.annotator, pairs=(judgment.pair,)))
    except LabelStoreError:  # keeping what takes it back fails as well, and tells why
        stored = [judgment]
    history = [*stored[::-1], *_unsaved()]
    if judgment.id not in {each.id for each in current_judgments(history)}:
        st.toast("Nothing to undo: this verdict is already withdrawn or replaced.", icon=":material/info:")
        return
    if save([taking_back(last_link(judgment, history))]):
        st.toast(f"Withdrawn: {verdict_word(judgment.verdict, judgment.pair.kind)}.", icon=":material/undo:")


def _try_again() -> None:
    if save(()):
        st.toast("Everything is saved now.", icon=":material/check:")


def _unsaved() -> list[Judgment]:
    held: list[Judgment] = st.session_state.get(_UNSAVED_KEY, [])
    return held


def _forget() -> None:
    for key in (_UNSAVED_KEY, _PROBLEM_KEY):
        st.session_state.pop(key, None)


def _as_lines(judgments: Iterable[Judgment]) -> bytes:
    return b"".join(json_line(label_record(judgment)) for judgment in judgments)
