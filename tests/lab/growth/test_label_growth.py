"""What is measured of the label store: the steps do what their names say. How long they take is not tested."""

from pathlib import Path

from db.label_store import LabelStore
from jobmatch_core.labelling.labels import current_judgments
from lab.growth.growth_series import GrowthSetting
from lab.growth.label_growth import POOL, label_growth


def test_the_series() -> None:
    """A million judgments, or a share."""
    [series] = label_growth(GrowthSetting(share=0.001))
    assert series.sizes == (12, 37, 111, 333, 1000)
    assert list(series.steps)[-1] == "record 1,000 at once"


def test_every_step_does_its_work(tmp_path: Path) -> None:
    """The history is as long as asked for: two people to a pair, all of it current; then each step adds to it."""
    [series] = label_growth(GrowthSetting(share=0.001))
    with series.prepare(60, tmp_path) as work, LabelStore.open(tmp_path / "labels.db") as store:
        history = list(store.as_recorded())
        assert len(history) == len(current_judgments(history)) == 60
        assert len({each.pair for each in history}) == 30
        assert len({each.verdict for each in history}) == 3
        added = {}
        for name, step in series.steps.items():
            before = store.count()
            step(work)
            added[name] = store.count() - before
    assert added == {
        "record one": 1,
        "from a verdict to the next pair": 1,
        "order a queue": 0,
        "order a queue with second opinions": 0,
        "counts of a page": 0,
        "statistics": 0,
        "agreement": 0,
        "workload": 0,
        "map's labels": 0,
        "snapshot": 0,
        "record 1,000 at once": 1000,
    }
    assert len(list(tmp_path.glob("snapshot-*/judgments.jsonl"))) == 1


def test_the_desk_goes_on(tmp_path: Path) -> None:
    """Every verdict is on another pair, and of the pool."""
    [series] = label_growth(GrowthSetting(share=0.001))
    with series.prepare(10, tmp_path) as work:
        for _ in range(30):
            work.next_pair()
    with LabelStore.open(tmp_path / "labels.db") as store:
        judged = [each.pair for each in store.as_recorded()][10:]
    assert len(set(judged)) == 30
    assert len(work._pool) == POOL
    assert set(judged) <= set(work._pool.pairs)
