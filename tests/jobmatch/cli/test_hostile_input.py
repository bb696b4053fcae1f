"""Malformed input at every command that reads a file, a folder, a model or a name.

Each gives one line that says what to do, exit code 2 and no traceback, within bounded memory, and leaves
JOBMATCH_HOME as it was. Every reader of files gets everything from one command, and a choice from the other commands
that read with it; `-m faults` runs those that are left out. `make test` tries a sample on every command.
"""

import os
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from db.label_store import LabelStore
from jobmatch.cli import main
from jobmatch_core.descriptions.posting_models import shipped_folder as shipped_jdan
from jobmatch_core.encoders.loading import TITLES
from jobmatch_core.labelling.snapshot_store import Snapshots
from jobmatch_core.linking import Linker, linker_spec, open_linker
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.registry import ModelKind, Registry
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.match_models import load_match_model
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.titles.encoder import shipped_encoder
from jobmatch_core.titles.encoder import shipped_folder as shipped_titles
from jobmatch_core.towers.tower_config import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers
from tests import hostile_files as hostile
from tests.core.labelling.made_judgments import said

Maker = hostile.Maker
LONGEST_MESSAGE = 2000
MOST_MEMORY = 1200 * hostile.MEGABYTE  # a line of 100 MB is held some times; a bomb of 4 GB is not
MOST_SECONDS = 120  # on a busy machine
_MADE_AGAIN = ("caches", "vectors")  # what holds nothing of its own

TABLES = {"csv": hostile.CSV, "jsonl": hostile.JSONL, "parquet": hostile.PARQUET | hostile.NO_WORKBOOK,
          "xlsx": hostile.XLSX | hostile.NO_WORKBOOK}  # fmt: skip


@dataclass(frozen=True)
class Attack:
    """One run of the command line; `{}` in its words stands for the hostile file."""

    words: tuple[str, ...]
    file: str
    maker: Maker


CHOICE = (
    "UTF-16, little end", "random bytes", "nothing", "no rows", "a header alone", "other columns", "deep lists",
    "a title that is a record", "a sheet that is a bomb", "an unknown key", "a folder", "a pipe",
    "a device without end", "of a wrong shape", "that lie",
)  # fmt: skip

FEW = ("UTF-16, little end", "nothing", "no rows", "a folder")  # of commands that load models first


SAMPLE = ("nothing", "random bytes", "an unknown key", "a sheet that is a bomb", "a folder", "that lie")


def marks(name: str, chosen: Sequence[str] = CHOICE, sample: Sequence[str] = SAMPLE) -> list[pytest.MarkDecorator]:
    """Leave what is not chosen to the run by hand, and what is not in the sample to `make test-all`."""
    if name not in chosen:
        return [pytest.mark.faults]
    return [] if name in sample else [pytest.mark.thorough]


def attacks(words: str, makers: dict[str, Maker], file: str, *, all_now: bool = False) -> list[Any]:
    """Return an attack a maker."""
    chosen = tuple(makers) if all_now else FEW if words.startswith(SLOW) else CHOICE
    return [
        pytest.param(
            Attack(tuple(words.split()), file, maker), id=f"{words.replace('{}', file)}: {name}",
            marks=marks(name, chosen),
        )
        for name, maker in makers.items()
    ]  # fmt: skip


def _without(makers: dict[str, Maker], *names: str) -> dict[str, Maker]:
    return {name: maker for name, maker in makers.items() if name not in names}


SLOW = ("evaluate faithfulness", "evaluate skill-probe", "evaluate postings", "evaluate judged-titles",
        "evaluate descriptions", "train posting-weights")  # fmt: skip
