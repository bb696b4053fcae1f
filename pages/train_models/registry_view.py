"""The registry: every model with its card, which is in use, and the history of promotions."""

import streamlit as st

from jobmatch_core.io.text_files import json_text
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Change
from jobmatch_core.retraining.promotion import ModelCard
from pages.shared.widgets import plain, readable
from pages.train_models import homes, promotion, run_step
from pages.train_models.words import count, lasted, model_name, moment

_SEARCH_KEY = "train_search"
_CARDS_SHOWN = 10
_SEARCHED_FROM = 6  # models from which on a search helps
_DID = {"found in use": "in use before", "promoted": "promoted", "rolled back": "rolled back to"}


def show(kind: ModelKind, cards: list[ModelCard]) -> None:
    """Draw the registry.

    Raises:
        ModelError: the history is damaged.
    """
    registry = homes.registry()
    history = registry.history(kind)
    heading, back = st.columns([5, 3], vertical_alignment="bottom")
    heading.markdown("## Registry")
    in_use = next(card for card in cards if card.in_use)
    heading.caption(f"In use on every page: **{model_name(in_use.name)}**")
    with back:
        promotion.roll_back_button(kind)
    if registry.promoted(kind) not in ("", in_use.name):
        _passed_over(kind, in_use)
    if in_use.fault:
        st.warning(
            f"{model_name(in_use.name)} is in use, but {plain(in_use.fault)}. Every search ends with an error "
            "until you roll back or promote another one.",
            icon=":material/broken_image:",
        )
    wanted = ""
    if len(cards) >= _SEARCHED_FROM:
        wanted = st.text_input("Search models", key=_SEARCH_KEY, placeholder="Part of a name, recipe or snapshot")
    found = [card for card in cards if wanted.casefold() in _searched(card)]
    for card in found[:_CARDS_SHOWN]:
        _card(card)
    if len(found) > _CARDS_SHOWN:
        st.caption(f"… and {len(found) - _CARDS_SHOWN:,} older ones: search for them.")
    if not found:
        st.caption("No model has this text in its name, recipe or snapshot.")
    _history(history)


def _passed_over(kind: ModelKind, in_use: ModelCard) -> None:
    registry = homes.registry()
    way_out = "Roll back, or promote another one" if registry.before(kind) else "Train another one and promote it"
    st.warning(
        f"{model_name(registry.promoted(kind))} was promoted, but it is gone or cannot be used. Every page uses "
        f"{model_name(in_use.name)} instead. {way_out}.",
        icon=":material/broken_image:",
    )


def _searched(card: ModelCard) -> str:
    recipe = card.report.get("recipe")
    recipe_name = str(recipe.get("name", "")) if isinstance(recipe, dict) else ""
    return " ".join((card.name, recipe_name, card.labels.snapshot if card.labels else "")).casefold()


def _card(card: ModelCard) -> None:
    marks = [" · :material/verified: in use" if card.in_use else "", " · cannot be used" if card.fault else ""]
    made = "bundled with jobmatch" if card.built_in else moment(card.created)
    with st.expander(f"{model_name(card.name)} · {made}{''.join(marks)}", icon=":material/smart_toy:"):
        if card.fault:
            st.warning(f"{plain(card.fault)}. Train it again.", icon=":material/broken_image:")
        for name, value in _facts(card).items():
            st.markdown(f"**{name}**: {value}")
        run_step.tasks(card)
        with st.container(horizontal=True):
            if not card.in_use and not card.fault:
                promotion.promote_button(card, "", key=f"train_promote_{card.name}")
            if card.report:
                st.download_button(
                    "Download the report",
                    json_text(card.report, ensure_ascii=False, indent=2),
                    file_name=f"{card.name}-report.json",
                    mime="application/json",
                    icon=":material/download:",
                    key=f"train_report_{card.name}",
                    on_click="ignore",
                )


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
        facts["Trained on"] = "no labels of yours: it exists before any training"
    return {name: plain(value, limit=300) for name, value in facts.items() if value}


def _labels(card: ModelCard) -> str:
    if card.labels is None:
        return ""
    labels = card.labels
    line = f"snapshot {labels.snapshot}: {count(labels.trained, 'label')} trained on, {labels.held_out:,} held out"
    later = f", {labels.later:,} of later projects used only for measuring" if labels.later else ""
    gone = f", {labels.left_out:,} excluded (other source, or deleted)" if labels.left_out else ""
    origins = f"; {labels.origins}" if labels.origins else ""
    return line + later + gone + origins


def _history(history: list[Change]) -> None:
    with st.expander("History of promotions", icon=":material/history:"):
        if not history:
            st.caption("No model has been promoted yet. Promotions will be listed here with the reason.")
            return
        rows = [
            {
                "When": moment(each.at),
                "Who": each.who,
                "What": _DID.get(each.action, each.action),
                "Model": each.after,
                "Before": each.before,
                "Why": each.why,
            }
            for each in reversed(history)
        ]
        st.dataframe(readable(rows), hide_index=True, width="stretch", key="train_history")
        st.download_button(
            "Download the history",
            json_text(rows, ensure_ascii=False, indent=2),
            file_name="promotions.json",
            mime="application/json",
            icon=":material/download:",
            key="train_download_history",
            on_click="ignore",
        )
