"""Installation of the demo marketplace, if there is no marketplace yet."""

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_manifest import MarketplaceManifest
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore

DEMO = "demo"


def install_demo(settings: Settings | None = None, *, progress: Progress = no_progress) -> MarketplaceManifest:
    """Generate and store the demo marketplace of 500 projects and 5,000 freelancers, in some seconds.

    Args:
        settings: locations of stored files; from the environment by default.
        progress: called with records generated and records in total.

    Raises:
        MarketplaceError: a marketplace of that name exists already, or the disk refuses.
    """
    settings = settings or Settings.from_environment()
    store, spec = MarketplaceStore.open(settings), DemoSpec()
    store.refuse(DEMO, replace=False)
    taxonomy = TaxonomyStore.open(settings).load(BUNDLED_ID)
    blocks = demo_blocks(taxonomy, spec, progress=progress)
    return store.save(DEMO, blocks, origin=spec.origin(taxonomy), generated=True)
