"""View 'Label': the current pair, its verdict keys, progress, note and guidelines."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import streamlit as st

from jobmatch.services.annotation_desk import Desk, PairTask
from jobmatch_core.entities import Provenance, Verdict
from jobmatch_core.errors import JobMatchError
from jobmatch_core.labelling.judging import REASONS
from jobmatch_core.text.folding import visible
from pages.label_pairs import keys, pair_view, queue_choice
from pages.label_pairs.queue_choice import Queue
from pages.shared import browser, resources, sign_in
from pages.shared.annotator import annotator_name
from pages.shared.judging import ICONS, policy_name, typed_note, verdict_word, when, zone
from pages.shared.language import N_, _, numeral, within
from pages.shared.page_links import page_link
from pages.shared.text_limits import cut
from pages.shared.widgets import dialog, error_box, errors_shown, plain

_START = N_(
    "# What to judge\nWould you put this freelancer forward for this project, going by what both "
    "wrote?\n\n- **Fits**: all must-have skills are there, named or evident from the texts.\n- "
    "**Lacks skills**: a must-have skill is missing, or the work is different.\n- **Not sure**: "
    "the texts say too little, or you do not know the field.\n- **Skip**: you should not judge "
    "this pair, or it is broken.\n\n# What to ignore\nFor the verdict, ignore place, day rate, "
    "language of the profile, and how well somebody writes.\nIf place, day rate or language would "
    "matter all the same, pick it as a reason.\n"
)
_TEXT_KEY, _VIEW_KEY = "label_guidelines_text", "label_guidelines_view"
_READ, _WRITE, _HISTORY = N_("Read"), N_("Edit"), N_("Earlier versions")
_LONGEST = 20_000
_MARK = re.compile(r"^(\s*)(#{1,6} |[-*] |\d{1,3}\. |> )?(.*)$", re.DOTALL)
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_MESSAGE_KEY, _ERROR_KEY, _OPEN_KEY = "label_said", "label_error", "label_open"
_GUIDELINES, _NOTE = "guidelines", "note"
_NOTE_ERROR_KEY = "label_note_error"
_FIRST = N_("Pick reasons first if you like, then a verdict.")
_KEYS = (
    (Verdict.POSITIVE, N_("Fits"), "1"),
    (Verdict.NEGATIVE, N_("Lacks skills"), "2"),
    (Verdict.UNSURE, N_("Not sure"), "3"),
    (Verdict.SKIP, N_("Skip"), "4"),
)


def _show_guidelines() -> bool:
    with errors_shown():
        newest = resources.label_store().guidelines()
        views = [_READ, _WRITE, _HISTORY] if sign_in.may("settle") else [_READ, _HISTORY]
        view = st.segmented_control(
            _("What to do"),
            views,
            key=_VIEW_KEY,
            default=_READ,
            format_func=_,
            required=True,
            label_visibility="collapsed",
        )
        if view == _WRITE:
            return _write(newest.text if newest else _(_START))
        if view == _HISTORY:
            _history()
        elif newest is None:
            st.info(_("Nobody has written guidelines yet. Until then, use these:"), icon=":material/info:")
            st.markdown(formatted(_(_START)))
        else:
            st.caption(_("By {author}, {when}", author=plain(newest.author, limit=60), when=when(newest.at)))
            st.markdown(formatted(newest.text))
    return False


def formatted(text: str) -> str:
    """Return a user's text as Markdown with its headings, lists and bold words; everything else is shown literally."""
    lines = []
    for line in text[:_LONGEST].splitlines():
        [(indent, mark, rest)] = _MARK.findall(line)
        pieces = _BOLD.split(rest)  # every second one is bold
        escaped = [_escaped(piece) for piece in pieces]
        shown = "".join(f"**{piece}**" if place % 2 else piece for place, piece in enumerate(escaped))
        lines.append(f"{indent[:4].replace(chr(9), '  ')}{mark.replace('# ', '## ') if '#' in mark else mark}{shown}")
    return "\n".join(f"{line}  " if line.strip() else "" for line in lines)


def _escaped(text: str) -> str:
    # plain() drops the blanks at both ends, which separate bold words from others
    before, after = (" " if text[:1].isspace() else ""), (" " if text[-1:].isspace() else "")
    shown = plain(text, limit=_LONGEST)
    return f"{before}{shown}{after}" if shown else before


def _write(text: str) -> bool:
    st.session_state.setdefault(_TEXT_KEY, text)
    st.text_area(
        _("Guidelines"),
        key=_TEXT_KEY,
        height=360,
        on_change=cut,
        args=(_TEXT_KEY, _LONGEST),
        help=_(
            "Start a line with # for a heading or with - for a list item; put words between **two stars** for bold."
        ),
    )
    st.caption(
        _(
            "Saved as a new version by {name}; earlier versions remain.",
            name=plain(annotator_name(), limit=60),
        )
    )
    if not st.button(_("Save this version"), type="primary", icon=":material/save:", key="label_guidelines_save"):
        return False
    resources.label_store().write_guidelines(str(st.session_state[_TEXT_KEY]), annotator_name())
    st.session_state.pop(_TEXT_KEY)
    return True


