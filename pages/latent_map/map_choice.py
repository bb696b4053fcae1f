"""Choice of a map: its items, model, projection, and the options of the view."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch_core.encoders.loading import TITLES
from jobmatch_core.entities import PairKind
from jobmatch_core.io.tables import ENDINGS
from jobmatch_core.linking.review import Review
from jobmatch_core.maps.items import LANGUAGE, ItemKind, Items
from jobmatch_core.maps.market_items import freelancer_items, label_items, project_items
from jobmatch_core.maps.models import TF_IDF, model_words, own_encoders
from jobmatch_core.maps.projection import Method, ProjectionSetting
from jobmatch_core.maps.stored_items import MOST_ROWS, items_of_rows, occupation_items
from jobmatch_core.marketplace.marketplace_store import MarketplaceManifest
from jobmatch_core.model_store.model_spec import UNTRAINED, ModelKind, model_stamp
from jobmatch_core.settings import UPLOAD_LIMIT_MB, Settings
from jobmatch_core.sheets.table_layout import ROWS_OF_TITLES, TableLayout
from jobmatch_core.sheets.table_process import table_apart
from jobmatch_core.taxonomy import BUNDLED_ID, Manifest
from jobmatch_core.text.locales import LANGUAGE_CODES
from pages.link_titles import many_titles
from pages.shared import market_choice, markets, resources, sign_in, uploads
from pages.shared.choices import select, select_segment
from pages.shared.language import N_, _, language, language_name, numeral, translated
from pages.shared.page_links import page_link
from pages.shared.taxonomy_choice import TAXONOMY_KEY, select_taxonomy
from pages.shared.uploads import on_disk
from pages.shared.widgets import plain, taxonomy_name

NumberT = TypeVar("NumberT", int, float)

_LINKED = "linked titles"  # name of the source
_WHAT_KEY, _MODEL_KEY, _METHOD_KEY, _LANGUAGES_KEY = "map_what", "map_model", "map_method", "map_languages"
_MARKET_KEY = "map_marketplace"
_WHATS = {
    ItemKind.OCCUPATIONS: N_("Occupations"),
    ItemKind.TITLES: N_("My titles"),
    ItemKind.FREELANCERS: N_("Freelancers"),
    ItemKind.PROJECTS: N_("Projects"),
    ItemKind.LABELS: N_("Labels"),
}
_METHODS = {method: method.spelling for method in (Method.UMAP, Method.TSNE, Method.PCA)}
_MODELS = {
    TITLES: N_("shipped title encoder"),
    TF_IDF: N_("letters (TF-IDF)"),
    UNTRAINED: N_("word vectors, untrained"),
}
_FIRST_LANGUAGES = ("en", "de", "fr")  # their map takes seconds
_NAMED_LANGUAGES = 4
PANEL_KEY, AGAINST_KEY = "map_panel", "map_against"
_NAMES_KEY = "map_all_names"
_NEIGHBOURS_KEY, _DISTANCE_KEY, _PERPLEXITY_KEY = "map_neighbours", "map_min_dist", "map_perplexity"
# parameters of the address: of one option or a text, of several options, of switches, and of numbers
CHOICES = {
    "what": _WHAT_KEY,
    "taxonomy": TAXONOMY_KEY,
    "marketplace": _MARKET_KEY,
    "model": _MODEL_KEY,
    "method": _METHOD_KEY,
    "analysis": PANEL_KEY,
    "against": AGAINST_KEY,
}
LISTS = {"languages": _LANGUAGES_KEY}
SWITCHES = {"names": _NAMES_KEY}
NUMBERS = {"neighbours": _NEIGHBOURS_KEY, "distance": _DISTANCE_KEY, "perplexity": _PERPLEXITY_KEY}
_Source = tuple[str, str, Callable[[], Items], str]  # key, title, reader, source


def _own_titles(review: Review | None, controls: DeltaGenerator) -> _Source | None:
    linked = review is not None and len(review.results) > 0
    with controls:
        file = st.file_uploader(
            _(
                "A table with titles, up to {upload_limit_mb} MB and {most_rows} rows",
                upload_limit_mb=UPLOAD_LIMIT_MB,
                most_rows=numeral(MOST_ROWS),
            ),
            type=list(ENDINGS),
            key="map_upload",
        )
    installed = {manifest.id for manifest in resources.installed()}
    if file is not None:
        with controls:
            layout = uploads.choose_layout(file, "map")
            column = _title_column(file, layout)
        if column is None:
            return None
        taxonomy, show = resources.taxonomy(BUNDLED_ID), language()

        def read() -> Items:
            with on_disk([file]) as folder:
                path = folder / file.name
                table = table_apart(path, layout, most_rows=MOST_ROWS + 1)
                return items_of_rows(path, table.rows, taxonomy, column=column, show=show, numbers=table.numbers)

        return repr(("file", file.file_id, layout, column)), _("{name}: titles", name=file.name), read, file.name
    if linked and review is not None and review.options.taxonomy in installed:
        taxonomy = resources.taxonomy(review.options.taxonomy)
        rows = list(review.to_rows())
        digest = hashlib.sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()  # decisions change rows
        key = repr(("linked", review.options.taxonomy, digest))
        reader = partial(items_of_rows, Path(_LINKED), rows, taxonomy, column=review.column, show=language())
        return (
            key,
            _(
                "{n_rows} titles linked to {taxonomy}",
                n_rows=numeral(len(rows)),
                taxonomy=taxonomy_name(taxonomy.manifest),
            ),
            reader,
            _LINKED,
        )
    st.info(
        _(
            "This map shows your own titles, coloured by the confidence of their links. Upload a linked "
            "file or any table with a column of titles, or link a list on 'Link titles' and come back."
        ),
        icon=":material/upload_file:",
    )
    page_link("link_titles")
    return None


def _title_column(file: UploadedFile, layout: TableLayout) -> str | None:
    table = uploads.table(file, layout, ROWS_OF_TITLES)
    names = tuple(column.name for column in table.columns)
    return st.selectbox(
        _("Column with job titles"),
        names,
        index=names.index(table.title_column) if table.title_column else None,
        key=f"map_column_{file.file_id}_{hash(names)}",
        placeholder=_("No column looks like job titles; choose one"),
    )


@dataclass(frozen=True, slots=True)
class MapChoice:
    """Selected map."""

    key: str  # identifies the items and the stored model
    title: str
    items: Callable[[], Items]  # reads the items
    model: str  # name of the selected model
    models: tuple[str, ...]  # names of all available models
    setting: ProjectionSetting  # method of projection with its parameters
    source: str  # id of the items' taxonomy, marketplace or file


def stamp_of(word: str) -> int:
    """Return a number that changes when a model is stored again."""
    return model_stamp(word, Settings.from_environment(), ModelKind.TOWERS, ModelKind.ENCODER)


def model_title(word: str) -> str:
    """Return a model's display name."""
    return _(_MODELS[word]) if word in _MODELS else word


