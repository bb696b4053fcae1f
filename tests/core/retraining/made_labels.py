"""Labels of projects and freelancers of the tiny marketplace."""

from datetime import UTC, datetime, timedelta

from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.labelling.labels import Label, Resolution
from jobmatch_core.marketplace.marketplace import Marketplace
from tests.made_marketplace import PER_TRADE

AT = datetime(2026, 3, 1, tzinfo=UTC)


def label(left: str, right: str, positive: bool = True, *, source: str = "tiny", minute: int = 0) -> Label:
    """Return a label of a project and a freelancer."""
    pair = Pair(PairKind.PROJECT_FREELANCER, source, left, right)
    return Label(pair, positive, Resolution.UNANIMOUS, AT + timedelta(minutes=minute), ())


def labels_by_language(market: Marketplace) -> list[Label]:
    """Return labels by which a freelancer of the trade fits if both speak the same language."""
    return [
        label(project.id, freelancer.id, project.language == freelancer.language)
        for project in market.projects
        for trade in [project.id.split("-")[1]]
        for freelancer in market.freelancers
        if freelancer.id in {f"f-{trade}-{number}" for number in range(PER_TRADE)}
    ]