def _history() -> None:
    versions = resources.label_store().guidelines_history()
    if not versions:
        first = (
            _("Choose 'Edit' and write the first.") if sign_in.may("settle") else _("A reviewer can write the first.")
        )
        st.info(_("There are no versions yet. {first}", first=first), icon=":material/history:")
    for number, version in enumerate(versions):
        label = f"{when(version.at)} · {plain(version.author, limit=60)}{_(' · in use') if number == 0 else ''}"
        with st.expander(label, expanded=number == 0):
            st.markdown(formatted(version.text))


@st.fragment
def show(queue: Queue, desk: Desk) -> None:
    """Draw the view, as a fragment that a verdict redraws alone."""
    error: JobMatchError | None = st.session_state.pop(_ERROR_KEY, None)
    if error is not None:
        error_box(error)
    with errors_shown():
        if desk.task is None:
            desk.advance()
    task = desk.task
    _keys(desk, task)
    _progress(desk, queue)
    if task is None:
        with errors_shown():
            queue_choice.show_empty(queue, desk, failed=error is not None)
    else:
        pair_view.show(task.sides, queue.market, key="label_pair")
        more = st.popover(_("Ids and more"), icon=":material/tag:", type="tertiary", key="label_ids", on_change="rerun")
        if more.open:
            with more:
                st.code(visible(task.proposal.pair.left), language=None, wrap_lines=True)
                st.code(visible(task.proposal.pair.right), language=None, wrap_lines=True)
                if queue.reviewing:  # the linked page shows the model's ranking
                    page_link(
                        "find_freelancers",
                        _("Who else fits this project?"),
                        {"marketplace": queue.market.manifest.name, "project": task.proposal.pair.left},
                    )
        keys.guard(f"{task.number} {task.proposal.pair.left} {task.proposal.pair.right}")
        browser.leave_selects()
    # the verdict keys are disabled while a dialog is open, so that no unseen pair is judged
    dialog = st.session_state.get(_OPEN_KEY)
    if dialog == _GUIDELINES:
        _guidelines()
    elif dialog == _NOTE and task is not None:
        _note(task)


def _keys(desk: Desk, task: PairTask | None) -> None:
    dialog_open = _OPEN_KEY in st.session_state
    disabled = task is None or dialog_open
    with st.container(horizontal=True, key="label_keys", vertical_alignment="center"):
        if task is not None:
            with st.container(horizontal=True, key=keys.VERDICTS_KEY, width="content"):
                for verdict, label, shortcut in _KEYS:
                    # a widget key per task, so that a second press before the next pair is drawn has no effect
                    st.button(
                        _(label),
                        key=f"label_{verdict}_{task.number}",
                        shortcut=shortcut,
                        icon=ICONS[verdict],
                        disabled=disabled,
                        on_click=_judge,
                        args=(desk, task, verdict),
                    )
        # about the last pair, so beside 'Undo' and apart from the facts of the next one
        st.caption(st.session_state.get(_MESSAGE_KEY) or _(_FIRST if task is not None else ""), width="stretch")
        noted = task is not None and bool(task.note)
        st.button(
            _("Note"),
            key="label_note",
            shortcut="N",
            disabled=disabled,
            type="tertiary",
            icon=":material/edit_note:" if not noted else ":material/sticky_note_2:",
            on_click=st.session_state.update,
            args=({_OPEN_KEY: _NOTE},),
        )
        st.button(
            _("Undo"),
            key="label_undo",
            shortcut="U",
            type="tertiary",
            disabled=dialog_open or not desk.own,
            icon=":material/undo:",
            on_click=_undo,
            args=(desk,),
        )
        st.button(
            _("Guidelines"),
            key="label_guidelines",
            shortcut="G",
            type="tertiary",
            icon=":material/menu_book:",
            disabled=dialog_open,
            on_click=st.session_state.update,
            args=({_OPEN_KEY: _GUIDELINES},),
        )


def _judge(desk: Desk, task: PairTask | None, verdict: Verdict) -> None:
    # for a while the browser keeps the last pair's button, which reacts to the key as well
    if task is None or desk.task is not task:
        return
    if task.just_shown:
        st.session_state[_MESSAGE_KEY] = _(keys.TOO_SOON)
        return
    task.reasons = tuple(st.session_state.get(keys.REASONS_KEY) or ())
    before = None
    try:
        before = desk.judge(task.number, verdict)
    except JobMatchError as error:
        st.session_state[_ERROR_KEY] = error
        if desk.task is task:  # otherwise the verdict is stored, and only the next pair is missing
            return
    st.session_state[keys.REASONS_KEY] = []
    message, provenance = _("Last pair: {verdict}", verdict=verdict_word(verdict)), task.proposal.provenance
    if before is not None:
        message += _(", before {verdict}", verdict=verdict_word(before.verdict))
    if provenance.score is not None:  # None: unknown, or hidden for a second opinion
        message += _(" · similarity {score}", score=numeral(provenance.score, 2))
        message += _(", rank {rank}", rank=numeral(provenance.rank)) if provenance.rank else ""
    st.session_state[_MESSAGE_KEY] = message


