"""`python -m lab evaluate search-bias`, `search-ranking`, `interleaving` and `python -m lab bench search`."""

import json
from collections.abc import Callable
from dataclasses import asdict, fields, replace

import pytest
import typer
from typer.testing import Result

from jobmatch_core.metrics.comparisons import FigureChange
from lab.cli import search_ranking
from lab.experiments.search_ranking import SearchRankingRow
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


def test_a_second_stage_of_searches(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both orders, the weights, and all of it for programs; an unknown set is refused."""
    row = SearchRankingRow("freelancers", FigureChange("ndcg_at_10", 100, 0.5, 0.75, 0.1, 0.4), {"words": 1.5})
    monkeypatch.setattr(search_ranking, "own_set", lambda name, _store: name)
    monkeypatch.setattr(search_ranking, "measure_search_ranking", lambda queries, _encoder: replace(row, set=queries))
    shown = cli("evaluate", "search-ranking").stdout
    assert "+0.100 to +0.400" in shown
    assert "1.50" in shown
    found = json.loads(cli("evaluate", "search-ranking", "--set", "freelancers", "--json").stdout)
    assert found["results"] == [asdict(row)]
    with pytest.raises(typer.BadParameter, match="'people'"):
        search_ranking.search_ranking("people")


def test_the_speed_of_a_search(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each figure under its own name."""
    speed = SearchSpeed(**{each.name: "titles" if each.name == "model" else 12.5 for each in fields(SearchSpeed)})  # type: ignore[arg-type]
    monkeypatch.setattr(match_speed, "measure_search_speed", lambda freelancers, progress: speed)
    assert json.loads(cli("bench", "search", "--json").stdout) == asdict(speed)
