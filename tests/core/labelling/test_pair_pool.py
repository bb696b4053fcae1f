"""The pool of pairs worth judging: what a model ranks high, by a naive loop, and a sample that no score decides."""

from collections.abc import Sequence

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray, Freelancer, Pair, PairKind, Project
from jobmatch_core.labelling.pair_pool import PairPool, PoolSize, pair_pool
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.matches import Arrangement, MatchOrder
from jobmatch_core.settings import Settings
from tests import made_marketplace
from tests.hashing_model import HashingModel

SMALL = PoolSize(projects=8, best=3, drawn=4, sample=10, searched=6)


class BackwardsModel(HashingModel):
    """Finds alike what the other model finds unlike."""

    def __init__(self) -> None:
        """Take another name, too."""
        super().__init__(name="backwards")

    def encode_projects(self, projects: Sequence[Project]) -> FloatArray:
        """Turn the vectors around."""
        return -super().encode_projects(projects)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A home with the tiny marketplace: 20 projects, 24 freelancers."""
    settings = Settings(tmp_path_factory.mktemp("home"))
    MarketplaceStore.open(settings).save("tiny", made_marketplace.marketplace().blocks(), origin={}, generated=True)
    return settings


@pytest.fixture(scope="module")
def market(settings: Settings) -> Marketplace:
    """The stored marketplace."""
    return MarketplaceStore.open(settings).load("tiny")


@pytest.fixture(scope="module")
def finder(settings: Settings) -> Finder:
    """Its freelancers by a model that counts words."""
    return open_finder("tiny", HashingModel(), settings=settings)


@pytest.fixture(scope="module")
def pool(market: Marketplace, finder: Finder) -> PairPool:
    """A small pool."""
    return pair_pool(market, finder, size=SMALL)


def test_the_best_of_each_project_are_in_it(pool: PairPool, market: Marketplace, finder: Finder) -> None:
    """With the ranks and scores by similarity; a naive loop over the answers of a finder without a ranker."""
    by_similarity = Finder(finder.model, finder.store, finder.profiles)
    rows = {(pair.left, pair.right): row for row, pair in enumerate(pool.pairs)}
    projects = {pair.left for pair in pool.pairs}
    assert len(projects) == SMALL.projects
    for key in projects:
        project = market.projects[market.project_rows[key]]
        for match in by_similarity.match(project, limit=SMALL.best, arrangement=Arrangement(MatchOrder.FIT)):
            row = rows[key, match.freelancer.id]
            assert pool.ranks[row] == match.rank
            assert pool.scores[row] == pytest.approx(match.score)


def test_every_score_is_the_models(pool: PairPool, market: Marketplace, finder: Finder) -> None:
    """Also of those that were drawn and rank too low to be searched for."""
    freelancers: dict[str, Freelancer] = {each.id: each for each in market.freelancers}
    for row, pair in enumerate(pool.pairs):
        [project] = finder.model.encode_projects([market.projects[market.project_rows[pair.left]]])
        [profile] = finder.model.encode_freelancers([freelancers[pair.right]])
        assert pool.scores[row] == pytest.approx(float(project @ profile), abs=1e-5)
        rank = pool.ranks[row]
        assert rank is None or 1 <= rank <= SMALL.searched


def test_a_row_is_a_pair_of_the_marketplace(pool: PairPool, market: Marketplace) -> None:
    """All are different, and carry the categories of both sides."""
    assert len(set(pool.pairs)) == len(pool) == len(pool.row_of)
    freelancers = {each.id: each for each in market.freelancers}
    for row, pair in enumerate(pool.pairs):
        assert pair == Pair(PairKind.PROJECT_FREELANCER, "tiny", pair.left, pair.right)
        assert pool.left_languages[row] == market.projects[market.project_rows[pair.left]].language
        assert pool.right_languages[row] == freelancers[pair.right].language
        assert pool.left_categories[row] == market.projects[market.project_rows[pair.left]].category
        assert pool.right_categories[row] == freelancers[pair.right].category
        assert pool.row_of[pair] == row
    assert pool.model == HashingModel().name


def test_the_sample_is_drawn_by_no_score(pool: PairPool, market: Marketplace, settings: Settings) -> None:
    """Another model has the same one, and there are as many of each project."""
    turned = pair_pool(market, open_finder("tiny", BackwardsModel(), settings=settings), size=SMALL)
    sample, other = ({each.pairs[row] for row in np.flatnonzero(each.drawn)} for each in (pool, turned))
    assert sample == other
    assert len(sample) == SMALL.projects * SMALL.drawn
    assert set(pool.pairs) != set(turned.pairs)


def test_two_models(pool: PairPool, market: Marketplace, finder: Finder, settings: Settings) -> None:
    """What either ranks high is in it; the other's scores turn round, down to where they are known."""
    both = pair_pool(market, finder, open_finder("tiny", BackwardsModel(), settings=settings), size=SMALL)
    assert set(pool.pairs) < set(both.pairs)
    assert pool.other_scores is None
    assert both.other_scores is not None
    drawn = np.flatnonzero(both.drawn)
    np.testing.assert_allclose(both.other_scores[drawn], -both.scores[drawn], atol=1e-5)


def test_a_larger_pool_than_there_is(market: Marketplace, finder: Finder) -> None:
    """All pairs, each once, and the whole of it is told as progress."""
    told: list[tuple[int, int]] = []
    everything = pair_pool(
        market, finder, size=PoolSize(100, 100, 100, 100, 100), progress=lambda *step: told.append(step)
    )
    assert len(everything) == 20 * 24
    assert everything.drawn.all()
    assert None not in everything.ranks
    assert told[-1] == (20, 20)


def test_no_projects(settings: Settings, finder: Finder) -> None:
    """An empty pool, not an error."""
    empty = pair_pool(Marketplace("tiny", (), made_marketplace.freelancers(), ()), finder)
    assert len(empty) == 0
    assert empty.scores.shape == (0,)
    assert empty.drawn.shape == (0,)
