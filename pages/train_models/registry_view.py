"""Registry of models: the one in use, a card for each, and the history of promotions."""

import streamlit as st

from jobmatch_core.io.text_files import json_text
from jobmatch_core.metrics.comparisons import headline
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import ModelChange, Registry
from jobmatch_core.retraining.promotion import ModelCard
from pages.shared.downloads import download
from pages.shared.language import N_, _, numeral
from pages.shared.moments import moment
from pages.shared.tables import show_table
from pages.shared.widgets import plain
from pages.train_models import promotion
from pages.train_models.words import labels_by_use, lasted, model_name

_SEARCH_KEY = "train_search"
_CARDS_SHOWN = 10
_SEARCHED_FROM = 6  # smallest number of models with a search box
_DID = {"found in use": N_("in use before"), "promoted": N_("promoted"), "rolled back": N_("rolled back to")}


def show(kind: ModelKind, cards: list[ModelCard]) -> None:
    """Draw the registry; raises ModelError if the history is damaged."""
    registry = Registry.open()
    history = registry.history(kind)
    heading, back = st.columns([5, 3], vertical_alignment="bottom")
    heading.markdown(_("## Models"))
    in_use = next(card for card in cards if card.in_use)
    heading.caption(_("In use on every page: **{model}**", model=model_name(in_use.name)))
    with back:
        promotion.roll_back_button(kind)
    if (promoted := registry.promoted(kind)) not in ("", in_use.name):
        way_out = (
            _("Roll back, or promote another one") if registry.before(kind) else _("Train another one and promote it")
        )
        st.warning(
            _(
                "{model} was promoted, but it is gone or cannot be used. Every page uses {other} instead. {way_out}.",
                model=model_name(promoted),
                other=model_name(in_use.name),
                way_out=way_out,
            ),
            icon=":material/broken_image:",
        )
    if in_use.fault:
        st.warning(
            _(
                "{model} is in use, but {fault}. Every search ends with an error until you roll back or "
                "promote another one.",
                model=model_name(in_use.name),
                fault=plain(in_use.fault),
            ),
            icon=":material/broken_image:",
        )
    letters = ""
    if len(cards) >= _SEARCHED_FROM:
        letters = st.text_input(
            _("Search models"), key=_SEARCH_KEY, placeholder=_("Part of a name, recipe or snapshot")
        )
    matching = [card for card in cards if letters.casefold() in _searched_text(card)]
    for card in matching[:_CARDS_SHOWN]:
        _card(card)
    if len(matching) > _CARDS_SHOWN:
        st.caption(
            _("… and {n_matching} older ones: search for them.", n_matching=numeral(len(matching) - _CARDS_SHOWN))
        )
    if not matching:
        st.caption(_("No model has this text in its name, recipe or snapshot."))
    _history(history)


def _searched_text(card: ModelCard) -> str:
    recipe = card.report.get("recipe")
    recipe_name = str(recipe.get("name", "")) if isinstance(recipe, dict) else ""
    return " ".join((card.name, recipe_name, card.labels.snapshot if card.labels else "")).casefold()


def _card(card: ModelCard) -> None:
    marks = [
        f" · {_(headline(card.comparison).outcome)}" if card.comparison else "",
        _(" · :material/verified: in use") if card.in_use else "",
        _(" · cannot be used") if card.fault else "",
    ]
    made = _("shipped with jobmatch") if card.built_in else moment(card.created)
    with st.expander(f"{model_name(card.name)} · {made}{''.join(marks)}", icon=":material/smart_toy:"):
        if card.fault:
            st.warning(_("{fault}. Train it again.", fault=plain(card.fault)), icon=":material/broken_image:")
        for name, value in _facts(card).items():
            st.markdown(f"**{name}**: {value}")
        if card.tasks:
            _tasks(card)
        with st.container(horizontal=True):
            if not card.in_use and not card.fault:
                promotion.promote_button(card, "", key=f"train_promote_{card.name}")
            if card.report:
                report = json_text(card.report, ensure_ascii=False, indent=2)
                download(_("Download the report"), report, f"{card.name}-report.json", f"train_report_{card.name}")


def _tasks(card: ModelCard) -> None:
    recipe = card.report.get("recipe")
    if isinstance(recipe, dict):
        st.markdown(_("**Schedule**: {recipe}", recipe=plain(str(recipe.get("schedule", "")), limit=40)))
    st.markdown(_("**Tasks**, measured on held-out pairs before and after"))
    rows = [
        {
            _("Task"): task.name,
            _("Kind"): task.kind,
            _("Pairs"): task.trained,
            _("Held out"): task.held_out,
            _("Loss before"): task.loss_before,
            _("Loss after"): task.loss_after,
            _("MRR before"): task.mrr_before,
            _("MRR after"): task.mrr_after,
        }
        for task in card.tasks
    ]
    formats = dict.fromkeys((_("Loss before"), _("Loss after"), _("MRR before"), _("MRR after")), "%.3f")
    show_table(rows, f"train_tasks_{card.name}", formats=formats)


def _facts(card: ModelCard) -> dict[str, str]:
    report = card.report
    stored = report.get("recipe")
    recipe = stored if isinstance(stored, dict) else {}
    facts = {
        _("Recipe"): _("{recipe}, seed {seed}", recipe=recipe.get("name", ""), seed=recipe.get("seed", ""))
        if recipe
        else "",
        _("Start from"): str(report.get("start") or recipe.get("start") or (_("random weights") if recipe else "")),
        _("Trained on"): str(report.get("marketplace") or report.get("taxonomy") or ""),
        _("Labels"): _labels(card),
        _("Backbone"): str(report.get("backbone") or report.get("encoder") or ""),
        _("Trained in"): lasted(float(report["seconds"])) if isinstance(report.get("seconds"), int | float) else "",
        _("Data hash"): str(report.get("data_hash", "")),
        _("Versions"): ", ".join(f"{name} {number}" for name, number in dict(report.get("versions") or {}).items()),
    }
    if card.built_in:
        facts[_("Trained on")] = _("none of your labels: it exists without any training")
    return {name: plain(value, limit=300) for name, value in facts.items() if value}


def _labels(card: ModelCard) -> str:
    return (
        _(
            "snapshot {snapshot}: {labels}",
            snapshot=card.labels.snapshot,
            labels=labels_by_use(card.labels),
        )
        if card.labels
        else ""
    )


def _history(history: list[ModelChange]) -> None:
    with st.expander(_("History of promotions"), icon=":material/history:"):
        if not history:
            st.caption(_("No model has been promoted yet. Promotions will be listed here with the reason."))
            return
        rows = [
            {
                N_("When"): moment(change.at),
                N_("Who"): change.who,
                N_("What"): _DID.get(change.action, change.action),
                N_("Model"): change.after,
                N_("Before"): change.before,
                N_("Why"): change.why,
            }
            for change in reversed(history)
        ]
        shown = [{_(name): value for name, value in (row | {"What": _(row["What"])}).items()} for row in rows]
        show_table(shown, "train_history", height="auto")
        listed = json_text(rows, ensure_ascii=False, indent=2)
        download(_("Download the history"), listed, "promotions.json", "train_download_history")
