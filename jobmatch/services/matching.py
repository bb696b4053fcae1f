"""Matching in a long-lived process: finders and readers of projects are loaded once."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jobmatch.services.background_call import Background, LoadCache
from jobmatch.services.freelancer_finders import open_finder
from jobmatch.services.linking import LinkingService
from jobmatch_core.entities import Progress, Project
from jobmatch_core.marketplace.marketplace_store import MarketplaceManifest, MarketplaceStore
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.match_answer import MatchAnswer, match_answer
from jobmatch_core.retrieval.match_models import load_match_model, model_in_use
from jobmatch_core.retrieval.project_reader import ProjectReader
from jobmatch_core.taxonomy import BUNDLED_ID
from jobmatch_core.vector_stores.vector_store import Filters

_MATCHERS = 2
_RECORD = Path("project")  # name of a project without a file, in errors


@dataclass(frozen=True, slots=True)
class Matcher:
    """Finder of a marketplace's freelancers, with the reader of projects."""

    manifest: MarketplaceManifest
    reader: ProjectReader
    finder: Finder

    def project(self, given: str | dict[str, Any]) -> Project:
        """Return the project of a text or a record; raises DataFileError or MatchingError if it is not a project."""
        return self.reader.text(given) if isinstance(given, str) else self.reader.record(given, _RECORD)

    def match(self, project: Project, filters: Filters, limit: int) -> MatchAnswer:
        """Return the freelancers for a project, with reasons, as `jobmatch match --json` prints them."""
        matches = self.finder.match(project, filters, limit, explain=True)
        return match_answer(self.manifest, self.finder.model.name, project, matches)


class MatchingService:
    """Opens matchers once for all threads of this process."""

    def __init__(self, linking: LinkingService) -> None:
        self._linking = linking
        self._opened = LoadCache[Matcher](_MATCHERS)

    def opening(self, marketplace: str, model: str) -> Background[Matcher]:
        """Open the matcher of a marketplace and a model, '' for the one in use; new freelancers are encoded.

        Raises:
            MarketplaceError: there is no such marketplace, or it is damaged.
        """
        settings = self._linking.settings
        manifest = MarketplaceStore.open(settings).manifest(marketplace)
        word = model or model_in_use(settings)
        key = marketplace, manifest.created, word
        return self._opened.loading(key, lambda progress: self._open(manifest, word, progress))

    def _open(self, manifest: MarketplaceManifest, word: str, progress: Progress) -> Matcher:
        settings = self._linking.settings
        reader = ProjectReader(self._linking.taxonomy(manifest.origin.get("taxonomy", BUNDLED_ID)))
        model = load_match_model(word, settings)
        return Matcher(manifest, reader, open_finder(manifest.name, model, settings=settings, progress=progress))