TABLE_COMMANDS = [
    "match --file {} --out out.csv",
    "map {} --out out.csv",
    "marketplace import --name new --projects {} --freelancers ok.csv",
    "marketplace import --name new --projects ok.csv --freelancers {}",
    "marketplace import --name new --projects ok.csv --freelancers ok.csv --interactions {}",
    "evaluate faithfulness {}",
    "evaluate skill-probe {}",
    "evaluate postings {} --codes isco-08 --taxonomy isco-08",
]
CSV_COMMANDS = [
    "evaluate job-normalization {} --taxonomy isco-08",
    "evaluate judged-titles {} --taxonomy isco-08",
    "evaluate descriptions {} --model mean --taxonomy isco-08",
    "train posting-weights {} --taxonomy isco-08 --out out.json",
]
TOML_COMMANDS = [
    "train towers {} --out out",
    "train jdan {} --out out",
    "marketplace import --name new --projects ok.csv --freelancers ok.csv --columns {}",
    "bench retraining {}",
    "evaluate descriptions ok.csv {} --taxonomy isco-08",
]
LINK_FILE = "link --file {} --column title --encoding utf-8 --out out.csv"  # without it the encoding is guessed
ATTACKS = [
    *(each for ending, makers in TABLES.items()
      for each in attacks(LINK_FILE, makers, f"bad.{ending}", all_now=True)),
    *attacks(LINK_FILE, hostile.PATHS, "bad.csv", all_now=True),
    *(each for words in TABLE_COMMANDS for ending, makers in TABLES.items()
      for each in attacks(words, makers, f"bad.{ending}")),
    *(each for words in TABLE_COMMANDS for each in attacks(words, hostile.PATHS, "bad.csv")),
    *attacks("taxonomy import {} --name new", hostile.CSV | hostile.PATHS, "bad.csv", all_now=True),
    *(each for words in CSV_COMMANDS for each in attacks(words, hostile.CSV | hostile.PATHS, "bad.csv")),
    *attacks("labels import {}", hostile.CSV | hostile.PATHS, "bad.csv", all_now=True),
    *attacks("labels import {}", _without(hostile.JSONL, *hostile.EMPTY), "bad.jsonl", all_now=True),  # no judgments
    *attacks("bench link {}", {"nothing": hostile.CSV["nothing"]}, "bad.csv", all_now=True),  # reads as the import does
    *attacks("train title-encoder {} --out out", hostile.TOML | hostile.PATHS, "bad.toml", all_now=True),
    *(each for words in TOML_COMMANDS for each in attacks(words, hostile.TOML | hostile.PATHS, "bad.toml")),
    *attacks("train job {}", hostile.JSONL | hostile.PATHS, "job.json", all_now=True),
    *attacks("describe {}", hostile.TEXT | hostile.PATHS, "bad.txt", all_now=True),
    *attacks("match --project {}", hostile.TEXT | hostile.PATHS, "bad.txt"),
    *attacks("match --project {}", hostile.JSONL, "bad.json", all_now=True),
    *attacks("evaluate build-melo {} out --taxonomy isco-08 --languages en",
             _without(hostile.JSONL, "one line of 100 MB") | hostile.PATHS, "deu_de/crosswalk.json", all_now=True),
]  # fmt: skip

