"""What pages share, kept in memory: bounded, and the only file that caches. Pages ask `_resources`."""

from collections.abc import Callable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from db.filters import JudgmentFilter
from db.label_store import LabelStore
from jobmatch.services.background_call import Background
from jobmatch_core.benchmarks.datasets.found import installed_benchmarks
from jobmatch_core.benchmarks.scoreboard.overlap import Overlap, measure_overlap
from jobmatch_core.benchmarks.scoreboard.result_store import ResultStore, Stored
from jobmatch_core.benchmarks.scoreboard.results import QueryOutcome, Result
from jobmatch_core.entities import Freelancer, Progress, Project
from jobmatch_core.labelling.agreement_report import AgreementReport, agreement_report
from jobmatch_core.labelling.own_names import own_names
from jobmatch_core.labelling.pair_pool import PairPool, pair_pool
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.example_titles import example_titles as answered_titles
from jobmatch_core.maps.comparison import Drift, measure_drift
from jobmatch_core.maps.figure import DrawnMap, drawn_map
from jobmatch_core.maps.items import Items
from jobmatch_core.maps.latent_map import LatentMap, encoded, followed, projected, quality_of
from jobmatch_core.maps.picture import Theme, View
from jobmatch_core.maps.projection import ProjectionSetting
from jobmatch_core.maps.quality import MapQuality
from jobmatch_core.marketplace.demo.installed import install_demo
from jobmatch_core.marketplace.facets import Facets, read_facets
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_manifest import MarketplaceManifest
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.registry import ModelKind
from jobmatch_core.retraining.model_cards import ModelCard, cards
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.match_models import ModelChoice, load_match_model, model_choices
from jobmatch_core.retrieval.match_order import Arrangement, arranged
from jobmatch_core.retrieval.matches import Contributions, Match
from jobmatch_core.retrieval.project_form import FormReader
from jobmatch_core.retrieval.score_words import OpenFinder, score_words
from jobmatch_core.settings import Settings
from jobmatch_core.sheets.table_process import columns_apart, encodings_apart, header_apart, table_apart
from jobmatch_core.sheets.table_summary import TableSummary
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.manifest import Manifest
from jobmatch_core.vector_stores.vector_store import Filters
from pages.shared.uploads import on_disk

_UPLOADS_KEPT = 2  # of 100,000 rows some 100 MB each
_LINKERS_KEPT = 2  # a full ESCO takes about 1 GB
_TAXONOMIES_KEPT = 4
_EXAMPLES_KEPT = 20  # lists of eight titles
_OUTCOMES_KEPT = 8  # of one system on one dataset, up to some 5,000 queries
_MARKETPLACES_KEPT = 4  # of each the last few thousand projects that were looked at
_FINDERS_KEPT = 3  # the two that are compared and one more; a backbone takes from 40 MB to 1 GB
_READERS_KEPT = 2  # the skill names of a full ESCO take 300 MB
_RANKINGS_KEPT = 128  # of a hundred freelancers, or the reasons for ten
_RANKED = 100  # freelancers in a ranking
SEARCHED = 1000  # the most similar, among which must-haves are looked for; matching them takes 0.2 s
_LABEL_STORES_KEPT = 2
_POOLS_KEPT = 4  # of some 10,000 pairs to judge, 5 MB each
_AGREEMENTS_KEPT = 4
_DESCRIBERS_KEPT = 8  # those that are set side by side, and skill names; the names of a full ESCO take 30 MB each
_EXPLANATIONS_KEPT = 64
_MAPS_KEPT = 4  # of 50,000 points 60 MB each
_MAP_PICTURES_KEPT = 8  # of 50,000 points 20 MB each
_MAP_QUALITIES_KEPT = 32
_LISTING_SECONDS = 30  # so that what the command line imports shows up


@st.cache_data(max_entries=20, show_spinner=False)
def upload_columns(file_id: str, encoding: str, _file: UploadedFile) -> list[str]:
    """Return the columns of an uploaded table; raises DataFileError as `tables.table_columns`."""
    with on_disk([_file]) as folder:
        return columns_apart(folder / _file.name, encoding)


@st.cache_data(max_entries=20, show_spinner=False)
def upload_encodings(file_id: str, _file: UploadedFile) -> list[str]:
    """Return the encodings that an uploaded table may have; raises DataFileError as `table_layout.table_encodings`."""
    with on_disk([_file]) as folder:
        return encodings_apart(folder / _file.name)


@st.cache_data(max_entries=20, show_spinner=False)
def upload_header(file_id: str, encoding: str, _file: UploadedFile) -> int:
    """Return the row with the column names; raises DataFileError as `table_layout.guess_table_header`."""
    with on_disk([_file]) as folder:
        return header_apart(folder / _file.name, encoding)


