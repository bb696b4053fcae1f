"""What pages share: lists, opened linkers, finders and marketplaces, rankings, measurements; `_cache` keeps them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from db.filters import JudgmentFilter
from db.label_store import LabelStore
from jobmatch.services.background_call import Background as Background
from jobmatch_core.benchmarks.datasets.found import TASKS, installed_benchmarks
from jobmatch_core.benchmarks.scoreboard.overlap import Overlap
from jobmatch_core.benchmarks.scoreboard.result_store import Stored
from jobmatch_core.benchmarks.scoreboard.results import Result
from jobmatch_core.entities import Freelancer, PairKind, Progress, Project
from jobmatch_core.labelling.agreement_report import AgreementReport
from jobmatch_core.labelling.pair_pool import PairPool
from jobmatch_core.linking import Linker
from jobmatch_core.maps.comparison import Drift
from jobmatch_core.maps.figure import DrawnMap
from jobmatch_core.maps.items import Items
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.picture import Theme, View
from jobmatch_core.maps.projection import ProjectionSetting
from jobmatch_core.maps.quality import MapQuality
from jobmatch_core.marketplace.facets import Facets
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_manifest import MarketplaceManifest
from jobmatch_core.model_store.registry import ModelKind, Registry
from jobmatch_core.retraining.model_cards import ModelCard
from jobmatch_core.retrieval.match_models import ModelChoice
from jobmatch_core.retrieval.match_order import Arrangement
from jobmatch_core.retrieval.matches import Contributions, Match
from jobmatch_core.retrieval.project_form import FormReader
from jobmatch_core.retrieval.score_words import OpenFinder as OpenFinder
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy
from jobmatch_core.taxonomy.manifest import Manifest
from jobmatch_core.vector_stores.vector_store import Filters
from pages.shared import _cache
from pages.shared._cache import SEARCHED as SEARCHED
from pages.shared._cache import upload_columns as upload_columns
from pages.shared._cache import upload_encodings as upload_encodings
from pages.shared._cache import upload_header as upload_header
from pages.shared._cache import upload_table as upload_table

T = TypeVar("T")


def installed() -> list[Manifest]:
    """Return the installed taxonomies."""
    return _cache.installed(Settings.from_environment())


def forget_installed() -> None:
    """Read the list anew, after an import or a removal."""
    _cache.installed.clear()


def load_taxonomy(manifest: Manifest) -> Taxonomy:
    """Load a taxonomy to browse in."""
    return _cache.taxonomy(Settings.from_environment(), manifest.id, manifest.created)


def opening_linker(manifest: Manifest, *, groups: bool) -> "Background[Linker]":
    """Open a taxonomy's linker, building its index where there is none yet; a failed opening is tried again."""
    promoted = Registry.open().promoted(ModelKind.LINKING)  # its weights take the place of the index's own
    key = (Settings.from_environment(), manifest.id, manifest.created, groups, promoted)
    opening = _cache.opening(*key)
    if opening.failed:
        _cache.opening.clear(*key)
        opening = _cache.opening(*key)
    return opening


def with_own_names(linker: Linker, manifest: Manifest, *, groups: bool) -> Linker:
    """Return a taxonomy's linker that knows the titles that people accepted so far.

    Raises:
        LabelStoreError: the store of judgments cannot be read.
    """
    settings = Settings.from_environment()
    if not settings.may_have_labels:
        return linker
    which = JudgmentFilter(kind=PairKind.TITLE_OCCUPATION, source=manifest.id)
    # judgments are only added: as long as there are as many, they are the same
    count = label_store().count(which)
    if not count:
        return linker
    return _cache.with_own_names(settings, manifest.id, manifest.created, groups, linker.version, count, linker, which)


def example_titles(linker: Linker) -> list[str]:
    """Return titles to begin with that a linker is sure of; what people accepted since does not change them."""
    manifest = linker.taxonomy.manifest
    return _cache.example_titles(
        Settings.from_environment(), manifest.id, manifest.created, linker.version, linker
    )  # fmt: skip


def stored_results() -> Stored:
    """Return all figures that were measured here."""
    return _cache.stored(Settings.from_environment())


def forget_results() -> None:
    """Read the figures anew, after a measurement."""
    _cache.stored.clear()


