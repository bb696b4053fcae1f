"""What people read of pairs: from a stored marketplace and an installed taxonomy."""

from pathlib import Path

import pytest

from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.errors import MarketplaceError, TaxonomyError
from jobmatch_core.labelling.exports import PairTexts, StoredTexts
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.towers.documents import freelancer_document, project_document
from tests.made_marketplace import marketplace


@pytest.fixture
def texts(jobmatch_home: Path) -> StoredTexts:
    """The texts of a home with a made marketplace called `made`."""
    settings = Settings(jobmatch_home)
    MarketplaceStore.open(settings).save("made", marketplace().blocks(), origin={}, generated=True)
    return StoredTexts(settings)


def test_a_project_and_a_freelancer(texts: StoredTexts) -> None:
    """All sections of either that somebody filled, a line each."""
    made = marketplace()
    project, freelancer = made.projects[1], made.freelancers[2]
    pair = Pair(PairKind.PROJECT_FREELANCER, "made", project.id, freelancer.id)
    assert texts(pair) == PairTexts(project_document(project).whole, freelancer_document(freelancer).whole)
    assert project.title in texts(pair).left.splitlines()


def test_a_title_and_an_occupation(texts: StoredTexts) -> None:
    """The occupation's English name, its code and what it is about."""
    pair = Pair(PairKind.TITLE_OCCUPATION, "isco-08", "Koch", "http://data.europa.eu/esco/isco/C5120")
    left, right = texts(pair).left, texts(pair).right.splitlines()
    assert (left, right[0]) == ("Koch", "Cooks (5120)")
    assert len(right[1]) > 20


def test_two_titles_are_their_own_texts(texts: StoredTexts) -> None:
    """Nothing is looked up."""
    assert texts(Pair(PairKind.TITLE_TITLE, "", "Koch", "cook")) == PairTexts("Koch", "cook")


@pytest.mark.parametrize(
    ("pair", "error"),
    [
        (Pair(PairKind.PROJECT_FREELANCER, "gone", "p", "f"), MarketplaceError),
        (Pair(PairKind.PROJECT_FREELANCER, "made", "nobody", "f"), KeyError),
        (Pair(PairKind.TITLE_OCCUPATION, "gone", "Koch", "x"), TaxonomyError),
        (Pair(PairKind.TITLE_OCCUPATION, "isco-08", "Koch", "nothing"), TaxonomyError),
    ],
)
def test_what_is_not_there_is_an_error(texts: StoredTexts, pair: Pair, error: type[Exception]) -> None:
    """A marketplace, a project, a taxonomy or an occupation."""
    with pytest.raises(error):
        texts(pair)