@st.cache_resource(max_entries=_UPLOADS_KEPT, show_spinner="Reading the file …")
def upload_table(file_id: str, encoding: str, header_row: int, n_rows: int, _file: UploadedFile) -> TableSummary:
    """Return the first rows of an uploaded table and what is in them; raises as `table_process.table_apart`."""
    with on_disk([_file]) as folder:
        return table_apart(folder / _file.name, encoding=encoding, header_row=header_row, most_rows=n_rows)


@st.cache_resource(max_entries=_DESCRIBERS_KEPT, show_spinner=False)
def describing(key: str, _open_it: Callable[[Progress], Any]) -> "Background[Any]":
    return Background(_open_it)


@st.cache_resource(max_entries=_EXPLANATIONS_KEPT, show_spinner=False)
def explained(key: str, _explain: Callable[[], object]) -> object:
    return _explain()


@st.cache_data(max_entries=5, ttl=_LISTING_SECONDS, show_spinner=False)
def installed(settings: Settings) -> list[Manifest]:
    return TaxonomyStore.open(settings).installed()


@st.cache_resource(max_entries=5, ttl=_LISTING_SECONDS, show_spinner=False)
def stored(settings: Settings) -> Stored:
    return ResultStore.open(settings).stored()


@st.cache_resource(max_entries=_OUTCOMES_KEPT, show_spinner=False)
def outcomes(settings: Settings, key: tuple[str, ...], _result: Result) -> tuple[QueryOutcome, ...]:
    return ResultStore.open(settings).outcomes(_result)


@st.cache_resource(max_entries=5, show_spinner=False)
def overlaps(
    settings: Settings, task: str, names: tuple[str, ...], taxonomies: tuple[tuple[str, str], ...]
) -> "Background[list[Overlap]]":
    def measure(progress: Progress) -> list[Overlap]:
        measured = []
        for benchmark in installed_benchmarks(task, settings=settings):
            measured.append(measure_overlap(benchmark.read()))
            progress(len(measured), len(names))
        return measured

    return Background(measure)


@st.cache_resource(max_entries=_TAXONOMIES_KEPT, show_spinner="Reading the taxonomy …")
def taxonomy(settings: Settings, taxonomy_id: str, created: str) -> Taxonomy:
    return TaxonomyStore.open(settings).load(taxonomy_id)


@st.cache_resource(max_entries=_LINKERS_KEPT, show_spinner=False)
def opening(settings: Settings, taxonomy_id: str, created: str, groups: bool, promoted: str) -> "Background[Linker]":
    return Background(lambda progress: open_linker(taxonomy_id, groups=groups, settings=settings, progress=progress))


@st.cache_resource(max_entries=_LINKERS_KEPT, show_spinner=False)
def with_own_names(
    settings: Settings,
    taxonomy_id: str,
    created: str,
    groups: bool,
    version: str,
    count: int,
    _linker: Linker,
    _which: JudgmentFilter,
) -> Linker:
    return _linker.with_own_names(own_names(label_store(settings).current(_which)[::-1], taxonomy_id))


@st.cache_data(max_entries=_EXAMPLES_KEPT, show_spinner=False)
def example_titles(settings: Settings, taxonomy_id: str, created: str, version: str, _linker: Linker) -> list[str]:
    return answered_titles(_linker.with_own_names([]))


@st.cache_data(max_entries=5, ttl=_LISTING_SECONDS, show_spinner=False)
def marketplaces(settings: Settings) -> list[MarketplaceManifest]:
    return MarketplaceStore.open(settings).installed()


@st.cache_data(max_entries=5, ttl=_LISTING_SECONDS, show_spinner=False)
def match_models(settings: Settings) -> list[ModelChoice]:
    return model_choices(settings)


@st.cache_resource(max_entries=5, ttl=_LISTING_SECONDS, show_spinner=False)
def model_cards(settings: Settings, kind: ModelKind) -> list[ModelCard]:
    return cards(kind, settings)


@st.cache_resource(max_entries=2, show_spinner=False)
def making_demo(settings: Settings) -> "Background[MarketplaceManifest]":
    return Background(lambda progress: install_demo(settings, progress=progress))


@st.cache_resource(max_entries=_MARKETPLACES_KEPT, show_spinner=False)
def marketplace(settings: Settings, name: str, created: str) -> Marketplace:
    return MarketplaceStore.open(settings).load(name)


@st.cache_resource(max_entries=_MARKETPLACES_KEPT, show_spinner=False)
def facets(settings: Settings, name: str, created: str) -> Facets:
    return read_facets(name, settings)


