"""Marketplaces, their finders and rankings, shared by all sessions."""

from collections.abc import Sequence

from jobmatch.services.background_call import Background
from jobmatch.services.home_services import home_services
from jobmatch_core.entities import Freelancer, Project
from jobmatch_core.labelling.pair_pool import PairPool, pair_pool
from jobmatch_core.marketplace.demo.generator import install_demo
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_store import Facets, MarketplaceManifest, MarketplaceStore, read_facets
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.match_reasons import OpenFinder, score_words
from jobmatch_core.retrieval.matches import Arrangement, Contributions, Match
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.vector_stores.vector_store import Filters
from pages.shared import resources
from pages.shared.cache import cached

_RANKED = 100  # freelancers in a ranking
_RANKINGS = 128  # cached rankings of a hundred freelancers, or reasons for ten


@cached(lambda: "", most=5, seconds=resources.LISTING_SECONDS)
def installed() -> list[MarketplaceManifest]:
    """Return the stored marketplaces."""
    return MarketplaceStore.open(Settings.from_environment()).installed()


@cached(lambda: "", most=2)
def making_demo() -> "Background[MarketplaceManifest]":
    """Generate the demo marketplace."""
    settings = Settings.from_environment()
    return Background(lambda progress: install_demo(settings, progress=progress))


def forget_demo() -> None:
    """Clear the list of marketplaces after the demo was generated; a removed demo can be generated again."""
    installed.clear()
    making_demo.clear()


def _market_key(manifest: MarketplaceManifest) -> tuple[str, str]:
    return manifest.name, manifest.created


@cached(_market_key, most=4)  # each with the last few thousand projects that were viewed
def load(manifest: MarketplaceManifest) -> Marketplace:
    """Open a marketplace; records are read on demand."""
    return MarketplaceStore.open(Settings.from_environment()).load(manifest.name)


@cached(_market_key, most=4)
def facets(manifest: MarketplaceManifest) -> Facets:
    """Return the values that a marketplace's freelancers can be filtered by."""
    return read_facets(manifest.name, Settings.from_environment())


def taxonomy(manifest: MarketplaceManifest) -> Taxonomy:
    """Load the taxonomy of a marketplace's skills and categories."""
    return home_services().matching.taxonomy(manifest)


def _finder_key(manifest: MarketplaceManifest, finder: Finder) -> tuple[str, ...]:
    return *_market_key(manifest), finder.model.name  # the name identifies the model's content


@cached(_finder_key, most=3)
def with_words(manifest: MarketplaceManifest, finder: Finder) -> OpenFinder:
    """Add the words for a finder's scores, which takes half a second."""
    market = load(manifest)
    words = [score_words(finder, market, categories=categories) for categories in (True, False)]
    return OpenFinder(repr(_finder_key(manifest, finder)), finder, *words)


@cached(lambda opened, project, filters, arrangement: (opened.key, project, filters, arrangement), most=_RANKINGS)
def ranking(opened: OpenFinder, project: Project, filters: Filters, arrangement: Arrangement) -> list[Match]:
    """Return the best hundred freelancers for a project in an arrangement, without reasons."""
    return opened.finder.match(project, filters, _RANKED, arrangement)


@cached(lambda opened, filters: (opened.key, filters), most=_RANKINGS)
def passing(opened: OpenFinder, filters: Filters) -> int:
    """Return the number of freelancers that pass the filters."""
    return opened.finder.store.count(filters)


@cached(
    lambda opened, project, freelancers: (opened.key, project, [freelancer.id for freelancer in freelancers]),
    most=_RANKINGS,
)
def contributions(opened: OpenFinder, project: Project, freelancers: Sequence[Freelancer]) -> list[Contributions]:
    """Return the reasons why each freelancer fits a project."""
    return opened.finder.contributions(project, freelancers)


@cached(
    lambda manifest, *finders: (*_market_key(manifest), [finder.key for finder in finders]),
    most=4,  # 10,000 pairs or so take 5 MB
)
def pooling(manifest: MarketplaceManifest, *finders: OpenFinder) -> "Background[PairPool]":
    """Collect the pairs to judge, by one model or two."""
    market = load(manifest)
    return Background(lambda progress: pair_pool(market, *(opened.finder for opened in finders), progress=progress))
