"""Pairs to judge: their marketplace and model, and pairs selected on another page or in the address."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from jobmatch_core.entities import Pair, PairKind, Provenance
from jobmatch_core.labelling.own_candidates import Proposal
from jobmatch_core.marketplace.marketplace_store import MarketplaceManifest
from jobmatch_core.retrieval.match_models import ModelChoice
from pages.shared import markets, resources
from pages.shared.market_choice import Market, model_name
from pages.shared.widgets import finished, plain

CHOSEN = "chosen"  # the policy of pairs whose address somebody was sent
_KEY = "label_given"
_PROJECT, _FREELANCER = "project", "freelancer"


MARKET_KEY, MODEL_KEY = "label_marketplace", "label_model"
ADDRESS = {"marketplace": MARKET_KEY, "model": MODEL_KEY}


@dataclass(frozen=True, slots=True)
class Given:
    """Chosen pairs of a marketplace, in the order in which they are to be judged."""

    source: str
    proposals: tuple[Proposal, ...]


def hand_over(source: str, proposals: Sequence[Proposal]) -> None:
    """Queue pairs of a marketplace to be judged next on 'Label pairs', each with its provenance."""
    st.session_state[_KEY] = Given(source, tuple(proposals))


def given(source: str) -> Given | None:
    """Return the selected pairs of a marketplace, from the address if it has any; None if there are none."""
    projects, freelancers = st.query_params.get_all(_PROJECT), st.query_params.get_all(_FREELANCER)
    if projects and len(projects) == len(freelancers):
        pairs = [Pair(PairKind.PROJECT_FREELANCER, source, *each) for each in zip(projects, freelancers, strict=True)]
        return Given(source, tuple(Proposal(pair, Provenance(CHOSEN)) for pair in pairs))
    handed: Given | None = st.session_state.get(_KEY)
    return handed if handed is not None and handed.source == source else None


def forget() -> None:
    """Go back to the queues."""
    st.session_state.pop(_KEY, None)
    for parameter in (_PROJECT, _FREELANCER):
        st.query_params.pop(parameter, None)


def manifests() -> dict[str, MarketplaceManifest]:
    """Return the stored marketplaces by name, real ones first; generate the demo if there are none.

    Raises:
        JobMatchError: it cannot be made.
    """
    found = {each.name: each for each in markets.installed()}
    if not found:
        made = finished(markets.making_demo(), "Generating a synthetic marketplace")
        markets.forget_demo()
        found = {made.name: made}
    return dict(sorted(found.items(), key=lambda item: (item[1].generated, item[0])))


def chosen_marketplace() -> MarketplaceManifest:
    """Return the selected marketplace, or the first one, with a warning if the selected one does not exist.

    Raises:
        JobMatchError: the demo cannot be made.
    """
    found = manifests()
    asked = st.session_state.get(MARKET_KEY)
    if asked not in found:
        st.session_state[MARKET_KEY] = next(iter(found))
        if asked:
            st.warning(f"There is no marketplace {plain(str(asked))} here.", icon=":material/info:")
    return found[st.session_state[MARKET_KEY]]


def choose_marketplace() -> None:
    """Draw the marketplaces.

    Raises:
        JobMatchError: the demo cannot be made.
    """
    found = manifests()
    st.selectbox(
        "Marketplace",
        list(found),
        key=MARKET_KEY,
        format_func=lambda name: _title(found[name]),
        persist_state="session",
        help="The projects and freelancers to judge.",
    )


def choose_model() -> ModelChoice:
    """Draw the models that can queue pairs, the latest first."""
    models = {each.word: each for each in resources.match_models() if not each.fault}
    if st.session_state.get(MODEL_KEY) not in models:
        st.session_state[MODEL_KEY] = next(iter(models))
    word = st.selectbox(
        "Model",
        list(models),
        key=MODEL_KEY,
        format_func=lambda word: model_name(models[word]),
        persist_state="session",
        help="Its scores decide which pairs are uncertain, hard or ranked high.",
    )
    return models[word]


def second_model(model: ModelChoice) -> ModelChoice | None:
    """Return the latest other model that can be used; None where there is none."""
    return next((each for each in resources.match_models() if not each.fault and each != model), None)


def market(manifest: MarketplaceManifest, model: ModelChoice) -> Market:
    """Open a marketplace, of which records are read when they are asked for.

    Raises:
        JobMatchError: it cannot be read, or its taxonomy is missing.
    """
    return Market(
        manifest,
        markets.load(manifest),
        markets.facets(manifest),
        markets.taxonomy(manifest),
        tuple(resources.match_models()),
        model,
    )


def _title(manifest: MarketplaceManifest) -> str:
    return f"{manifest.name}{', synthetic' if manifest.generated else ''} · {manifest.counts['projects']:,} projects"
