"""`jobmatch marketplace`: generate, import, list and remove."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.settings import Settings
from tests.hashing_model import HashingModel
from tests.made_taxonomy import install, skilled_taxonomy

Cli = Callable[..., Result]
SMALL = ("--projects", "5", "--freelancers", "30", "--taxonomy", "skilled-1")


@pytest.fixture(autouse=True)
def _skills(jobmatch_home: Path) -> None:
    """Install a taxonomy with skills."""
    install(skilled_taxonomy(), jobmatch_home)


@pytest.fixture
def files(tmp_path: Path) -> list[str | Path]:
    """Write files to import, and return the options that name them."""
    contents = {
        "projects": "id,language,title,created\np1,de,Neue Seite,2026-01-31\n",
        "freelancers": "id,language,title,shoe size\nf1,en,coder,44\nf2,ja,プログラマー,\n",
        "interactions": "project,freelancer,positive\np1,f1,1\np1,f2,\n",
    }
    options: list[str | Path] = []
    for kind, content in contents.items():
        path = tmp_path / f"{kind}.csv"
        path.write_text(content, "utf-8")
        options += [f"--{kind}", path]
    return options


def answer(cli: Cli, *words: str | Path) -> dict[str, Any]:
    """Return the one JSON object that a command prints."""
    return dict(json.loads(cli("marketplace", *words, "--json").stdout))


def test_skills_apart_by_any_sign(cli: Cli, tmp_path: Path) -> None:
    """Known skills are found; a note says how others were read."""
    projects, freelancers = tmp_path / "p.json", tmp_path / "f.csv"
    projects.write_text('[{"id": "p1", "language": "en", "title": "x", "mandatory": "Python ● SQL ● Docker"}]', "utf-8")
    rows = "f1;en;Köchin;Zorbing/Quux/Python\nf2;en;dev;Python, SQL, Docker\n"
    freelancers.write_bytes(f"id;language;title;skills\n{rows}".encode("cp1252"))
    options = ("--projects", projects, "--freelancers", freelancers, "--name", "signs", "--taxonomy", "isco-08")
    note = answer(cli, "import", *options)["notes"][0]
    assert ": 1, such as 'Zorbing/Quux/Python'. Put semicolons between skills." in note
    stored = MarketplaceStore.open().load("signs")
    assert [skill.text for skill in next(iter(stored.projects)).mandatory] == ["Python", "SQL", "Docker"]
    cook, developer = stored.freelancers
    assert (cook.title, len(cook.skills), len(developer.skills)) == ("Köchin", 1, 3)
    assert "Note: Texts that look like several skills" in cli("marketplace", "import", *options, "--replace").stdout


def test_generate(cli: Cli) -> None:
    """It is stored under its name, marked as generated; the same seed gives the same marketplace."""
    manifest = answer(cli, "generate", *SMALL, "--languages", "de,EN")
    assert (manifest["name"], manifest["generated"]) == ("demo", True)
    assert manifest["origin"] == {
        "generator": "1",
        "seed": "1",
        "taxonomy": "skilled-1",
        "taxonomy_hash": "0" * 64,
        "languages": "de, en",
    }
    assert (manifest["counts"]["projects"], manifest["counts"]["freelancers"]) == (5, 30)
    stored = MarketplaceStore.open().load("demo")
    assert stored.generated
    assert {each.language for each in stored.freelancers} == {"de", "en"}
    again = answer(cli, "generate", *SMALL, "--languages", "de,en", "--replace")
    assert again["hashes"] == manifest["hashes"]
    other = answer(cli, "generate", *SMALL, "--name", "other", "--seed", "2")
    assert other["hashes"] != manifest["hashes"]


def test_generate_for_people(cli: Cli) -> None:
    """One line that says that it is generated."""
    shown = cli("marketplace", "generate", *SMALL).stdout
    assert shown.startswith("demo, generated: projects 5, freelancers 30, interactions ")


def test_import(cli: Cli, files: list[str | Path]) -> None:
    """It is not marked as generated; without an answer there is no interaction."""
    manifest = answer(cli, "import", *files, "--name", "ours", "--taxonomy", "skilled-1")
    assert (manifest["name"], manifest["generated"]) == ("ours", False)
    assert manifest["counts"] == {"projects": 1, "freelancers": 2, "interactions": 1, "positive": 1}
    assert manifest["origin"] == {
        "taxonomy": "skilled-1",
        "freelancers": "freelancers.csv",
        "projects": "projects.csv",
        "interactions": "interactions.csv",
    }
    assert MarketplaceStore.open().load("ours").freelancers[1].title == "プログラマー"


def test_import_for_people(cli: Cli, files: list[str | Path]) -> None:
    """Ignored columns are listed."""
    shown = cli("marketplace", "import", *files, "--name", "ours", "--taxonomy", "skilled-1").stdout.splitlines()
    assert shown == [
        "Columns of freelancers that were ignored: shoe size",
        "ours, imported: projects 1, freelancers 2, interactions 1, positive 1",
    ]


def test_import_with_other_columns(cli: Cli, files: list[str | Path], tmp_path: Path) -> None:
    """Also in another encoding and without interactions."""
    (tmp_path / "freelancers.csv").write_bytes("Nr;language;Beruf\n1;de;Bäcker\n".encode("cp1252"))
    columns = tmp_path / "columns.toml"
    columns.write_text('[freelancers]\nid = "Nr"\ntitle = "Beruf"\n', "utf-8")
    words = (*files[:4], "--columns", columns, "--encoding", "cp1252", "--name", "ours", "--taxonomy", "skilled-1")
    assert answer(cli, "import", *words)["counts"]["interactions"] == 0
    assert MarketplaceStore.open().load("ours").freelancers[0].title == "Bäcker"


def test_list_and_remove(cli: Cli, files: list[str | Path]) -> None:
    """The list distinguishes generated and imported ones."""
    assert answer(cli, "list") == {"marketplaces": []}
    cli("marketplace", "generate", *SMALL)
    cli("marketplace", "import", *files, "--name", "ours", "--taxonomy", "skilled-1")
    assert [manifest["name"] for manifest in answer(cli, "list")["marketplaces"]] == ["demo", "ours"]
    table = cli("marketplace", "list").stdout
    assert "generated" in table
    assert "imported" in table
    assert cli("marketplace", "remove", "ours").stdout == "Removed ours.\n"
    assert answer(cli, "remove", "demo") == {"removed": "demo"}
    assert answer(cli, "list") == {"marketplaces": []}


def test_vectors_are_removed_with_their_marketplace(cli: Cli) -> None:
    """Those of others stay."""
    for name in ("demo", "other"):
        cli("marketplace", "generate", *SMALL, "--name", name)
        open_finder(name, HashingModel())
    vectors = Settings.from_environment().vectors
    cli("marketplace", "remove", "demo")
    assert [path.name.partition("+")[0] for path in vectors.iterdir()] == ["other"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("generate", *SMALL, "--name", "Demo!"), "'Demo!' is not a valid name of a marketplace"),
        (("generate", *SMALL, "--languages", "klingon"), "'klingon' is not a language known here"),
        (("generate", *SMALL, "--languages", "fr"), "skilled-1 has no names in fr"),
        (("generate", "--taxonomy", "nothing-1"), "There is no taxonomy 'nothing-1'"),
        (("generate", "--freelancers", "0"), "freelancers"),
        (("remove", "demo"), "There is no marketplace 'demo'"),
    ],
)
def test_errors(run_main: Callable[..., Any], words: tuple[str, ...], told: str) -> None:
    """One line, with exit code 2."""
    ended = run_main("marketplace", *words)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err


def test_a_taken_name_is_refused_before_any_work(run_main: Callable[..., Any], cli: Cli) -> None:
    """The stored marketplace stays."""
    cli("marketplace", "generate", *SMALL)
    ended = run_main("marketplace", "generate", *SMALL)
    assert (ended.code, "There is already a marketplace demo" in ended.err) == (2, True)


def test_a_faulty_import_stores_nothing(run_main: Callable[..., Any], files: list[str | Path], tmp_path: Path) -> None:
    """The error names the place of the fault."""
    (tmp_path / "interactions.csv").write_text("project,freelancer,positive\np1,f7,1\n", "utf-8")
    ended = run_main("marketplace", "import", *files, "--name", "ours", "--taxonomy", "skilled-1")
    assert ended.err.startswith("jobmatch: interactions.csv: row 2: there is no freelancer 'f7' in freelancers.csv")
    assert MarketplaceStore.open().installed() == []