def choose(controls: DeltaGenerator) -> MapChoice | None:
    """Draw the choices among the controls; None, with a message on the page, while there are no items.

    Raises:
        JobMatchError: a taxonomy or a marketplace cannot be read.
    """
    with controls:
        what = ItemKind(select(_("Items"), list(_WHATS), _WHAT_KEY, format_func=translated(_WHATS).__getitem__))
        source_place = st.container(gap="small")
        model, models = _model(what)
        method = Method(select_segment(_("Method"), _METHODS, _METHOD_KEY, label_shown=True))
        options = _options(what, method)
    source = _source(what, source_place, options)
    with options:
        setting = _setting(method)
    if source is None:
        return None
    key, title, items, where = source
    key = repr((key, stamp_of(model), language()))
    # items are read in a thread, which does not know the viewer's language
    names = {name: language_name(code) for name, code in LANGUAGE_CODES.items()}
    return MapChoice(key, title, lambda: _with_languages(items(), names), model, models, setting, where)


def _with_languages(items: Items, names: Mapping[str, str]) -> Items:
    if LANGUAGE not in items.fields:
        return items
    column = tuple(names.get(name, name) for name in items.values(LANGUAGE))
    codes = {**items.codes, LANGUAGE: {names[name]: code for name, code in LANGUAGE_CODES.items()}}
    return replace(items, fields={**items.fields, LANGUAGE: column}, codes=codes)


def _options(what: ItemKind, method: Method) -> DeltaGenerator:
    # the expander is left out if it would be empty
    names = _("Languages") if what is ItemKind.OCCUPATIONS else ""
    parameters = "" if method is Method.PCA else _("{method} settings", method=method.spelling)
    label = ", ".join(filter(None, (names, parameters)))
    return st.expander(label) if label else st.container()


