"""Five annotators at one pool: nobody gets a pair twice, each pair its judgments, and everybody their share."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from db.label_store import LabelStore
from jobmatch_core.errors import LabellingError
from jobmatch_core.quotas import Quotas
from lab.speed import simulated_annotators
from lab.speed.simulated_annotators import simulate_annotators
from tests.db.settled_pairs import pair_verdicts

SHARES = (("ann", 0.25), ("bob", 0.25), ("cem", 0.2), ("dora", 0.2), ("eva", 0.1))


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less for others at the end."""
    monkeypatch.setattr(simulated_annotators, "_PATIENCE", 0.6)


@pytest.mark.long
@pytest.mark.parametrize("judgments", [*(pytest.param(number, marks=pytest.mark.thorough) for number in (1,)), 3])
def test_the_work_is_shared(tmp_path: Path, judgments: int) -> None:
    """Of 300 judgments, by what was recorded, too: every pair has all of its own, everybody their exact share."""
    quotas, n_pairs = Quotas(judgments, SHARES), 300 // judgments
    path = tmp_path / "labels.db"
    work = simulate_annotators(path, quotas, n_pairs, ThreadPoolExecutor(len(SHARES)))
    assert (work.drawn_twice, work.overlap_off) == (0, 0)
    with LabelStore.open(path) as store:
        assert store.count() == work.draws == store.counts().total
        by_annotator = store.counts().by_annotator
        verdicts = pair_verdicts(store)
    assert work.shares == {name: count / work.draws for name, count in by_annotator.items()}
    assert [each.positive for each in verdicts] == [judgments] * n_pairs
    assert by_annotator == {name: 300 * share for name, share in SHARES}
    assert work.share_off == 0


@pytest.mark.long
def test_anyone_takes_the_next(tmp_path: Path) -> None:
    """Whoever is faster judges more; still each pair is judged by two people, and by nobody twice."""
    path = tmp_path / "labels.db"
    work = simulate_annotators(path, Quotas(2, SHARES), 100, ThreadPoolExecutor(len(SHARES)), own_share=False)
    assert (work.drawn_twice, work.overlap_off) == (0, 0)
    with LabelStore.open(path) as store:
        assert {each.positive for each in pair_verdicts(store)} <= {1, 2}
        assert len(pair_verdicts(store)) == 100


def test_a_store_in_use_is_not_written_to(tmp_path: Path) -> None:
    """What is simulated could never be removed."""
    path = tmp_path / "labels.db"
    quotas = Quotas(1, (("ann", 1.0),))
    simulate_annotators(path, quotas, 10, ThreadPoolExecutor(1))
    with pytest.raises(LabellingError, match="empty label store"):
        simulate_annotators(path, quotas, 10, ThreadPoolExecutor(1))
