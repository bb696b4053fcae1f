"""Search in the occupations, freelancers and projects of a home, also by the candidate of an online comparison."""

from jobmatch.services.background_call import Background, LoadCache
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.retraining.online_comparison import running_comparison
from jobmatch_core.search.search_index import SearchIndex
from jobmatch_core.search.search_items import Record
from jobmatch_core.search.search_models import load_search_encoder, search_model_state
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

    def open(
        self, kind: SearchKind, source: str, progress: Progress = no_progress, *, model: str = ""
    ) -> SearchIndex[Record]:
        """Open the index of a taxonomy or a marketplace by a model, by default the one in use; a missing one is built.

        Raises:
            TaxonomyError, MarketplaceError: there is no such source, or it is damaged.
            ModelError: the model is missing or damaged.
        """
        encoder, comparison = load_search_encoder(model, self._settings), running_comparison(self._settings)
        keep = comparison.encoders if comparison else ()
        return open_search(kind, source, settings=self._settings, encoder=encoder, keep=keep, progress=progress)

    def opening(self, kind: SearchKind, source: str, model: str = "") -> Background[SearchIndex[Record]]:
        """Open an index in the background, or return the one that is open; raises as `open`."""
        key = self._key(kind, source, model)
        return self._indexes.loading(key, lambda progress: self.open(kind, source, progress, model=model))

    def compared(self, kind: SearchKind, source: str) -> SearchIndex[Record] | None:
        """Return the index of the candidate of the online comparison; None without one, or until it is open.

        It is opened in the background, so that nobody waits for it.

        Raises ModelError if the comparison cannot be read, or the candidate is gone or damaged; the next call tries
        again.
        """
        comparison = running_comparison(self._settings)
        if comparison is None or comparison.kind is not ModelKind.SEARCH:
            return None
        model = comparison.candidate
        index = self._indexes.if_loaded(
            self._key(kind, source, model), lambda progress: self.open(kind, source, progress, model=model)
        )
        return index if index is not None and index.model == comparison.encoders[1] else None  # trained again since

    def is_loading(self, model: str) -> bool:
        """Return whether an index of a model is being opened or built."""
        return self._indexes.is_loading(model)

    def _key(self, kind: SearchKind, source: str, model: str) -> tuple[object, ...]:
        settings = self._settings
        store = TaxonomyStore.open(settings) if kind is SearchKind.OCCUPATIONS else MarketplaceStore.open(settings)
        return kind, source, store.manifest(source).created, model, *search_model_state(settings)
