"""Step 2 of a training: the forms that start it."""

from collections.abc import Callable, Mapping

import streamlit as st

from jobmatch.services.launch import (
    FROM_SCRATCH,
    LOG,
    RETRAIN,
    RecipeFile,
    earlier_seconds,
    linking_seconds,
    search_recipes,
    start_linking,
    start_search,
    start_towers,
    tower_recipes,
    tower_seconds,
)
from jobmatch.services.runs import Run, TrainingRuns
from jobmatch_core.encoders.added_encoder import word_encoders
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.snapshot import Snapshots, load_manifest
from jobmatch_core.model_store.model_spec import UNTRAINED
from jobmatch_core.retraining.promotion import ModelCard
from jobmatch_core.search.search_recipe import SearchRecipe
from jobmatch_core.settings import Settings
from jobmatch_core.text.folding import visible
from jobmatch_core.towers.tower_recipe import read_tower_recipe
from pages.shared import market_choice, resources, sign_in
from pages.shared.annotator import annotator_name
from pages.shared.choices import keep_known, select
from pages.shared.language import _, percent, plural
from pages.shared.taxonomy_choice import taxonomy_in_use
from pages.shared.widgets import finished, plain, show_deferred_error, taxonomy_name, taxonomy_title
from pages.train_models import run_progress
from pages.train_models.snapshot_step import label_tallies
from pages.train_models.words import LINKING, SEARCH, TOWERS, model_name, roughly

RECIPE_KEY, START_KEY, _MARKET_KEY = "train_recipe", "train_start_from", "train_marketplace"


def _select_recipe(recipes: Mapping[str, RecipeFile]) -> RecipeFile:
    path = recipes[st.session_state[RECIPE_KEY]].path
    name = st.selectbox(
        _("Recipe"),
        list(recipes),
        key=RECIPE_KEY,
        format_func=lambda name: visible(_(recipes[name].purpose)),
        help=_("The file: {path}", path=f"recipes/{plain(path.parent.name)}/{plain(path.name)}"),
        persist_state="session",
    )
    return recipes[name]


def _start_name(name: str, in_use: ModelCard) -> str:
    if name == UNTRAINED and in_use.kind == TOWERS:
        return _("nothing (random weights)")
    return _("{name} (in use)", name=name) if name == in_use.name else name


def _train_button(start: Callable[[], object]) -> None:
    st.button(
        _("Train"),
        key="train_start",
        type="primary",
        icon=":material/model_training:",
        width="stretch",
        on_click=run_progress.attempt,
        args=(start,),
    )


def _expected_duration(earlier: float | None, by_size: float | None) -> None:
    if earlier is not None:
        st.caption(
            _(
                ":material/schedule: It will take {duration}, like the last training of this kind.",
                duration=roughly(earlier),
            )
        )
    elif by_size is not None:
        st.caption(
            _(
                ":material/schedule: It will take {duration} on two cores, estimated from its size.",
                duration=roughly(by_size),
            )
        )
    else:
        st.caption(
            _(
                ":material/schedule: The duration is not known before the first training of this kind: "
                "minutes, or hours."
            )
        )


def _search_form(cards: list[ModelCard], runs: list[Run]) -> None:
    recipes = {file.name: (file, recipe) for file, recipe in search_recipes()}
    in_use = next(card for card in cards if card.in_use)
    keep_known(RECIPE_KEY, list(recipes), None)
    file, recipe = recipes[_select_recipe({name: file for name, (file, _unused) in recipes.items()}).name]
    starts = [card.name for card in cards if card.built_in or _fits(card, recipe)]
    start = select(
        _("Start from"),
        starts,
        START_KEY,
        default=in_use.name,
        format_func=lambda name: _start_name(name, in_use),
        explanation=_(
            "The training preserves the model's view of occupations. Models of another size or backbone are left out."
        ),
    )
    _expected_duration(earlier_seconds(runs, SEARCH, file.name, LOG), None)
    _train_button(
        lambda: start_search(TrainingRuns(Settings.from_environment()), file, start=start, who=annotator_name())
    )
    st.caption(
        _(
            "{share} of the searches are never trained on: they compare the new model with the one "
            "in use. Recipes that need files run on the command line, with 'jobmatch train "
            "search-encoder'.",
            share=percent(recipe.training.validation),
        )
    )


def _fits(card: ModelCard, recipe: SearchRecipe) -> bool:
    own = card.report.get("recipe")
    settings = own if isinstance(own, dict) and not card.fault else {}
    return (settings.get("dimension"), settings.get("backbone")) == (recipe.dimension, recipe.backbone)


