"""Registry of models: the one in use, a card for each, and the history of promotions."""

import streamlit as st

from jobmatch_core.io.text_files import json_text
from jobmatch_core.metrics.comparisons import headline
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import ModelChange, Registry
from jobmatch_core.retraining.promotion import ModelCard
from pages.shared.downloads import download
from pages.shared.moments import moment
from pages.shared.tables import show_table
from pages.shared.widgets import plain
from pages.train_models import promotion
from pages.train_models.words import labels_by_use, lasted, model_name

_SEARCH_KEY = "train_search"
_CARDS_SHOWN = 10
_SEARCHED_FROM = 6  # smallest number of models with a search box
_DID = {"found in use": "in use before", "promoted": "promoted", "rolled back": "rolled back to"}


def show(kind: ModelKind, cards: list[ModelCard]) -> None:
    """Draw the registry; raises ModelError if the history is damaged."""
    registry = Registry.open()
    history = registry.history(kind)
    heading, back = st.columns([5, 3], vertical_alignment="bottom")
    heading.markdown("## Models")
    in_use = next(card for card in cards if card.in_use)
    heading.caption(f"In use on every page: **{model_name(in_use.name)}**")
    with back:
        promotion.roll_back_button(kind)
    if (promoted := registry.promoted(kind)) not in ("", in_use.name):
        way_out = "Roll back, or promote another one" if registry.before(kind) else "Train another one and promote it"
        st.warning(
            f"{model_name(promoted)} was promoted, but it is gone or cannot be used. Every page uses "
            f"{model_name(in_use.name)} instead. {way_out}.",
            icon=":material/broken_image:",
        )
    if in_use.fault:
        st.warning(
            f"{model_name(in_use.name)} is in use, but {plain(in_use.fault)}. Every search ends with an error "
            "until you roll back or promote another one.",
            icon=":material/broken_image:",
        )
    letters = ""
    if len(cards) >= _SEARCHED_FROM:
        letters = st.text_input("Search models", key=_SEARCH_KEY, placeholder="Part of a name, recipe or snapshot")
    matching = [card for card in cards if letters.casefold() in _searched_text(card)]
    for card in matching[:_CARDS_SHOWN]:
        _card(card)
    if len(matching) > _CARDS_SHOWN:
        st.caption(f"… and {len(matching) - _CARDS_SHOWN:,} older ones: search for them.")
    if not matching:
        st.caption("No model has this text in its name, recipe or snapshot.")
    _history(history)


def _searched_text(card: ModelCard) -> str:
    recipe = card.report.get("recipe")
    recipe_name = str(recipe.get("name", "")) if isinstance(recipe, dict) else ""
    return " ".join((card.name, recipe_name, card.labels.snapshot if card.labels else "")).casefold()


def _card(card: ModelCard) -> None:
    marks = [
        f" · {headline(card.comparison).outcome}" if card.comparison else "",
        " · :material/verified: in use" if card.in_use else "",
        " · cannot be used" if card.fault else "",
    ]
    made = "shipped with jobmatch" if card.built_in else moment(card.created)
    with st.expander(f"{model_name(card.name)} · {made}{''.join(marks)}", icon=":material/smart_toy:"):
        if card.fault:
            st.warning(f"{plain(card.fault)}. Train it again.", icon=":material/broken_image:")
        for name, value in _facts(card).items():
            st.markdown(f"**{name}**: {value}")
        if card.tasks:
            _tasks(card)
        with st.container(horizontal=True):
            if not card.in_use and not card.fault:
                promotion.promote_button(card, "", key=f"train_promote_{card.name}")
            if card.report:
                report = json_text(card.report, ensure_ascii=False, indent=2)
                download("Download the report", report, f"{card.name}-report.json", f"train_report_{card.name}")


def _tasks(card: ModelCard) -> None:
    recipe = card.report.get("recipe")
    if isinstance(recipe, dict):
        st.markdown(f"**Schedule**: {plain(str(recipe.get('schedule', '')), limit=40)}")
    st.markdown("**Tasks**, measured on held-out pairs before and after")
    rows = [
        {
            "Task": task.name,
            "Kind": task.kind,
            "Pairs": task.trained,
            "Held out": task.held_out,
            "Loss before": task.loss_before,
            "Loss after": task.loss_after,
            "MRR before": task.mrr_before,
            "MRR after": task.mrr_after,
        }
        for task in card.tasks
    ]
    formats = {f"{figure} {when}": "%.3f" for figure in ("Loss", "MRR") for when in ("before", "after")}
    show_table(rows, f"train_tasks_{card.name}", formats=formats)


def _facts(card: ModelCard) -> dict[str, str]:
    report = card.report
    stored = report.get("recipe")
    recipe = stored if isinstance(stored, dict) else {}
    facts = {
        "Recipe": f"{recipe.get('name', '')}, seed {recipe.get('seed', '')}" if recipe else "",
        "Start from": str(report.get("start") or recipe.get("start") or ("random weights" if recipe else "")),
        "Trained on": str(report.get("marketplace") or report.get("taxonomy") or ""),
        "Labels": _labels(card),
        "Backbone": str(report.get("backbone") or report.get("encoder") or ""),
        "Trained in": lasted(float(report["seconds"])) if isinstance(report.get("seconds"), int | float) else "",
        "Data hash": str(report.get("data_hash", "")),
        "Versions": ", ".join(f"{name} {number}" for name, number in dict(report.get("versions") or {}).items()),
    }
    if card.built_in:
        facts["Trained on"] = "none of your labels: it exists without any training"
    return {name: plain(value, limit=300) for name, value in facts.items() if value}


def _labels(card: ModelCard) -> str:
    return f"snapshot {card.labels.snapshot}: {labels_by_use(card.labels)}" if card.labels else ""


def _history(history: list[ModelChange]) -> None:
    with st.expander("History of promotions", icon=":material/history:"):
        if not history:
            st.caption("No model has been promoted yet. Promotions will be listed here with the reason.")
            return
        rows = [
            {
                "When": moment(change.at),
                "Who": change.who,
                "What": _DID.get(change.action, change.action),
                "Model": change.after,
                "Before": change.before,
                "Why": change.why,
            }
            for change in reversed(history)
        ]
        show_table(rows, "train_history", height="auto")
        listed = json_text(rows, ensure_ascii=False, indent=2)
        download("Download the history", listed, "promotions.json", "train_download_history")