BAD_NAMES = ["../demo", "/etc", "", "x" * 300, "\x1b[2J\u202eomed", os.fsdecode(b"\xff")]
MORE_BAD_NAMES = ["../../../../etc/passwd", ".", "..", " ", "demo/../demo", "de\nmo", "~root", "*"]
NAME_COMMANDS = [
    "link cook --taxonomy {}",
    "link cook --encoder {}",
    "link cook --show {}",
    "taxonomy show {}",
    "taxonomy index {}",
    "taxonomy remove {}",
    "taxonomy show isco-08 --occupation {}",
    "marketplace remove {}",
    "marketplace generate --name {}",
    "match cook --marketplace {}",
    "match cook --model {}",
    "match cook --near {} --within-km 5",
    "match cook --available-by {}",
    "map freelancers --out map.csv --marketplace {}",
    "map freelancers --out map.csv --model {}",
    "map occupations --out map.csv --taxonomy {}",
    "map occupations --out {}",
    "describe ok.csv --model {}",
    "models promote {}",
    "models promote {} --kind linking",
    "train linking --snapshot {}",
    "train towers recipe.toml --out out --snapshot {}",
    "train towers recipe.toml --out out --marketplace {}",
    "evaluate matching {}",
    "evaluate melo {}",
    "evaluate title-similarity {}",
    "evaluate overlap {}",
    "evaluate group-names {}",
    "evaluate adverts {}",
    "evaluate compare {} a b",
    "labels export {}",
    "link --file ok.csv --column title --out {}",
    "link --file ok.csv --column title --out out.csv --encoding {}",
]
ALLOWED = {  # nothing is as good as not given
    "match cook --model {}": ("",),
    "match cook --available-by {}": ("",),
    "map occupations --out map.csv --taxonomy {}": ("",),
    "describe ok.csv --model {}": ("",),
    # any name without an ending is that of a new folder, as `out.csv` is that of a new file
    "link --file ok.csv --column title --out {}": ("../demo", *BAD_NAMES[4:], "demo/../demo", "de\nmo", "*"),
    "link --file ok.csv --column title --out out.csv --encoding {}": ("",),
    "match cook --near {},13 --within-km 5": ("-1",),  # south of the equator
}
SAMPLE_NAMES = ["../demo", "", "x" * 300]
BAD_NUMBERS = ["nan", "inf", "-1", "1e400", "9" * 5000]
SAMPLE_NUMBERS = ["nan", "-1"]
MORE_BAD_NUMBERS = ["-inf", "", "0x10", "one", "１２x"]
NUMBER_COMMANDS = [
    "link cook --top {}",
    "match cook --limit {}",
    "match cook --max-day-rate {}",
    "match cook --near 52,13 --within-km {}",
    "match cook --near {},13 --within-km 5",
    "map occupations --out map.csv --most {}",
    "map occupations --out map.csv --neighbours {}",
    "map occupations --out map.csv --min-dist {}",
    "map occupations --out map.csv --method tsne --perplexity {}",
    "marketplace generate --name new --projects {}",
    "marketplace generate --name new --freelancers {}",
    "bench match --freelancers {}",
    "bench map --points {}",
    "evaluate labelling --seeds {}",
    "evaluate matching demo --seeds {}",
    "evaluate faithfulness ok.csv --n {}",
    "evaluate judged-titles ok.csv --judged {}",
    "evaluate judged-titles ok.csv --seed {}",
    "evaluate faithfulness ok.csv --seed {}",
    "evaluate skill-probe ok.csv --seed {}",
    "map occupations --out map.csv --seed {}",
    "marketplace generate --name new --seed {}",
    "train jdan recipe.toml --out out --seed {}",
]


@pytest.fixture(scope="module")
def whole_home(linker_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a home with a taxonomy, a marketplace, labels, a model and a promotion."""
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
    """Give the linker of the bundled taxonomy, opened once."""
    return open_linker(settings=Settings(whole_home))


@pytest.fixture(scope="module")
def long_line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a file with a line of 100 MB, written once."""
    path = hostile.long_line(tmp_path_factory.mktemp("long") / "line")
    yield path
    path.unlink()
    path.with_name(hostile.LONG_NAME).unlink()


@pytest.fixture(scope="module")
def commands() -> TyperGroup:
    """Give the tree of all commands, put together once."""
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
    """Stand in an empty folder, with that home and a linker that need not be read again; nothing may take long."""
    monkeypatch.setenv("JOBMATCH_HOME", str(whole_home))
    opened = {BUNDLED_ID: linker}
    monkeypatch.setattr(linker_spec, "open_linker", lambda name, **more: opened.get(name) or open_linker(name, **more))
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
    """Return the size and time of every file; what can be made again, and locks, may change."""
    found = {}
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in _MADE_AGAIN]
        for name in files:
            if not name.endswith(("-shm", "-wal")) and "lock" not in name:
                stat = os.lstat(os.path.join(root, name))
                found[os.path.relpath(os.path.join(root, name), folder)] = (stat.st_size, stat.st_mtime_ns)
    return found


