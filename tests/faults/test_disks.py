"""A full disk, a folder that may only be read, a store that others hold: said in one line, and nothing is lost.

Only root can mount the small disks; elsewhere the tests are skipped.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from db.label_store import LabelStore
from jobmatch_core.encoders.loading import TITLES
from jobmatch_core.errors import LabelStoreUnavailableError
from jobmatch_core.labelling.label_files import write_labels
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.match_models import load_match_model
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.towers.two_towers import TowerConfig, TwoTowers
from tests.core.labelling.made_judgments import said
from tests.faults.small_disk import Disk, mounted
from tests.jobmatch.cli.test_hostile_input import contents
from tests.sampled import sampled

MEGABYTES = 384  # the bundled taxonomy with its index takes half of it, with the lexicon
TAXONOMY = "concept_id,language,preferred,alternatives,parent,description\n" + "".join(
    f"c{n},en,job {n},work {n},5120,Does {n}.\n" for n in range(3000)
)


@pytest.fixture(scope="module")
def filled_home(linker_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a home with a marketplace, labels, two models and a promotion; to be copied."""
    home = tmp_path_factory.mktemp("disks") / "home"
    shutil.copytree(linker_home, home, copy_function=os.link)
    settings = Settings(home)
    blocks = demo_blocks(TaxonomyStore.open(settings).load(), DemoSpec(projects=3, freelancers=40))
    MarketplaceStore.open(settings).save("demo", blocks, origin={}, generated=True)
    with LabelStore.open(settings.label_store) as store:
        store.record_all(said(["+-+?+", "++-?s"]))
    for name in ("one", "two"):
        towers = load_match_model("untrained", settings)
        TwoTowers(towers.encoder, TITLES, TowerConfig(), name=name).save(home / "models" / name, {})
    Registry(settings).promote(ModelKind.TOWERS, "one", who="ann")
    open_finder("demo", load_match_model("untrained", settings), settings=settings)
    return home


@pytest.fixture(scope="module")
def disk(filled_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Disk]:
    """Give a small disk with that home on it, and files to take in beside it."""
    folder = tmp_path_factory.mktemp("disk")
    write_labels(folder / "labels.jsonl", said(["-" * 2000, "+" * 2000]))
    (folder / "jobs.csv").write_text(TAXONOMY, "utf-8")
    (folder / "titles.csv").write_text("title\n" + "cook\nnurse\n" * 30, "utf-8")
    people = "id,language,title\n" + "".join(f"{n},en,cook {n}\n" for n in range(2000))
    (folder / "people.csv").write_text(people, "utf-8")
    (folder / "towers.toml").write_text("[training]\nepochs = 1\n", "utf-8")
    encoder = (
        '[data]\nnames = "isco-08"\nrelations = "isco-08"\n[stage2]\nsteps = 1\nbatch_size = 2\nlearning_rate = 0.1\n'
    )
    (folder / "encoder.toml").write_text(f'backbone = "own"\n{encoder}', "utf-8")
    with mounted(folder / "disk", MEGABYTES) as disk:
        shutil.copytree(filled_home, disk.folder / "home")
        (disk.folder / "here").mkdir()
        yield disk


