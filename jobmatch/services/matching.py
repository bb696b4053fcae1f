"""Matching of projects with the freelancers of a home's marketplaces."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jobmatch.services.background_call import Background, LoadCache
from jobmatch.services.freelancer_finders import open_finder
from jobmatch.services.linking import LinkingService
from jobmatch_core.engines import Engine
from jobmatch_core.entities import Progress, Project, no_progress
from jobmatch_core.errors import EngineError, MatchingError
from jobmatch_core.io.tables import Record
from jobmatch_core.marketplace.marketplace_store import MarketplaceManifest, MarketplaceStore
from jobmatch_core.model_store.model_spec import ModelKind, find_model
from jobmatch_core.retraining.online_comparison import running_comparison
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.match_file import matched_rows
from jobmatch_core.retrieval.match_models import load_match_model, load_ranker, model_in_use
from jobmatch_core.retrieval.matches import MatchOrder
from jobmatch_core.retrieval.project_reader import ProjectReader
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.vector_stores.vector_store import Filters

_FINDERS = 3  # two for a comparison and one more; a backbone takes 40 MB to 1 GB
_READERS = 2  # the skill names of a full ESCO take 300 MB


class MatchingService:
    """Opens finders of freelancers and readers of projects, each once for all threads of this process."""

    def __init__(self, linking: LinkingService) -> None:
        self._linking = linking
        self._finders = LoadCache[Finder](_FINDERS)
        self._readers = LoadCache[ProjectReader](_READERS)

    def manifest(self, marketplace: str) -> MarketplaceManifest:
        """Return a marketplace's manifest; raises MarketplaceError if it is missing or damaged."""
        return MarketplaceStore.open(self._linking.settings).manifest(marketplace)

    def taxonomy(self, manifest: MarketplaceManifest) -> Taxonomy:
        """Return the taxonomy of a marketplace's skills and categories; raises TaxonomyError if it is missing."""
        return self._linking.taxonomy(manifest.taxonomy)

    def open(
        self, marketplace: str, model: str = "", *, rebuild: bool = False, progress: Progress = no_progress
    ) -> Finder:
        """Open the finder of a marketplace's freelancers; those that are new are encoded.

        Args:
            model: name of the model, as for `load_match_model`; by default the one in use.
            rebuild: encode all freelancers again.
            progress: called with freelancers encoded and freelancers to encode.

        Raises:
            MarketplaceError: there is no such marketplace, or it is damaged.
            ModelError: the model is missing or damaged.
            MatchingError: the marketplace has no freelancers, or the index cannot be stored.
        """
        settings = self._linking.settings
        word = model or model_in_use(settings)
        return open_finder(
            marketplace,
            load_match_model(word, settings),
            ranker=load_ranker(word, settings),
            settings=settings,
            rebuild=rebuild,
            progress=progress,
        )

    def opening(self, marketplace: str, model: str = "") -> Background[Finder]:
        """Open a finder in the background, or return the one that is open.

        Raises MarketplaceError or ModelError if there is no such marketplace or model.
        """
        word = model or model_in_use(self._linking.settings)
        key = self._key(marketplace, word)
        return self._finders.loading(key, lambda progress: self.open(marketplace, word, progress=progress))

    def compared(self, marketplace: str, in_use: str) -> Finder | None:
        """Return the finder of the model that the online comparison compares with the model in use, by its name.

        None without a comparison of it, or until the finder is open; it is opened in the background, so that nobody
        waits for it.

        Raises ModelError if the comparison cannot be read, or the candidate is gone or damaged; the next call tries
        again.
        """
        comparison = running_comparison(self._linking.settings)
        if comparison is None or comparison.encoders[0] != in_use:
            return None
        word = comparison.candidate
        finder = self._finders.if_loaded(
            self._key(marketplace, word), lambda progress: self.open(marketplace, word, progress=progress)
        )
        if finder is None or finder.model.name != comparison.encoders[1]:  # trained again since
            return None
        return finder

    def is_loading(self, model: str) -> bool:
        """Return whether a finder of a model is being opened or built."""
        return self._finders.is_loading(model)

    def _key(self, marketplace: str, word: str) -> tuple[object, ...]:
        stamp = find_model(word, self._linking.settings, ModelKind.TOWERS).stamp
        return marketplace, self.manifest(marketplace).created, word, stamp

    def opening_reader(self, manifest: MarketplaceManifest) -> Background[ProjectReader]:
        """Open the reader of a marketplace's projects in the background, or return the one that is open.

        Raises TaxonomyError if the marketplace's taxonomy is missing.
        """
        created = TaxonomyStore.open(self._linking.settings).manifest(manifest.taxonomy).created
        return self._readers.loading(
            (manifest.taxonomy, created), lambda _progress: ProjectReader(self.taxonomy(manifest))
        )


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """Specification of the matches of a file of projects, for other processes; without a model the one in use."""

    marketplace: str
    model: str
    filters: Filters
    limit: int
    order: MatchOrder = MatchOrder.MUST_HAVES

    def rows(self, projects: Sequence[Project]) -> list[Record]:
        """Return the rows of all matches; each process opens its finder once. Raises as `MatchingService.open`."""
        key = self, Settings.from_environment()
        if key not in _opened:
            _opened.clear()
            _opened[key] = MatchingService(LinkingService(key[1])).open(self.marketplace, self.model)
        return matched_rows(_opened[key], self.filters, self.limit, self.order, projects)


_opened: dict[tuple[MatchSpec, Settings], Finder] = {}  # the last one; settings distinguish homes


def rows_by(engine: Engine, spec: MatchSpec, lists: Iterable[Sequence[Project]]) -> Iterator[list[Record]]:
    """Yield the rows of each list of projects, in order; raises MatchingError if a worker was lost."""
    try:
        yield from engine.map(spec.rows, lists)
    except EngineError as error:
        raise MatchingError(f"{error} Run the command again.") from error
