"""`python -m lab bench stores`: what it prints. The figures are tested beside `store_speed.py`."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import Result

from lab.speed import store_speed
from lab.speed.store_speed import SearchSpeed, StoreSpeed


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], int, str]]:
    """Give fixed figures, and note what was asked for."""
    asked: list[tuple[list[str], int, str]] = []

    def measured(engines: dict[str, object], freelancers: int, model: str, progress: object) -> list[StoreSpeed]:
        asked.append(([*engines], freelancers, model))
        ours = StoreSpeed("ours", "a note", freelancers, 1.5, 20.0, filtered=SearchSpeed(3.25, 4.0, 0.5))
        return [ours, StoreSpeed("lancedb", "not installed")]

    monkeypatch.setattr(store_speed, "measure_stores", measured)
    return asked


def test_json_has_every_figure(cli: Callable[..., Result], asked: list[tuple[list[str], int, str]]) -> None:
    """An entry for each engine; without a server, PostgreSQL is left out."""
    ours, lancedb = json.loads(cli("bench", "stores", "--json").stdout)["stores"]
    assert (ours["engine"], ours["fill_s"]) == ("ours", 1.5)
    assert ours["filtered"] == {"p50_ms": 3.25, "p95_ms": 4.0, "recall": 0.5}
    assert (lancedb["note"], lancedb["filtered"]) == ("not installed", None)
    assert asked == [(["ours", "qdrant-edge", "lancedb", "duckdb"], 100_000, "")]


def test_a_table_for_people(cli: Callable[..., Result], asked: list[tuple[list[str], int, str]]) -> None:
    """One for each engine; those that are named alone are measured."""
    printed = cli("bench", "stores", "--freelancers", "5000", "--model", "untrained", "--only", "ours").stdout
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in printed.splitlines() if line[0] == "│"]
    assert ["filtered p50_ms", "3.25"] in rows
    assert ["note", "not installed"] in rows
    assert asked == [(["ours"], 5000, "untrained")]


def test_an_engine_that_there_is_not(run_main: Callable[..., Any]) -> None:
    """Those that there are, are listed."""
    ended = run_main("bench", "stores", "--only", "oracle")
    assert ended.code == 2
    assert "oracle is none of ours, qdrant-edge, lancedb, duckdb" in ended.err
