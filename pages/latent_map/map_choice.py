"""Choice of a map's items, model and projection."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from jobmatch_core.encoders.loading import TITLES
from jobmatch_core.entities import PairKind
from jobmatch_core.linking.review import Review
from jobmatch_core.maps.items import ItemKind, Items
from jobmatch_core.maps.market_items import freelancer_items, label_items, project_items
from jobmatch_core.maps.models import TF_IDF, model_words, own_encoders
from jobmatch_core.maps.occupation_items import occupation_items
from jobmatch_core.maps.projection import Method, ProjectionSetting
from jobmatch_core.marketplace.marketplace_manifest import MarketplaceManifest
from jobmatch_core.retrieval.match_models import UNTRAINED
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Manifest
from jobmatch_core.text.languages import language_name
from pages.latent_map import own_titles
from pages.link_titles.many_titles import REVIEW_KEY
from pages.shared import label_market, markets, resources
from pages.shared.widgets import plain, select_taxonomy

WHAT_KEY, MODEL_KEY, METHOD_KEY, LANGUAGES_KEY = "map_what", "map_model", "map_method", "map_languages"
_TAXONOMY_KEY, _MARKET_KEY = "map_taxonomy", "map_marketplace"
ADDRESS = {
    "what": WHAT_KEY, "taxonomy": _TAXONOMY_KEY, "marketplace": _MARKET_KEY, "model": MODEL_KEY, "method": METHOD_KEY,
}  # fmt: skip
_WHATS = {
    ItemKind.OCCUPATIONS: "Occupations", ItemKind.TITLES: "My titles", ItemKind.FREELANCERS: "Freelancers",
    ItemKind.PROJECTS: "Projects", ItemKind.LABELS: "Labels",
}  # fmt: skip
_METHODS = {Method.UMAP: "UMAP", Method.TSNE: "t-SNE", Method.PCA: "PCA"}
_MODELS = {TITLES: "title encoder", TF_IDF: "letters (TF-IDF)", UNTRAINED: "word vectors, untrained"}
_FIRST_LANGUAGES = ("en", "de", "fr")  # a picture within seconds; the rest is a click away


@dataclass(frozen=True, slots=True)
class MapChoice:
    """Selected settings.

    Attributes:
        key: another one of other items.
        title: of the map.
        items: reads them.
        model: the word of the model.
        models: the words of all that can be chosen.
        setting: how to project.
        source: of the items: a taxonomy, a marketplace, a file.
    """

    key: str
    title: str
    items: Callable[[], Items]
    model: str
    models: tuple[str, ...]
    setting: ProjectionSetting
    source: str


def model_title(word: str) -> str:
    """Return a model's display name."""
    return _MODELS.get(word, word)


