"""Search in the occupations, freelancers and projects of a home."""

from jobmatch.services.background_call import Background, LoadCache
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.search.search_index import SearchIndex
from jobmatch_core.search.search_items import Record
from jobmatch_core.search.search_models import search_model_state
from jobmatch_core.search.search_store import open_search
from jobmatch_core.search_events import SearchKind
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore

_INDEXES = 4  # the vectors of a full ESCO are memory-mapped; its words take some 50 MB


class SearchingService:
    """Opens search indexes, each once for all threads of this process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._indexes = LoadCache[SearchIndex[Record]](_INDEXES)

    def open(self, kind: SearchKind, source: str, progress: Progress = no_progress) -> SearchIndex[Record]:
        """Open the index of a taxonomy or a marketplace; a missing index is built.

        Raises:
            TaxonomyError, MarketplaceError: there is no such source, or it is damaged.
        """
        return open_search(kind, source, settings=self._settings, progress=progress)

    def opening(self, kind: SearchKind, source: str) -> Background[SearchIndex[Record]]:
        """Open an index in the background, or return the one that is open; raises as `open`."""
        settings = self._settings
        store = TaxonomyStore.open(settings) if kind is SearchKind.OCCUPATIONS else MarketplaceStore.open(settings)
        key = kind, source, store.manifest(source).created, *search_model_state(settings)
        return self._indexes.loading(key, lambda progress: self.open(kind, source, progress))
