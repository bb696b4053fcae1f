"""Processes that are killed at random moments: nothing is lost, doubled or there by halves, and the old stays in use.

Promotions with `make test-all`; all others, and more kills of each, with `make test-long`.
"""

import csv
import json
import random
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

import pytest

from jobmatch_core.linking.batch import link_file
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Action, Registry
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.towers.two_towers import TwoTowers
from tests.core.linking.made_files import TITLED
from tests.core.towers.made_towers import Words
from tests.faults import writers
from tests.hostile_models import NO_WEIGHTS

pytestmark = pytest.mark.thorough  # processes that are killed

FEW, MANY = 3, 20
kills = pytest.mark.parametrize("n_kills", [FEW, pytest.param(MANY, marks=pytest.mark.long)])


@dataclass
class Killer:
    """Starts a process again and again, and kills it at random moments.

    Attributes:
        forks: what its processes are forked by.
        work: what it does; the last argument is the pipe.
        arguments: all others.
        longest: seconds that it is left alone at most.
        said: what it told in all of its lives, in order.
        finished: whether it came to its end by itself; one that is not may have been killed just before its end.
    """

    forks: ForkServerContext
    work: Callable[..., None]
    arguments: tuple[Any, ...]
    longest: float
    seed: int = 0
    said: list[str] = field(default_factory=list)
    finished: bool = False

    def __post_init__(self) -> None:
        """Begin a row of random moments."""
        self._draw = random.Random(self.seed)

    def strike(self) -> None:
        """Let it begin, and kill it a moment later."""
        with self._running() as (process, receiver):
            receiver.recv()
            process.join(self._draw.uniform(0, self.longest))
            self.finished = process.exitcode == 0
            process.kill()

    def let_live(self) -> None:
        """Let it come to its end."""
        with self._running() as (process, _):
            process.join()
            assert process.exitcode == 0

    def _running(self) -> "_Life":
        return _Life(self)


class _Life:
    """One life of the process."""

    def __init__(self, killer: Killer) -> None:
        self._killer = killer
        self._receiver, sender = killer.forks.Pipe(duplex=False)
        self._process = killer.forks.Process(target=killer.work, args=(*killer.arguments, sender))
        self._process.start()
        sender.close()

    def __enter__(self) -> tuple[Any, Connection]:
        return self._process, self._receiver

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()
        self._killer.said += filter(None, _rest(self._receiver))
        self._receiver.close()


def _rest(receiver: Connection) -> Iterator[str]:
    """Yield what a process still said, a last message cut in two left out."""
    try:
        while True:
            yield receiver.recv()
    except (EOFError, OSError):
        return


def _taxonomy(path: Path, names: int) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["concept_id", "language", "preferred", "alternatives", "parent", "description"])
        writer.writerows([f"c{n}", "en", f"job {n}", f"work {n}|task {n}", "", f"Does {n}."] for n in range(names))
    return path


@pytest.fixture(scope="module")
def forks(fork_from: Callable[..., ForkServerContext]) -> ForkServerContext:
    """Start processes that have imported what they need."""
    return fork_from(writers.__name__)


@pytest.mark.long
@kills
def test_imports(forks: ForkServerContext, tmp_path: Path, n_kills: int) -> None:
    """After every kill a whole taxonomy is there: the older or the newer, and what was said to be there, or a later."""
    home, sources = tmp_path / "home", [_taxonomy(tmp_path / f"{n}.csv", n) for n in (300, 400)]
    store = TaxonomyStore.open(Settings(home))
    for source in sources[::-1]:
        store.import_from(source, name=writers.TAXONOMY, version=writers.VERSION, replace=True)
    names = {store.import_from(s, name=f"own {s.stem}", version="1").source_hash: int(s.stem) for s in sources}
    killer = Killer(forks, writers.import_taxonomies, (home, sources), longest=0.2)
    for _ in range(n_kills):
        killer.strike()
        assert {each.id for each in store.installed()} == {"isco-08", "jobs-1", "own-300-1", "own-400-1"}
        loaded = store.load("jobs-1")
        assert len(loaded.occupation_numbers) == names[loaded.manifest.source_hash]
        assert not list((home / "taxonomies").glob(".*.old"))
    store.import_from(sources[0], name=writers.TAXONOMY, version=writers.VERSION, replace=True)
    assert len(store.load("jobs-1").occupation_numbers) == 300