@pytest.fixture(autouse=True)
def place(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand on the disk."""
    monkeypatch.setenv("JOBMATCH_HOME", str(disk.folder / "home"))
    monkeypatch.chdir(disk.folder / "here")


WRITERS = [
    "taxonomy import {}/jobs.csv --name new",
    "marketplace import --name new --projects {}/people.csv --freelancers {}/people.csv",
    "marketplace generate --name made --projects 20 --freelancers 100",
    "labels import {}/labels.jsonl",
    "labels export labels.jsonl",
    "labels backup labels.db",
    "train snapshot",
    "models promote two",
    "link --file {}/titles.csv --column title --out linked.csv",
    "link --file {}/titles.csv --column title --out parts",
    "match --file {}/titles.csv --out matches.csv --model untrained",
]
TRAININGS = [
    "train towers {}/towers.toml",
    "train title-encoder {}/encoder.toml",
    "train towers {}/towers.toml --out new",
]
Run = Callable[..., Any]


def messages(error: str) -> str:
    """Return what a command says on standard error but for the places that it works in."""
    lines = error.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(("Label store: ", "Home: ")))


def refused_in_words(run_main: Run, words: list[str], reason: str) -> None:
    """Run a command that the disk refuses."""
    ended = run_main(*words)
    assert (ended.code, ended.out) == (2, ""), ended
    error = messages(ended.err)
    assert error.count("\n") == 1, ended.err
    assert error.startswith("jobmatch: ")
    assert re.search(reason, error, re.IGNORECASE), ended.err


@pytest.mark.first_case
@pytest.mark.parametrize("command", sampled({words: words for words in (*WRITERS, *TRAININGS)}, every=4))
def test_a_disk_that_may_only_be_read(run_main: Run, disk: Disk, command: str) -> None:
    """That is said."""
    words = command.replace("{}", str(disk.folder.parent)).split()
    with disk.read_only():
        refused_in_words(run_main, words, "read-only file system|is read-only|cannot be opened")


@pytest.mark.first_case
@pytest.mark.parametrize(
    "command",
    [
        "taxonomy list",
        "taxonomy show isco-08",
        "link cook --no-own-names",
        "link cook",
        "marketplace list",
        "models list",
        "labels stats",
        "labels agreement",
        "match cook --model untrained",
    ],
)
def test_what_only_reads_needs_no_room(run_main: Run, disk: Disk, command: str) -> None:
    """A full disk, or one that may only be read, answers as ever, or says in a line why it cannot."""
    words = command.split()
    with disk.full():
        full = run_main(*words)
    with disk.read_only():
        read_only = run_main(*words)
    assert full.code == 0 or (full.out == "" and messages(full.err).count("\n") == 1), full
    if words[0] in ("taxonomy", "marketplace", "models") or "--no-own-names" in words:
        assert full.code == 0, full.err
    assert (read_only.code, messages(read_only.err)) == (0, "")


@pytest.mark.first_case
@pytest.mark.parametrize("command", sampled({words: words for words in WRITERS}, every=3))
def test_a_full_disk(run_main: Run, disk: Disk, command: str) -> None:
    """All is as before, and with some room the same command does it."""
    words = command.replace("{}", str(disk.folder.parent)).split()
    before = contents(disk.folder / "home")
    with disk.full():
        refused_in_words(run_main, words, "no space left|the disk is full")
    assert contents(disk.folder / "home") == before
    ended = run_main(*words, *(["--resume"] if words[0] == "link" else []))
    assert (ended.code, messages(ended.err)) == (0, ""), ended


@pytest.mark.parametrize("command", TRAININGS[:1])
def test_a_training_on_a_full_disk(run_main: Run, disk: Disk, command: str) -> None:
    """It ends in a line; what it was to write is not there."""
    words = command.replace("{}", str(disk.folder.parent)).split()
    before = contents(disk.folder / "home")
    with disk.full():
        refused_in_words(run_main, words, "no space left|the disk is full")
    assert {name for name in contents(disk.folder / "home") if ".unfinished" not in name} <= before.keys()


def test_readiness_notices_a_full_disk(tmp_path: Path) -> None:
    """Something small is tried, and taken back: SQLite itself writes nothing before a transaction ends."""
    with mounted(tmp_path / "disk", 4) as small, LabelStore.open(small.folder / "jobmatch.db") as store:
        store.access.try_writing()
        _empty_log(store)
        with small.full():
            with pytest.raises(LabelStoreUnavailableError, match="disk is full"):
                store.access.try_writing()
            assert store.count() == 0  # which needs no room
        store.access.try_writing()
        assert store.access.people() == []
        store.record_all(said(["+-"]))
        assert store.count() > 0


def _empty_log(store: LabelStore) -> None:
    """Leave no room in the files of the store itself, where SQLite would write without needing more."""
    with store._database._readers.connect() as connection:
        connection.connection.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[union-attr]
