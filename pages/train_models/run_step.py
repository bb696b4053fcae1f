"""Step 2 of a training: a recipe, the start, and how the training gets on in its own process."""

from datetime import UTC, datetime

import streamlit as st

from jobmatch.services.launch import (
    FROM_SCRATCH,
    RETRAIN,
    RecipeFile,
    earlier_seconds,
    start_linking,
    start_towers,
    tower_recipes,
    tower_seconds,
)
from jobmatch.services.run_status import RunState
from jobmatch.services.runs import Run
from jobmatch_core.errors import JobMatchError
from jobmatch_core.retraining.model_cards import ModelCard
from jobmatch_core.text.folding import visible
from jobmatch_core.towers.tower_recipe import read_tower_recipe
from pages.shared import markets, resources
from pages.shared.annotator import annotator_name
from pages.shared.widgets import duration_left, error_box, plain, select_taxonomy
from pages.train_models import homes, training_charts
from pages.train_models.words import KINDS, LINKING, TOWERS, lasted, model_name, moment, roughly

MARKET_KEY, RECIPE_KEY, START_KEY = "train_marketplace", "train_recipe", "train_start_from"
_ERROR_KEY = "train_start_error"
_POLL_SECONDS = 1.0
_RANDOM = "untrained"


def show(kind: str, snapshot: str | None, cards: list[ModelCard]) -> None:
    """Draw the step: the running training, or the form to start one and what became of the last.

    Raises:
        JobMatchError: a marketplace or taxonomy cannot be read.
    """
    st.markdown("**2 · Train** in the background")
    runs = homes.training_runs().all()
    running = next((run for run in runs if run.running), None)
    if running is not None:
        _running(running.name)
        return
    if snapshot is None:
        st.caption("Freeze a snapshot in step 1 first; the training uses it.")
    elif kind == LINKING:
        _linking_form(snapshot, cards, runs)
    else:
        _towers_form(snapshot, cards, runs)
    _error()
    last = next((run for run in runs if run.asked.kind == kind), None)
    if last is not None:
        _ended(last)


def _error() -> None:
    error: JobMatchError | None = st.session_state.pop(_ERROR_KEY, None)
    if error is not None:
        error_box(error)


def _towers_form(snapshot: str, cards: list[ModelCard], runs: list[Run]) -> None:
    found = {each.name: each for each in markets.installed()}
    if not found:
        st.info("There is no marketplace yet. The page 'Find freelancers' generates a synthetic one.")
        st.page_link(
            "pages/find_freelancers/find_freelancers.py", label="Find freelancers", icon=":material/person_search:"
        )
        return
    recipes = {each.name: each for each in tower_recipes()}
    in_use = next(card for card in cards if card.in_use)
    starts = [card.name for card in cards if not card.fault]
    names = sorted(found, key=lambda name: (found[name].generated, name))  # real ones first
    _default(MARKET_KEY, names, names[0])
    _default(RECIPE_KEY, list(recipes), FROM_SCRATCH if in_use.built_in or not snapshot else RETRAIN)
    _default(START_KEY, starts, in_use.name if snapshot else _RANDOM)
    market = st.selectbox("Marketplace", names, key=MARKET_KEY, persist_state="session")
    recipe = st.selectbox(
        "Recipe", list(recipes), key=RECIPE_KEY, help=_recipe_help(recipes[st.session_state[RECIPE_KEY]]),
        persist_state="session",
    )  # fmt: skip
    start = st.selectbox(
        "Start from", starts, key=START_KEY, format_func=lambda name: _start_name(name, in_use),
        persist_state="session",
    )  # fmt: skip
    st.button(
        "Train", key="train_start", type="primary", icon=":material/model_training:", width="stretch",
        on_click=_start_towers, args=(recipes[recipe], market, snapshot, start),
    )  # fmt: skip
    seconds = earlier_seconds(runs, TOWERS, recipe, market)
    by_size = tower_seconds(read_tower_recipe(recipes[recipe].path), found[market].counts["projects"])
    _expected(seconds, by_size)
    st.caption("The latest fifth of the projects is never trained on: it is the frozen benchmark.")


def _linking_form(snapshot: str, cards: list[ModelCard], runs: list[Run]) -> None:
    taxonomy = select_taxonomy("train_taxonomy")
    in_use = next(card for card in cards if card.in_use)
    st.caption(
        "Occupations move closer to the titles that people accepted for them, as far as this also helps other "
        "titles. The weights of the evidence and the threshold are then fitted again, close to those of the model "
        f"in use ({model_name(in_use.name)})."
    )
    st.button(
        "Train", key="train_start", type="primary", icon=":material/model_training:", width="stretch",
        on_click=_start_linking, args=(taxonomy.id, snapshot, in_use.name),
    )  # fmt: skip
    _expected(earlier_seconds(runs, LINKING, "", taxonomy.id), None)


