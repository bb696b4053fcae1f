"""Disagreements of annotators, to settle pair by pair."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

import streamlit as st

from jobmatch_core.entities import Judgment, Provenance, Verdict
from jobmatch_core.judgment_tallies import is_among
from jobmatch_core.labelling.agreement import Dispute
from jobmatch_core.labelling.judging import REASONS
from pages.label_pairs import pair_view
from pages.shared import resources, sign_in
from pages.shared.annotator import given_name, shown, with_name
from pages.shared.judging import typed_note, verdict_badge, verdict_word, when
from pages.shared.language import _, numeral
from pages.shared.widgets import errors_deferred, plain, previous_and_next

_ADJUDICATION = "adjudication"  # policy of the judgments given here
_PLACE_KEY, _SETTLED_KEY = "label_dispute", "label_settled"
_VERDICTS = (Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.UNSURE)


def show(disputes: Sequence[Dispute]) -> None:
    """Draw one disagreement at a time, the most disputed first.

    Raises:
        JobMatchError: the store or a marketplace cannot be used.
    """
    if disputes:
        st.markdown(_("## Disagreements to settle: {n_disputes}", n_disputes=numeral(len(disputes))))
    settled: Judgment | None = st.session_state.get(_SETTLED_KEY)
    if settled is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(_(":material/gavel: Settled: {verdict_badge}", verdict_badge=verdict_badge(settled)))
            st.button(
                _("Withdraw"),
                key="label_settle_undo",
                icon=":material/undo:",
                type="tertiary",
                on_click=_undo,
                args=(settled,),
            )
    if not disputes:
        st.markdown(_(":material/task_alt: There are no disagreements to settle."))
        return
    place, last = min(int(st.session_state.get(_PLACE_KEY, 0)), len(disputes) - 1), len(disputes) - 1
    dispute = disputes[place]
    with st.container(border=True, key="label_dispute_card"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                _(
                    "**{place} of {n_disputes}**, the most disputed first",
                    place=numeral(place + 1),
                    n_disputes=numeral(len(disputes)),
                )
            )
            st.space("stretch")
            previous_and_next(_PLACE_KEY, place, last, button_type="tertiary")
        for judgment in dispute.judgments:
            reasons = ", ".join(
                (_(REASONS[reason]) if reason in REASONS else plain(reason, limit=40)).lower()
                for reason in judgment.reasons
            )
            note = _(" · note: {note}", note=plain(judgment.note, limit=400)) if judgment.note else ""
            st.markdown(
                f"{verdict_badge(judgment)} **{plain(shown(judgment.annotator), limit=60)}** :small[{when(judgment.at)}"
                f"{f' · {reasons}' if reasons else ''}{note}]"
            )
        _settle(dispute)
        pair_view.show_sides(dispute.pair, key="label_dispute_pair")


def _settle(dispute: Dispute) -> None:
    if not sign_in.may("settle"):
        st.caption(sign_in.needed_for("settle"))
        return
    if is_among(given_name(), [judgment.annotator for judgment in dispute.judgments]):
        st.caption(_("You have judged this pair yourself; another reviewer settles it."))
        return
    key = dispute.judgments[-1].id if dispute.judgments else ""  # '' if all have been withdrawn meanwhile
    note = f"label_settle_note_{key}"
    st.text_input(_("Why"), key=note, placeholder=_("Reason (optional)"), label_visibility="collapsed")
    with st.container(horizontal=True, vertical_alignment="center"):
        for verdict in _VERDICTS:
            word = verdict_word(verdict, dispute.pair.kind)
            st.button(
                _("Settle: {word}", word=word),
                key=f"label_settle_{verdict}_{key}",
                on_click=with_name,
                args=(_record, dispute, verdict, note),
            )
        name = plain(shown(given_name()), limit=60)
        st.caption(
            _("As {name}. This verdict overrides all others, which stay on record.", name=name)
            if name
            else _("This verdict overrides all others, which stay on record.")
        )


def _record(dispute: Dispute, verdict: Verdict, note_key: str) -> None:
    with errors_deferred():
        judgment = Judgment(
            str(uuid4()),
            dispute.pair,
            verdict,
            given_name(),
            datetime.now(UTC),
            Provenance(_ADJUDICATION),
            note=typed_note(note_key),
            adjudicates=True,
        )
        resources.label_store().record(judgment)
        st.session_state[_SETTLED_KEY] = judgment


def _undo(judgment: Judgment) -> None:
    st.session_state.pop(_SETTLED_KEY, None)
    with errors_deferred():
        resources.label_store().undo(judgment.annotator, judgment.id)