def _model_score(provenance: Provenance) -> str:
    # unknown, or hidden for a second opinion
    if provenance.score is None:
        return ""
    rank = _(", rank {rank} in its project", rank=numeral(provenance.rank)) if provenance.rank else ""
    return _(
        "The model's similarity: {score}{rank} ({model}).",
        score=numeral(provenance.score, 2),
        rank=rank,
        model=plain(provenance.model, limit=60),
    )


def _undo(desk: Desk) -> None:
    try:
        undone = desk.undo()
    except JobMatchError as error:
        st.session_state[_ERROR_KEY] = error
        return
    if undone is not None:
        st.session_state[keys.REASONS_KEY] = [reason for reason in undone.reasons if reason in REASONS]
    st.session_state[_MESSAGE_KEY] = (
        _("There is no verdict of yours to undo here.")
        if undone is None
        else _("Undone: {verdict}. Judge the pair again.", verdict=verdict_word(undone.verdict))
    )


def _progress(desk: Desk, queue: Queue) -> None:
    gone = desk.own.progress(datetime.now(UTC), zone=zone())
    with st.container(gap="xsmall", key="label_progress"):
        with st.container(horizontal=True, vertical_alignment="center"):
            if desk.task is not None:
                st.pills(
                    _("Reasons (optional)"),
                    list(REASONS),
                    key=keys.REASONS_KEY,
                    selection_mode="multi",
                    format_func=lambda reason: f"{_(REASONS[reason])} :gray[{keys.REASON_KEYS[reason]}]",
                    label_visibility="collapsed",
                    width="content",
                )
            today = _("{today} of {goal} today", today=numeral(gone.today), goal=numeral(queue.goal))
            if gone.today >= queue.goal:
                today = _(":material/task_alt: Goal reached: {today}", today=today)
            left = _(" · {left} left in this queue", left=numeral(desk.left)) if desk.task is not None else ""
            st.progress(min(gone.today / queue.goal, 1.0), text=f"**{today}**{left}")
        if desk.task is not None:
            pace = (
                [
                    _(
                        "{seconds} s per pair",
                        seconds=numeral(gone.seconds, 0 if gone.seconds == int(gone.seconds) else 1),
                    )
                ]
                if gone.seconds is not None
                else []
            )
            st.caption(" · ".join([*_why(desk.task, queue), *pace]))


def _why(task: PairTask, queue: Queue) -> Iterator[str]:
    # the model's score is for reviewers only, so that it does not bias verdicts
    proposal = task.proposal
    if proposal.blind:
        yield _("Second opinion: somebody else has judged this pair; their verdict and the model's score are hidden")
    else:
        if proposal.provenance.policy != queue.settings.policy:  # which stands above
            yield _("Why this pair: {policy}", policy=plain(within(policy_name(proposal.provenance.policy)), limit=60))
        if queue.reviewing and (score := _model_score(proposal.provenance)):
            yield score
    if task.note:
        yield _("note: {note}", note=plain(task.note, limit=80))
    if task.before is not None:
        yield (
            _(
                "**your earlier verdict: {verdict}, {when}**; a new verdict replaces it",
                verdict=verdict_word(task.before.verdict),
                when=when(task.before.at),
            )
        )


def _close() -> None:
    st.session_state.pop(_OPEN_KEY, None)


@dialog(N_("Guidelines"), width="medium", icon=":material/menu_book:", on_dismiss=_close)
def _guidelines() -> None:
    if _show_guidelines():
        _close()
        st.rerun()


@dialog(N_("Note on this pair"), icon=":material/edit_note:", dismissible=False)
def _note(task: PairTask) -> None:
    key = f"label_note_text_{task.number}"
    st.session_state.setdefault(key, task.note)
    with st.form("label_note_form", border=False):  # Enter also submits a note that was not changed
        st.text_input(
            _("Note"), key=key, placeholder=_("What others should know about this pair"), label_visibility="collapsed"
        )
        st.caption(_("The note is stored with your verdict."))
        error: JobMatchError | None = st.session_state.pop(_NOTE_ERROR_KEY, None)
        if error is not None:
            error_box(error)
        st.form_submit_button(_("Save"), type="primary", key="label_note_keep", on_click=_save_note, args=(task, key))
    browser.focus(key)
    left = st.button(_("Cancel"), key="label_note_leave", on_click=_close)
    if left or _OPEN_KEY not in st.session_state:
        st.rerun()


def _save_note(task: PairTask, key: str) -> None:
    try:
        task.note = typed_note(key)
    except JobMatchError as error:
        st.session_state[_NOTE_ERROR_KEY] = error
        return
    _close()
