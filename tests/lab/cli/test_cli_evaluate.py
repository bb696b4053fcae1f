"""`python -m lab evaluate`: what the experiments print."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from jobmatch_core.taxonomy.bundled import bundled_files
from lab.experiments.occupation_names import GroupNamesReport

Cli = Callable[..., Result]


@pytest.fixture
def official_folder(tmp_path: Path) -> Path:
    """Write an `ISCOGroups_en.csv` whose names are our own preferred ones."""
    folder = tmp_path / "official"
    folder.mkdir()
    with bundled_files()[0].open(encoding="utf-8-sig", newline="") as ours:
        rows = [{"code": row["code"], "preferredLabel": row["preferred"]} for row in csv.DictReader(ours)]
    with (folder / "ISCOGroups_en.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["code", "preferredLabel"])
        writer.writeheader()
        writer.writerows(rows)
    return folder


@pytest.mark.thorough
def test_group_names(cli: Cli, official_folder: Path) -> None:
    """One report for the one language that is there; our preferred names find themselves."""
    [report] = json.loads(cli("evaluate", "group-names", official_folder, "--json").stdout)["results"]
    assert list(report) == ["language", "names", "all_right", "all_at_1", "all_at_5", "preferred_at_1"]
    assert (report["language"], report["preferred_at_1"]) == ("en", 1.0)
    assert report["all_at_1"] == pytest.approx(report["all_right"] / report["names"])
    assert report["all_at_1"] < report["all_at_5"] < 1


def test_group_names_for_people(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row a language."""
    report = GroupNamesReport("en", names=3866, all_right=1933, all_at_1=0.5, all_at_5=0.625, preferred_at_1=1.0)
    monkeypatch.setattr("lab.cli.evaluate.evaluate_group_names", lambda folder: [report])
    row = cli("evaluate", "group-names", tmp_path).stdout.splitlines()[-2]
    cells = [cell.strip() for cell in row.strip("│").split("│")]
    assert cells == ["en", "3,866", "1,933", "50.0%", "62.5%", "100.0%"]


def test_gender_forms(cli: Cli, tiny_id: str) -> None:
    """The tiny taxonomy has three German pairs and a French one."""
    answer = json.loads(cli("evaluate", "gender-forms", "--taxonomy", tiny_id, "--json").stdout)
    assert answer["taxonomy"] == tiny_id
    reports = {report["language"]: report for report in answer["results"]}
    assert list(reports["de"]) == ["language", "pairs", "equal", "differing", "overlap"]
    assert reports["de"]["overlap"] is None  # it has too few names to rank
    assert (reports["de"]["pairs"], reports["fr"]["pairs"]) == (3, 1)
    assert (reports["de"]["equal"], reports["de"]["differing"]) == (1.0, [])
    assert "100.00%" in cli("evaluate", "gender-forms", "--taxonomy", tiny_id).stdout


def test_gender_forms_only_of_the_taxonomys_languages(cli: Cli, tiny_id: str) -> None:
    """Spanish occurs only in the ISCO groups' names, so there is nothing to measure."""
    answer = json.loads(cli("evaluate", "gender-forms", "--taxonomy", tiny_id, "--json").stdout)
    assert [report["language"] for report in answer["results"]] == ["de", "fr"]


def test_group_names_without_the_files(run_main: Callable[..., Any], tmp_path: Path) -> None:
    """An empty table would look like a result."""
    for folder in (tmp_path, tmp_path / "missing"):
        ended = run_main("evaluate", "group-names", folder)
        assert (ended.code, ended.out) == (2, "")
        assert "ISCOGroups_" in ended.err


@pytest.mark.parametrize("rows", ["", "2221,Nursing professionals\n"], ids=["no rows", "one group of 436"])
def test_group_names_of_an_incomplete_file(run_main: Callable[..., Any], tmp_path: Path, rows: str) -> None:
    """One line, no traceback: our other 435 groups have no official name to be compared with."""
    (tmp_path / "ISCOGroups_en.csv").write_text("code,preferredLabel\n" + rows, "utf-8")
    ended = run_main("evaluate", "group-names", tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("jobmatch: ISCOGroups_en.csv")


@pytest.fixture
def two_titles(tmp_path: Path) -> Path:
    """Write one title that every linker knows and one that none does."""
    path = tmp_path / "titles.csv"
    path.write_text("language,title,isco\nde,Bäcker,7512\n-,qqqq,\n", "utf-8")
    return path


def test_real_titles(cli: Cli, tiny_id: str, two_titles: Path) -> None:
    """Figures of all titles, of each language and of what is no job; of the names where they are asked for."""
    words = ("evaluate", "real-titles", "--taxonomy", tiny_id, "--file", two_titles, "--json")
    answer = json.loads(cli(*words).stdout)
    assert list(answer) == ["taxonomy", "system", "results"]
    assert answer["taxonomy"] == tiny_id
    everything, german, no_job = answer["results"]["titles"]
    assert list(everything) == ["language", "titles", "first", "linked", "right", "ece"]
    assert (everything["language"], everything["titles"], everything["first"], everything["linked"]) == ("all", 1, 1, 1)
    assert german == everything | {"language": "de"}
    assert (no_job["language"], no_job["first"], no_job["linked"], no_job["right"]) == ("-", 0, 0, None)
    assert answer["results"]["names"] == []
    names = json.loads(cli(*words, "--names").stdout)["results"]["names"]
    assert {"de", "en", "fr"} <= {each["language"] for each in names}
    assert all(each["names"] > 0 and each["first"] > 0.9 for each in names)


def test_real_titles_for_people(cli: Cli, tiny_id: str, two_titles: Path) -> None:
    """A row a language, and another table for the names."""
    shown = cli("evaluate", "real-titles", "--taxonomy", tiny_id, "--file", two_titles, "--names").stdout
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in shown.splitlines()]
    assert ["de", "1", "1.000", "1.000", "1.000"] in [row[:5] for row in rows]
    assert "first right" in shown
    assert "Names of one occupation" in shown