def with_outcomes(result: Result) -> Result:
    """Return a stored result with the outcomes of its queries; raises DataFileError where they are damaged."""
    settings = Settings.from_environment()
    key = (result.task, result.dataset, result.system, result.ranking, str(result.seconds))
    return replace(result, outcomes=_cache.outcomes(settings, key, result))


def overlaps(task: str) -> "Background[list[Overlap]]":
    """Measure the lexical overlap of a task's installed datasets; a failed measurement is tried again."""
    settings = Settings.from_environment()
    names = tuple(benchmark.name for benchmark in installed_benchmarks(task, settings=settings))
    # the right names of vacancy titles are those of the installed taxonomy that knows most of their occupations
    taxonomies = tuple((each.id, each.created) for each in installed()) if TASKS[task].ranks_taxonomy else ()
    key = (settings, task, names, taxonomies)
    measuring = _cache.overlaps(*key)
    if measuring.failed:
        _cache.overlaps.clear(*key)
        measuring = _cache.overlaps(*key)
    return measuring


def marketplaces() -> list[MarketplaceManifest]:
    """Return the stored marketplaces."""
    return _cache.marketplaces(Settings.from_environment())


def making_demo() -> "Background[MarketplaceManifest]":
    """Make the demo marketplace; a failed attempt is made again."""
    settings = Settings.from_environment()
    making = _cache.making_demo(settings)
    if making.failed:
        _cache.making_demo.clear(settings)
        making = _cache.making_demo(settings)
    return making


def forget_demo() -> None:
    """Read the list of marketplaces anew after the demo was made; should it be removed, it can be made again."""
    _cache.marketplaces.clear()
    _cache.making_demo.clear()


def load_marketplace(manifest: MarketplaceManifest) -> Marketplace:
    """Open a marketplace, of which records are read when they are asked for."""
    return _cache.marketplace(Settings.from_environment(), manifest.name, manifest.created)


def facets(manifest: MarketplaceManifest) -> Facets:
    """Return what a marketplace's freelancers can be filtered by."""
    return _cache.facets(Settings.from_environment(), manifest.name, manifest.created)


def marketplace_taxonomy(manifest: MarketplaceManifest) -> Taxonomy:
    """Load the taxonomy of a marketplace's skills and categories."""
    taxonomy_id = manifest.origin.get("taxonomy", BUNDLED_ID)
    created = next((each.created for each in installed() if each.id == taxonomy_id), "")
    return _cache.taxonomy(Settings.from_environment(), taxonomy_id, created)


def opening_reader(taxonomy: Taxonomy) -> "Background[FormReader]":
    """Fold the names of a taxonomy's skills, to find them in projects."""
    return _cache.opening_reader(taxonomy.id, taxonomy.manifest.created, taxonomy)


def match_models() -> list[ModelChoice]:
    """Return the models that freelancers can be found with."""
    return _cache.match_models(Settings.from_environment())


def opening_finder(manifest: MarketplaceManifest, model: ModelChoice) -> "Background[OpenFinder]":
    """Open what finds freelancers, encoding them where they are not yet; a failed opening is tried again."""
    key = (Settings.from_environment(), manifest.name, manifest.created, model)
    opening = _cache.opening_finder(*key)
    if opening.failed:
        _cache.opening_finder.clear(*key)
        opening = _cache.opening_finder(*key)
    return opening


def ranking(opened: OpenFinder, project: Project, filters: Filters, arrangement: Arrangement) -> list[Match]:
    """Return the first hundred freelancers of an arrangement of those most similar to a project, without reasons."""
    return _cache.ranking(opened.key, repr(project), repr(filters), arrangement, opened.finder, project, filters)


def passing(opened: OpenFinder, filters: Filters) -> int:
    """Return how many freelancers pass filters."""
    return _cache.passing(opened.key, repr(filters), opened.finder, filters)


def contributions(opened: OpenFinder, project: Project, freelancers: Sequence[Freelancer]) -> list[Contributions]:
    """Return the reasons why some freelancers fit a project."""
    ids = tuple(each.id for each in freelancers)
    return _cache.contributions(opened.key, repr(project), ids, opened.finder, project, freelancers)


