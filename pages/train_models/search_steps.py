"""A training for search: the search log, the form, and what a search encoder has learned from."""

import streamlit as st

from jobmatch.services.launch import LOG, earlier_seconds, search_recipes, start_search
from jobmatch.services.runs import Run
from jobmatch_core.retraining.model_cards import ModelCard
from jobmatch_core.search.position_bias import position_bias
from jobmatch_core.search.search_recipe import SearchRecipe
from jobmatch_core.settings import Settings
from pages.shared import resources
from pages.shared.annotator import annotator_name
from pages.shared.widgets import plain, readable
from pages.train_models import homes, run_form
from pages.train_models.run_form import RECIPE_KEY, START_KEY
from pages.train_models.words import SEARCH, count


def log() -> str | None:
    """Draw what the search log holds; return '' for the log as it is when a training starts, None where it is empty.

    Raises:
        JobMatchError: the label store cannot be read.
    """
    st.markdown("**1 · Search log**")
    choices = _choices() if Settings.from_environment().may_have_labels else 0
    if not choices:
        st.info(
            "Nothing has been opened in a logged search yet. On the page 'Search', switch the search log on, search, "
            "and open what you were looking for.",
            icon=":material/history:",
        )
    st.page_link("pages/search/search.py", label="Search", icon=":material/search:")
    return "" if choices else None


def _choices() -> int:
    """Draw how much there is to learn from; return the number of choices."""
    store = resources.label_store()
    choices = store.search_choices()
    if choices:
        bias = position_bias(store.searches(), choices)
        st.caption(
            f"{count(len(choices), 'choice')} in searches of everybody who switched the log on. Lower ranks are looked "
            f"at less often, so their choices count more: {bias.weight(2):.2f} times at rank 2, {bias.weight(5):.2f} "
            f"times at rank 5, estimated from {count(sum(bias.upper) + sum(bias.lower), 'choice')} between results "
            "that may have been swapped."
        )
    return len(choices)


def form(cards: list[ModelCard], runs: list[Run]) -> None:
    """Draw the form that starts a training.

    Raises:
        JobMatchError: a recipe cannot be read.
    """
    recipes = {file.name: (file, recipe) for file, recipe in search_recipes()}
    in_use = next(card for card in cards if card.in_use)
    run_form.default(RECIPE_KEY, list(recipes), next(iter(recipes)))
    file, recipe = recipes[st.session_state[RECIPE_KEY]]
    starts = [card.name for card in cards if card.built_in or _fits(card, recipe)]
    run_form.default(START_KEY, starts, in_use.name)
    st.selectbox("Recipe", list(recipes), key=RECIPE_KEY, help=run_form.recipe_help(file), persist_state="session")
    start = st.selectbox(
        "Start from", starts, key=START_KEY, format_func=lambda name: run_form.start_name(name, in_use),
        persist_state="session",
        help="The training preserves the model's view of occupations. Models of another size or backbone are left out.",
    )  # fmt: skip
    run_form.train_button(lambda: start_search(homes.training_runs(), file, start=start, who=annotator_name()))
    run_form.expected(earlier_seconds(runs, SEARCH, file.name, LOG), None)
    st.caption(
        f"{recipe.training.validation:.0%} of the searches are never trained on: they compare the new model with the "
        "one in use. Recipes that need files run on the command line: `jobmatch train search-encoder`."
    )


def _fits(card: ModelCard, recipe: SearchRecipe) -> bool:
    """Return whether a training by a recipe can start from a model."""
    own = card.report.get("recipe")
    settings = own if isinstance(own, dict) and not card.fault else {}
    return (settings.get("dimension"), settings.get("backbone")) == (recipe.dimension, recipe.backbone)


def tasks(card: ModelCard) -> None:
    """Draw what data a search encoder saw, in which order, and its figures on held-out pairs."""
    if not card.tasks:
        return
    recipe = card.report.get("recipe")
    if isinstance(recipe, dict):
        st.markdown(f"**Schedule**: {plain(str(recipe.get('schedule', '')), limit=40)}")
    st.markdown("**Tasks**, measured on held-out pairs before and after")
    rows = [
        {
            "Task": each.name, "Kind": each.kind, "Pairs": each.trained, "Held out": each.held_out,
            "Loss before": each.loss_before, "Loss after": each.loss_after,
            "MRR before": each.mrr_before, "MRR after": each.mrr_after,
        }
        for each in card.tasks
    ]  # fmt: skip
    st.dataframe(readable(rows).round(3), hide_index=True, width="stretch", key=f"train_tasks_{card.name}")
