"""Runs on disk: what is kept, what takes another's place, two at once, damage."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from jobmatch_core.benchmarks.retrieval.run_store import RunStore
from jobmatch_core.errors import DataFileError


@dataclass(frozen=True, slots=True)
class Part:
    """What lies in a run."""

    language: str
    mrr: float | None


@dataclass(frozen=True, slots=True)
class Trial:
    """A run."""

    model: str
    mrr: float
    versions: dict[str, str]
    parts: tuple[Part, ...] = ()

    def repeats(self, other: "Trial") -> bool:
        """The same model."""
        return self.model == other.model


BAG = Trial("bag", 0.25, {"numpy": "2"}, (Part("de", 1.0), Part("en", None)))


def opened(folder: Path) -> RunStore[Trial]:
    """Return a store of layout 1."""
    return RunStore(folder, Trial, 1)


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    """Record for record, in order, each dataset by itself; nothing is there at first."""
    store, tree = opened(tmp_path / "a" / "kept"), Trial("tree", 1.0, {})
    assert store.runs("demo") == ()
    for dataset, run in (("demo", BAG), ("demo", tree), ("other", BAG)):
        store.add(dataset, run)
    assert (store.runs("demo"), store.runs("other")) == ((BAG, tree), (BAG,))
    assert sorted(path.name for path in store.folder.iterdir()) == ["demo.json", "lock", "other.json"]
    assert json.loads(store.path("demo").read_text("utf-8"))["runs"][0]["parts"][1]["mrr"] is None


def test_a_repetition_takes_the_earlier_ones_place(tmp_path: Path) -> None:
    """A repeated run replaces the earlier one and stands last."""
    store, tree, better = opened(tmp_path), Trial("tree", 1.0, {}), Trial("bag", 0.5, {})
    for run in (BAG, tree, better):
        store.add("demo", run)
    assert store.runs("demo") == (tree, better)


def test_two_may_measure_at_once(tmp_path: Path) -> None:
    """What one adds while another does is not lost."""
    names = [f"model {number}" for number in range(12)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda name: opened(tmp_path).add("demo", Trial(name, 0.5, {})), names))
    assert sorted(each.model for each in opened(tmp_path).runs("demo")) == sorted(names)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"format": 0, "runs": []}',
        '{"format": 1}',
        '{"format": 1, "runs": [{"model": "x"}]}',
        '{"format": 1, "runs": [{"model": "x", "mrr": 1, "versions": []}]}',
    ],
    ids=["empty", "a list", "another release's", "no runs", "half a run", "a list for a table"],
)
def test_damage_is_told(tmp_path: Path, content: str) -> None:
    """Damage is an error, not 'nothing measured yet', since the next run would overwrite hours of work."""
    (tmp_path / "demo.json").write_text(content, "utf-8")
    with pytest.raises(DataFileError, match="delete the file"):
        opened(tmp_path).add("demo", BAG)
    assert (tmp_path / "demo.json").read_text("utf-8") == content
