"""Labels of pairs for training and testing the towers (Jouanneau et al. 2024, sections 3.2.2 and 4.2).

Labels are split by project and by time, never by pair: some projects are held out with all their interactions, and the
labels of the latest projects are used for tests only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from jobmatch_core.entities import Interaction, PairKind
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.labels import Label
from jobmatch_core.labelling.snapshot import open_snapshot
from jobmatch_core.labelling.splits import may_be_tested, split_by_project
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.metrics.judgment_metrics import JudgedPairs
from jobmatch_core.settings import Settings
from jobmatch_core.towers.document_pairs import temporal_split

SHARE_HELD_OUT = 0.2  # of the judged projects


@dataclass(frozen=True, slots=True)
class TowerLabels:
    """A marketplace's labels."""

    train: tuple[Label, ...]  # training labels
    held_out: tuple[Label, ...]  # labels of held-out projects
    later: tuple[Label, ...]  # labels of projects created after all training projects
    left_out: int  # number of labels of other marketplaces, and of freelancers or projects that no longer exist
    # n_looked_at, n_bulk: numbers of the others that somebody looked at, and of bulk decisions
    n_looked_at: int = 0
    n_bulk: int = 0


def tower_labels(
    labels: Sequence[Label], past: Marketplace, later: Marketplace | None, *, bulk: bool = False
) -> TowerLabels:
    """Split a snapshot's labels of projects and freelancers.

    Args:
        later: later projects; None if all are trained on.
        bulk: also train on bulk decisions; they are never used for measurement.
    """
    judged = [label for label in labels if label.pair.kind is PairKind.PROJECT_FREELANCER]
    ours = [label for label in judged if label.pair.source == past.name and label.pair.right in past.freelancer_rows]
    older = tuple(label for label in ours if label.pair.left in past.project_rows)
    newer = tuple(label for label in ours if later is not None and label.pair.left in later.project_rows)
    train, held_out = tuple(label for label in older if label.looked_at), tuple[Label, ...]()
    if len({label.pair.left for label in train}) > 1:
        split = split_by_project(train, SHARE_HELD_OUT)
        train, held_out = split.train, split.test
    if bulk:
        aside = {label.pair.left for label in held_out}
        train += tuple(
            label
            for label in older
            if not label.looked_at and label.pair.left not in aside and not may_be_tested(label, SHARE_HELD_OUT)
        )
    n_looked_at = sum(label.looked_at for label in (*older, *newer))
    return TowerLabels(
        train,
        held_out,
        tuple(label for label in newer if label.looked_at),
        len(judged) - len(older) - len(newer),
        n_looked_at,
        len(older) + len(newer) - n_looked_at,
    )


def with_labels(past: Marketplace, labels: TowerLabels) -> Marketplace:
    """Return the training marketplace: past interactions replaced by labels, without the held-out projects.

    Raises LabellingError if there is no training label.
    """
    require_labels(labels, past.name)
    aside = {label.pair.left for label in labels.held_out}
    labelled = {(label.pair.left, label.pair.right): label for label in labels.train}
    older = [
        interaction
        for interaction in past.interactions
        if interaction.project not in aside and (interaction.project, interaction.freelancer) not in labelled
    ]
    edges = [
        Interaction(project, freelancer, label.positive, label.at.date().isoformat())
        for (project, freelancer), label in labelled.items()
    ]
    rows = np.array([row for key, row in past.project_rows.items() if key not in aside], dtype=np.int32)
    return replace(
        past,
        projects=tuple(past.projects[row] for row in rows),
        interactions=(*older, *edges),
        truth=past.truth.with_projects(rows) if past.truth else None,
    )


def require_labels(labels: TowerLabels, marketplace: str) -> None:
    """Check that there are training labels; raises LabellingError if there are none."""
    if not labels.train:
        others = f" ({labels.left_out:,} of its labels are of other pairs)" if labels.left_out else ""
        others += f" ({labels.n_bulk:,} are bulk decisions; --bulk trains on them)" if labels.n_bulk else ""
        raise LabellingError(
            f"The snapshot has no training labels for projects of {marketplace}{others}; judge pairs of its older "
            "projects and freeze the labels again, or train on the marketplace's history alone."
        )


def require_tower_labels(
    snapshot: str, marketplace: str, share_test: float, settings: Settings, *, bulk: bool = False
) -> None:
    """Check before a training that a snapshot has training labels of a marketplace.

    Args:
        share_test: share of the latest projects to hold out.
        bulk: whether bulk decisions count.

    Raises:
        LabellingError: the snapshot has no label of an older project of this marketplace.
        MarketplaceError: the marketplace is missing or damaged, or its projects cannot be split by date.
    """
    labels = open_snapshot(snapshot, settings).snapshot.labels
    market = MarketplaceStore.open(settings).load(marketplace)
    past, later = temporal_split(market, share_test) if share_test else (market, None)
    require_labels(tower_labels(labels, past, later, bulk=bulk), marketplace)


def judged_pairs(labels: Sequence[Label], marketplace: Marketplace) -> JudgedPairs:
    """Return labels as rows of a marketplace, which must have all their pairs."""
    return JudgedPairs(
        np.array([marketplace.project_rows[label.pair.left] for label in labels], dtype=np.intp),
        np.array([marketplace.freelancer_rows[label.pair.right] for label in labels], dtype=np.intp),
        np.array([label.positive for label in labels], dtype=np.bool_),
    )