def choose() -> MapChoice | None:
    """Draw the choices; None, with a message, while there is nothing to map yet.

    Raises:
        JobMatchError: a taxonomy or a marketplace cannot be read.
    """
    st.title("Latent map", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        what_place, source_place, model_place = (st.container(width=width) for width in _WIDTHS)
        method_place, more = st.container(width="content"), st.container(width="content")
    if st.session_state.get(WHAT_KEY) not in list(_WHATS):
        st.session_state[WHAT_KEY] = ItemKind.OCCUPATIONS
    with what_place:
        what = ItemKind(st.selectbox("Items", list(_WHATS), key=WHAT_KEY, format_func=lambda each: _WHATS[each],
                                     persist_state="session"))  # fmt: skip
    with more, st.popover("Options", icon=":material/tune:"):
        parameters = st.container()
        extra = st.container()
    with source_place:
        source = _SOURCES[what](extra)
    with model_place:
        model, models = _model(what)
    with method_place:
        setting = _setting(parameters)
    if source is None:
        return None
    key, title, items, where = source
    return MapChoice(key, title, items, model, models, setting, where)


_NAMED_LANGUAGES = 4
_WIDTHS = (170, 280, 220)  # pixels of what is shown, of which source, by which model
_Source = tuple[str, str, Callable[[], Items], str]  # key, title, reader, source


def _occupations(extra: "st.delta_generator.DeltaGenerator") -> _Source:
    manifest = select_taxonomy(_TAXONOMY_KEY)
    with extra:
        languages = _languages(manifest)
        every = st.toggle(
            "All names, not one per language", key="map_all_names", persist_state="session",
            help="ESCO has some 400,000 names in 27 languages; a sample of 50,000 is then shown.",
        )  # fmt: skip
    taxonomy = resources.taxonomy(manifest.id)
    key = repr(("occupations", manifest.id, manifest.created, languages, every))
    named = ", ".join(language_name(code) for code in languages)
    spoken = named if len(languages) <= _NAMED_LANGUAGES else f"{len(languages)} languages"
    title = f"{manifest.name} {manifest.version}: {'all names' if every else 'names'} of occupations, {spoken}"
    return key, title, lambda: occupation_items(taxonomy, languages, preferred=not every), manifest.id


def _languages(manifest: Manifest) -> tuple[str, ...]:
    known = sorted(manifest.languages, key=language_name)
    chosen = st.session_state.get(LANGUAGES_KEY, [code for code in _FIRST_LANGUAGES if code in known])
    st.session_state[LANGUAGES_KEY] = [code for code in chosen if code in known] or known[:1]
    return tuple(
        st.multiselect("Languages", known, key=LANGUAGES_KEY, format_func=language_name, persist_state="session")
    ) or tuple(known[:1])


def _titles(extra: "st.delta_generator.DeltaGenerator") -> _Source | None:
    review: Review | None = st.session_state.get(REVIEW_KEY)
    return own_titles.choose(review)


def _freelancers(extra: "st.delta_generator.DeltaGenerator") -> _Source:
    manifest = _marketplace()
    market, taxonomy = markets.load(manifest), markets.taxonomy(manifest)
    key = repr(("freelancers", manifest.name, manifest.created))
    return key, _people(manifest, "freelancers"), lambda: freelancer_items(market, taxonomy), manifest.name


def _projects(extra: "st.delta_generator.DeltaGenerator") -> _Source:
    manifest = _marketplace()
    market, taxonomy = markets.load(manifest), markets.taxonomy(manifest)
    key = repr(("projects", manifest.name, manifest.created))
    return key, _people(manifest, "projects"), lambda: project_items(market, taxonomy), manifest.name


def _labels(extra: "st.delta_generator.DeltaGenerator") -> _Source | None:
    manifest = _marketplace()
    labels = resources.labelled_pairs(PairKind.PROJECT_FREELANCER, manifest.name)
    if len(labels) < 4:
        st.info(
            f"This map shows the labelled pairs of {plain(manifest.name)}, positive and negative ones apart. It "
            f"needs 4 labels; there are {len(labels)} so far.",
            icon=":material/rule:",
        )
        st.page_link("pages/label_pairs/label_pairs.py", label="Label pairs", icon=":material/rule:")
        return None
    key = repr(("labels", manifest.name, manifest.created, hash(tuple(labels))))
    settings = Settings.from_environment()
    return key, f"{manifest.name}: labelled pairs", lambda: label_items(labels, manifest.name, settings), manifest.name


_SOURCES: dict[ItemKind, Callable[["st.delta_generator.DeltaGenerator"], _Source | None]] = {
    ItemKind.OCCUPATIONS: _occupations, ItemKind.TITLES: _titles, ItemKind.FREELANCERS: _freelancers,
    ItemKind.PROJECTS: _projects, ItemKind.LABELS: _labels,
}  # fmt: skip


def _marketplace() -> MarketplaceManifest:
    found = label_market.manifests()
    if st.session_state.get(_MARKET_KEY) not in found:
        st.session_state[_MARKET_KEY] = next(iter(found))
    return found[st.selectbox("Marketplace", list(found), key=_MARKET_KEY, persist_state="session")]


def _people(manifest: MarketplaceManifest, what: str) -> str:
    return f"{manifest.name}: {what}{', all synthetic' if manifest.generated else ''}"


def _model(what: ItemKind) -> tuple[str, tuple[str, ...]]:
    towers = [each.word for each in resources.match_models() if not each.fault]
    words = [*model_words(what, towers), *own_encoders(Settings.from_environment())]
    if st.session_state.get(MODEL_KEY) not in words:
        st.session_state[MODEL_KEY] = words[0]
    chosen = st.selectbox(
        "Model", words, key=MODEL_KEY, format_func=model_title, persist_state="session",
        help="The map places items close together that this model finds similar. Sentence-transformers models in "
            "folders under `JOBMATCH_HOME/models` are offered, too.",
    )  # fmt: skip
    return chosen, tuple(words)


def _setting(parameters: "st.delta_generator.DeltaGenerator") -> ProjectionSetting:
    if st.session_state.get(METHOD_KEY) not in list(_METHODS):
        st.session_state[METHOD_KEY] = Method.UMAP
    word = st.segmented_control(
        "Method", list(_METHODS), key=METHOD_KEY, format_func=lambda each: _METHODS[each], required=True,
        persist_state="session",
    )  # fmt: skip
    method = Method(str(word))
    with parameters:
        if method is Method.UMAP:
            neighbours = st.slider(
                "Neighbours (few: local detail, many: global structure)", 5, 100, 15, key="map_neighbours"
            )
            min_dist = st.slider("Minimum distance of points", 0.0, 0.9, 0.1, key="map_min_dist")
            return ProjectionSetting(method, neighbours=neighbours, min_dist=min_dist)
        if method is Method.TSNE:
            perplexity = st.slider("Perplexity (number of neighbours)", 5.0, 100.0, 30.0, key="map_perplexity")
            return ProjectionSetting(method, perplexity=perplexity)
    return ProjectionSetting(method)
