"""What every test has: a home of its own, no network, no limit of time, and on request a linker that is built once."""

import gc
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from multiprocessing import forkserver, get_context
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import settings
from sqlalchemy import create_engine, make_url
from sqlalchemy.schema import CreateSchema, DropSchema
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

# before anything imports huggingface_hub, which reads them once; the command line's child processes inherit them
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
# the tests' processes are as many as the cores; more threads would wait for each other
os.environ.setdefault("OMP_NUM_THREADS", "1")
# once UMAP has run, numba gives torch as many threads as it has itself: later trainings took ten times as long
os.environ.setdefault("NUMBA_NUM_THREADS", "1")

from db import label_store
from db.database import Database
from db.label_store import LabelStore
from db.upgrade import upgrade
from jobmatch.services.tours import close_tour
from jobmatch_core.audit.gendered_forms import GenderedForms
from jobmatch_core.linking import index, open_linker
from jobmatch_core.linking.index import LEXICAL, NameIndex
from jobmatch_core.retrieval import project_reader
from jobmatch_core.search.search_store import open_search
from jobmatch_core.search_events import SearchKind
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy, lexicon
from jobmatch_core.taxonomy import store as taxonomy_store
from jobmatch_core.taxonomy.skill_finder import SkillFinder, SkillKeys, SkillNames
from tests.kept_homes import ReadOnce, copy_kept_home

# imports make millions of objects that stay, and tests few circles: a third of the collection was garbage collection
gc.disable()

settings.register_profile("ci", deadline=None, max_examples=50)  # a busy machine is no failure
settings.register_profile("jobmatch", settings.get_profile("ci"), max_examples=10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "jobmatch"))


_GC_THRESHOLDS = (20_000, 10, 5)

_IN_A_BROWSER = "tests/e2e/"

# the browser's worker builds the linker's home at once; meanwhile the others do what needs none, down to `titles`. Then
# the slowest come first, so that no worker is left alone with them at the end.
_FIRST = (
    _IN_A_BROWSER,
    "tests/db/",
    "tests/core/sheets/",
    "tests/core/test_engines.py",
    "tests/core/towers/",
    "tests/core/training/",
    "tests/core/io/",
    "tests/core/encoders/",
    "tests/core/titles/",
    "tests/faults/",
    "tests/lab/",
    "tests/core/retraining/",
    "tests/pages/",
    "tests/jobmatch/",
)


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses by marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark further cases of what one case shows as thorough; order the files, inside which the order stays."""
    functions = set[str]()
    for item in items:
        if item.get_closest_marker("first_case"):
            function = item.nodeid.partition("[")[0]
            if function in functions:
                item.add_marker("thorough")
            functions.add(function)
    ranks = {start: rank for rank, start in enumerate(_FIRST)}
    items.sort(key=lambda item: min((ranks[start] for start in ranks if item.nodeid.startswith(start)), default=99))


class _OneBrowser(LoadFileScheduling):
    """Files one by one, but those of the browser together: a second worker would start the app and Chromium again."""

    def _split_scope(self, nodeid: str) -> str:
        return _IN_A_BROWSER if nodeid.startswith(_IN_A_BROWSER) else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    """Distribute files as told by `--dist loadfile`, those of the browser to one worker."""
    return _OneBrowser(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_finish() -> None:
    """Keep what was imported out of every later collection of garbage, and make those rare."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)
    gc.enable()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Do the same with what a folder's tests imported and share; each training collects garbage many times."""
    if nextitem is not None and nextitem.path.parent != item.path.parent:
        gc.collect()
        gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def no_flushing() -> Iterator[None]:
    """Leave it to the system when files reach the disk: only a power cut, which no test has, would tell."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield


@pytest.fixture(autouse=True, scope="session")
def read_once() -> Iterator[None]:
    """Read and fold the lexicon once: for each index that is built, and each linker of unit groups."""
    read = lexicon.lexicon_titles
    titles = cache(lambda: tuple(read()))
    groups = cache(lambda read: lexicon.title_groups(read()))
    with pytest.MonkeyPatch.context() as patch:
        for module in (lexicon, index):
            patch.setattr(module, "lexicon_titles", lambda: iter(titles()))
        # by the function that reads, since some tests put another lexicon in its place
        patch.setattr(index, "title_groups", lambda _titles: groups(lexicon.lexicon_titles))
        yield


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a label store in which nothing was recorded; to be copied."""
    path = tmp_path_factory.mktemp("label_store") / "empty.db"
    LabelStore.open(path).close()
    return path


@pytest.fixture(scope="session")
def readers() -> tuple[ReadOnce, ReadOnce]:
    """Read indexes and taxonomies once from the same files."""
    return ReadOnce(NameIndex.load), ReadOnce(taxonomy_store._load)


@pytest.fixture(scope="session")
def bundled_forms() -> Callable[[Taxonomy], GenderedForms]:
    """Find the bundled taxonomy's names in two forms once, with and without the lexicon: each audit needs them."""
    find, found = GenderedForms.of, dict[tuple[str, ...], GenderedForms]()

    def of(taxonomy: Taxonomy) -> GenderedForms:
        if taxonomy.manifest.id != BUNDLED_ID:
            return find(taxonomy)
        names = tuple(taxonomy.name_texts)
        if names not in found:
            found[names] = find(taxonomy)
        return found[names]

    return of


