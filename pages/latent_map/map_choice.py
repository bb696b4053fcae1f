"""Choice of a map: its items, the user's own titles among them, model, projection, and options of the view."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch_core.encoders.loading import TITLES
from jobmatch_core.entities import PairKind
from jobmatch_core.io.tables import ENDINGS
from jobmatch_core.linking.review import Review
from jobmatch_core.maps.items import CLUSTER, FINER, LANGUAGE, ItemKind, Items, find_items
from jobmatch_core.maps.market_items import freelancer_items, label_items, project_items
from jobmatch_core.maps.models import TF_IDF, model_words, own_encoders
from jobmatch_core.maps.picture import View
from jobmatch_core.maps.projection import Method, ProjectionSetting
from jobmatch_core.maps.stored_items import MOST_ROWS, items_of_rows, occupation_items
from jobmatch_core.marketplace.marketplace_store import MarketplaceManifest
from jobmatch_core.model_store.model_spec import UNTRAINED
from jobmatch_core.settings import UPLOAD_LIMIT_MB, Settings
from jobmatch_core.sheets.table_layout import ROWS_OF_TITLES, TableLayout
from jobmatch_core.sheets.table_process import table_apart
from jobmatch_core.taxonomy import BUNDLED_ID, Manifest
from jobmatch_core.text.locales import language_name
from pages.link_titles import many_titles
from pages.shared import market_choice, markets, resources, sign_in, uploads
from pages.shared.taxonomy_choice import TAXONOMY_KEY, select_taxonomy
from pages.shared.uploads import on_disk
from pages.shared.widgets import plain

_LINKED = "linked titles"


WHAT_KEY, MODEL_KEY, METHOD_KEY, LANGUAGES_KEY = "map_what", "map_model", "map_method", "map_languages"
_MARKET_KEY = "map_marketplace"
ADDRESS = {
    "what": WHAT_KEY,
    "taxonomy": TAXONOMY_KEY,
    "marketplace": _MARKET_KEY,
    "model": MODEL_KEY,
    "method": METHOD_KEY,
}
_WHATS = {
    ItemKind.OCCUPATIONS: "Occupations",
    ItemKind.TITLES: "My titles",
    ItemKind.FREELANCERS: "Freelancers",
    ItemKind.PROJECTS: "Projects",
    ItemKind.LABELS: "Labels",
}
_METHODS = (Method.UMAP, Method.TSNE, Method.PCA)
_MODELS = {TITLES: "title encoder", TF_IDF: "letters (TF-IDF)", UNTRAINED: "word vectors, untrained"}
_FIRST_LANGUAGES = ("en", "de", "fr")  # a picture within seconds; the rest is a click away
_NAMED_LANGUAGES = 4
_WIDTHS = (170, 280, 220)  # pixels of what is shown, of which source, by which model
COLOUR_KEY, WITHIN_KEY, FIND_KEY, CONTOURS_KEY, LINES_KEY = (
    "map_colour",
    "map_within",
    "map_find",
    "map_contours",
    "map_lines",
)
VIEW_ADDRESS = {"colour": COLOUR_KEY, "within": WITHIN_KEY, "find": FIND_KEY}
_VIEW_WIDTHS = (240, 280, 260)  # pixels of the colour, of the group, of the search
_NOTHING, _ALL = "nothing", "whole map"


def choose_own_titles(review: Review | None) -> tuple[str, str, Callable[[], Items], str] | None:
    """Draw the choice; None while there are no titles, and then what to do.

    Raises:
        JobMatchError: the file is damaged.
    """
    linked = review is not None and len(review.results) > 0
    file = st.file_uploader(
        f"A table with titles, up to {UPLOAD_LIMIT_MB} MB and {MOST_ROWS:,} rows",
        type=list(ENDINGS),
        key="map_upload",
    )
    installed = {each.id: each for each in resources.installed()}
    if file is not None:
        layout = uploads.choose_layout(file, "map")
        column = _title_column(file, layout)
        if column is None:
            return None
        taxonomy = resources.taxonomy(BUNDLED_ID)

        def read() -> Items:
            with on_disk([file]) as folder:
                path = folder / file.name
                table = table_apart(path, layout, most_rows=MOST_ROWS + 1)
                return items_of_rows(path, table.rows, taxonomy, column=column, numbers=table.numbers)

        return repr(("file", file.file_id, layout, column)), f"{file.name}: titles", read, file.name
    if linked and review is not None and review.options.taxonomy in installed:
        taxonomy = resources.taxonomy(review.options.taxonomy)
        rows = list(review.to_rows())
        digest = hashlib.sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()  # decisions change rows
        key = repr(("linked", review.options.taxonomy, digest))
        reader: Callable[[], Items] = lambda: items_of_rows(Path(_LINKED), rows, taxonomy, column=review.column)  # noqa: E731
        return key, f"{len(rows):,} titles linked to {review.options.taxonomy}", reader, _LINKED
    st.info(
        "This map shows your own titles, coloured by the confidence of their links. Upload a linked file or any "
        "table with a column of titles, or link a list on 'Link titles' and come back.",
        icon=":material/upload_file:",
    )
    st.page_link("pages/link_titles/link_titles.py", label="Link titles", icon=":material/link:")
    return None


def _title_column(file: UploadedFile, layout: TableLayout) -> str | None:
    table = uploads.table(file, layout, ROWS_OF_TITLES)
    names = tuple(column.name for column in table.columns)
    return st.selectbox(
        "Column with job titles",
        names,
        index=names.index(table.title_column) if table.title_column else None,
        key=f"map_column_{file.file_id}_{hash(names)}",
        placeholder="No column looks like job titles; choose one",
    )


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
        what = ItemKind(
            st.selectbox(
                "Items", list(_WHATS), key=WHAT_KEY, format_func=lambda each: _WHATS[each], persist_state="session"
            )
        )
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


_Source = tuple[str, str, Callable[[], Items], str]  # key, title, reader, source


def _occupations(extra: "st.delta_generator.DeltaGenerator") -> _Source:
    manifest = select_taxonomy()
    with extra:
        languages = _languages(manifest)
        every = st.toggle(
            "All names, not one per language",
            key="map_all_names",
            persist_state="session",
            help="ESCO has some 400,000 names in 27 languages; a sample of 50,000 is then shown.",
        )
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
    return choose_own_titles(many_titles.open_review())


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
        if sign_in.may_see("label_pairs"):
            st.page_link("pages/label_pairs/label_pairs.py", label="Label pairs", icon=":material/rule:")
        return None
    key = repr(("labels", manifest.name, manifest.created, hash(tuple(labels))))
    settings = Settings.from_environment()
    return key, f"{manifest.name}: labelled pairs", lambda: label_items(labels, manifest.name, settings), manifest.name


_SOURCES: dict[ItemKind, Callable[["st.delta_generator.DeltaGenerator"], _Source | None]] = {
    ItemKind.OCCUPATIONS: _occupations,
    ItemKind.TITLES: _titles,
    ItemKind.FREELANCERS: _freelancers,
    ItemKind.PROJECTS: _projects,
    ItemKind.LABELS: _labels,
}


def _marketplace() -> MarketplaceManifest:
    found = market_choice.manifests()
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
        "Model",
        words,
        key=MODEL_KEY,
        format_func=model_title,
        persist_state="session",
        help="The map places items close together that this model finds similar. Sentence-transformers models in "
        "folders under `JOBMATCH_HOME/models` are offered, too.",
    )
    return chosen, tuple(words)


def _setting(parameters: "st.delta_generator.DeltaGenerator") -> ProjectionSetting:
    if st.session_state.get(METHOD_KEY) not in _METHODS:
        st.session_state[METHOD_KEY] = Method.UMAP
    word = st.segmented_control(
        "Method",
        _METHODS,
        key=METHOD_KEY,
        format_func=lambda each: Method(each).spelling,
        required=True,
        persist_state="session",
    )
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


def choose_view(items: Items) -> View:
    """Draw the choices."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        colour_place, within_place, find_place = (st.container(width=width) for width in _VIEW_WIDTHS)
        switches = st.container(width="content", horizontal=True)
    with colour_place:
        colour = _colour(items)
    with within_place:
        within = _within(items, colour)
    with find_place:
        found = _found(items)
    with switches:
        contours = st.toggle(
            "Density",
            key=CONTOURS_KEY,
            persist_state="session",
            help="Contours that contain 85 % and 50 % of each colour's points.",
        )
        lines = (
            bool(items.concepts)
            and len(set(items.values(LANGUAGE))) > 1
            and st.toggle(
                "Lines",
                key=LINES_KEY,
                persist_state="session",
                help="Connect the names of an occupation across languages: of the one you search for, or of 150.",
            )
        )
    return View(colour, within, contours, bool(lines), found)


