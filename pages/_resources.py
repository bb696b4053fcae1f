"""What pages share and keep: lists, opened linkers, finders and marketplaces, rankings, measurements. All bounded."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch_core.entities import Freelancer, Progress, Project
from jobmatch_core.evaluation import job_normalization
from jobmatch_core.evaluation.benchmarks import installed_benchmarks
from jobmatch_core.evaluation.overlap import Overlap, measure_overlap
from jobmatch_core.evaluation.result_store import ResultStore, Stored
from jobmatch_core.evaluation.results import QueryOutcome, Result
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.matching.demo.installed import install_demo
from jobmatch_core.matching.facets import Facets, read_facets
from jobmatch_core.matching.finder import Finder
from jobmatch_core.matching.freelancer_index import open_finder
from jobmatch_core.matching.marketplace import Marketplace
from jobmatch_core.matching.marketplace_manifest import MarketplaceManifest
from jobmatch_core.matching.marketplace_store import MarketplaceStore
from jobmatch_core.matching.match_models import load_match_model
from jobmatch_core.matching.matches import Contributions, Match
from jobmatch_core.matching.model_choices import ModelChoice, model_choices
from jobmatch_core.matching.project_form import FormReader
from jobmatch_core.matching.score_words import ScoreWords, score_words
from jobmatch_core.matching.vector_store import Filters
from jobmatch_core.settings import Settings
from jobmatch_core.tables import table_columns
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.manifest import Manifest
from pages._uploads import on_disk

T = TypeVar("T")

_LINKERS_KEPT = 2  # a full ESCO takes about 1 GB
_TAXONOMIES_KEPT = 4
_OUTCOMES_KEPT = 8  # of one system on one dataset, up to some 5,000 queries
_MARKETPLACES_KEPT = 4  # of each the last few thousand projects that were looked at
_FINDERS_KEPT = 3  # the two that are compared and one more; a backbone takes from 40 MB to 1 GB
_READERS_KEPT = 2  # the skill names of a full ESCO take 300 MB
_RANKINGS_KEPT = 128  # of a hundred freelancers, or the reasons for ten
_RANKED = 100  # freelancers in a ranking
_LISTING_SECONDS = 30  # so that what the command line imports shows up


class Background(Generic[T]):
    """A long call in its own thread, which no rerun interrupts and several tabs can wait for.

    Attributes:
        done: how much of the work is done.
        total: how much there is; 0 while that is not known.
    """

    def __init__(self, work: Callable[[Progress], T]) -> None:
        """Start *work*, which gets a function to report progress to."""
        self.done, self.total = 0, 0
        self._work = work
        self._result: T | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait so long at most; return whether it is finished."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def failed(self) -> bool:
        """Whether it ended with an error."""
        return self._error is not None

    def result(self) -> T:
        """Return what the finished work returned, or raise what it raised."""
        if self._error is not None:
            raise self._error
        return self._result  # type: ignore[return-value]  # finished without an error

    def _run(self) -> None:
        try:
            self._result = self._work(self._progress)
        except BaseException as error:  # handed to whoever asks for the result
            self._error = error

    def _progress(self, done: int, total: int) -> None:
        self.done, self.total = done, total


@dataclass(frozen=True, slots=True)
class OpenFinder:
    """What finds a marketplace's freelancers.

    Attributes:
        key: another one of another model or marketplace.
        finder: of the freelancers.
        words: for scores of projects that say their category, where there is a history to take them from.
        words_without_category: for those that do not.
    """

    key: str
    finder: Finder
    words: ScoreWords | None
    words_without_category: ScoreWords | None

    def words_for(self, project: Project) -> ScoreWords | None:
        """Return the words for a project's scores."""
        return self.words if project.category else self.words_without_category


def installed() -> list[Manifest]:
    """Return the installed taxonomies."""
    return _installed(Settings.from_environment())


def forget_installed() -> None:
    """Read the list anew, after an import or a removal."""
    _installed.clear()


def load_taxonomy(manifest: Manifest) -> Taxonomy:
    """Load a taxonomy to browse in."""
    return _taxonomy(Settings.from_environment(), manifest.id, manifest.created)


def opening_linker(manifest: Manifest, *, groups: bool) -> "Background[Linker]":
    """Open a taxonomy's linker, building its index where there is none yet; a failed opening is tried again."""
    key = (Settings.from_environment(), manifest.id, manifest.created, groups)
    opening = _opening(*key)
    if opening.failed:
        _opening.clear(*key)
        opening = _opening(*key)
    return opening


