"""`python -m lab bench match`: what it prints. The figures are tested in tests/core/evaluation/test_match_speed.py."""

import json
from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any

import pytest
from typer.testing import Result

from lab.speed import match_speed
from lab.speed.match_speed import MatchSpeed

SPEED = MatchSpeed(**{each.name: "titles" if each.name == "model" else 1234.5 for each in fields(MatchSpeed)})  # type: ignore[arg-type]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    """Give fixed figures, and note what was asked for."""
    asked: list[tuple[int, str]] = []

    def measured(freelancers: int, model: str, progress: object) -> MatchSpeed:
        asked.append((freelancers, model))
        return SPEED

    monkeypatch.setattr(match_speed, "measure_match_speed", measured)
    return asked


def test_json_has_every_figure(cli: Callable[..., Result], asked: list[tuple[int, str]]) -> None:
    """Each field under its own name; a hundred thousand freelancers where no number is given."""
    assert json.loads(cli("bench", "match", "--json").stdout) == asdict(SPEED)
    assert asked == [(100_000, "")]


def test_a_table_for_people(cli: Callable[..., Result], asked: list[tuple[int, str]]) -> None:
    """Every figure, with two places."""
    lines = cli("bench", "match", "--freelancers", "500", "--model", "untrained").stdout.splitlines()
    rows = dict([cell.strip() for cell in line.strip("│").split("│")] for line in lines if line.startswith("│"))
    assert (rows["model"], rows["match_p95_ms"]) == ("titles", "1,234.50")
    assert asked == [(500, "untrained")]


def test_too_few_freelancers(run_main: Callable[..., Any]) -> None:
    """The best hundred must be there."""
    ended = run_main("bench", "match", "--freelancers", "99")
    assert ended.code == 2
    assert "greater than or equal to 100" in ended.err
