"""Judgments that are given beside other work, on cards and in lists: kept at once, or held until they can be.

Held is what failed because the store cannot be used. What the store refuses, because it was taken back in another tab
say, no waiting helps: it is dropped, with a word, and holds nothing else back.
"""

from collections.abc import Iterable, Sequence

import streamlit as st

from db.filters import JudgmentFilter
from jobmatch_core.entities import Judgment, Pair, Provenance, Verdict
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.labelling.current import current_judgments
from jobmatch_core.labelling.judging import judged, last_link, taking_back
from jobmatch_core.labelling.label_files import json_line
from jobmatch_core.labelling.label_records import label_record
from jobmatch_core.labelling.label_source import is_there
from jobmatch_core.settings import Settings
from pages.shared import resources
from pages.shared.annotator import given_name, with_name
from pages.shared.label_words import ICONS, verdict_badge, verdict_word, when
from pages.shared.widgets import plain

_HELD_KEY, _PROBLEM_KEY, _REFUSED_KEY = "judging_held", "judging_problem", "judging_refused"
_NAMES_SHOWN = 3  # of others who judged the same

Said = dict[Pair, list[Judgment]]


def said_of(pairs: Sequence[Pair]) -> Said:
    """Return what counts at the moment of some pairs, by anybody, what could not be kept yet included.

    Where the store cannot be read, that is drawn, and what is held is returned alone.
    """
    kept: list[Judgment] = []
    if pairs and is_there(Settings.from_environment()):
        try:
            kept = resources.label_store().current(JudgmentFilter(pairs=tuple(pairs)))[::-1]
        except LabelStoreError as error:
            st.warning(
                f"Earlier judgments cannot be shown. {plain(str(error), limit=1000)}",
                icon=":material/history_off:",
            )
    found: Said = {}
    for judgment in current_judgments([*kept, *_held()]):
        found.setdefault(judgment.pair, []).append(judgment)
    return found


def keep(judgments: Sequence[Judgment]) -> bool:
    """Keep judgments, with those that are held, and say whether all of them are kept now.

    Where the store cannot be used they are held, and tried again with the next ones; what it refuses is dropped.
    """
    waiting = [*_held(), *judgments]
    try:
        refused = resources.label_store().record_each(waiting)
    except LabelStoreError as error:
        st.session_state[_HELD_KEY], st.session_state[_PROBLEM_KEY] = waiting, str(error)
        return False
    _forget()
    st.session_state[_REFUSED_KEY] = list(refused.values())
    return not refused


def held_shown() -> None:
    """Draw what could not be kept, and what can be done about it; nothing where all was."""
    _refused_shown()
    held = _held()
    if not held:
        return
    with st.container(border=True, key="judging_held"):
        count = f"{len(held):,} judgment{'s are' if len(held) > 1 else ' is'}"
        st.error(
            f"**{count} not saved yet.** {plain(st.session_state[_PROBLEM_KEY], limit=1000)}", icon=":material/save:"
        )
        with st.container(horizontal=True):
            st.button("Try again", key="judging_again", type="primary", icon=":material/refresh:",
                      on_click=_try_again)  # fmt: skip
            st.download_button(
                "Download", _as_lines(held), "judgments.jsonl", "application/jsonl", key="judging_download",
                icon=":material/download:", on_click="ignore",
                help="Import them later with `jobmatch labels import judgments.jsonl`.",
            )  # fmt: skip
            st.button("Discard", key="judging_drop", type="tertiary", icon=":material/delete:", on_click=_forget)


def _refused_shown() -> None:
    """Draw what was dropped the last time that something was kept."""
    reasons: list[str] = st.session_state.get(_REFUSED_KEY, [])
    if reasons:
        count = f"{len(reasons):,} judgments were" if len(reasons) > 1 else "1 judgment was"
        st.warning(
            f"**{count} refused and discarded; all others are saved.** {plain(reasons[0], limit=1000)} The current "
            "judgments are listed under 'History' on 'Label pairs'.",
            icon=":material/block:",
        )