@st.cache_resource(max_entries=_READERS_KEPT, show_spinner=False)
def opening_reader(taxonomy_id: str, created: str, _taxonomy: Taxonomy) -> "Background[FormReader]":
    return Background(lambda progress: FormReader(_taxonomy))


@st.cache_resource(max_entries=_FINDERS_KEPT, show_spinner=False)
def opening_finder(settings: Settings, name: str, created: str, model: ModelChoice) -> "Background[OpenFinder]":
    def opened(progress: Progress) -> OpenFinder:
        loaded = load_match_model(model.word, settings)
        finder = open_finder(name, loaded, settings=settings, progress=progress)
        market = MarketplaceStore.open(settings).load(name)
        words = [score_words(finder, market, categories=categories) for categories in (True, False)]
        return OpenFinder(repr((settings, name, created, model)), finder, *words)

    return Background(opened)


@st.cache_resource(max_entries=_POOLS_KEPT, show_spinner=False)
def pooling(
    settings: Settings, name: str, created: str, models: tuple[str, ...], _finders: Sequence[OpenFinder]
) -> "Background[PairPool]":
    market = marketplace(settings, name, created)
    return Background(lambda progress: pair_pool(market, *(each.finder for each in _finders), progress=progress))


@st.cache_resource(max_entries=_AGREEMENTS_KEPT, show_spinner=False)
def measuring_agreement(
    settings: Settings, which_key: str, zone: str, count: int, _which: JudgmentFilter
) -> "Background[AgreementReport]":
    store = label_store(settings)
    return Background(lambda progress: agreement_report(store.current(_which)[::-1], ZoneInfo(zone)))


@st.cache_resource(max_entries=_LABEL_STORES_KEPT, show_spinner=False, on_release=LabelStore.close)
def label_store(settings: Settings) -> LabelStore:
    return LabelStore.open(settings.label_store)


@st.cache_resource(max_entries=_RANKINGS_KEPT, show_spinner=False)
def ranking(
    key: str, project_key: str, filters_key: str, arrangement: Arrangement, _finder: Finder, _project: Project,
    _filters: Filters,
) -> list[Match]:  # fmt: skip
    return arranged(_finder.match(_project, _filters, SEARCHED), arrangement, _RANKED)


@st.cache_resource(max_entries=_RANKINGS_KEPT, show_spinner=False)
def passing(key: str, filters_key: str, _finder: Finder, _filters: Filters) -> int:
    return _finder.store.count(_filters)


@st.cache_resource(max_entries=_RANKINGS_KEPT, show_spinner=False)
def contributions(
    key: str, project_key: str, ids: tuple[str, ...], _finder: Finder, _project: Project,
    _freelancers: Sequence[Freelancer],
) -> list[Contributions]:  # fmt: skip
    return _finder.contributions(_project, _freelancers)


@st.cache_resource(max_entries=_MAPS_KEPT, show_spinner=False)
def encoding_map(settings: Settings, key: str, model: str, _items: Callable[[], Items]) -> "Background[LatentMap]":
    return Background(lambda progress: encoded(_items(), model, settings, progress=progress))


@st.cache_resource(max_entries=_MAPS_KEPT, show_spinner=False)
def projecting_map(
    settings: Settings, key: str, model: str, setting_key: str, _latent: LatentMap, _setting: ProjectionSetting
) -> "Background[LatentMap]":
    return Background(lambda progress: projected(_latent, _setting, settings, progress=progress))


@st.cache_resource(max_entries=_MAPS_KEPT, show_spinner=False)
def following_map(
    settings: Settings, key: str, first_model: str, setting_key: str, model: str, _first: LatentMap
) -> "Background[tuple[LatentMap, Drift]]":
    def follow(progress: Progress) -> tuple[LatentMap, Drift]:
        latent = followed(_first, model, settings, progress=progress)
        return latent, measure_drift(_first.vectors, latent.vectors)

    return Background(follow)


@st.cache_resource(max_entries=_MAP_PICTURES_KEPT, show_spinner=False)
def map_picture(
    settings: Settings, key: str, model: str, setting_key: str, view_key: str, title: str, theme: Theme,
    _latent: LatentMap, _view: View,
) -> DrawnMap:  # fmt: skip
    return drawn_map(_latent, _view, title, theme)


@st.cache_resource(max_entries=_MAP_QUALITIES_KEPT, show_spinner=False)
def measuring_map(
    settings: Settings, key: str, model: str, setting_key: str, field: str, _latent: LatentMap
) -> "Background[MapQuality]":
    return Background(lambda progress: quality_of(_latent, field=field, progress=progress))
