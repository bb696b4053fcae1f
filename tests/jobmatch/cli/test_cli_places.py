"""Each command that writes says on standard error where: in which label store, or in which home."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from db.access_store import Person
from db.label_store import LabelStore
from jobmatch.cli.main import app
from jobmatch_core.benchmarks.datasets.tasks import TASKS
from jobmatch_core.labelling.label_files import write_labels
from jobmatch_core.model_store.model_spec import TITLES
from jobmatch_core.titles.encoder import shipped_encoder
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers
from tests.core.labelling.made_judgments import said
from tests.made_taxonomy import install, skilled_taxonomy
from tests.test_documents import commands
from tests.tiny_transformer import save_transformer

RunMain = Callable[..., Any]
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)

LABELS, HOME = "Label store: {home}/jobmatch.db\n", "Home: {home}\n"
EXAMPLE = Path(__file__).parents[2] / "data" / "workrb_results.json"
WALK = [
    ("keys create metrics --role viewer --scope metrics", LABELS),
    ("keys list", LABELS),
    ("keys revoke {key}", LABELS),
    ("labels import {files}/labels.jsonl", LABELS),
    ("labels export {files}/out.jsonl", LABELS),
    ("labels stats", LABELS),
    ("labels agreement", LABELS),
    ("labels claim ann Ada", LABELS),
    ("labels quotas --judgments 2", LABELS),
    ("labels backup {files}/backup.db", LABELS),
    ("search-log status", LABELS),
    ("search-log erase --yes", LABELS),
    ("train snapshot", LABELS + HOME),
    ("taxonomy import {files}/tiny.csv", HOME),
    ("taxonomy index", HOME),
    ("taxonomy remove tiny-1", HOME),
    ("marketplace generate --projects 2 --freelancers 12 --taxonomy skilled-1", HOME),
    ("audit titles --per-language 1", HOME),
    ("audit matching demo --model untrained --projects 1 --freelancers 20", HOME),
    ("marketplace import --projects {files}/p.csv --freelancers {files}/f.csv --name ours", HOME),
    ("marketplace remove ours", HOME),
    (f"evaluate import-workrb {EXAMPLE}", HOME),
    ("models add ours {files}/encoder", HOME),
    ("models remove ours --yes", HOME),
    ("models promote untrained", HOME),
    ("models rollback", HOME),
]  # in this order, in one home
FAILING = {
    "keys revoke 0000": "There is no key '0000'",
    "search-log export pairs.jsonl": "There is nothing to export",
    "labels carry-over tiny-1 skilled-1": "no taxonomy",
    "search-log compare --stop": "No online comparison runs",
}  # which may be the fault of the wrong store
# what writes measurements into the home, which tests of their own look at
MEASURE = {f"evaluate {name}" for name in (*TASKS, "matching", "search")}
SILENT = {
    "reads, and may build indexes and vectors, which are made again": (
        "link",
        "search",
        "match",
        "map",
        "describe",
        "taxonomy list",
        "taxonomy show",
        "taxonomy compare",
        "crosswalk check",
        "crosswalk coverage",
        "marketplace list",
        "models list",
        "evaluate compare",
        "evaluate production-rate",
        "evaluate questions",
        "evaluate overlap",
    ),
    "prints the whole path of what it wrote": (
        "audit pack",
        "evaluate build-melo",
        "crosswalk propose",
        "crosswalk export",
        "crosswalk build-melo",
        "train title-encoder",
        "train job",
        "train towers",
        "train linking",
        "train search-encoder",
        "train jdan",
    ),
    "works in a temporary folder": ("bench",),
    "is the server itself": ("app", "serve"),
    "says where its own home is, as its own test sees": ("demo",),
}


def test_every_command_is_here() -> None:
    """Also new ones: each prints its place, or is listed with a reason."""
    names = {name.removeprefix("jobmatch ") for name, _ in commands(get_command(app))}
    walked = {name for name in names if any(f"{words} ".startswith(f"{name} ") for words in [*dict(WALK), *FAILING])}
    silent = {name for reason in SILENT.values() for name in reason}
    assert walked | MEASURE | silent == names
    assert len(walked) + len(MEASURE) + len(silent) == len(names)


@pytest.fixture
def files(tmp_path: Path, own_linker_home: Path, tiny_csv: Path) -> Path:
    """Write the input files of the commands."""
    write_labels(tmp_path / "labels.jsonl", said(["+-+?+"]))
    for kind in ("p", "f"):
        (tmp_path / f"{kind}.csv").write_text("id,language,title,created\n1,en,baker,2026-01-31\n", "utf-8")
    save_transformer(tmp_path / "encoder")
    install(skilled_taxonomy(), own_linker_home)
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(own_linker_home / "models" / "towers-1", {})
    with LabelStore.open(own_linker_home / "jobmatch.db") as store:
        store.access.signed_in(Person("person-1", "https://id.example.org", "1", "Ada", "annotator", NOW))
    return tiny_csv.parent


@pytest.mark.thorough
def test_every_command_says_where_it_writes(run_main: RunMain, files: Path, own_linker_home: Path) -> None:
    """Standard output stays the same: with --json one object."""
    key = ""
    for words, places in WALK:
        ended = run_main(*words.format(files=files, key=key).split(), "--json")
        assert (words, ended.code, ended.err) == (words, 0, places.format(home=own_linker_home))
        key = json.loads(ended.out).get("id", key)


def test_a_new_store_is_said_plainly(run_main: RunMain, jobmatch_home: Path) -> None:
    """The first command says that the store is new; the second does not."""
    first = run_main("keys", "create", "metrics", "--role", "viewer")
    place = f"{jobmatch_home}/jobmatch.db"
    assert first.err.startswith(f"Label store: {place}\nA new label store was made at {place}. A running server reads")
    assert "JOBMATCH_HOME" in first.err
    assert run_main("keys", "create", "other", "--role", "viewer").err == f"Label store: {place}\n"


@pytest.mark.first_case
@pytest.mark.parametrize(("words", "says"), FAILING.items())
@pytest.mark.usefixtures("files")
def test_what_is_not_in_a_store(run_main: RunMain, own_linker_home: Path, words: str, says: str) -> None:
    """The error comes after the place of the store."""
    ended = run_main(*words.split())
    place, error = ended.err.splitlines()
    assert (ended.code, place) == (2, f"Label store: {own_linker_home}/jobmatch.db")
    assert says in error


def test_a_database_on_a_server_is_named_without_its_password(
    run_main: RunMain, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The output has no password, so that it may be shown to others."""
    monkeypatch.setenv("JOBMATCH_DB", postgres_url.replace("postgres@/", "postgres:secret@/"))
    ended = run_main("keys", "list")
    assert ended.code == 0
    assert ended.err.startswith("Label store: PostgreSQL at ")
    assert ended.err.endswith(", database postgres\n")
    assert "secret" not in ended.err
