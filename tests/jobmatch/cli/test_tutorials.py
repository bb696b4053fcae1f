"""The README's and the tutorials' commands and Python, run in the order of the page on what is bundled."""

import ast
import json
import os
import shlex
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from sysconfig import get_path
from uuid import uuid4

import pandas as pd
import pytest

from db.label_store import LabelStore, utc_now
from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.search_events import SearchChoice, SearchKind, SearchShown
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.built_wheel import built_wheel
from tests.db.made_judgments import make_judgment
from tests.documented_commands import ROOT, blocks, commands
from tests.jobmatch.cli.conftest import Ended
from tests.jobmatch.serve.made_esco import import_esco
from tests.made_results import write_melo

COOKS, BAKERS = "http://data.europa.eu/esco/isco/C5120", "http://data.europa.eu/esco/isco/C7512"
ESCO = "ESCO dataset - v1.2.1 - classification - en - csv"
# page -> what its commands print
PAGES = {
    "../README.md": ("infirmi", "linked.xlsx"),
    "recruiter.md": ("Python", "linked.csv"),
    "annotator.md": ("labels.jsonl",),
    "data-scientist.md": ("isco-08", "demo", "bm25", "char_tf_idf"),
    "taxonomies.md": ("Our job catalogue", "soc2020"),
    "coding.md": ("coded.csv", "Codes at a target precision", "right before"),
    "crosswalk.md": ("mappings.tsv", "open", "0 problems", "crosswalk.ttl", "our_q_en_c_en"),
    "search-log.md": ("clicks.jsonl",),
}
LONGEST = ("data-scientist.md", "taxonomies.md", "coding.md")  # of many commands; `make test-long` runs them
# beginning of a command -> why it is not run here
NOT_HERE = {
    "make app": "tests/e2e opens what it starts",
    "make demo": "tests/e2e opens what it starts",
    "make test": "it is what runs this",
    "jobmatch map freelancers": "UMAP compiles for a minute; tests/jobmatch/cli/test_cli_maps.py draws maps",
    "jobmatch train towers": "minutes; tests/jobmatch/cli/test_cli_train_towers.py trains on less",
    "jobmatch train search-encoder": "minutes; tests/jobmatch/cli/test_cli_train_search.py trains on less",
    "jobmatch models promote": "needs the training before it; tests/jobmatch/cli/test_cli_models.py",
    "jobmatch models rollback": "needs the promotion before it; tests/jobmatch/cli/test_cli_models.py",
    "jobmatch search-log compare": "needs the training before it; tests/jobmatch/cli/test_cli_search.py",
    "jobmatch taxonomy compare": "needs two versions; tests/jobmatch/cli/test_versions.py",
    "jobmatch labels carry-over": "needs two versions; tests/jobmatch/cli/test_versions.py",
}
PLACEHOLDERS = {"FOLDER_OF_DATASETS": "datasets", "FOLDER": "argilla"}  # what a reader has to fill in


def documented(page: str) -> list[str]:
    """Return the commands of a page."""
    return [command for block in blocks(page) for command in commands(block)]


def test_every_reason_is_of_a_command() -> None:
    """Each exception is of an existing command, and each page has commands."""
    found = [command for page in PAGES for command in documented(page)]
    assert [beginning for beginning in NOT_HERE if not any(each.startswith(beginning) for each in found)] == []
    assert all(documented(page) for page in PAGES)


