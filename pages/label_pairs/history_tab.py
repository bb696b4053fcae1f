"""View 'History': all judgments, to browse, change, withdraw and download."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from uuid import uuid4

import streamlit as st

from db.history import LONGEST_TEXT, JudgmentFilter
from jobmatch_core.entities import Judgment, PairKind, Verdict
from jobmatch_core.io.temporary import temporary_folder
from jobmatch_core.labelling.judging import REASONS, whole_chains
from jobmatch_core.labelling.label_files import FILE_FORMATS, write_labels
from pages.label_pairs import agreement_tab, pair_view
from pages.shared import resources
from pages.shared.annotator import given_name, shown
from pages.shared.choices import select
from pages.shared.downloads import download
from pages.shared.judging import policy_name, verdict_badge, verdict_word, when
from pages.shared.language import N_, _, capital, numeral, plural
from pages.shared.text_limits import cut
from pages.shared.widgets import errors_deferred, plain, previous_and_next, show_deferred_error

_WHO_KEY, _VERDICT_KEY, _POLICY_KEY, _TEXT_KEY = "label_who", "label_verdict", "label_policy", "label_text"
ADDRESS = {"who": _WHO_KEY, "verdict": _VERDICT_KEY, "policy": _POLICY_KEY, "text": _TEXT_KEY}
_PAGE_KEY, _ORDER_KEY = "label_history", "label_history_order"
_ROWS = 20
_NEWEST, _OLDEST = N_("Newest first"), N_("Oldest first")


def show() -> None:
    """Draw the view; raises JobMatchError if the store or a marketplace cannot be used."""
    show_deferred_error()
    store = resources.label_store()
    which = _filter()
    count = store.count(which)
    _head(which, count)
    if not count:
        _nothing(which)
        return
    rows = _rows(which, count)
    undone = store.taken_back(judgment.id for judgment in rows)
    counting = store.current(JudgmentFilter(pairs=tuple({judgment.pair for judgment in rows})))
    left = {judgment.id for judgment in counting}
    for judgment in rows:
        taken_back = judgment.id in undone
        replaced = judgment.verdict is not None and not taken_back and judgment.id not in left
        _row(judgment, taken_back=taken_back, replaced=replaced)
    _pages(count)


def _filter() -> JudgmentFilter:
    kind = agreement_tab.choose_kind()
    counts = resources.label_store().counts(kind)
    who, verdict, policy, text = st.columns([2, 2, 2, 3], vertical_alignment="bottom")
    with who:
        names = {key: shown(key) for key in counts.by_annotator}
        shortened = {key: name if len(name) <= 40 else f"{name[:40]}…" for key, name in names.items()}
        annotator = _select(_("Annotator"), _WHO_KEY, shortened)
    with verdict:
        verdict_value = _select(
            _("Verdict"), _VERDICT_KEY, {option.value: verdict_word(option, kind) for option in Verdict}
        )
    with policy:
        chosen_by = _select(_("Queue"), _POLICY_KEY, {name: policy_name(name) for name in counts.by_policy})
    with text:
        label = _("Text in notes and ids") if kind is PairKind.PROJECT_FREELANCER else _("Text in notes and titles")
        letters = st.text_input(
            label,
            key=_TEXT_KEY,
            icon=":material/search:",
            persist_state="session",
            on_change=cut,
            args=(_TEXT_KEY, LONGEST_TEXT),
        )
    return JudgmentFilter(
        kind,
        annotator=annotator or None,
        verdict=Verdict(verdict_value) if verdict_value else None,
        policy=chosen_by or None,
        text=letters or "",
    )


def _select(label: str, key: str, words: dict[str, str]) -> str:
    words = {"": _("All")} | words
    return select(label, list(words), key, format_func=words.__getitem__)


def _head(which: JudgmentFilter, count: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            plural(
                "{n} judgment, with corrections and withdrawn ones.",
                "{n} judgments, with corrections and withdrawn ones.",
                count,
            )
        )
        st.space("stretch")
        st.segmented_control(
            _("Order"),
            [_NEWEST, _OLDEST],
            key=_ORDER_KEY,
            default=_NEWEST,
            format_func=_,
            required=True,
            label_visibility="collapsed",
        )
        for ending in sorted(FILE_FORMATS):
            download(
                ending.upper(),
                partial(downloaded, which, ending),
                f"judgments.{ending}",
                f"label_{ending}",
                disabled=not count,
                explanation=_("The listed judgments with their withdrawals."),
            )


def downloaded(which: JudgmentFilter, ending: str) -> bytes:
    """Return the judgments with their withdrawals, oldest first, as a file for `jobmatch labels import`."""
    store = resources.label_store()
    history = store.judgments(JudgmentFilter(which.kind, which.source, which.annotator, pairs=which.pairs))
    with temporary_folder() as folder:
        path = folder / f"judgments.{ending}"
        write_labels(path, whole_chains(store.judgments(which), history[::-1]))
        return path.read_bytes()


def _nothing(which: JudgmentFilter) -> None:
    if which == JudgmentFilter(which.kind):
        st.info(
            _("Nothing has been judged yet. Choose 'Label' and press 1, 2, 3 or 4; your verdicts are listed here."),
            icon=":material/history:",
        )
        return
    st.info(_("No judgments match these filters."), icon=":material/filter_alt_off:")
    st.button(_("Show all"), key="label_history_all", on_click=_clear)


def _clear() -> None:
    for key in ADDRESS.values():
        st.session_state[key] = ""


def _rows(which: JudgmentFilter, count: int) -> Sequence[Judgment]:
    # the store gives the newest first, so the oldest are its last rows
    place = min(int(st.session_state.get(_PAGE_KEY, 0)), (count - 1) // _ROWS)
    st.session_state[_PAGE_KEY] = place
    store, start = resources.label_store(), place * _ROWS
    if st.session_state.get(_ORDER_KEY) != _OLDEST:
        return store.judgments(which, limit=_ROWS, offset=start)
    end = count - start
    return store.judgments(which, limit=min(_ROWS, end), offset=max(0, end - _ROWS))[::-1]


def _pages(count: int) -> None:
    place, last = int(st.session_state[_PAGE_KEY]), (count - 1) // _ROWS
    if not last:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        previous_and_next(_PAGE_KEY, place, last)
        st.caption(
            _(
                "{first} to {last} of {count}",
                first=numeral(place * _ROWS + 1),
                last=numeral(min((place + 1) * _ROWS, count)),
                count=numeral(count),
            )
        )


def _row(judgment: Judgment, *, taken_back: bool, replaced: bool) -> None:
    left, right = pair_view.titles(judgment.pair)
    about = [plain(shown(judgment.annotator), limit=40), when(judgment.at)]
    about.append(plain(policy_name(judgment.provenance.policy).lower(), limit=60))
    if judgment.adjudicates:
        about.append(_("settles a disagreement"))
    if taken_back and judgment.verdict is not None:
        about.append(_("withdrawn since"))
    if replaced:
        about.append(_("changed since"))
    names = f"{plain(left, limit=70)} — {plain(right, limit=70)}"
    if taken_back or replaced:
        names = f"~~{names}~~"
    label = f"{verdict_badge(judgment)} {names} :small[:gray[{' · '.join(about)}]]"
    details = st.expander(label, key=f"label_row_{judgment.id}", on_change="rerun", type="compact")
    if details.open:
        with details:
            _details(judgment, taken_back=taken_back, replaced=replaced)


def _details(judgment: Judgment, *, taken_back: bool, replaced: bool) -> None:
    provenance, score = judgment.provenance, judgment.provenance.score
    facts = [
        _("note: {note}", note=plain(judgment.note, limit=2000)) if judgment.note else "",
        ", ".join(
            (_(REASONS[reason]) if reason in REASONS else plain(reason, limit=40)).lower()
            for reason in judgment.reasons
        ),
        f"{numeral(judgment.seconds)} s" if judgment.seconds is not None else "",
        _("similarity {score} by {model}", score=numeral(score, 2), model=plain(provenance.model, limit=80))
        if score is not None
        else "",
        _("rank {rank}", rank=numeral(provenance.rank)) if provenance.rank is not None else "",
    ]
    st.caption(" · ".join(fact for fact in facts if fact) or _("No note, no reasons."))
    if replaced:
        st.caption(_("A later judgment of the same annotator on this pair counts instead."))
    elif judgment.verdict is not None:
        _change(judgment, taken_back=taken_back)
    pair_view.show_sides(judgment.pair, key=f"label_row_pair_{judgment.id}")
    st.code(judgment.id, language=None, wrap_lines=True)


def _change(judgment: Judgment, *, taken_back: bool) -> None:
    if judgment.annotator != given_name():
        st.caption(
            _(
                "Only {name} can change this judgment. If you disagree, judge the pair yourself; a reviewer "
                "can then settle the disagreement under 'Agreement'.",
                name=plain(shown(judgment.annotator), limit=60),
            )
        )
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(_(":small[Change to]"))
        for verdict in (Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.UNSURE):
            if verdict is not judgment.verdict or taken_back:
                st.button(
                    capital(verdict_word(verdict, judgment.pair.kind)),
                    key=f"label_change_{verdict}_{judgment.id}",
                    on_click=_record,
                    args=(judgment, verdict),
                )
        if not taken_back:
            st.button(
                _("Withdraw"),
                key=f"label_undo_{judgment.id}",
                icon=":material/undo:",
                type="tertiary",
                on_click=_undo,
                args=(judgment,),
            )


def _record(judgment: Judgment, verdict: Verdict) -> None:
    changed = replace(judgment, id=str(uuid4()), verdict=verdict, at=datetime.now(UTC), seconds=None, undoes="")
    with errors_deferred():
        resources.label_store().record(changed)


def _undo(judgment: Judgment) -> None:
    with errors_deferred():
        store = resources.label_store()
        if store.taken_back([judgment.id]):
            st.toast(_("This judgment is already withdrawn."), icon=":material/info:")
            return
        store.take_back(judgment.annotator, judgment.id)
