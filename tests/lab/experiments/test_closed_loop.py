"""The oracle, the pool and the loop of judging and retraining, on tiny marketplaces; that it goes on when stopped."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import MarketplaceError
from jobmatch_core.labelling.pair_pool import PoolSize
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from lab.experiments.closed_loop import ClosedLoop, LoopRound, LoopSetting, Oracle, scored_pool
from lab.experiments.loop_runs import Curve, dataset_of, loop_runs, mean_points, run_loop
from tests.made_marketplace import marketplace

AT = datetime(2026, 1, 5, tzinfo=UTC)
SETTING = LoopSetting(
    projects=12, freelancers=30, per_round=10, first_epochs=1, epochs=1, pool=PoolSize(best=5, drawn=3)
)


def test_the_oracle_knows_the_truth() -> None:
    """Even freelancers master their trade, and nothing else; the same pair gets the same id."""
    market = marketplace(2)
    pairs = [Pair(PairKind.PROJECT_FREELANCER, "tiny", "p-web-0", each) for each in ("f-web-0", "f-web-1", "f-data-0")]
    asked = [(pair, Provenance("random")) for pair in pairs]
    said = Oracle(market).judgments(asked, AT)
    assert [each.verdict for each in said] == [Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.NEGATIVE]
    assert [(each.at - AT).total_seconds() for each in said] == [0, 8, 16]
    assert [each.id for each in Oracle(market).judgments(asked[::-1], AT)] == [each.id for each in said[::-1]]
    assert len({each.id for each in said}) == 3
    with pytest.raises(MarketplaceError, match="no hidden truth"):
        Oracle(replace(market, truth=None))


def test_the_pool_by_hand() -> None:
    """Of two projects the best two of each model, and one by chance; the fair sample is the same for all models."""
    market = replace(marketplace(1), projects=marketplace(1).projects[:2])
    random = np.random.default_rng(1)
    scores, other = random.random((2, 24), dtype=np.float32), random.random((2, 24), dtype=np.float32)
    pool = scored_pool(market, "m", scores, other, PoolSize(best=2, drawn=1), seed=4)
    again = scored_pool(market, "m", other, None, PoolSize(best=2, drawn=1), seed=4)
    assert pool.other_scores is not None
    for row, pair in enumerate(pool.pairs):
        at = market.project_rows[pair.left], market.freelancer_rows[pair.right]
        assert (pool.scores[row], pool.other_scores[row]) == (scores[at], other[at])
    for project in range(2):
        mine = {market.freelancer_rows[pair.right] for pair in pool.pairs if market.project_rows[pair.left] == project}
        best = {*np.argsort(-scores[project])[:2].tolist(), *np.argsort(-other[project])[:2].tolist()}
        assert best <= mine
        assert len(mine - best) <= 1
    drawn = [[each.pairs[row] for row in np.flatnonzero(each.drawn)] for each in (pool, again)]
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) == 2


@pytest.mark.long
def test_rounds_that_are_stopped_go_on(tmp_path: Path, jobmatch_home: Path) -> None:
    """The same judgments and figures as without a stop; nothing is judged twice, nothing of the test projects."""
    taxonomy = TaxonomyStore.open().load(BUNDLED_ID)
    whole = list(ClosedLoop(taxonomy, SETTING, 1).rounds("uncertain", 2))
    assert [each.judgments for each in whole] == [0, 10, 20]
    judged = [key for each in whole for key in each.judged]
    assert len(set(judged)) == 20
    late = list(ClosedLoop(taxonomy, SETTING, 1).rounds("uncertain", 2, whole[:2]))
    assert [replace(each, seconds=0) for each in late] == [replace(whole[2], seconds=0)]
    assert all(0 <= each.ndcg_at_10 <= 1 and each.positive <= each.judgments for each in whole)


def loop_round(judgments: int, ndcg: float, positive: int = 0) -> LoopRound:
    """Return a round with figures that are easy to add up."""
    return LoopRound(judgments, positive, ndcg / 2, ndcg, 0.7, 1.0, (("p", "f"),))


def test_kept_round_by_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is not there is simulated; another setting begins anew; the file answers less, too."""
    seen: list[tuple[str, int]] = []

    class Loop:
        def __init__(self, taxonomy: object, setting: object, seed: int) -> None:
            self.seed = seed

        def rounds(self, policy: str, count: int, done: tuple[LoopRound, ...]) -> object:
            for number in range(len(done), count + 1):
                seen.append((policy, self.seed))
                yield loop_round(10 * number, 0.1 * self.seed + 0.01 * number)

    monkeypatch.setattr("lab.experiments.loop_runs.ClosedLoop", Loop)
    store = loop_runs(Settings(tmp_path))
    first = run_loop(SETTING, ["random"], 2, 1, store)
    assert len(seen) == 4
    progress: list[tuple[int, int]] = []
    both = run_loop(SETTING, ["random", "uncertain"], 2, 2, store, progress=lambda *each: progress.append(each))
    assert len(seen) == 4 + 2 + 6
    assert progress[-1] == (12, 12)
    assert run_loop(SETTING, ["random"], 2, 1, store) == first
    assert len(seen) == 12
    assert len(store.runs(dataset_of(SETTING))) == 4
    assert store.runs(dataset_of(replace(SETTING, epochs=9))) == ()
    points = mean_points(both)
    assert [(each.policy, each.judgments) for each in points] == [
        (policy, count) for policy in ("random", "uncertain") for count in (0, 10, 20)
    ]
    assert points[4].ndcg_at_10 == pytest.approx(0.16)
    assert points[4].over_random == pytest.approx(0.0)


def test_means_and_what_is_better_than_random() -> None:
    """Seeds 1 and 2: .3 and .5 against random's .2 and .5: a tenth and nothing."""
    curves = [
        Curve("random", 1, (loop_round(10, 0.2, 5),)),
        Curve("random", 2, (loop_round(10, 0.5, 1),)),
        Curve("uncertain", 1, (loop_round(10, 0.3, 4),)),
        Curve("uncertain", 2, (loop_round(10, 0.5, 4),)),
    ]
    random, uncertain = mean_points(curves)
    assert (random.positive, uncertain.positive) == (pytest.approx(0.3), pytest.approx(0.4))
    assert (uncertain.seeds, uncertain.over_random) == (2, pytest.approx(0.05))
    assert mean_points(curves[2:])[0].over_random is None
