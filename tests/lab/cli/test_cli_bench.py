"""`python -m lab bench`: what it prints. The figures are tested in tests/lab/speed."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from jobmatch_core.engines import Engine, InProcess
from jobmatch_core.linking.store import LinkerSpec
from lab.cli import bench
from lab.speed import dearest_requests, describe_speed, desk_speed, parts_speed, serve_speed, simulated_annotators
from lab.speed.dearest_requests import RequestCost
from lab.speed.describe_speed import DescribeSpeed
from lab.speed.desk_speed import DeskSpeed, KeySpeed
from lab.speed.encode_speed import EncodeSpeed
from lab.speed.parts_speed import PartsSpeed
from lab.speed.serve_speed import ServeSpeed


def test_encode_has_cold_and_warm_rates(cli: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """Both beside the other encoder's, which is asked for by name."""
    speed = EncodeSpeed("titles-1", 38.2, 100_000, 0.1, 30_000.0, 45_000.0, 450.0, "mini", 500.0, 60.0, 90.0)
    asked: list[str] = []
    monkeypatch.setattr(bench, "measure_encode_speed", lambda against, progress: asked.append(against) or speed)
    printed = json.loads(cli("bench", "encode", "--against", "mini", "--json").stdout)
    assert printed == {field.name: getattr(speed, field.name) for field in fields(EncodeSpeed)}
    assert (printed["cold_titles_per_s"], printed["warm_ratio"], asked) == (30_000, 90, ["mini"])


def test_describe_is_asked_for_a_model(cli: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """The model and the encoder to compare with are handed on."""
    speed = DescribeSpeed("jdan", 0.5, 12, 0.007, 0.02, 200, 0.3, 0.9, 450.0, "mini", 0.1, 14.0)
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(
        describe_speed,
        "measure_describe_speed",
        lambda model, against, progress: asked.append((model, against)) or speed,
    )
    printed = json.loads(cli("bench", "describe", "--model", "mean", "--against", "mini", "--json").stdout)
    assert printed == {field.name: getattr(speed, field.name) for field in fields(DescribeSpeed)}
    assert asked == [("mean", "mini")]


def test_parts_are_linked_by_an_engine(cli: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """The linker is open before the workers begin; rows and titles are handed on."""
    speed = PartsSpeed("isco-08", 100, 1, 40, 50, 0.1, 2.0, 50.0, 25.0, 300.0, 290.0, 500.0, 480.0, 0.5, 2.5)
    asked: list[Any] = []

    def measure(spec: LinkerSpec, engine: Engine, rows: int, titles: int, progress: object) -> PartsSpeed:
        asked.extend([spec.taxonomy, type(engine), rows, titles])
        return speed

    monkeypatch.setattr(LinkerSpec, "open", lambda _: asked.append("opened"))
    monkeypatch.setattr(parts_speed, "measure_parts_speed", measure)
    printed = json.loads(cli("bench", "parts", "--rows", "100", "--titles", "60", "--workers", "1", "--json").stdout)
    assert printed == {field.name: getattr(speed, field.name) for field in fields(PartsSpeed)}
    assert asked == ["opened", "isco-08", InProcess, 100, 60]


def test_desk_has_every_figure(cli: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a key have its name before them; the taxonomy and the number of keys are handed on."""
    key = KeySpeed(0.2, 0.3, 0.1, 66.0)
    speed = DeskSpeed("tiny-1", 376, 3, 1.0, 2.0, 1.5, key, key, 2.5, 20, 0.5)
    asked: list[Any] = []

    def measure(taxonomy: str, *, keys: int, progress: object) -> DeskSpeed:
        asked.extend([taxonomy, keys])
        return speed

    monkeypatch.setattr(desk_speed, "measure_desk_speed", measure)
    printed = json.loads(cli("bench", "desk", "--taxonomy", "tiny-1", "--keys", "9", "--json").stdout)
    names = {field.name for field in fields(DeskSpeed)} - {"skip", "accept"}
    of_keys = {f"{name}_{field.name}" for name in ("skip", "accept") for field in fields(KeySpeed)}
    assert (set(printed), asked) == (names | of_keys, ["tiny-1", 9])
    assert (printed["accept_p95_s"], printed["rows_visible"]) == (0.3, 20)


def test_serve_has_every_figure(cli: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """The taxonomy and the number of requests are handed on."""
    speed = ServeSpeed("tiny-1", 1234, 8.0, 20.0, 800.0, 200.0, 0, 50.0, 90.0)
    asked: list[Any] = []

    def measure(taxonomy: str, *, requests: int, beside: str, progress: object) -> ServeSpeed:
        asked.extend([taxonomy, requests, beside])
        return speed

    monkeypatch.setattr(serve_speed, "measure_serve_speed", measure)
    words = ("--taxonomy", "tiny-1", "--requests", "640", "--beside", "http://localhost:5000/reconcile")
    printed = json.loads(cli("bench", "serve", *words, "--json").stdout)
    assert printed == {field.name: getattr(speed, field.name) for field in fields(ServeSpeed)}
    assert asked == ["tiny-1", 640, "http://localhost:5000/reconcile"]


@pytest.mark.long
@pytest.mark.parametrize("each_in", ["a thread", pytest.param("a process", marks=pytest.mark.thorough)])
def test_labelling_has_five_annotators(
    cli: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, each_in: str
) -> None:
    """Each in a process of their own, on the store that was named; they share what there is."""
    if each_in == "a thread":
        monkeypatch.setattr(simulated_annotators, "_PATIENCE", 0.6)  # a process would not know
        monkeypatch.setattr(simulated_annotators, "ProcessPoolExecutor", lambda n, **_: ThreadPoolExecutor(n))
    store = tmp_path / "labels.db"
    printed = json.loads(
        cli("bench", "labelling", "--draws", "40", "--judgments", "2", "--store", store, "--json").stdout
    )
    assert (printed["annotators"], printed["pairs"], printed["drawn_twice"], printed["overlap_off"]) == (5, 20, 0, 0)
    assert store.exists()


def test_requests(cli: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """The dearest ones, with their routes, as a table and for programs."""
    costs = [RequestCost("POST /api/v1/link", "long titles", 200, 4.5, 8000.0)]
    monkeypatch.setattr(dearest_requests, "measure_requests", lambda *_, **__: costs)
    printed = json.loads(cli("bench", "requests", "--json").stdout)
    assert printed == {
        "requests": [
            {"route": "POST /api/v1/link", "what": "long titles", "status": 200, "cpu_s": 4.5, "answer_kb": 8000.0}
        ]
    }
    assert "4.50" in cli("bench", "requests").stdout
