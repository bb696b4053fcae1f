"""Malformed input at every command that reads a file, a folder, a model or a name.

Each gives one line that says what to do, exit code 2 and no traceback, within bounded memory, and leaves
JOBMATCH_HOME as it was. Every reader of files gets everything from one command, and a choice from the other commands
that read with it; `-m long` runs those that are left out. `make test` tries a sample on every command.
"""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from db.label_store import LabelStore
from jobmatch.cli import main
from jobmatch_core.descriptions.posting_models import shipped_folder as shipped_jdan
from jobmatch_core.encoders.loading import TITLES
from jobmatch_core.labelling.snapshot import Snapshots
from jobmatch_core.linking import Linker, open_linker, store
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.match_models import load_match_model
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.titles.encoder import shipped_encoder
from jobmatch_core.titles.encoder import shipped_folder as shipped_titles
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers
from tests import hostile_files as hostile
from tests.core.labelling.made_judgments import said
from tests.hostile_models import SAFETENSORS
from tests.jobmatch.cli.hostile_commands import ATTACKS, WORDS, Attack, Maker, marks

LONGEST_MESSAGE = 2000
MOST_MEMORY = 1200 * hostile.MEGABYTE  # a line of 100 MB is held some times; a bomb of 4 GB is not
MOST_SECONDS = 120  # on a busy machine
_MADE_AGAIN = ("caches", "vectors")  # what holds nothing of its own


@pytest.fixture(scope="module")
def whole_home(linker_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with a taxonomy, a marketplace, labels, a model and a promotion."""
    home = tmp_path_factory.mktemp("hostile") / "home"
    shutil.copytree(linker_home, home, copy_function=os.link)
    settings = Settings(home)
    blocks = demo_blocks(TaxonomyStore.open(settings).load(), DemoSpec(projects=3, freelancers=40))
    MarketplaceStore.open(settings).save("demo", blocks, origin={}, generated=True)
    open_finder("demo", load_match_model("untrained", settings), settings=settings)
    with LabelStore.open(settings.label_store) as labels:
        labels.record_all(said(["+-+?+", "++-?s"]))
        frozen = Snapshots(settings).freeze(labels.as_recorded())
    (home / "snapshots" / frozen.name).rename(home / "snapshots" / "old")
    Registry(settings).keep_in_use(ModelKind.TOWERS, "untrained")
    (home.parent / "new.csv").write_text(
        "concept_id,language,preferred,alternatives,parent,description\nc,en,cook,chef,5120,Cooks.\n", "utf-8"
    )
    TaxonomyStore.open(settings).import_from(home.parent / "new.csv", name="new")
    return home


@pytest.fixture(scope="module")
def linker(whole_home: Path) -> Linker:
    """Return the linker of the bundled taxonomy, opened once."""
    return open_linker(settings=Settings(whole_home))


@pytest.fixture(scope="module")
def long_line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a file with a line of 100 MB, written once."""
    path = hostile.long_line(tmp_path_factory.mktemp("long") / "line")
    yield path
    path.unlink()
    path.with_name(hostile.LONG_NAME).unlink()


@pytest.fixture(scope="module")
def commands() -> TyperGroup:
    """Return the tree of all commands, built once."""
    tree = get_command(main.app)
    assert isinstance(tree, TyperGroup)
    return tree


@pytest.fixture
def place(
    whole_home: Path,
    linker: Linker,
    commands: TyperGroup,
    long_line: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Path]:
    """Work in an empty folder with that home and an open linker, with a time limit."""
    monkeypatch.setenv("JOBMATCH_HOME", str(whole_home))
    opened = {BUNDLED_ID: linker}
    monkeypatch.setattr(store, "open_linker", lambda name, **more: opened.get(name) or open_linker(name, **more))
    monkeypatch.setattr(main, "app", commands)
    (tmp_path / "here" / "work").mkdir(parents=True)
    os.link(long_line, tmp_path / "here" / "work" / hostile.LONG_NAME)
    monkeypatch.chdir(tmp_path / "here" / "work")
    Path("ok.csv").write_text("id,language,title,vacancyTitle,conceptUri\n1,en,cook,cook,x\n", "utf-8")
    Path("posting.txt").write_text("Cook\n\nYou cook.\n", "utf-8")
    Path("recipe.toml").write_text("[training]\nepochs = 1\n", "utf-8")
    before = signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(MOST_SECONDS)
    yield tmp_path / "here" / "work"
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _too_long(*_: object) -> NoReturn:
    raise AssertionError(f"it took more than {MOST_SECONDS} s")


def contents(folder: Path) -> dict[str, tuple[int, int]]:
    """Return the size and time of each file, except caches and locks."""
    found = {}
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in _MADE_AGAIN]
        for name in files:
            if not name.endswith(("-shm", "-wal")) and "lock" not in name:
                stat = os.lstat(os.path.join(root, name))
                found[os.path.relpath(os.path.join(root, name), folder)] = (stat.st_size, stat.st_mtime_ns)
    return found