def _colour(items: Items) -> str:
    options = [*items.colours, *(() if CLUSTER in items.colours else (CLUSTER,)), _NOTHING]
    if st.session_state.get(COLOUR_KEY) not in options:
        st.session_state[COLOUR_KEY] = options[0]
    chosen = st.selectbox(
        "Colour by",
        options,
        key=COLOUR_KEY,
        persist_state="session",
        help="Clusters are found on the map itself and named by their most specific words.",
    )
    return "" if chosen == _NOTHING else str(chosen)


def _within(items: Items, colour: str) -> str:
    values = sorted(set(items.values(colour)) - {""}) if colour and colour != CLUSTER else []
    options = [_ALL, *values]
    if st.session_state.get(WITHIN_KEY) not in options:
        st.session_state[WITHIN_KEY] = _ALL
    finer = f", coloured by {FINER[colour]}" if colour in FINER else ""
    chosen = st.selectbox(
        "Show only",
        options,
        key=WITHIN_KEY,
        persist_state="session",
        help=f"Only one {colour or 'group'}{finer}; the rest stays grey.",
    )
    return "" if chosen == _ALL else str(chosen)


def _found(items: Items) -> int | None:
    asked = st.text_input(
        "Find", key=FIND_KEY, persist_state="session", placeholder="Text or id", icon=":material/search:"
    ).strip()
    if not asked:
        return None
    rows = find_items(items, asked)
    if not rows:
        st.caption(f"No item is called {plain(asked, 60)}.")
        return None
    if len(rows) == 1:
        return rows[0]
    names = {row: f"{items.texts[row][:60]} · {items.values(LANGUAGE)[row]}".strip(" ·") for row in rows}
    return st.selectbox(
        "Match", rows, key=f"map_found_{asked}", format_func=lambda row: names[row], label_visibility="collapsed"
    )