def stored_results() -> Stored:
    """Return all figures that were measured here."""
    return _stored(Settings.from_environment())


def forget_results() -> None:
    """Read the figures anew, after a measurement."""
    _stored.clear()


def with_outcomes(result: Result) -> Result:
    """Return a stored result with the outcomes of its queries; raises DataFileError where they are damaged."""
    settings = Settings.from_environment()
    key = (result.task, result.dataset, result.system, result.ranking, str(result.seconds))
    return replace(result, outcomes=_outcomes(settings, key, result))


def overlaps(task: str) -> "Background[list[Overlap]]":
    """Measure the lexical overlap of a task's installed datasets; a failed measurement is tried again."""
    settings = Settings.from_environment()
    names = tuple(benchmark.name for benchmark in installed_benchmarks(task, settings=settings))
    # the right names of vacancy titles are those of the installed taxonomy that knows most of their occupations
    taxonomies = tuple((each.id, each.created) for each in installed()) if task == job_normalization.TASK else ()
    key = (settings, task, names, taxonomies)
    measuring = _overlaps(*key)
    if measuring.failed:
        _overlaps.clear(*key)
        measuring = _overlaps(*key)
    return measuring


def marketplaces() -> list[MarketplaceManifest]:
    """Return the stored marketplaces."""
    return _marketplaces(Settings.from_environment())


def making_demo() -> "Background[MarketplaceManifest]":
    """Make the demo marketplace; a failed attempt is made again."""
    settings = Settings.from_environment()
    making = _making_demo(settings)
    if making.failed:
        _making_demo.clear(settings)
        making = _making_demo(settings)
    return making


def forget_demo() -> None:
    """Read the list of marketplaces anew after the demo was made; should it be removed, it can be made again."""
    _marketplaces.clear()
    _making_demo.clear()


def load_marketplace(manifest: MarketplaceManifest) -> Marketplace:
    """Open a marketplace, of which records are read when they are asked for."""
    return _marketplace(Settings.from_environment(), manifest.name, manifest.created)


def facets(manifest: MarketplaceManifest) -> Facets:
    """Return what a marketplace's freelancers can be filtered by."""
    return _facets(Settings.from_environment(), manifest.name, manifest.created)


def marketplace_taxonomy(manifest: MarketplaceManifest) -> Taxonomy:
    """Load the taxonomy of a marketplace's skills and categories."""
    taxonomy_id = manifest.origin.get("taxonomy", BUNDLED_ID)
    created = next((each.created for each in installed() if each.id == taxonomy_id), "")
    return _taxonomy(Settings.from_environment(), taxonomy_id, created)


def opening_reader(taxonomy: Taxonomy) -> "Background[FormReader]":
    """Fold the names of a taxonomy's skills, to find them in projects."""
    return _opening_reader(taxonomy.id, taxonomy.manifest.created, taxonomy)


def match_models() -> list[ModelChoice]:
    """Return the models that freelancers can be found with."""
    return _match_models(Settings.from_environment())


def opening_finder(manifest: MarketplaceManifest, model: ModelChoice) -> "Background[OpenFinder]":
    """Open what finds freelancers, encoding them where they are not yet; a failed opening is tried again."""
    key = (Settings.from_environment(), manifest.name, manifest.created, model)
    opening = _opening_finder(*key)
    if opening.failed:
        _opening_finder.clear(*key)
        opening = _opening_finder(*key)
    return opening


def ranking(opened: OpenFinder, project: Project, filters: Filters) -> list[Match]:
    """Return the hundred freelancers that fit a project best, without reasons."""
    return _ranking(opened.key, repr(project), repr(filters), opened.finder, project, filters)


def passing(opened: OpenFinder, filters: Filters) -> int:
    """Return how many freelancers pass filters."""
    return _passing(opened.key, repr(filters), opened.finder, filters)


def contributions(opened: OpenFinder, project: Project, freelancers: Sequence[Freelancer]) -> list[Contributions]:
    """Return the reasons why some freelancers fit a project."""
    ids = tuple(each.id for each in freelancers)
    return _contributions(opened.key, repr(project), ids, opened.finder, project, freelancers)


