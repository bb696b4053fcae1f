"""`jobmatch describe`, and the commands that train and measure models of descriptions."""

import json
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from typer.testing import Result

from jobmatch.services import linking
from tests.core.descriptions.made_postings import made_postings
from tests.jobmatch.cli.conftest import Ended

Run = Callable[..., Result]
POSTING = "Associate\n\nYou bake bread and rolls.\nYou knead dough.\nParking is free.\n"


@pytest.fixture
def posting(tmp_path: Path) -> Path:
    """Write a posting to a file."""
    path = tmp_path / "posting.txt"
    path.write_text(POSTING, "utf-8")
    return path


@pytest.mark.usefixtures("use_linker_home")
def test_a_job_posting_keeps_its_fields_and_gains_codes(cli: Run, tmp_path: Path) -> None:
    """It is found in a page, and printed with the codes of its link."""
    given = {
        "@type": "JobPosting",
        "title": "Baker",
        "description": "<p>You bake bread.</p>",
        "datePosted": "2026-11-28",
    }
    page = tmp_path / "page.html"
    page.write_text(f'<html><script type="application/ld+json">{json.dumps(given)}</script></html>', "utf-8")
    document = json.loads(cli("describe", page, "--json-ld").stdout)
    codes = {code["inCodeSet"]: code["codeValue"] for code in document.pop("occupationalCategory")}
    assert document == given
    assert codes["ISCO-08"] == "7512"


@pytest.mark.usefixtures("use_linker_home")
def test_describe(cli: Run, posting: Path) -> None:
    """As JSON and as tables; the first line is the title."""
    found = json.loads(cli("describe", posting, "--json", "--top", 3, "--show", "de").stdout)
    assert (found["title"], found["layers"], found["heads"]) == ("Associate", 4, 8)
    assert [each["text"] for each in found["sentences"]] == POSTING.split("\n\n")[1].split("\n")[:3]
    assert sum(each["weight"] for each in found["sentences"]) == pytest.approx(1, abs=1e-4)
    assert len(found["nearest_titles"]) == len(found["link"]["candidates"]) == 3
    assert set(found["link"]["candidates"][0]["scores"]) == {"title", "names", "description"}
    shown = cli("describe", posting, "--title", "Baker", "--model", "mean").stdout
    assert "You bake bread and rolls." in shown
    assert "Occupations by title and description" in shown


def test_what_is_refused(
    run_main: Callable[..., Ended], tmp_path: Path, posting: Path, jobmatch_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is not text, an unknown model and a damaged label store, all before the index is built."""
    monkeypatch.setattr(linking, "open_linker", Mock(side_effect=AssertionError))
    (tmp_path / "x.txt").write_bytes(b"\xff\xfe\x00")
    assert "not text in UTF-8" in run_main("describe", tmp_path / "x.txt").err
    assert run_main("describe", tmp_path / "y.txt").err == "jobmatch: y.txt: there is no such file\n"
    ended = run_main("describe", posting, "--model", "gone")
    assert (ended.code, "There is no model 'gone'" in ended.err) == (2, True)
    jobmatch_home.mkdir(exist_ok=True)
    (jobmatch_home / "jobmatch.db").write_text("no database\n" * 1000, "utf-8")
    for command in (("describe", posting), ("link", "nurse")):
        ended = run_main(*command)
        assert (ended.code, "is not an SQLite database" in ended.err) == (2, True)


def test_train_jdan(cli: Run, tmp_path: Path) -> None:
    """From a recipe to a model that other commands take by its folder."""
    rows = [json.dumps({"title": each.title, "description": each.description}) for each in made_postings(40)]
    (tmp_path / "postings.jsonl").write_text("\n".join(rows), "utf-8")
    recipe = '[data]\npostings = ["postings.jsonl"]\n[network]\nlayers = 1\n[training]\nepochs = 1\nbatch_size = 8\n'
    (tmp_path / "tiny.toml").write_text("train_backbone = false\n" + recipe, "utf-8")
    words = ("train", "jdan", tmp_path / "tiny.toml", "--data", tmp_path, "--out")
    report = json.loads(cli(*words, tmp_path / "m", "--seed", 3, "--json").stdout)
    assert (report["recipe"]["seed"], sum(report["postings"])) == (3, 40)
    assert "Trained in" in cli(*words, tmp_path / "n").stdout
