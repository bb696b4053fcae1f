"""Step 2 of a training: a recipe, the start, and how the training gets on in its own process."""

from datetime import UTC, datetime

import streamlit as st

from jobmatch.services.launch import (
    FROM_SCRATCH,
    RETRAIN,
    earlier_seconds,
    start_linking,
    start_towers,
    tower_recipes,
    tower_seconds,
)
from jobmatch.services.run_status import RunState
from jobmatch.services.runs import Run
from jobmatch_core.retraining.model_cards import ModelCard
from jobmatch_core.text.folding import visible
from jobmatch_core.towers.tower_recipe import read_tower_recipe
from pages.shared import markets, resources
from pages.shared.annotator import annotator_name
from pages.shared.widgets import duration_left, plain, select_taxonomy
from pages.train_models import homes, run_form, search_steps, training_charts
from pages.train_models.run_form import RECIPE_KEY, START_KEY
from pages.train_models.words import KINDS, LINKING, SEARCH, TOWERS, lasted, model_name, moment

MARKET_KEY = "train_marketplace"
_POLL_SECONDS = 1.0


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
        first = "Fill the search log" if kind == SEARCH else "Freeze a snapshot in step 1"
        st.caption(f"{first} first; the training uses it.")
    elif kind == LINKING:
        _linking_form(snapshot, cards, runs)
    elif kind == SEARCH:
        search_steps.form(cards, runs)
    else:
        _towers_form(snapshot, cards, runs)
    run_form.error()
    last = next((run for run in runs if run.asked.kind == kind), None)
    if last is not None:
        _ended(last)


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
    run_form.default(MARKET_KEY, names, names[0])
    run_form.default(RECIPE_KEY, list(recipes), FROM_SCRATCH if in_use.built_in or not snapshot else RETRAIN)
    run_form.default(START_KEY, starts, in_use.name if snapshot else run_form.RANDOM)
    market = st.selectbox("Marketplace", names, key=MARKET_KEY, persist_state="session")
    recipe = st.selectbox(
        "Recipe", list(recipes), key=RECIPE_KEY, help=run_form.recipe_help(recipes[st.session_state[RECIPE_KEY]]),
        persist_state="session",
    )  # fmt: skip
    start = st.selectbox(
        "Start from", starts, key=START_KEY, format_func=lambda name: run_form.start_name(name, in_use),
        persist_state="session",
    )  # fmt: skip
    run_form.train_button(
        lambda: start_towers(
            homes.training_runs(), recipes[recipe], marketplace=market, snapshot=snapshot, start=start,
            who=annotator_name(),
        )
    )  # fmt: skip
    seconds = earlier_seconds(runs, TOWERS, recipe, market)
    by_size = tower_seconds(read_tower_recipe(recipes[recipe].path), found[market].counts["projects"])
    run_form.expected(seconds, by_size)
    st.caption("The latest fifth of the projects is never trained on: it is the frozen benchmark.")


def _linking_form(snapshot: str, cards: list[ModelCard], runs: list[Run]) -> None:
    taxonomy = select_taxonomy("train_taxonomy")
    in_use = next(card for card in cards if card.in_use)
    st.caption(
        "Occupations move closer to the titles that people accepted for them, as far as this also helps other "
        "titles. The weights of the evidence and the threshold are then fitted again, close to those of the model "
        f"in use ({model_name(in_use.name)}). How sure a title is that equals a name follows how often people accepted "
        "that name's occupation."
    )
    run_form.train_button(
        lambda: start_linking(
            homes.training_runs(), taxonomy=taxonomy.id, snapshot=snapshot, start=in_use.name, who=annotator_name()
        )
    )
    run_form.expected(earlier_seconds(runs, LINKING, "", taxonomy.id), None)


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
    run_form.error()
    if status.losses:
        st.plotly_chart(training_charts.losses(status.losses), key="train_losses")
    _log(run)


def _stop(run: Run) -> None:
    run_form.attempted(lambda: homes.training_runs().begin_to_stop(run))


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
        start = model_name(run.asked.start) if run.asked.start not in ("", run_form.RANDOM) else "random weights"
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
