"""Step 2 of a training: a recipe or the search log, the form, the start, and the progress in a process of its own."""

from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from jobmatch.services.launch import (
    FROM_SCRATCH,
    LOG,
    RETRAIN,
    RecipeFile,
    earlier_seconds,
    search_recipes,
    start_linking,
    start_search,
    start_towers,
    tower_recipes,
    tower_seconds,
)
from jobmatch.services.run_status import RunState
from jobmatch.services.runs import Run
from jobmatch_core.errors import JobMatchError
from jobmatch_core.retraining.promotion import ModelCard
from jobmatch_core.search.position_bias import position_bias
from jobmatch_core.search.search_recipe import SearchRecipe
from jobmatch_core.settings import Settings
from jobmatch_core.text.folding import visible
from jobmatch_core.towers.tower_recipe import read_tower_recipe
from pages.shared import markets, resources, sign_in
from pages.shared.annotator import annotator_name
from pages.shared.taxonomy_choice import taxonomy_in_use
from pages.shared.widgets import duration_left, error_box, finished, plain, readable, taxonomy_title
from pages.train_models import homes, training_charts
from pages.train_models.words import KINDS, LINKING, SEARCH, TOWERS, count, lasted, model_name, moment, roughly

RECIPE_KEY, START_KEY = "train_recipe", "train_start_from"
RANDOM = "untrained"
_ERROR_KEY = "train_start_error"
MARKET_KEY = "train_marketplace"
_POLL_SECONDS = 1.0


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
        "Train",
        key="train_start",
        type="primary",
        icon=":material/model_training:",
        width="stretch",
        on_click=attempted,
        args=(start,),
    )


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
    default(RECIPE_KEY, list(recipes), next(iter(recipes)))
    file, recipe = recipes[st.session_state[RECIPE_KEY]]
    starts = [card.name for card in cards if card.built_in or _fits(card, recipe)]
    default(START_KEY, starts, in_use.name)
    st.selectbox("Recipe", list(recipes), key=RECIPE_KEY, help=recipe_help(file), persist_state="session")
    start = st.selectbox(
        "Start from",
        starts,
        key=START_KEY,
        format_func=lambda name: start_name(name, in_use),
        persist_state="session",
        help="The training preserves the model's view of occupations. Models of another size or backbone are left out.",
    )
    train_button(lambda: start_search(homes.training_runs(), file, start=start, who=annotator_name()))
    expected(earlier_seconds(runs, SEARCH, file.name, LOG), None)
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
            "Task": each.name,
            "Kind": each.kind,
            "Pairs": each.trained,
            "Held out": each.held_out,
            "Loss before": each.loss_before,
            "Loss after": each.loss_after,
            "MRR before": each.mrr_before,
            "MRR after": each.mrr_after,
        }
        for each in card.tasks
    ]
    st.dataframe(readable(rows).round(3), hide_index=True, width="stretch", key=f"train_tasks_{card.name}")


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
        form(cards, runs)
    else:
        _towers_form(snapshot, cards, runs)
    error()
    last = next((run for run in runs if run.request.kind == kind), None)
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
    default(MARKET_KEY, names, names[0])
    default(RECIPE_KEY, list(recipes), FROM_SCRATCH if in_use.built_in or not snapshot else RETRAIN)
    default(START_KEY, starts, in_use.name if snapshot else RANDOM)
    market = st.selectbox("Marketplace", names, key=MARKET_KEY, persist_state="session")
    recipe = st.selectbox(
        "Recipe",
        list(recipes),
        key=RECIPE_KEY,
        help=recipe_help(recipes[st.session_state[RECIPE_KEY]]),
        persist_state="session",
    )
    start = st.selectbox(
        "Start from",
        starts,
        key=START_KEY,
        format_func=lambda name: start_name(name, in_use),
        persist_state="session",
    )
    bulk = _bulk() if snapshot else False
    train_button(
        lambda: start_towers(
            homes.training_runs(),
            recipes[recipe],
            marketplace=market,
            snapshot=snapshot,
            start=start,
            who=annotator_name(),
            bulk=bulk,
        )
    )
    seconds = earlier_seconds(runs, TOWERS, recipe, market)
    by_size = tower_seconds(read_tower_recipe(recipes[recipe].path), found[market].counts["projects"])
    expected(seconds, by_size)
    st.caption("The latest fifth of the projects is never trained on: it is the frozen benchmark.")