def pooling(manifest: MarketplaceManifest, *finders: OpenFinder) -> "Background[PairPool]":
    """Look for pairs to judge, by one model or by two; a failed attempt is made again."""
    models = tuple(finder.key for finder in finders)
    key = (Settings.from_environment(), manifest.name, manifest.created, models, finders)
    looking = _cache.pooling(*key)
    if looking.failed:
        _cache.pooling.clear(*key)
        looking = _cache.pooling(*key)
    return looking


def measuring_agreement(which: JudgmentFilter, zone: str) -> "Background[AgreementReport]":
    """Measure how far annotators agree; judgments are only added, so as long as there are as many, it is the same."""
    key = (Settings.from_environment(), repr(which), zone, label_store().count(which))
    measuring = _cache.measuring_agreement(*key, which)
    if measuring.failed:
        _cache.measuring_agreement.clear(*key, which)
        measuring = _cache.measuring_agreement(*key, which)
    return measuring


def model_cards(kind: ModelKind) -> list[ModelCard]:
    """Return every model of a kind with what it says of itself, the one in use marked."""
    return _cache.model_cards(Settings.from_environment(), kind)


def forget_models() -> None:
    """Look at the models anew, after a training, a promotion or a roll back."""
    _cache.model_cards.clear()
    _cache.match_models.clear()


def encoding_map(key: str, model: str, items: Callable[[], Items]) -> "Background[LatentMap]":
    """Encode items and lay them out by their first two components; *key* tells the items from others."""
    parts = (Settings.from_environment(), key, model)
    encoding = _cache.encoding_map(*parts, items)
    if encoding.failed:
        _cache.encoding_map.clear(*parts, items)
        encoding = _cache.encoding_map(*parts, items)
    return encoding


def projecting_map(key: str, latent: LatentMap, setting: ProjectionSetting) -> "Background[LatentMap]":
    """Project an encoded map in another way, or take what is kept of that."""
    parts = (Settings.from_environment(), key, latent.model, repr(setting))
    projecting = _cache.projecting_map(*parts, latent, setting)
    if projecting.failed:
        _cache.projecting_map.clear(*parts, latent, setting)
        projecting = _cache.projecting_map(*parts, latent, setting)
    return projecting


def following_map(key: str, first: LatentMap, model: str) -> "Background[tuple[LatentMap, Drift]]":
    """Map the same items by another model, laid on the first one's map, and measure who drifted."""
    parts = (Settings.from_environment(), key, first.model, repr(first.setting), model)
    following = _cache.following_map(*parts, first)
    if following.failed:
        _cache.following_map.clear(*parts, first)
        following = _cache.following_map(*parts, first)
    return following


def map_picture(key: str, latent: LatentMap, view: View, title: str, theme: Theme) -> DrawnMap:
    """Work out and draw a map's picture, once as long as it is looked at in the same way."""
    parts = (Settings.from_environment(), key, latent.model, repr(latent.setting), repr(view), title, theme)
    return _cache.map_picture(*parts, latent, view)


def measuring_map(key: str, latent: LatentMap, field: str) -> "Background[MapQuality]":
    """Measure how far a map can be believed; *field* is what its groups are."""
    parts = (Settings.from_environment(), key, latent.model, repr(latent.setting), field)
    measuring = _cache.measuring_map(*parts, latent)
    if measuring.failed:
        _cache.measuring_map.clear(*parts, latent)
        measuring = _cache.measuring_map(*parts, latent)
    return measuring


def label_store() -> LabelStore:
    """Return the store of judgments, one for all sessions; raises LabelStoreError where it cannot be opened."""
    return _cache.label_store(Settings.from_environment())


def describing(key: tuple[object, ...], open_it: Callable[[Progress], T]) -> "Background[T]":
    """Open what describes postings, one for all sessions; a failed opening is tried again."""
    opening: Background[T] = _cache.describing(repr(key), open_it)
    if opening.failed:
        _cache.describing.clear(repr(key), open_it)
        opening = _cache.describing(repr(key), open_it)
    return opening


def explained(key: tuple[object, ...], explain: Callable[[], T]) -> T:
    """Return what is said of a posting, as long as it is kept."""
    return cast(T, _cache.explained(repr(key), explain))