@pytest.fixture(scope="session")
def skill_words() -> Callable[[Callable[[SkillNames], Any], SkillNames], Any]:
    """Fold the names of a taxonomy's skills once: each reader of projects needs them, and none changes them."""
    made: dict[object, Any] = {}

    def once(make: Callable[[SkillNames], Any], names: SkillNames) -> Any:
        key = make, *map(tuple, (names.keys, names.texts, names.languages, names.preferred))
        if key not in made:
            made[key] = make(names)
        return made[key]

    return once


@pytest.fixture(autouse=True)
def quick_start(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pages and commands begin with what their tests are not about: the core's and the store's tests are.

    A new label store begins as a copy of an empty one, since its ten revisions take longer than most of what is done
    with it; an index or a taxonomy that another test has opened is not read again, nor are its skills' names folded.
    """
    if not request.node.nodeid.startswith(("tests/pages/", "tests/jobmatch/", "tests/lab/")):
        return
    empty: Path = request.getfixturevalue("empty_store")

    def upgraded(database: Database) -> None:
        if database.path and not database.path.exists():
            copy = empty.with_name(uuid4().hex)
            shutil.copyfile(empty, copy)
            with suppress(OSError):  # another was faster; or the folder cannot be written to, and the upgrade says so
                database.path.parent.mkdir(parents=True, exist_ok=True)
                os.link(copy, database.path)
            copy.unlink()
        upgrade(database)

    indexes, taxonomies = request.getfixturevalue("readers")
    monkeypatch.setattr(label_store, "upgrade", upgraded)
    monkeypatch.setattr(GenderedForms, "of", request.getfixturevalue("bundled_forms"))
    for words in (SkillFinder, SkillKeys):
        monkeypatch.setattr(project_reader, words.__name__, partial(request.getfixturevalue("skill_words"), words))
    monkeypatch.setattr(NameIndex, "load", indexes)
    monkeypatch.setattr(taxonomy_store, "_load", taxonomies)


@pytest.fixture(autouse=True)
def jobmatch_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point JOBMATCH_HOME at a folder of the test's own, which does not exist yet; no server is asked."""
    home = tmp_path_factory.getbasetemp() / f"jobmatch_home_{uuid4().hex}"
    monkeypatch.setenv("JOBMATCH_HOME", str(home))
    for name in ("JOBMATCH_DB", "JOBMATCH_VECTOR_URL", "JOBMATCH_VECTOR_KEY"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture(autouse=True)
def same_main_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo what AppTest leaves behind: its script as `__main__`, which a process that is spawned later would run."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(scope="session")
def linker_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a home with the bundled taxonomy, indexed to link and to search; to be read or copied, not changed.

    The tour of a first visit is closed in it.
    """

    def build(folder: Path) -> None:
        settings = Settings(folder)
        open_linker(settings=settings)
        open_search(SearchKind.OCCUPATIONS, BUNDLED_ID, settings=settings)

    home = copy_kept_home("indexed", build, tmp_path_factory.mktemp("linker_home") / "home")
    close_tour(Settings(home))
    return home


@pytest.fixture(scope="session")
def lexical_home(linker_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a home with the bundled taxonomy and its index without an encoder; to be read or copied, not changed.

    Its index is a part of that with the encoder: to build it anew takes as long as that one.
    """

    def build(folder: Path) -> None:
        shutil.copytree(Settings(linker_home).taxonomies, Settings(folder).taxonomies)
        index = open_linker(settings=Settings(linker_home)).index
        lexical = replace(index, scorers={kind: index.scorers[kind] for kind in LEXICAL})
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(NameIndex, "build", lambda *_, **__: lexical)
            open_linker(encoder=None, settings=Settings(folder))

    return copy_kept_home("lexical", build, tmp_path_factory.mktemp("lexical_home") / "home")


@pytest.fixture
def own_linker_home(linker_home: Path, jobmatch_home: Path) -> Path:
    """Copy the linker's home to the test's own, which then may be changed; the files' bytes are shared."""
    shutil.copytree(linker_home, jobmatch_home, copy_function=os.link)
    return jobmatch_home


@pytest.fixture
def use_linker_home(linker_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point JOBMATCH_HOME at the linker's home, for tests that only read."""
    monkeypatch.setenv("JOBMATCH_HOME", str(linker_home))
    return linker_home


@pytest.fixture(scope="module")
def fork_from() -> Iterator[Callable[..., ForkServerContext]]:
    """Give processes that are forked from one that has imported the named modules, and from no thread of the tests'.

    Python has one such server at a time. One that another file's tests left running would have imported other modules,
    so that each process imported its own anew.
    """

    def forks(*modules: str) -> ForkServerContext:
        forkserver._forkserver._stop()
        context = get_context("forkserver")
        context.set_forkserver_preload(list(modules))
        return context

    yield forks
    forkserver._forkserver._stop()


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """The URL of an empty schema of the database that JOBMATCH_TEST_POSTGRES names, which was made for tests."""
    server = os.environ.get("JOBMATCH_TEST_POSTGRES", "")
    if not server:
        reason = "JOBMATCH_TEST_POSTGRES is not the URL of a PostgreSQL database"
        if os.environ.get("REQUIRE_POSTGRES") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    schema = f"test_{uuid4().hex}"
    engine = create_engine(server)
    with engine.begin() as connection:
        connection.execute(CreateSchema(schema))
    url = make_url(server).update_query_dict({"options": f"-csearch_path={schema}"})
    yield url.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(DropSchema(schema, cascade=True))
    engine.dispose()