@st.cache_data(max_entries=20, show_spinner=False)
def upload_columns(file_id: str, encoding: str, _file: UploadedFile) -> list[str]:
    """Return the columns of an uploaded table; raises DataFileError as `tables.table_columns`."""
    with on_disk([_file]) as folder:
        return table_columns(folder / _file.name, encoding=encoding)


@st.cache_data(max_entries=5, ttl=_LISTING_SECONDS, show_spinner=False)
def _installed(settings: Settings) -> list[Manifest]:
    return TaxonomyStore.open(settings).installed()


@st.cache_resource(max_entries=5, ttl=_LISTING_SECONDS, show_spinner=False)
def _stored(settings: Settings) -> Stored:
    return ResultStore.open(settings).stored()


@st.cache_resource(max_entries=_OUTCOMES_KEPT, show_spinner=False)
def _outcomes(settings: Settings, key: tuple[str, ...], _result: Result) -> tuple[QueryOutcome, ...]:
    return ResultStore.open(settings).outcomes(_result)


@st.cache_resource(max_entries=5, show_spinner=False)
def _overlaps(
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
def _taxonomy(settings: Settings, taxonomy_id: str, created: str) -> Taxonomy:
    return TaxonomyStore.open(settings).load(taxonomy_id)


@st.cache_resource(max_entries=_LINKERS_KEPT, show_spinner=False)
def _opening(settings: Settings, taxonomy_id: str, created: str, groups: bool) -> "Background[Linker]":
    return Background(lambda progress: open_linker(taxonomy_id, groups=groups, settings=settings, progress=progress))


@st.cache_data(max_entries=5, ttl=_LISTING_SECONDS, show_spinner=False)
def _marketplaces(settings: Settings) -> list[MarketplaceManifest]:
    return MarketplaceStore.open(settings).installed()


@st.cache_data(max_entries=5, ttl=_LISTING_SECONDS, show_spinner=False)
def _match_models(settings: Settings) -> list[ModelChoice]:
    return model_choices(settings)


@st.cache_resource(max_entries=2, show_spinner=False)
def _making_demo(settings: Settings) -> "Background[MarketplaceManifest]":
    return Background(lambda progress: install_demo(settings, progress=progress))


@st.cache_resource(max_entries=_MARKETPLACES_KEPT, show_spinner=False)
def _marketplace(settings: Settings, name: str, created: str) -> Marketplace:
    return MarketplaceStore.open(settings).load(name)


@st.cache_resource(max_entries=_MARKETPLACES_KEPT, show_spinner=False)
def _facets(settings: Settings, name: str, created: str) -> Facets:
    return read_facets(name, settings)


@st.cache_resource(max_entries=_READERS_KEPT, show_spinner=False)
def _opening_reader(taxonomy_id: str, created: str, _taxonomy: Taxonomy) -> "Background[FormReader]":
    return Background(lambda progress: FormReader(_taxonomy))


@st.cache_resource(max_entries=_FINDERS_KEPT, show_spinner=False)
def _opening_finder(settings: Settings, name: str, created: str, model: ModelChoice) -> "Background[OpenFinder]":
    def opened(progress: Progress) -> OpenFinder:
        loaded = load_match_model(model.word, settings)
        finder = open_finder(name, loaded, settings=settings, progress=progress)
        market = MarketplaceStore.open(settings).load(name)
        words = [score_words(finder, market, categories=categories) for categories in (True, False)]
        return OpenFinder(repr((settings, name, created, model)), finder, *words)

    return Background(opened)


@st.cache_resource(max_entries=_RANKINGS_KEPT, show_spinner=False)
def _ranking(
    key: str, project_key: str, filters_key: str, _finder: Finder, _project: Project, _filters: Filters
) -> list[Match]:
    return _finder.match(_project, _filters, _RANKED)


@st.cache_resource(max_entries=_RANKINGS_KEPT, show_spinner=False)
def _passing(key: str, filters_key: str, _finder: Finder, _filters: Filters) -> int:
    return _finder.store.count(_filters)


@st.cache_resource(max_entries=_RANKINGS_KEPT, show_spinner=False)
def _contributions(
    key: str, project_key: str, ids: tuple[str, ...], _finder: Finder, _project: Project,
    _freelancers: Sequence[Freelancer],
) -> list[Contributions]:  # fmt: skip
    return _finder.contributions(_project, _freelancers)