def show(kind: str, snapshot: str | None, cards: list[ModelCard]) -> None:
    """Draw the step: the running training, or the form to start one and the result of the last.

    Raises:
        JobMatchError: a marketplace or taxonomy cannot be read.
    """
    st.markdown(_("**2 · Train** in the background"))
    runs = TrainingRuns(Settings.from_environment()).all()
    running = next((run for run in runs if run.running), None)
    if running is not None:
        run_progress.show(running.name)
        return
    if snapshot is None:
        st.caption(
            _("Fill the search log first; the training uses it.")
            if kind == SEARCH
            else _("Freeze a snapshot in step 1 first; the training uses it.")
        )
    elif kind == LINKING:
        _linking_form(snapshot, cards, runs)
    elif kind == SEARCH:
        _search_form(cards, runs)
    else:
        _towers_form(snapshot, cards, runs)
    show_deferred_error()
    last = next((run for run in runs if run.request.kind == kind), None)
    if last is not None:
        run_progress.show_ended(last)


def _towers_form(snapshot: str, cards: list[ModelCard], runs: list[Run]) -> None:
    manifests = market_choice.real_first()
    if not manifests:
        return
    recipes = {recipe.name: recipe for recipe in tower_recipes()}
    in_use = next(card for card in cards if card.in_use)
    encoders = word_encoders(Settings.from_environment())
    starts = [*(card.name for card in cards if not card.fault), *encoders]
    keep_known(RECIPE_KEY, list(recipes), FROM_SCRATCH if in_use.built_in or not snapshot else RETRAIN)
    market = select(_("Marketplace"), list(manifests), _MARKET_KEY)
    recipe = _select_recipe(recipes)
    start = select(
        _("Start from"),
        starts,
        START_KEY,
        default=in_use.name if snapshot else UNTRAINED,
        format_func=lambda name: _("{name} (encoder)", name=name) if name in encoders else _start_name(name, in_use),
        explanation=_("An encoder replaces the recipe's word vectors; the rest begins with random weights.")
        if encoders
        else None,
    )
    bulk = _bulk(snapshot) if snapshot else False
    by_size = tower_seconds(read_tower_recipe(recipe.path), manifests[market].counts["projects"])
    backbone = start if start in encoders else ""
    alike = [run for run in runs if (run.request.start if run.request.start in encoders else "") == backbone]
    _expected_duration(earlier_seconds(alike, TOWERS, recipe.name, market), None if backbone else by_size)
    _train_button(
        lambda: start_towers(
            TrainingRuns(Settings.from_environment()),
            recipe,
            marketplace=market,
            snapshot=snapshot,
            start=start,
            is_encoder=start in encoders,
            who=annotator_name(),
            bulk=bulk,
        )
    )
    st.caption(_("The latest fifth of the projects is never trained on: it measures the models."))


def _linking_form(snapshot: str, cards: list[ModelCard], runs: list[Run]) -> None:
    taxonomy = _taxonomy(snapshot)
    if not taxonomy:
        return
    in_use = next(card for card in cards if card.in_use)
    st.caption(
        _(
            "Starts from the model in use ({model}) and stays close to it, so that other titles are linked as before.",
            model=model_name(in_use.name),
        ),
        help=_(
            "Occupations move closer to the titles that people accepted for them, as far as this also "
            "helps other titles. The weights of the evidence and the threshold are then fitted again. "
            "The probability of a title that equals a name follows how often people accepted that name's "
            "occupation."
        ),
    )
    bulk = _bulk(snapshot)
    n_labels = label_tallies(snapshot, LINKING).result()[taxonomy].total
    _expected_duration(earlier_seconds(runs, LINKING, "", taxonomy), linking_seconds(n_labels))
    _train_button(
        lambda: start_linking(
            TrainingRuns(Settings.from_environment()),
            taxonomy=taxonomy,
            snapshot=snapshot,
            start=in_use.name,
            who=annotator_name(),
            bulk=bulk,
        )
    )


def _taxonomy(snapshot: str) -> str:
    judged = finished(label_tallies(snapshot, LINKING), _("Reading the snapshot"))
    manifests = {manifest.id: manifest for manifest in resources.installed()}
    offered, in_use = [taxonomy_id for taxonomy_id in judged if taxonomy_id in manifests], taxonomy_in_use()
    if in_use.id not in offered:
        st.caption(
            _(
                "This snapshot has no judged titles of {taxonomy}, which is selected on the other pages.",
                taxonomy=plain(taxonomy_name(in_use)),
            )
        )
    if not offered:
        if judged:
            missing = ", ".join(map(plain, judged))
            st.info(
                _(
                    "Its judged titles are of {missing}, not installed here. {who_imports}",
                    missing=missing,
                    who_imports=sign_in.who_imports(),
                )
            )
        return ""
    return select(
        _("Taxonomy"),
        offered,
        f"train_taxonomy {snapshot} {in_use.id}",
        default=in_use.id,
        format_func=lambda id_: (
            f"{taxonomy_title(manifests[id_])} · {plural('{n} label', '{n} labels', judged[id_].total)}"
        ),
    )


def _bulk(snapshot: str) -> bool:
    origins = load_manifest(Snapshots(Settings.from_environment()).folder(snapshot)).origins
    if origins and not origins.get(Origin.BULK):  # older snapshots have no origins
        return False
    return st.checkbox(
        _("Also learn from links accepted in bulk"),
        key="train_bulk",
        persist_state="session",
        help=_(
            "Links that were accepted together with many others, mostly as the model proposed. Figures "
            "are measured without them."
        ),
    )
