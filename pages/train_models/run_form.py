"""Parts shared by the forms of step 2: choices with a default, the button, the expected duration, errors."""

from collections.abc import Callable

import streamlit as st

from jobmatch.services.launch import RecipeFile
from jobmatch_core.errors import JobMatchError
from jobmatch_core.retraining.model_cards import ModelCard
from pages.shared.widgets import error_box, plain
from pages.train_models.words import TOWERS, roughly

RECIPE_KEY, START_KEY = "train_recipe", "train_start_from"
RANDOM = "untrained"
_ERROR_KEY = "train_start_error"


def default(key: str, offered: list[str], preferred: str) -> None:
    """Choose the preferred one, or the first, where what is chosen is not offered."""
    if st.session_state.get(key) not in offered:
        st.session_state[key] = preferred if preferred in offered else offered[0]


def recipe_help(recipe: RecipeFile) -> str:
    """Return what a recipe does, and where it lies."""
    folder = recipe.path.parent.name
    return f"{plain(recipe.summary, limit=300)} The file: recipes/{plain(folder)}/{plain(recipe.path.name)}"


def start_name(name: str, in_use: ModelCard) -> str:
    """Return what a start model is called."""
    if name == RANDOM and in_use.kind == TOWERS:
        return "nothing (random weights)"
    return f"{name} (in use)" if name == in_use.name else name


def train_button(start: Callable[[], object]) -> None:
    """Draw the button that starts a training; an error is drawn with the next run."""
    st.button(
        "Train", key="train_start", type="primary", icon=":material/model_training:", width="stretch",
        on_click=attempted, args=(start,),
    )  # fmt: skip


def attempted(call: Callable[[], object]) -> None:
    """Do something for a callback; its error is drawn by `error`."""
    try:
        call()
    except JobMatchError as error:
        st.session_state[_ERROR_KEY] = error


def error() -> None:
    """Draw the error of the last callback, once."""
    found: JobMatchError | None = st.session_state.pop(_ERROR_KEY, None)
    if found is not None:
        error_box(found)


def expected(earlier: float | None, by_size: float | None) -> None:
    """Draw the estimated duration of the training."""
    if earlier is not None:
        st.caption(f":material/schedule: It will take {roughly(earlier)}, like the last training of this kind.")
    elif by_size is not None:
        st.caption(f":material/schedule: It will take {roughly(by_size)} on two cores, estimated from its size.")
    else:
        st.caption(
            ":material/schedule: The duration is not known before the first training of this kind: minutes, or hours."
        )
