"""Marketplace and model for finding freelancers; the demo marketplace is generated if there is none."""

from dataclasses import dataclass

import streamlit as st

from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_store import Facet, Facets, MarketplaceManifest
from jobmatch_core.retrieval.match_models import ModelChoice
from jobmatch_core.retrieval.match_reasons import OpenFinder
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH
from pages.shared import markets, resources
from pages.shared.widgets import finished, plain, title_line

MARKET_KEY, MODEL_KEY = "find_marketplace", "find_model"
ADDRESS = {"marketplace": MARKET_KEY, "model": MODEL_KEY}
_UNTRAINED_NAME = "word vectors, untrained"
_WIDTH = 320  # pixels of a selector


@dataclass(frozen=True, slots=True)
class Market:
    """Selected marketplace and model, with the marketplace's data.

    Attributes:
        manifest: of the marketplace.
        records: its projects, freelancers, interactions.
        facets: what its freelancers can be filtered by.
        taxonomy: of its skills and categories.
        models: all that can be used.
        model: the chosen one.
    """

    manifest: MarketplaceManifest
    records: Marketplace
    facets: Facets
    taxonomy: Taxonomy
    models: tuple[ModelChoice, ...]
    model: ModelChoice

    def group_name(self, facet: Facet) -> str:
        """Return the English name of a category or family, or the one that most freelancers write."""
        name = self.taxonomy.group_name(facet.value, ENGLISH)
        return facet.name if name == facet.value else name

    def category_name(self, category: str, written: str) -> str:
        """Return a category's English name, or the name as it was written."""
        return self.group_name(Facet(category, written or category, 0)) if category else ""


def choose() -> Market:
    """Draw the title and the selectors beside it; wait for what they need.

    Raises:
        JobMatchError: a marketplace cannot be made or read, or its taxonomy is missing.
    """
    with title_line("Find freelancers"):
        manifest = select_marketplace()
        models = resources.match_models()
        chosen = _model(models)
    _left_out([each for each in models if each.fault and each != chosen])
    return market_of(manifest, chosen)


def market_of(manifest: MarketplaceManifest, model: ModelChoice) -> Market:
    """Return a marketplace's data with all models that can be used.

    Raises:
        JobMatchError: the marketplace cannot be read, or its taxonomy is missing.
    """
    usable = tuple(each for each in resources.match_models() if not each.fault)
    return Market(
        manifest,
        markets.load(manifest),
        markets.facets(manifest),
        markets.taxonomy(manifest),
        usable,
        model,
    )


def opened(market: Market, model: ModelChoice) -> OpenFinder:
    """Return a model's finder; a progress bar is shown while it encodes the freelancers, once."""
    opening = markets.opening_finder(market.manifest, model)
    return finished(opening, f"Reading {market.manifest.counts['freelancers']:,} profiles")


def model_name(model: ModelChoice) -> str:
    """Return a model's display name."""
    return model.word if model.trained else _UNTRAINED_NAME


def select_marketplace(counted: str = "freelancers") -> MarketplaceManifest:
    """Draw the marketplaces, the demo generated if there is none; return the selected one.

    Args:
        counted: what the page is about, 'freelancers' or 'projects', whose number stands with each marketplace.
    """
    manifests = {each.name: each for each in markets.installed()}
    if not manifests:
        made = finished(markets.making_demo(), "Generating a synthetic marketplace")
        markets.forget_demo()
        manifests = {made.name: made}
    names = sorted(manifests, key=lambda name: (manifests[name].generated, name))  # real ones first
    asked = st.session_state.get(MARKET_KEY)
    if asked not in manifests:
        st.session_state[MARKET_KEY] = names[0]
        if asked:
            st.warning(f"There is no marketplace {plain(str(asked))} here.", icon=":material/info:")
    chosen = st.selectbox(
        "Marketplace",
        names,
        key=MARKET_KEY,
        format_func=lambda name: _title(manifests[name], counted),
        persist_state="session",
        width=_WIDTH,
    )
    return manifests[chosen]


def _title(manifest: MarketplaceManifest, counted: str) -> str:
    made_up = ", synthetic" if manifest.generated else ""
    return f"{manifest.name}{made_up} · {manifest.counts[counted]:,} {counted}"


def _left_out(models: list[ModelChoice]) -> None:
    if models:
        unusable = "; ".join(f"{plain(each.word)} ({plain(each.fault)})" for each in models)
        st.caption(f"Not usable: {unusable}. Train again with `jobmatch train towers RECIPE.toml`.")


def _model(models: list[ModelChoice]) -> ModelChoice:
    # an unusable model is listed only if the address names it, to show its error
    asked = st.session_state.get(MODEL_KEY)
    choices = {each.word: each for each in models if not each.fault or each.word == asked}
    if asked not in choices:
        st.session_state[MODEL_KEY] = models[0].word
    word = st.selectbox(
        "Model",
        list(choices),
        key=MODEL_KEY,
        format_func=lambda word: model_name(choices[word]),
        persist_state="session",
        width=_WIDTH,
        help="Compares projects and profiles. Trained models learned from past interactions; train one with "
        "`jobmatch train towers RECIPE.toml`.",
    )
    return choices[word]