def _linking_form(snapshot: str, cards: list[ModelCard], runs: list[Run]) -> None:
    taxonomy = _taxonomy(snapshot)
    if not taxonomy:
        return
    in_use = next(card for card in cards if card.in_use)
    st.caption(
        "Occupations move closer to the titles that people accepted for them, as far as this also helps other "
        "titles. The weights of the evidence and the threshold are then fitted again, close to those of the model "
        f"in use ({model_name(in_use.name)}). How sure a title is that equals a name follows how often people accepted "
        "that name's occupation."
    )
    bulk = _bulk()
    train_button(
        lambda: start_linking(
            homes.training_runs(),
            taxonomy=taxonomy,
            snapshot=snapshot,
            start=in_use.name,
            who=annotator_name(),
            bulk=bulk,
        )
    )
    expected(earlier_seconds(runs, LINKING, "", taxonomy), None)


def _taxonomy(snapshot: str) -> str:
    """Draw the taxonomies whose titles were judged, by default the one in use; return the selected one, '' for none."""
    judged = finished(homes.counting_titles(snapshot), "Reading the snapshot")
    manifests = {each.id: each for each in resources.installed()}
    offered, in_use = [each for each in judged if each in manifests], taxonomy_in_use().id
    if in_use not in offered:
        st.caption(f"This snapshot has no judged titles of {plain(in_use)}, which is selected on the other pages.")
    if not offered:
        if judged:
            missing = ", ".join(map(plain, judged))
            st.info(f"Its judged titles are of {missing}, not installed here. {sign_in.who_imports()}")
        return ""
    key = f"train_taxonomy {snapshot} {in_use}"
    default(key, offered, in_use)
    return str(
        st.selectbox(
            "Taxonomy",
            offered,
            key=key,
            persist_state="session",
            format_func=lambda each: f"{taxonomy_title(manifests[each])} · {count(judged[each], 'label')}",
        )
    )


def _bulk() -> bool:
    """Draw the choice to learn from judgments that nobody looked at."""
    return st.checkbox(
        "Also learn from what was accepted in bulk",
        key="train_bulk",
        persist_state="session",
        help="Links that were accepted with many others, mostly as the model proposed. Figures are measured without.",
    )


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
        f"{KINDS.get(run.request.kind, '')}: {plain(run.request.model)} · {lasted(elapsed)} so far{left}. One training "
        "runs at a time. It continues when you close this page."
    )
    st.button(
        "Stopping …" if run.stopping else "Stop",
        key="train_stop",
        icon=":material/stop_circle:",
        on_click=_stop,
        args=(run,),
        width="stretch",
        disabled=run.stopping,
        help="The unfinished model is discarded. The model in use stays as it is.",
    )
    error()
    if status.losses:
        st.plotly_chart(training_charts.losses(status.losses), key="train_losses")
    _log(run)


def _stop(run: Run) -> None:
    attempted(lambda: homes.training_runs().request_stop(run))


def _ended(run: Run) -> None:
    """Draw the result of the last training."""
    name, status = plain(run.request.model), run.status
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
        )
    with st.expander("Last training", icon=":material/history:"):
        start = model_name(run.request.start) if run.request.start not in ("", RANDOM) else "random weights"
        labels = plain(run.request.snapshot) or "none"
        st.caption(
            f"Started by {plain(run.request.who, limit=60)}, {moment(status.started)} · recipe "
            f"{plain(run.request.recipe) or 'none'} · on {plain(run.request.source)} · labels {labels} · from {start}"
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
