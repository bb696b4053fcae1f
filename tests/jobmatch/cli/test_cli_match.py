"""`jobmatch match`: a text, a record and a file of projects, over a small generated marketplace."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import Result

from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.match_answer import match_answer
from jobmatch_core.retrieval.match_models import load_match_model
from jobmatch_core.retrieval.project_reader import ProjectReader
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore

Cli = Callable[..., Result]
TEXT = "Wir suchen jemanden für Python und maschinelles Lernen"


@pytest.fixture(scope="module")
def market_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with a marketplace and its vectors, only to be read."""
    home = tmp_path_factory.mktemp("market_home")
    settings = Settings(home)
    blocks = demo_blocks(TaxonomyStore.open(settings).load(), DemoSpec(projects=3, freelancers=80))
    MarketplaceStore.open(settings).save("demo", blocks, origin={}, generated=True)
    open_finder("demo", load_match_model("", settings), settings=settings)
    return home


@pytest.fixture(autouse=True)
def home(market_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point JOBMATCH_HOME at it."""
    monkeypatch.setenv("JOBMATCH_HOME", str(market_home))
    return market_home


def matched(cli: Cli, *words: str | Path) -> dict[str, Any]:
    """Return the answer of a `match --json`."""
    return dict(json.loads(cli("match", *words, "--json").stdout))


def test_a_table_for_people(cli: Cli) -> None:
    """The skills of the text, the best freelancers, and that they are synthetic."""
    shown = cli("match", TEXT, "--limit", "3").stdout
    lines = shown.splitlines()
    assert lines[0] == f"{TEXT}: Python, maschinelles Lernen"
    assert [
        word for word in ("score", "freelancer", "title", "from", "shared", "missing") if word not in lines[2]
    ] == []
    assert len([line for line in lines if line.startswith("│ 0.")]) == 3
    assert lines[-1] == "These freelancers are synthetic: the marketplace demo is generated."


def test_json_is_one_object_of_the_documented_shape(cli: Cli) -> None:
    """Exactly the keys of docs/cli.md, on every level."""
    answer = matched(cli, TEXT, "--limit", "2")
    assert list(answer) == ["marketplace", "generated", "model", "project", "matches"]
    assert (answer["marketplace"], answer["generated"]) == ("demo", True)
    assert list(answer["project"]) == ["id", "language", "title", "job_title", "mandatory_skills", "bonus_skills"]
    assert [match["rank"] for match in answer["matches"]] == [1, 2]
    for match in answer["matches"]:
        assert list(match) == [
            "rank",
            "freelancer",
            "score",
            "title",
            "category",
            "category_name",
            "family",
            "family_name",
            "language",
            "country",
            "place",
            "available_from",
            "day_rate",
            "generated",
            "shared_skills",
            "missing_skills",
            "contributions",
            "fit",
        ]
        for shares in match["contributions"].values():
            assert sum(shares.values()) == pytest.approx(match["score"], abs=0.002)


def test_json_is_the_librarys_own(cli: Cli, home: Path) -> None:
    """The command prints the answer of the library."""
    settings = Settings(home)
    finder = open_finder("demo", load_match_model("", settings), settings=settings)
    project = ProjectReader(TaxonomyStore.open(settings).load()).text(TEXT)
    manifest = MarketplaceStore.open(settings).manifest("demo")
    answer = match_answer(manifest, finder.model.name, project, finder.match(project, limit=5, explain=True))
    assert matched(cli, TEXT, "--limit", "5") == msgspec.json.decode(msgspec.json.encode(answer))


def test_the_order_of_the_list(cli: Cli) -> None:
    """Fewest missing must-haves first, best fit first, or most similar first."""
    keys: dict[str, Callable[[dict[str, Any]], float]] = {
        "must-haves": lambda found: sum(skill["mandatory"] for skill in found["missing_skills"]),
        "fit": lambda found: -found["fit"]["score"],
        "score": lambda found: -found["score"],
    }
    for order, key in keys.items():
        values = [key(found) for found in matched(cli, TEXT, "--order", order)["matches"]]
        assert values == sorted(values)


@pytest.mark.first_case
@pytest.mark.parametrize(
    ("options", "passes"),
    [
        pytest.param(["--language", "de"], lambda m: m["language"] == "de", id="a language"),
        pytest.param(
            ["--language", "pl", "--language", "DE"], lambda m: m["language"] in ("de", "pl"), id="two languages"
        ),
        pytest.param(["--country", "de"], lambda m: m["country"] == "DE", id="a country in small letters"),
        pytest.param(["--family", "25"], lambda m: m["family"] == "25", id="a family"),
        pytest.param(["--category", "2512"], lambda m: m["category"] == "2512", id="a category"),
        pytest.param(
            ["--max-day-rate", "500"], lambda m: m["day_rate"] is not None and m["day_rate"] <= 500, id="rate"
        ),
        pytest.param(
            ["--available-by", "2026-11-01"],
            lambda m: "" < (m["available_from"] or "") <= "2026-11-01",
            id="availability",
        ),
        pytest.param(
            ["--near", "52.5,13.4", "--within-km", "300"],
            lambda m: abs(m["place"]["latitude"] - 52.5) < 2.8 and abs(m["place"]["longitude"] - 13.4) < 5,
            id="distance",
        ),
    ],
)
def test_filters(cli: Cli, options: list[str], passes: Callable[[dict[str, Any]], bool]) -> None:
    """Exactly the freelancers that pass are left."""
    everybody = matched(cli, TEXT, "--limit", "1000")["matches"]
    assert len(everybody) == 80
    left = matched(cli, TEXT, "--limit", "1000", *options)["matches"]
    assert 0 < len(left) < 80
    assert all(passes(match) for match in left)
    if "--near" not in options:
        assert len(left) == sum(passes(match) for match in everybody)


def test_nobody_passes(cli: Cli) -> None:
    """A message, not an error."""
    assert "No freelancer passes these filters." in cli("match", TEXT, "--category", "0110").stdout
    assert matched(cli, TEXT, "--category", "0110")["matches"] == []


def test_a_project_in_a_file(cli: Cli, tmp_path: Path) -> None:
    """As text or as a record."""
    (tmp_path / "p.txt").write_text(TEXT, "utf-8")
    (tmp_path / "p.json").write_text(json.dumps({"id": "p9", "title": "Shop", "mandatory": ["Python"]}), "utf-8")
    assert matched(cli, "--project", tmp_path / "p.txt") == matched(cli, TEXT)
    assert matched(cli, "--project", tmp_path / "p.json")["project"]["id"] == "p9"


def test_a_file_of_projects(cli: Cli, tmp_path: Path) -> None:
    """A row per match, with the documented columns."""
    source, out = tmp_path / "projects.jsonl", tmp_path / "matches.csv"
    source.write_text('{"title": "Python"}\n{"title": "Buchhaltung"}\n', "utf-8")
    shown = cli("match", "--file", source, "--out", out, "--limit", "4").stdout
    assert shown.startswith("Wrote 8 matches: ")
    rows = list(csv.DictReader(out.read_text("utf-8-sig").splitlines()))
    assert len(rows) == 8
    answer = json.loads(cli("match", "--file", source, "--out", out, "--rebuild", "--json").stdout)
    assert list(answer) == ["marketplace", "model", "rows", "out"]
    assert answer["rows"] == 40


def test_a_table_of_projects_below_a_heading(cli: Cli, tmp_path: Path) -> None:
    """The header is detected or given."""
    source, out = tmp_path / "projects.csv", tmp_path / "matches.csv"
    source.write_bytes("Offene Projekte im März\n\nid;title\np7;Küchenhilfe\n".encode("cp1252"))
    for options in ((), ("--header-row", "3")):
        assert "Wrote 2 matches" in cli("match", "--file", source, "--out", out, "--limit", "2", *options).stdout
        assert {row["project"] for row in csv.DictReader(out.read_text("utf-8-sig").splitlines())} == {"p7"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param([], "Give either the project's text", id="nothing"),
        pytest.param(["x", "--project", "p.txt"], "Give either the project's text", id="two projects"),
        pytest.param(["--file", "p.csv"], "--file and --out must be given together", id="no output"),
        pytest.param(["x", "--out", "m.csv"], "--file and --out must be given together", id="no file"),
        pytest.param(["x", "--near", "Berlin", "--within-km", "5"], "--near is a latitude and", id="no place"),
        pytest.param(["x", "--near", "52.5,13.4"], "--near requires --within-km", id="no distance"),
        pytest.param(["x", "--within-km", "5"], "--near is a latitude and", id="nowhere"),
        pytest.param(["x", "--near", "99,0", "--within-km", "5"], "a latitude of -90 to 90", id="off the earth"),
        pytest.param(["x", "--available-by", "soon"], "a date such as 2026-01-31, not 'soon'", id="no date"),
        pytest.param(["x", "--max-day-rate", "-1"], "The highest day rate must be", id="no rate"),
        pytest.param(["x", "--language", "klingon"], "'klingon' is not a language", id="no language"),
        pytest.param(["x", "--marketplace", "ours"], "There is no marketplace 'ours'", id="no marketplace"),
        pytest.param(["x", "--model", "ours"], "There is no model 'ours' here", id="no model"),
        pytest.param([""], "The project has no text", id="no text"),
    ],
)
def test_what_cannot_be_matched(run_main: Callable[..., Any], words: list[str], message: str) -> None:
    """One line on standard error, exit code 2."""
    ended = run_main("match", *words)
    assert ended.code == 2
    assert message in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.long
def test_two_processes_match_a_file_to_the_same_bytes(run_main: Callable[..., Any], tmp_path: Path) -> None:
    """As one process, in lists of two hundred."""
    source = tmp_path / "projects.csv"
    source.write_text("title\n" + "Python developer\nKoch\n" * 250, "utf-8")
    outs = [tmp_path / f"{workers}.csv" for workers in (1, 2)]
    for workers, out in enumerate(outs, 1):
        ended = run_main("match", "--file", source, "--out", out, "--workers", workers, "--limit", "3", "--json")
        assert (ended.code, json.loads(ended.out)["rows"]) == (0, 1500)
    assert outs[0].read_bytes() == outs[1].read_bytes()