@pytest.mark.long
@pytest.mark.parametrize(("rows", "n_kills"), [(6_000, FEW), pytest.param(200_000, MANY, marks=pytest.mark.long)])
def test_linking_a_file(forks: ForkServerContext, tmp_path: Path, linker_home: Path, rows: int, n_kills: int) -> None:
    """Killed and resumed, it comes to the same bytes as in one go: every row once, in order."""
    home = tmp_path / "home"
    shutil.copytree(linker_home, home)
    source, out, whole = tmp_path / "titles.csv", tmp_path / "linked.csv", tmp_path / "whole.csv"
    titles = ["nurse", "Koch (m/w/d)", "chauffeur de bus", "Senior Baker", "xyzzy", "data analyst", "Lehrerin"]
    with source.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["number", writers.TITLE])
        writer.writerows([n, f"{titles[n % len(titles)]} {n % 50}"] for n in range(rows))
    linker = writers.lexical_linker(home)
    begun = time.monotonic()
    link_file(linker, source, whole, layout=TITLED)
    killer = Killer(forks, writers.link_titles, (home, source, out), longest=2 * (time.monotonic() - begun) / n_kills)
    struck = 0
    while struck < n_kills and not out.exists():
        killer.strike()
        struck += 1
        assert out.exists() or not killer.finished
        assert not out.exists() or out.read_bytes() == whole.read_bytes()  # never there by halves
    killer.let_live()
    assert struck >= FEW - 1
    assert out.read_bytes() == whole.read_bytes()
    with out.open(encoding="utf-8-sig", newline="") as file:
        assert [int(row["number"]) for row in csv.DictReader(file)] == list(range(rows))
    assert killer.said[-1] == str(rows)
    assert not out.with_name(f"{out.name}.parts").exists()


def _models(home: Path, names: list[str]) -> Registry:
    registry = Registry(Settings(home))
    for name in names:
        folder = home / "models" / name
        folder.mkdir(parents=True)
        (folder / "config.json").write_text(json.dumps({"tower": {}}), "utf-8")
        (folder / "model.safetensors").write_bytes(NO_WEIGHTS)
    return registry


@pytest.mark.long
@kills
def test_training(forks: ForkServerContext, tmp_path: Path, n_kills: int) -> None:
    """The old model stays in use, no half one is there, and the training goes on to the same end."""
    home = tmp_path / "home"
    registry = _models(home, ["old"])
    registry.promote(ModelKind.TOWERS, "old", who="ann")
    begun = time.monotonic()
    apart = Killer(forks, writers.train, (tmp_path / "apart",), longest=0)
    apart.let_live()
    killer = Killer(forks, writers.train, (home,), longest=2 * (time.monotonic() - begun) / n_kills)
    new = home / "models" / "new"
    for _ in range(n_kills):
        if new.exists():
            TwoTowers.load(new, Words())  # never there by halves
            shutil.rmtree(new)
        killer.strike()
        assert registry.promoted(ModelKind.TOWERS) == "old"
        assert new.exists() or not killer.finished
    if not new.exists():
        killer.let_live()
    trained = [TwoTowers.load(folder, Words()).weights() for folder in (new, tmp_path / "apart" / "models" / "new")]
    assert all(trained[0][name].equal(weight) for name, weight in trained[1].items())
    assert registry.promoted(ModelKind.TOWERS) == "old"


@pytest.mark.thorough
@kills
def test_promotions(forks: ForkServerContext, tmp_path: Path, n_kills: int) -> None:
    """Whatever was said to be in use stands in the history, once and in order; one model is in use at any time."""
    home, names = tmp_path / "home", ["first", "second", "third"]
    registry = _models(home, names)
    registry.promote(ModelKind.TOWERS, "first", who="ann")
    killer = Killer(forks, writers.promote, (home, names), longest=0.1)
    for _ in range(n_kills):
        killer.strike()
        assert registry.promoted(ModelKind.TOWERS) in names
        told = [change.after for change in registry.history()[1:]]
        assert _is_within(killer.said, told)
        assert len(told) - len(killer.said) <= n_kills  # a kill between writing and saying
    assert killer.said
    assert {change.action for change in registry.history()} <= {Action.PROMOTED, Action.ROLLED_BACK}


def _is_within(said: list[str], told: list[str]) -> bool:
    """Return whether everything that was said was told, in this order."""
    rest = iter(told)
    return all(any(each == word for each in rest) for word in said)
