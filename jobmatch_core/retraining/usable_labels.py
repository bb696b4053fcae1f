"""Check for training labels in a snapshot, before a training starts."""

from jobmatch_core.entities import PairKind
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.snapshot_store import open_snapshot
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retraining.tower_labels import require_labels, tower_labels
from jobmatch_core.settings import Settings
from jobmatch_core.towers.temporal_split import temporal_split


def require_tower_labels(snapshot: str, marketplace: str, share_test: float, settings: Settings) -> None:
    """Check that a training of towers can learn from a snapshot.

    Args:
        snapshot: its name.
        marketplace: its name.
        share_test: the share of projects, the latest, that are not trained on.
        settings: where both lie.

    Raises:
        LabellingError: the snapshot has no label of an older project of this marketplace.
        MarketplaceError: the marketplace is missing or damaged, or its projects cannot be split by date.
    """
    labels = open_snapshot(snapshot, settings).snapshot.labels
    market = MarketplaceStore.open(settings).load(marketplace)
    past, later = temporal_split(market, share_test) if share_test else (market, None)
    require_labels(tower_labels(labels, past, later), marketplace)


def require_title_labels(snapshot: str, taxonomy: str, settings: Settings) -> None:
    """Check that a training of the linker can learn from a snapshot.

    Args:
        snapshot: its name.
        taxonomy: its id.
        settings: where the snapshot lies.

    Raises:
        LabellingError: the snapshot has no judged title of this taxonomy.
    """
    pairs = [label.pair for label in open_snapshot(snapshot, settings).snapshot.labels]
    if not any(pair.kind is PairKind.TITLE_OCCUPATION and pair.source == taxonomy for pair in pairs):
        raise LabellingError(
            f"The snapshot {snapshot} has no judged titles of {taxonomy}; choose the taxonomy whose links were judged, "
            "or judge links of this one on the page 'Link titles' and freeze the labels again."
        )
