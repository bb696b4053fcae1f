"""What pages share and keep: the list of taxonomies, opened linkers, the columns of an upload. All bounded."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Generic, TypeVar

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch_core.entities import Progress
from jobmatch_core.evaluation.benchmarks import installed_benchmarks
from jobmatch_core.evaluation.overlap import Overlap, measure_overlap
from jobmatch_core.evaluation.result_store import ResultStore, Stored
from jobmatch_core.evaluation.results import QueryOutcome, Result
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.settings import Settings
from jobmatch_core.tables import table_columns
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.manifest import Manifest
from pages._uploads import on_disk

T = TypeVar("T")

_LINKERS_KEPT = 2  # a full ESCO takes about 1 GB
_TAXONOMIES_KEPT = 4
_OUTCOMES_KEPT = 8  # of one system on one dataset, up to some 5,000 queries
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
    names = tuple(benchmark.name for benchmark in installed_benchmarks(task, BUNDLED_ID, settings))
    measuring = _overlaps(settings, task, names)
    if measuring.failed:
        _overlaps.clear(settings, task, names)
        measuring = _overlaps(settings, task, names)
    return measuring


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
def _overlaps(settings: Settings, task: str, names: tuple[str, ...]) -> "Background[list[Overlap]]":
    def measure(progress: Progress) -> list[Overlap]:
        measured = []
        for benchmark in installed_benchmarks(task, BUNDLED_ID, settings):
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
