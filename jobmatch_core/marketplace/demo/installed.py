"""The demo marketplace as a newcomer finds it: made where there is no marketplace yet."""

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_manifest import MarketplaceManifest
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore

DEMO = "demo"


def install_demo(settings: Settings | None = None, *, progress: Progress = no_progress) -> MarketplaceManifest:
    """Make up the marketplace of 500 projects and 5,000 freelancers, in some seconds.

    Args:
        settings: where it is kept; the environment's where not given.
        progress: called with records made and records in all.

    Raises:
        MarketplaceError: there is one of that name already, or the disk refuses.
    """
    settings = settings or Settings.from_environment()
    store, spec = MarketplaceStore.open(settings), DemoSpec()
    store.refuse(DEMO, replace=False)
    taxonomy = TaxonomyStore.open(settings).load(BUNDLED_ID)
    blocks = demo_blocks(taxonomy, spec, progress=progress)
    return store.save(DEMO, blocks, origin=spec.origin(taxonomy), generated=True)