def verdicts(pair: Pair, provenance: Provenance, offered: Iterable[Verdict], said: Said, *, key: str) -> None:
    """Draw the verdicts that can be given on a pair, which of them was, and its undo.

    Args:
        pair: to be judged.
        provenance: why it is seen.
        offered: the verdicts.
        said: what `said_of` returned.
        key: begins the keys of the buttons.
    """
    own = _own(said.get(pair, []), given_name())
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=key):
        for verdict in offered:
            chosen = own is not None and own.verdict is verdict
            st.button(
                verdict_word(verdict, pair.kind).capitalize(), key=f"{key}_{verdict}", icon=ICONS[verdict],
                type="primary" if chosen else "secondary", on_click=None if chosen else with_name,
                args=(_judge, pair, verdict, provenance),
            )  # fmt: skip
        if own is not None:
            st.button(
                "Undo", key=f"{key}_undo", type="tertiary", icon=":material/undo:", on_click=_undo, args=(own,),
                help=f"Withdraws your verdict '{verdict_word(own.verdict, pair.kind)}', {when(own.at)}.",
            )  # fmt: skip


def told_by_others(pair: Pair, said: Said) -> None:
    """Draw what others said of a pair; nothing where nobody did."""
    before = said.get(pair, [])
    own = _own(before, given_name())
    told([each for each in before if each is not own])


def _own(judgments: Sequence[Judgment], annotator: str) -> Judgment | None:
    """Return what an annotator says of a pair, adjudications aside."""
    return next((each for each in judgments if each.annotator == annotator and not each.adjudicates), None)


def told(judgments: Sequence[Judgment]) -> None:
    """Draw who said what before; nothing where nobody did."""
    names: dict[str, list[Judgment]] = {}
    for judgment in judgments:
        names.setdefault(verdict_badge(judgment), []).append(judgment)
    if names:
        st.markdown("Earlier verdicts: " + " ".join(f"{badge} {_by(given)}" for badge, given in names.items()))


def _by(judgments: Sequence[Judgment]) -> str:
    shown = ", ".join(
        plain(each.annotator, limit=40) + (" (settled)" if each.adjudicates else "")
        for each in judgments[:_NAMES_SHOWN]
    )  # fmt: skip
    more = len(judgments) - _NAMES_SHOWN
    return f":small[{shown}{f' and {more:,} more' if more > 0 else ''}]"


def _judge(pair: Pair, verdict: Verdict, provenance: Provenance) -> None:
    if keep([judged(pair, verdict, given_name(), provenance)]):
        st.toast(f"Saved: {verdict_word(verdict, pair.kind)}.", icon=ICONS[verdict])


def _undo(judgment: Judgment) -> None:
    try:
        kept = resources.label_store().judgments(JudgmentFilter(annotator=judgment.annotator, pairs=(judgment.pair,)))
    except LabelStoreError:  # keeping what takes it back fails as well, and tells why
        kept = [judgment]
    history = [*kept[::-1], *_held()]
    if judgment.id not in {each.id for each in current_judgments(history)}:
        st.toast("Nothing to undo: this verdict is already withdrawn or replaced.", icon=":material/info:")
        return
    if keep([taking_back(last_link(judgment, history))]):
        st.toast(f"Withdrawn: {verdict_word(judgment.verdict, judgment.pair.kind)}.", icon=":material/undo:")


def _try_again() -> None:
    if keep(()):
        st.toast("Everything is saved now.", icon=":material/check:")


def _held() -> list[Judgment]:
    held: list[Judgment] = st.session_state.get(_HELD_KEY, [])
    return held


def _forget() -> None:
    for key in (_HELD_KEY, _PROBLEM_KEY):
        st.session_state.pop(key, None)


def _as_lines(judgments: Iterable[Judgment]) -> bytes:
    return b"".join(json_line(label_record(judgment)) for judgment in judgments)
