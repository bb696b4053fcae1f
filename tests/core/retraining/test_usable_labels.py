"""A snapshot that a training cannot learn from is refused before the training starts."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from jobmatch_core.entities import Judgment, Pair, PairKind
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.snapshot_store import Snapshots
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retraining.usable_labels import require_title_labels, require_tower_labels
from jobmatch_core.settings import Settings
from tests.core.labelling.made_judgments import judgment
from tests.made_marketplace import marketplace

AT = datetime(2026, 11, 21, 9, tzinfo=UTC)


def of_project(project: str, source: str = "tiny") -> Judgment:
    """Judge a freelancer for a project."""
    return judgment("+", of=Pair(PairKind.PROJECT_FREELANCER, source, project, "f-web-0"))


def of_title(source: str) -> Judgment:
    """Judge an occupation for a title."""
    return judgment("+", of=Pair(PairKind.TITLE_OCCUPATION, source, "nurse", "http://x"))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A home with a marketplace of five projects a trade, two of which are later."""
    settings = Settings(tmp_path)
    MarketplaceStore.open(settings).save("tiny", marketplace(5).blocks(), origin={}, generated=True)
    return settings


def freeze(settings: Settings, *judgments: Judgment) -> str:
    """Freeze judgments and return the snapshot's name."""
    return Snapshots(settings).freeze(judgments, AT).name


def test_labels_of_older_projects_will_do(settings: Settings) -> None:
    """One is enough."""
    require_tower_labels(freeze(settings, of_project("p-web-0")), "tiny", 0.4, settings)


@pytest.mark.parametrize(
    "given", [of_project("p-web-0", "another"), of_project("p-web-4"), of_title("isco-08")],
    ids=["another marketplace", "a project to test on", "a title"],
)  # fmt: skip
def test_labels_of_something_else(settings: Settings, given: Judgment) -> None:
    """It is said what to do."""
    with pytest.raises(LabellingError, match=r"no label of projects of tiny to learn from.*judge pairs of its older"):
        require_tower_labels(freeze(settings, given), "tiny", 0.4, settings)


def test_titles_of_another_taxonomy(settings: Settings) -> None:
    """Only those of the chosen one count."""
    snapshot = freeze(settings, of_title("isco-08"))
    require_title_labels(snapshot, "isco-08", settings)
    with pytest.raises(LabellingError, match=r"no judged titles of esco-1\.2; choose the taxonomy"):
        require_title_labels(snapshot, "esco-1.2", settings)