def _expected(earlier: float | None, by_size: float | None) -> None:
    """Draw the estimated duration of the training."""
    if earlier is not None:
        st.caption(f":material/schedule: It will take {roughly(earlier)}, like the last training of this kind.")
    elif by_size is not None:
        st.caption(f":material/schedule: It will take {roughly(by_size)} on two cores, estimated from its size.")
    else:
        st.caption(":material/schedule: How long it takes is known after the first one like it: minutes, or hours.")


def _default(key: str, offered: list[str], default: str) -> None:
    if st.session_state.get(key) not in offered:
        st.session_state[key] = default if default in offered else offered[0]


def _recipe_help(recipe: RecipeFile) -> str:
    return f"{plain(recipe.summary, limit=300)} The file: recipes/towers/{plain(recipe.path.name)}"


def _start_name(name: str, in_use: ModelCard) -> str:
    if name == _RANDOM:
        return "nothing (random weights)"
    return f"{name} (in use)" if name == in_use.name else name


def _start_towers(recipe: RecipeFile, market: str, snapshot: str, start: str) -> None:
    try:
        start_towers(
            homes.training_runs(), recipe, marketplace=market, snapshot=snapshot, start=start,
            who=annotator_name(),
        )  # fmt: skip
    except JobMatchError as error:
        st.session_state[_ERROR_KEY] = error


def _start_linking(taxonomy: str, snapshot: str, start: str) -> None:
    try:
        start_linking(homes.training_runs(), taxonomy=taxonomy, snapshot=snapshot, start=start, who=annotator_name())
    except JobMatchError as error:
        st.session_state[_ERROR_KEY] = error


@st.fragment(run_every=_POLL_SECONDS)
def _running(name: str) -> None:
    """Draw how a training gets on, again each second; it goes on without this page, too."""
    run = homes.training_runs().latest()
    if run is None or run.name != name or not run.running:
        resources.forget_models()
        st.rerun()
        return
    status = run.status
    elapsed = (datetime.now(UTC) - datetime.fromisoformat(status.started)).total_seconds()
    share = min(status.done / status.total, 1.0) if status.total else 0.0
    done = f" · {status.done:,} of {status.total:,}" if status.total else ""
    st.progress(share, text=f"{plain(status.stage)} …{done}")
    left = f", this stage {duration_left(status.seconds_left)}" if status.seconds_left is not None else ""
    st.caption(
        f"{KINDS.get(run.asked.kind, '')}: {plain(run.asked.model)} · {lasted(elapsed)} so far{left}. One training "
        "runs at a time. It continues when you close this page."
    )
    st.button(
        "Stopping …" if run.stopping else "Stop", key="train_stop", icon=":material/stop_circle:", on_click=_stop,
        args=(run,), width="stretch", disabled=run.stopping,
        help="The unfinished model is discarded. The model in use stays as it is.",
    )  # fmt: skip
    _error()
    if status.losses:
        st.plotly_chart(training_charts.losses(status.losses), key="train_losses")
    _log(run)


def _stop(run: Run) -> None:
    try:
        homes.training_runs().begin_to_stop(run)
    except JobMatchError as error:
        st.session_state[_ERROR_KEY] = error


def _ended(run: Run) -> None:
    """Draw the result of the last training."""
    name, status = plain(run.asked.model), run.status
    took = datetime.fromisoformat(status.updated) - datetime.fromisoformat(status.started)
    if status.state == RunState.DONE:
        took_words = lasted(took.total_seconds())
        st.success(f"Trained: {name}, in {took_words}. Next: compare.", icon=":material/check_circle:")
    elif status.state == RunState.STOPPED:
        st.info(f"Stopped: {name}. Nothing of it was saved.", icon=":material/stop_circle:")
    elif status.state == RunState.FAILED:
        st.error(f"{name} failed: {plain(status.error, limit=1000)}", icon=":material/error:")
    else:
        st.warning(
            f"The training of {name} ended unexpectedly, for example because the computer was switched off "
            f"({moment(status.updated)}). The unfinished model was discarded; start the training again.",
            icon=":material/power_off:",
        )  # fmt: skip
    with st.expander("Last training", icon=":material/history:"):
        start = model_name(run.asked.start) if run.asked.start not in ("", _RANDOM) else "random weights"
        labels = plain(run.asked.snapshot) or "none"
        st.caption(
            f"Started by {plain(run.asked.who, limit=60)}, {moment(status.started)} · recipe "
            f"{plain(run.asked.recipe) or 'none'} · on {plain(run.asked.source)} · labels {labels} · from {start}"
        )
        if status.losses:
            st.plotly_chart(training_charts.losses(status.losses), key="train_last_losses")
        _log(run)


def _log(run: Run) -> None:
    log = run.log()
    if log.strip():
        st.code(visible(log), language=None, height=160, wrap_lines=True)
    else:
        st.caption("The log is empty so far.")
