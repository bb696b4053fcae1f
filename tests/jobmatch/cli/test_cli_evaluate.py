"""`jobmatch evaluate`: what the measurements print."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from jobmatch_core.benchmarks.scoreboard.results import ResultStore
from jobmatch_core.encoders.loading import shipped_encoder

Cli = Callable[..., Result]
ISCO = "http://data.europa.eu/esco/isco/C"


@pytest.fixture
def titles_csv(tmp_path: Path) -> Path:
    """Write three titles with an occupation each; the last one is wrong on purpose."""
    path = tmp_path / "titles.csv"
    rows = f"cook,{ISCO}5120\nregistered nurse,{ISCO}2221\nbaker,{ISCO}2221\n"
    path.write_text("vacancyTitle,conceptUri\n" + rows, "utf-8")
    return path


@pytest.fixture
def own_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Store results outside the shared home."""
    store = ResultStore(tmp_path / "evaluations")
    monkeypatch.setattr("jobmatch.cli.benchmarks.ResultStore.open", lambda: store)


@pytest.mark.usefixtures("use_linker_home", "own_results")
def test_job_normalization(cli: Cli, titles_csv: Path) -> None:
    """Two of three are first; the run is named. The linker is also in both rankings."""
    command = ("evaluate", "job-normalization", titles_csv, "--taxonomy", "isco-08")
    report, by_name, by_occupation = json.loads(cli(*command, "--json").stdout)["results"]
    assert [(each["system"], each["ranking"]) for each in (by_name, by_occupation)] == [
        ("linker", "by_name"),
        ("linker", "by_occupation"),
    ]
    assert by_occupation["accuracy_at_1"] == pytest.approx(report["accuracy_at_1"])
    assert [each["languages"] for each in (report, by_name, by_occupation)] == ["all", "told English", "told English"]
    system = f"jobmatch lexical + {shipped_encoder().name}"
    described = {name: report[name] for name in ("dataset", "system", "taxonomy", "ranking", "titles")}
    assert described == {
        "dataset": "titles",
        "system": system,
        "taxonomy": "isco-08",
        "ranking": "by_occupation",
        "titles": 3,
    }
    assert report["accuracy_at_1"] == pytest.approx(2 / 3)
    assert 2 / 3 <= report["mrr"] < 1
    assert report["accuracy_at_1"] <= report["recall_at_5"] <= report["recall_at_10"]
    assert sum(part["count"] for part in report["reliability"]) == 3
    assert [point["coverage"] for point in report["risk_coverage"]][-1] == 1
    assert report["risk_coverage"][-1]["risk"] == pytest.approx(1 / 3)
    shown = " ".join(cli(*command).stdout.split())
    assert f"titles.csv, {system}; by occupation; languages: all" in shown
    assert "linker: told English" in shown
    assert "0.6667" in shown
    assert "Reliability" in shown
    assert "Risk and coverage" in shown


@pytest.mark.usefixtures("use_linker_home", "own_results")
def test_job_normalization_finds_the_taxonomy_itself(cli: Cli, titles_csv: Path) -> None:
    """The one that has the occupations of the titles."""
    [report, *_] = json.loads(cli("evaluate", "job-normalization", titles_csv, "--json").stdout)["results"]
    assert report["taxonomy"] == "isco-08"


@pytest.mark.parametrize("what", ["missing.csv", "."])
def test_job_normalization_without_the_file(run_main: Callable[..., Any], tmp_path: Path, what: str) -> None:
    """A missing file or a folder gives one line of error."""
    ended = run_main("evaluate", "job-normalization", tmp_path / what, "--taxonomy", "isco-08")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("jobmatch: ")
    assert ended.err.count("\n") == 1


@pytest.mark.usefixtures("use_linker_home")
def test_job_normalization_with_other_columns(run_main: Callable[..., Any], tmp_path: Path) -> None:
    """The message names the missing columns and, if only some are missing, the existing ones."""
    path = tmp_path / "other.csv"
    for header, problem in (
        ("vacancyTitle,uri", "the column 'conceptUri' is missing; found vacancyTitle, uri"),
        ("title,uri", "all columns are missing: 'vacancyTitle', 'conceptUri'; is this another file, "),
    ):
        path.write_text(f"{header}\ncook,x\n", "utf-8")
        ended = run_main("evaluate", "job-normalization", path, "--taxonomy", "isco-08")
        assert (ended.code, ended.out) == (2, "")
        assert ended.err.startswith(f"jobmatch: other.csv, line 1: {problem}")
