"""Labels of pairs as relations beside a marketplace's older interactions, and labels to measure with.

Paper: Jouanneau et al. (2024), sections 3.2.2 and 4.2: 1 where the skills match, -1 where they do not, nothing where
nobody is sure. Labels are split by project and by time, never by pair: those of some projects are put aside, with all
that is known of these projects, and those of the projects that came last are only ever measured with.
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
    """A marketplace's labels.

    Attributes:
        train: training labels.
        held_out: labels of held-out projects.
        later: labels of projects created after all training projects.
        left_out: number of labels of another marketplace, or of a freelancer or project that no longer exists.
        n_looked_at, n_bulk: numbers of the others that somebody looked at, and decided on only in bulk.
    """

    train: tuple[Label, ...]
    held_out: tuple[Label, ...]
    later: tuple[Label, ...]
    left_out: int
    n_looked_at: int = 0
    n_bulk: int = 0


def tower_labels(
    labels: Sequence[Label], past: Marketplace, later: Marketplace | None, *, bulk: bool = False
) -> TowerLabels:
    """Split a snapshot's labels of projects and freelancers.

    Args:
        labels: labels of any pairs.
        past: marketplace of the training projects.
        later: the projects since, None if all are trained on.
        bulk: also train on pairs that were only decided on in bulk; none is ever measured with.
    """
    judged = [label for label in labels if label.pair.kind is PairKind.PROJECT_FREELANCER]
    ours = [each for each in judged if each.pair.source == past.name and each.pair.right in past.freelancer_rows]
    known = tuple(each for each in ours if each.pair.left in past.project_rows)
    newer = tuple(each for each in ours if later is not None and each.pair.left in later.project_rows)
    train, held_out = tuple(each for each in known if each.looked_at), tuple[Label, ...]()
    if len({each.pair.left for each in train}) > 1:
        split = split_by_project(train, SHARE_HELD_OUT)
        train, held_out = split.train, split.test
    if bulk:
        aside = {each.pair.left for each in held_out}
        train += tuple(
            each
            for each in known
            if not each.looked_at and each.pair.left not in aside and not may_be_tested(each, SHARE_HELD_OUT)
        )
    n_looked_at = sum(each.looked_at for each in (*known, *newer))
    return TowerLabels(
        train,
        held_out,
        tuple(each for each in newer if each.looked_at),
        len(judged) - len(known) - len(newer),
        n_looked_at,
        len(known) + len(newer) - n_looked_at,
    )


def with_labels(past: Marketplace, labels: TowerLabels) -> Marketplace:
    """Return the training marketplace: the past with the labels as interactions, without the held-out projects.

    A label replaces the marketplace's interaction of its pair: it was given by an annotator who read both.

    Raises:
        LabellingError: there is no training label.
    """
    require_labels(labels, past.name)
    aside = {label.pair.left for label in labels.held_out}
    labelled = {(label.pair.left, label.pair.right): label for label in labels.train}
    older = [
        each
        for each in past.interactions
        if each.project not in aside and (each.project, each.freelancer) not in labelled
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
    """Check that there are training labels.

    Raises:
        LabellingError: there are none.
    """
    if not labels.train:
        others = f" ({labels.left_out:,} of its labels belong to something else)" if labels.left_out else ""
        others += f" ({labels.n_bulk:,} were accepted in bulk, which --bulk trains on)" if labels.n_bulk else ""
        raise LabellingError(
            f"The snapshot has no label of projects of {marketplace} to learn from{others}; judge pairs of its older "
            "projects and freeze the labels again, or train on the marketplace's history alone."
        )


def require_tower_labels(
    snapshot: str, marketplace: str, share_test: float, settings: Settings, *, bulk: bool = False
) -> None:
    """Check, before a training of towers starts, that it can learn from a snapshot.

    Args:
        snapshot: name of the snapshot.
        marketplace: name of the marketplace.
        share_test: share of the latest projects that are held out.
        settings: location of both.
        bulk: whether pairs that were only decided on in bulk count.

    Raises:
        LabellingError: the snapshot has no label of an older project of this marketplace.
        MarketplaceError: the marketplace is missing or damaged, or its projects cannot be split by date.
    """
    labels = open_snapshot(snapshot, settings).snapshot.labels
    market = MarketplaceStore.open(settings).load(marketplace)
    past, later = temporal_split(market, share_test) if share_test else (market, None)
    require_labels(tower_labels(labels, past, later, bulk=bulk), marketplace)


def judged_pairs(labels: Sequence[Label], marketplace: Marketplace) -> JudgedPairs:
    """Return labels as rows of a marketplace, all of whose pairs are in it."""
    return JudgedPairs(
        np.array([marketplace.project_rows[each.pair.left] for each in labels], dtype=np.intp),
        np.array([marketplace.freelancer_rows[each.pair.right] for each in labels], dtype=np.intp),
        np.array([each.positive for each in labels], dtype=np.bool_),
    )