@pytest.fixture(scope="module")
def tutorial_home(linker_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with a small demo marketplace, a judged pair, and a search with its choice; only to be copied."""
    home = tmp_path_factory.mktemp("tutorials") / "home"
    shutil.copytree(linker_home, home, copy_function=os.link)
    settings, spec = Settings(home), DemoSpec(projects=40, freelancers=300)
    taxonomy = TaxonomyStore.open(settings).load(BUNDLED_ID)
    markets = MarketplaceStore.open(settings)
    markets.save("demo", demo_blocks(taxonomy, spec), origin=spec.origin(taxonomy), generated=True)
    market = markets.load("demo")
    pair = Pair(PairKind.PROJECT_FREELANCER, "demo", market.projects[0].id, market.freelancers[0].id)
    shown = SearchShown(
        str(uuid4()),
        SearchKind.OCCUPATIONS,
        BUNDLED_ID,
        "cook",
        "m",
        (COOKS, BAKERS),
        1,
        False,
        str(uuid4()),
        utc_now(),
    )
    with LabelStore.open(settings.label_store) as store:
        store.record_all([make_judgment(annotator=name, pair=pair) for name in ("Ann", "Bob")])
        store.record_search(shown)
        store.record_choice(SearchChoice(str(uuid4()), shown.id, COOKS, 1, shown.at))
    return home


@pytest.fixture
def place(tutorial_home: Path, jobmatch_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with the files of the pages and a copy of the home."""
    shutil.copytree(tutorial_home, jobmatch_home)
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    [titles] = blocks("recruiter.md", language="csv")
    (place / "titles.csv").write_text(titles, "utf-8")
    [jobs] = blocks("taxonomies.md", language="csv")
    (place / "jobs.csv").write_text(jobs, "utf-8")
    for name, table in zip(("projects", "freelancers"), blocks("python.md", language="csv"), strict=True):
        (place / f"{name}.csv").write_text(table, "utf-8")
    [survey] = blocks("coding.md", language="csv")
    (place / "survey.csv").write_text(survey, "utf-8")
    [codes] = blocks("crosswalk.md", language="csv")
    (place / "national.csv").write_text(codes, "utf-8")
    soc = {"SOC2020": ["1111", "2237"], "Title": ["Chief executives", "Nurses"], "ISCO08": ["1120", "2221"]}
    pd.DataFrame(soc).to_excel(place / "soc2020.xlsx", index=False)
    import_esco(Settings(tmp_path / "another home"), place)
    (place / "ESCO dataset - v1.2.1").rename(place / ESCO)
    write_melo(place / "datasets")
    return place


def runnable(page: str) -> list[list[str]]:
    """Return the arguments of the commands that are run here."""
    found = []
    for command in documented(page):
        if not command.startswith(tuple(NOT_HERE)):
            program, *words = shlex.split(command, comments=True)
            assert program == "jobmatch"
            found.append([PLACEHOLDERS.get(word, word) for word in words])
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("page", [pytest.param(page, marks=[pytest.mark.long] * (page in LONGEST)) for page in PAGES])
@pytest.mark.usefixtures("place")
def test_a_pages_commands_run(page: str, run_main: Callable[..., Ended], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each succeeds, with confirmations, and together they print what the page quotes."""
    printed = ""
    monkeypatch.setattr(sys, "stdin", StringIO("y\n"))
    for words in runnable(page):
        ended = run_main(*words)
        assert ended.code == 0, (words, ended)
        printed += ended.out
    assert [word for word in PAGES[page] if word not in printed] == []


@pytest.fixture(scope="module")
def wheel_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of an environment with the wheel and its dependencies, without the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    wheel = built_wheel(folder)
    venv.create(folder / "env", symlinks=True)
    [packages] = (folder / "env" / "lib").glob("python3.*/site-packages")
    shutil.unpack_archive(wheel, packages, "zip")
    # the folder alone: a line in a file within it, which leads to the checkout, is not read
    (packages / "needed.pth").write_text(get_path("purelib"), "utf-8")
    return folder / "env" / "bin" / "python"


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES)
def test_a_pages_commands_run_from_a_wheel(page: str, wheel_python: Path, place: Path) -> None:
    """They succeed and print the same."""
    printed = ""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for words in runnable(page):
        ended = subprocess.run(
            [wheel_python, "-m", "jobmatch", *words],
            cwd=place,
            env=environment,
            input="y\n",
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert ended.returncode == 0, (words, ended.stdout, ended.stderr)
        printed += ended.stdout
    assert [word for word in PAGES[page] if word not in printed] == []


@pytest.mark.first_case
@pytest.mark.parametrize("page", ["data-scientist.md", "python.md"])
@pytest.mark.usefixtures("place")
def test_a_pages_python_runs(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its blocks in order, as in a notebook."""
    found = blocks(page, language="python")
    assert found
    names: dict[str, object] = {}
    for block in found:
        exec(block, names)
        assert bool(capsys.readouterr().out) == ("print(" in block)


@pytest.mark.thorough
@pytest.mark.usefixtures("place")
def test_the_notebook_runs() -> None:
    """Its cells in order, the last line of each as a notebook shows it; it is stored without answers."""
    notebook = json.loads((ROOT / "docs" / "python.ipynb").read_text("utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert 6 <= len(cells) <= 12
    names: dict[str, object] = {}
    for cell in cells:
        assert (cell["outputs"], cell["execution_count"]) == ([], None)
        *before, last = ast.parse("".join(cell["source"])).body
        assert isinstance(last, ast.Expr)
        exec(compile(ast.Module(before, []), "cell", "exec"), names)
        assert eval(compile(ast.Expression(last.value), "cell", "eval"), names) is not None