def memory() -> tuple[int, int]:
    """Return this process's resident memory now and at its highest since `forget_peak`, in bytes."""
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return tuple(int(lines[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM"))  # type: ignore[return-value]


def forget_peak() -> None:
    """Let the kernel measure the peak of memory anew."""
    Path("/proc/self/clear_refs").write_text("5")


def refused(run_main: Callable[..., Any], home: Path, *words: str) -> str:
    """Run a command that must be refused, and return its message."""
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
    """One line, exit code 2, nothing kept."""
    (place / attack.file).parent.mkdir(exist_ok=True)
    path = attack.maker(place / attack.file)
    shown = os.path.relpath(path, place)
    message = refused(run_main, whole_home, *(word.replace("{}", shown) for word in attack.words))
    assert "Traceback" not in message


def named(commands: list[str], values: list[str], more: list[str], sample: list[str]) -> list[Any]:
    """Return the words of each command with each value; *more* are left to the run by hand."""
    return [
        pytest.param(
            [word.replace("{}", value) for word in words.split()], id=f"{words}: {value[:20]!r}",
            marks=marks(value, values, sample),
        )
        for words in commands
        for value in (*values, *more)
        if value not in ALLOWED.get(words, ())
    ]  # fmt: skip


WORDS = [
    *named(NAME_COMMANDS, BAD_NAMES, MORE_BAD_NAMES, SAMPLE_NAMES),
    *named(NUMBER_COMMANDS, BAD_NUMBERS, MORE_BAD_NUMBERS, SAMPLE_NUMBERS),
]


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("words", WORDS)
def test_names_and_numbers(run_main: Callable[..., Any], whole_home: Path, words: list[str]) -> None:
    """No name leads out of its folder, and no number is taken that is none."""
    refused(run_main, whole_home, *words)


@pytest.mark.parametrize(
    "words",
    ["link --file ok.csv --column title --out ok.csv", "match --file ok.csv --out ok.csv",
     "train posting-weights ok.csv --taxonomy isco-08 --out ok.csv"],
)  # fmt: skip
def test_what_is_read_is_not_replaced(run_main: Callable[..., Any], whole_home: Path, place: Path, words: str) -> None:
    """The input as the output."""
    before = (place / "ok.csv").read_bytes()
    refused(run_main, whole_home, *words.split())
    assert (place / "ok.csv").read_bytes() == before


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a whole folder of each kind of model, to be copied."""
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
        ("model.safetensors", hostile.SAFETENSORS | hostile.PATHS),
    )
    for name, maker in makers.items()
]


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(("kind", "file", "maker"), SPOILT)
def test_models(
    run_main: Callable[..., Any], whole_home: Path, models: Path, kind: str, file: str, maker: Maker
) -> None:
    """A model with one spoilt file is not used."""
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
    "nothing", "a NUL", "no file", "a link to nothing", "a pipe", "a device without end", "a device without content",
    "no permission",
    "one line of 100 MB", "other fields", "a text", "below a file", "a name that is too long", "a name that climbs",
    "a name that is no text",
)  # fmt: skip
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
    run_main: Callable[..., Any], whole_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str,
    maker: Maker,
) -> None:  # fmt: skip
    """What is kept and was spoilt is told, and stays as it is for whoever can mend it."""
    home = tmp_path / "home"
    shutil.copytree(whole_home, home, copy_function=os.link)
    (home / file).unlink()
    maker(home / file)
    monkeypatch.setenv("JOBMATCH_HOME", str(home))
    refused(run_main, home, *HOME_FILES[file].split())