def _source(what: ItemKind, controls: DeltaGenerator, options: DeltaGenerator) -> _Source | None:
    if what is ItemKind.TITLES:
        return _own_titles(many_titles.open_review(), controls)
    with controls:
        if what is ItemKind.OCCUPATIONS:
            return _occupations(options)
        manifests = market_choice.manifests()
        manifest = manifests[select(_("Marketplace"), list(manifests), _MARKET_KEY)]
    if what is ItemKind.LABELS:
        return _labels(manifest)
    market, taxonomy = markets.load(manifest), markets.taxonomy(manifest)
    counted, read = N_("freelancers"), freelancer_items
    if what is ItemKind.PROJECTS:
        counted, read = N_("projects"), project_items
    title = f"{manifest.name}: {_(counted)}{_(', all synthetic') if manifest.generated else ''}"
    return (
        repr((counted, manifest.name, manifest.created)),
        title,
        partial(read, market, taxonomy, language()),
        manifest.name,
    )


def _occupations(options: DeltaGenerator) -> _Source:
    manifest = select_taxonomy()
    with options:
        languages = _languages(manifest)
        every = st.toggle(
            _("All names"),
            key=_NAMES_KEY,
            persist_state="session",
            help=_(
                "All names of an occupation, not one per language. ESCO has some 400,000 in 27 languages; a "
                "sample of 50,000 is then shown."
            ),
        )
    taxonomy = resources.taxonomy(manifest.id)
    key = repr(("occupations", manifest.id, manifest.created, languages, every))
    named = ", ".join(language_name(code) for code in languages)
    spoken = named if len(languages) <= _NAMED_LANGUAGES else _("{n_languages} languages", n_languages=len(languages))
    title = (
        _("{taxonomy}: all names of occupations, {languages}", taxonomy=taxonomy_name(manifest), languages=spoken)
        if every
        else _("{taxonomy}: names of occupations, {languages}", taxonomy=taxonomy_name(manifest), languages=spoken)
    )
    read = partial(occupation_items, taxonomy, languages, preferred=not every, show=language())
    return key, title, read, manifest.id


def _languages(manifest: Manifest) -> tuple[str, ...]:
    options = sorted(manifest.languages, key=language_name)
    chosen = st.session_state.get(_LANGUAGES_KEY, [code for code in _FIRST_LANGUAGES if code in options])
    st.session_state[_LANGUAGES_KEY] = [code for code in chosen if code in options] or options[:1]
    return tuple(
        st.multiselect(_("Languages"), options, key=_LANGUAGES_KEY, format_func=language_name, persist_state="session")
    ) or tuple(options[:1])


def _labels(manifest: MarketplaceManifest) -> _Source | None:
    labels = resources.labelled_pairs(PairKind.PROJECT_FREELANCER, manifest.name)
    if len(labels) < 4:
        st.info(
            _(
                "This map shows the labelled pairs of {name}, positive and negative ones apart. It needs 4 "
                "labels; there are {n_labels} so far.",
                name=plain(manifest.name),
                n_labels=len(labels),
            ),
            icon=":material/rule:",
        )
        if sign_in.may_see("label_pairs"):
            page_link("label_pairs")
        return None
    key = repr(("labels", manifest.name, manifest.created, hash(tuple(labels))))
    settings = Settings.from_environment()
    return (
        key,
        _("{name}: labelled pairs", name=manifest.name),
        lambda: label_items(labels, manifest.name, settings),
        manifest.name,
    )


def _model(what: ItemKind) -> tuple[str, tuple[str, ...]]:
    towers = [model.word for model in resources.match_models() if not model.fault]
    words = [*model_words(what, towers), *own_encoders(Settings.from_environment())]
    chosen = select(
        _("Model"),
        words,
        _MODEL_KEY,
        format_func=model_title,
        explanation=_(
            "The map places items close together that this model finds similar. An administrator can add "
            "a sentence-transformers model on the page 'Train models'."
        ),
    )
    return chosen, tuple(words)


def _setting(method: Method) -> ProjectionSetting:
    if method is Method.UMAP:
        neighbours = _slider(_("Neighbours (few: local detail, many: global structure)"), _NEIGHBOURS_KEY, 5, 100, 15)
        min_dist = _slider(_("Minimum distance of points"), _DISTANCE_KEY, 0.0, 0.9, 0.1)
        return ProjectionSetting(method, neighbours=neighbours, min_dist=min_dist)
    if method is Method.TSNE:
        perplexity = _slider(_("Perplexity (number of neighbours)"), _PERPLEXITY_KEY, 5.0, 100.0, 30.0)
        return ProjectionSetting(method, perplexity=perplexity)
    return ProjectionSetting(method)


def _slider(label: str, key: str, least: NumberT, most: NumberT, default: NumberT) -> NumberT:
    chosen = type(default)(st.session_state.get(key, default))
    st.session_state[key] = min(max(chosen, least), most)  # an address may have any number
    return st.slider(label, least, most, key=key, persist_state="session")
