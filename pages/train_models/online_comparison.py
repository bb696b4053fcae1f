"""The online comparison of a search model, or of towers, with the one in use: its start, its state and its end."""

import streamlit as st

from jobmatch.services.home_services import home_services
from jobmatch.services.search_log import comparison_credit
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.retraining.online_comparison import (
    OnlineComparison,
    is_running,
    latest_comparison,
    start_comparison,
    stop_comparison,
)
from jobmatch_core.retraining.promotion import ModelCard
from jobmatch_core.search.interleaving import Credit
from jobmatch_core.settings import Settings
from pages.shared import resources
from pages.shared.annotator import annotator_name
from pages.shared.language import N_, _, numeral
from pages.shared.moments import moment
from pages.shared.widgets import errors_deferred, plain, show_deferred_error
from pages.train_models.words import model_name

_WHERE = {ModelKind.SEARCH: N_("'Search'"), ModelKind.TOWERS: N_("'Find freelancers'")}  # kinds that are compared


def show(card: ModelCard) -> None:
    """Draw the comparison of a model with the one in use; nothing for a kind that is not compared.

    Raises:
        ModelError: the comparison cannot be read.
        LabelStoreError: the search log cannot be read.
    """
    if card.kind not in _WHERE:
        return
    show_deferred_error()
    if card.fault:
        return
    settings = Settings.from_environment()
    latest = latest_comparison(settings)
    running = latest if latest and is_running(latest, settings) else None
    if latest is not None and (latest.kind, latest.candidate) == (card.kind, card.name):
        _state(latest, runs=running is not None)
    if not card.in_use and not (running and (running.kind, running.candidate) == (card.kind, card.name)):
        _start(card, running)


def _state(comparison: OnlineComparison, *, runs: bool) -> None:
    result = comparison_credit(resources.label_store(), comparison)
    with st.container(border=True, key="train_online"):
        since = _("since {started}", started=moment(comparison.started))
        st.markdown(
            _(
                "**Compared by real searches** with {model}, {since}",
                model=model_name(comparison.in_use),
                since=since if runs else _("ended"),
            )
        )
        _shares(result)
        st.caption(_mixed(comparison, result))
        if runs:
            st.button(_("Stop the comparison"), key="train_online_stop", icon=":material/stop_circle:", on_click=_stop)


def _mixed(comparison: OnlineComparison, result: Credit) -> str:
    services = home_services()
    if (services.matching if comparison.kind is ModelKind.TOWERS else services.searching).is_loading(
        comparison.candidate
    ):
        return _("The index of this model is being built. Until it is ready, the model in use answers alone.")
    if not result.searches:
        return _(
            "No results were mixed yet. That begins once somebody who varies the order at random uses "
            "{where}; the first use builds the index of this model.",
            where=_(_WHERE[comparison.kind]),
        )
    return _(
        "Results of both models were mixed in {searches} searches; people opened some in {opened} of "
        "them, and {ties} had no winner. The interval holds at every look: stop or promote as soon "
        "as it is decided.",
        searches=numeral(result.searches),
        opened=numeral(result.opened),
        ties=numeral(result.ties),
    )


def _shares(result: Credit) -> None:
    if result.candidate.n:
        st.progress(result.candidate.share, text=result.verdict)
    else:
        st.markdown(result.verdict)


def _start(card: ModelCard, other: OnlineComparison | None) -> None:
    st.button(
        _("Compare by real searches"),
        key="train_online_start",
        icon=":material/compare_arrows:",
        width="stretch",
        on_click=_begin,
        args=(card.kind, card.name),
        help=_(
            "For people who switched the search log on, {where} mixes the results of this model with "
            "those of the one in use, and counts whose results are opened.",
            where=_(_WHERE[card.kind]),
        )
        + (_(" It ends the comparison with {candidate}.", candidate=plain(other.candidate, limit=80)) if other else ""),
    )


def _begin(kind: ModelKind, name: str) -> None:
    with errors_deferred():
        start_comparison(kind, name, Settings.from_environment(), who=annotator_name())


def _stop() -> None:
    with errors_deferred():
        stop_comparison(Settings.from_environment())
