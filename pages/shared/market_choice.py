"""Marketplace and model for finding freelancers; the demo marketplace is generated if there is none."""

from dataclasses import dataclass

import streamlit as st

from jobmatch.services.home_services import home_services
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_store import Facet, Facets, MarketplaceManifest
from jobmatch_core.retrieval.match_models import ModelChoice
from jobmatch_core.retrieval.match_reasons import OpenFinder
from jobmatch_core.taxonomy import Taxonomy
from pages.shared import markets, resources
from pages.shared.choices import Width, select
from pages.shared.language import N_, _, language, numeral, plural
from pages.shared.page_links import page_link
from pages.shared.widgets import finished, plain, title_line

MARKET_KEY, MODEL_KEY = "find_marketplace", "find_model"
ADDRESS = {"marketplace": MARKET_KEY, "model": MODEL_KEY}
_UNTRAINED_NAME = N_("word vectors, untrained")
_WIDTH = 320  # pixels of a selector


@dataclass(frozen=True, slots=True)
class Market:
    """Selected marketplace and model, with the marketplace's data."""

    manifest: MarketplaceManifest
    records: Marketplace  # its projects, freelancers and interactions, read on demand
    facets: Facets  # values that its freelancers can be filtered by
    taxonomy: Taxonomy  # taxonomy of its skills and categories
    models: tuple[ModelChoice, ...]  # all usable models
    model: ModelChoice  # the selected model

    def group_name(self, facet: Facet) -> str:
        """Return the name of a category or family in the viewer's language, or the name that most freelancers use."""
        name = self.taxonomy.group_name(facet.value, language())
        return facet.name if name == facet.value else name

    def category_name(self, category: str, written: str) -> str:
        """Return a category's name in the viewer's language, or the name as it was written."""
        return self.group_name(Facet(category, written or category, 0)) if category else ""


def choose() -> Market:
    """Draw the title with the selectors of 'Find freelancers', and open the selected marketplace.

    Raises:
        JobMatchError: a marketplace cannot be generated or read, or its taxonomy is missing.
    """
    with title_line(_("Find freelancers")):
        manifest = select_marketplace(explanation=_("Import your own with `jobmatch marketplace import`."))
        models = resources.match_models()
        chosen = _model(models)
    unusable = [f"{plain(model.word)} ({plain(model.fault)})" for model in models if model.fault and model != chosen]
    if unusable:
        st.caption(_("Not usable: {unusable}. Train again on the page 'Train models'.", unusable="; ".join(unusable)))
    return open_market(manifest, chosen)


def open_market(manifest: MarketplaceManifest, model: ModelChoice) -> Market:
    """Open a marketplace for a model.

    Raises:
        JobMatchError: the marketplace cannot be read, or its taxonomy is missing.
    """
    usable = tuple(usable for usable in resources.match_models() if not usable.fault)
    return Market(manifest, markets.load(manifest), markets.facets(manifest), markets.taxonomy(manifest), usable, model)


def open_finder(market: Market, model: ModelChoice) -> OpenFinder:
    """Return a model's finder; a bar shows the progress while it encodes the freelancers for the first time."""
    opening = home_services().matching.opening(market.manifest.name, model.word)
    finder = finished(opening, _("Reading {count} profiles", count=numeral(market.manifest.counts["freelancers"])))
    return markets.with_words(market.manifest, finder)


def model_name(model: ModelChoice) -> str:
    """Return a model's display name."""
    return model.word if model.trained else _(_UNTRAINED_NAME)


def manifests() -> dict[str, MarketplaceManifest]:
    """Return the stored marketplaces by name, real ones first; generates the demo if there are none.

    Raises:
        JobMatchError: the demo cannot be generated.
    """
    listed = markets.installed()
    if not listed:
        listed = [finished(markets.making_demo(), _("Generating a synthetic marketplace"))]
        markets.forget_demo()
    return {manifest.name: manifest for manifest in sorted(listed, key=_generated_last)}


def real_first() -> dict[str, MarketplaceManifest]:
    """Return the stored marketplaces by name, real ones first; without any, draw where one is generated."""
    listed = {manifest.name: manifest for manifest in sorted(markets.installed(), key=_generated_last)}
    if not listed:
        st.info(_("There is no marketplace yet. The page 'Find freelancers' generates a synthetic one."))
        page_link("find_freelancers")
    return listed


def _generated_last(manifest: MarketplaceManifest) -> tuple[bool, str]:
    return manifest.generated, manifest.name


def selected_marketplace(key: str) -> MarketplaceManifest:
    """Return the marketplace selected under *key*, or the first one, with a warning if the selected one is missing."""
    by_name, selected = manifests(), st.session_state.get(key)
    if selected not in by_name:
        st.session_state[key] = next(iter(by_name))
        if selected:
            st.warning(
                _("There is no marketplace {selected} here.", selected=plain(str(selected))), icon=":material/info:"
            )
    return by_name[st.session_state[key]]


def select_marketplace(
    counted: str = "freelancers", *, key: str = MARKET_KEY, width: Width = _WIDTH, explanation: str | None = None
) -> MarketplaceManifest:
    """Draw the marketplaces; return the selected one.

    Args:
        counted: Records counted for each marketplace, 'freelancers' or 'projects'.
        key: Key of the selector.
        width: Width of the selector, in pixels or 'stretch'.
        explanation: Help of the selector.

    Raises:
        JobMatchError: the demo cannot be generated.
    """
    selected_marketplace(key)
    by_name = manifests()
    chosen = select(
        _("Marketplace"),
        list(by_name),
        key,
        format_func=lambda name: _title(by_name[name], counted),
        width=width,
        explanation=explanation,
    )
    return by_name[chosen]


def counted_records(kind: str, n: int) -> str:
    """Return a number of 'freelancers' or 'projects' in words."""
    if kind == "projects":
        return plural("{n} project", "{n} projects", n)
    return plural("{n} freelancer", "{n} freelancers", n)


def _title(manifest: MarketplaceManifest, counted: str) -> str:
    made_up = _(", synthetic") if manifest.generated else ""
    return f"{manifest.name}{made_up} · {counted_records(counted, manifest.counts[counted])}"


def _model(models: list[ModelChoice]) -> ModelChoice:
    # an unusable model is listed only if the address names it, to show its error; a single one needs no choice
    selected = st.session_state.get(MODEL_KEY)
    choices = {model.word: model for model in models if not model.fault or model.word == selected}
    if len(choices) == 1:
        [st.session_state[MODEL_KEY]] = choices
        return choices[st.session_state[MODEL_KEY]]
    word = select(
        _("Model"),
        list(choices),
        MODEL_KEY,
        default=models[0].word,
        format_func=lambda word: model_name(choices[word]),
        width=_WIDTH,
        explanation=_(
            "Compares projects and profiles. Trained models learned from past interactions; train one "
            "with `jobmatch train towers RECIPE.toml`."
        ),
    )
    return choices[word]