def memory() -> tuple[int, int]:
    """Return the resident memory of this process, now and its peak since `forget_peak`, in bytes."""
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return tuple(int(lines[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM"))  # type: ignore[return-value]


def forget_peak() -> None:
    """Reset the kernel's peak of memory."""
    Path("/proc/self/clear_refs").write_text("5")


def refused(run_main: Callable[..., Any], home: Path, *words: str) -> str:
    """Run a command that must fail, and return its message."""
    before = contents(home)
    forget_peak()
    held, _ = memory()
    ended = run_main(*words)
    assert (ended.code, ended.out) == (2, ""), ended
    assert ended.err.startswith("jobmatch: "), ended.err
    assert ended.err.count("\n") == 1, ended.err
    assert len(ended.err) <= LONGEST_MESSAGE
    assert memory()[1] - held < MOST_MEMORY
    assert contents(home) == before
    return str(ended.err)


@pytest.mark.parametrize("attack", ATTACKS)
def test_files(run_main: Callable[..., Any], whole_home: Path, place: Path, attack: Attack) -> None:
    """One line of error, exit code 2, nothing stored."""
    (place / attack.file).parent.mkdir(exist_ok=True)
    path = attack.maker(place / attack.file)
    shown = os.path.relpath(path, place)
    message = refused(run_main, whole_home, *(word.replace("{}", shown) for word in attack.words))
    assert "Traceback" not in message


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("words", WORDS)
def test_names_and_numbers(run_main: Callable[..., Any], whole_home: Path, words: list[str]) -> None:
    """No name leads out of its folder, and only numbers are accepted as numbers."""
    refused(run_main, whole_home, *words)


@pytest.mark.parametrize(
    "words",
    [
        "link --file ok.csv --column title --out ok.csv",
        "match --file ok.csv --out ok.csv",
        "train posting-weights ok.csv --taxonomy isco-08 --out ok.csv",
    ],
)
def test_what_is_read_is_not_replaced(run_main: Callable[..., Any], whole_home: Path, place: Path, words: str) -> None:
    """The input as output is refused."""
    before = (place / "ok.csv").read_bytes()
    refused(run_main, whole_home, *words.split())
    assert (place / "ok.csv").read_bytes() == before


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an intact folder of each kind of model, to be copied."""
    folder = tmp_path_factory.mktemp("models")
    shutil.copytree(shipped_titles(), folder / "titles")
    shutil.copytree(shipped_jdan(), folder / "jdan")
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(layers=1, heads=1)).save(folder / "towers", {})
    return folder


MODEL_COMMANDS = {
    "titles": "link cook --encoder {}",
    "jdan": "describe posting.txt --model {}",
    "towers": "match cook --model {}",
}
SPOILT = [
    pytest.param(kind, file, maker, id=f"{kind}, {file}: {name}", marks=marks(name))
    for kind in MODEL_COMMANDS
    for file, makers in (
        ("config.json", hostile.JSONL | hostile.PATHS),
        ("model.safetensors", SAFETENSORS | hostile.PATHS),
    )
    for name, maker in makers.items()
]


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(("kind", "file", "maker"), SPOILT)
def test_models(
    run_main: Callable[..., Any], whole_home: Path, models: Path, kind: str, file: str, maker: Maker
) -> None:
    """A model with one damaged file is refused."""
    folder = Path("model")
    shutil.copytree(models / kind, folder, copy_function=os.link)
    (folder / file).unlink()
    maker(folder / file)
    refused(run_main, whole_home, *MODEL_COMMANDS[kind].replace("{}", str(folder)).split())


HOME_FILES = {
    "taxonomies/new-1/manifest.json": "taxonomy show new-1",
    "taxonomies/new-1/names.parquet": "taxonomy index new-1",
    "taxonomies/new-1/concepts.parquet": "link cook --taxonomy new-1",
    "marketplaces/demo/manifest.json": "match cook --model untrained",
    "marketplaces/demo/freelancers.parquet": "match cook --model untrained --rebuild",
    "marketplaces/demo/projects.parquet": "evaluate matching demo --model bm25",
    "promoted/history.json": "models list",
    "snapshots/old/manifest.json": "train linking --snapshot old",
    "snapshots/old/judgments.jsonl": "train linking --snapshot old",
    "jobmatch.db": "labels stats",
}
_HARMLESS = (  # nothing at all is as good as a new store, names lead elsewhere, and nobody keeps pipes in there
    "nothing",
    "a NUL",
    "no file",
    "a link to nothing",
    "a pipe",
    "a device without end",
    "a device without content",
    "no permission",
    "one line of 100 MB",
    "other fields",
    "a text",
    "below a file",
    "a name that is too long",
    "a name that climbs",
    "a name that is no text",
)
_DAMAGE = {name: maker for name, maker in (hostile.JSONL | hostile.PATHS).items() if name not in _HARMLESS}


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("file", "maker"),
    [
        pytest.param(file, maker, id=f"{file}: {name}", marks=marks(name))
        for file in HOME_FILES
        for name, maker in _DAMAGE.items()
    ],
)
def test_a_damaged_home(
    run_main: Callable[..., Any],
    whole_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    maker: Maker,
) -> None:
    """The error names the damaged file, which stays as it is."""
    home = tmp_path / "home"
    shutil.copytree(whole_home, home, copy_function=os.link)
    (home / file).unlink()
    maker(home / file)
    monkeypatch.setenv("JOBMATCH_HOME", str(home))
    refused(run_main, home, *HOME_FILES[file].split())
