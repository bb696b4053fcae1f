"""`python -m lab evaluate search-bias`, `interleaving` and `python -m lab bench search`."""

import json
from collections.abc import Callable
from dataclasses import asdict, fields

import pytest
from typer.testing import Result

from lab.speed import match_speed
from lab.speed.match_speed import SearchSpeed

Cli = Callable[..., Result]


def test_the_simulation(cli: Cli) -> None:
    """Both tables, and all of it for programs."""
    shown = cli("evaluate", "search-bias", "--searches", "1000").stdout
    assert "plain choices" in shown
    found = json.loads(cli("evaluate", "search-bias", "--searches", "1000", "--json").stdout)
    assert len(found["orders"]) == 4
    assert len(found["actual"]) == len(found["estimated"]) == 10


def test_online_comparisons(cli: Cli) -> None:
    """A row a candidate, and all of it for programs."""
    options = ("evaluate", "interleaving", "--comparisons", "1", "--most", "10")
    assert "called better" in cli(*options).stdout
    found = json.loads(cli(*options, "--json").stdout)
    assert [run["error"] for run in found["runs"]] == [0.4, 0.35, 0.3, 0.2, 0.1]


def test_the_speed_of_a_search(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each figure under its own name."""
    speed = SearchSpeed(**{each.name: "titles" if each.name == "model" else 12.5 for each in fields(SearchSpeed)})  # type: ignore[arg-type]
    monkeypatch.setattr(match_speed, "measure_search_speed", lambda freelancers, progress: speed)
    assert json.loads(cli("bench", "search", "--json").stdout) == asdict(speed)
