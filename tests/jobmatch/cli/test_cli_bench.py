"""`jobmatch bench`: what it prints. The figures are tested in tests/core/evaluation/test_*_speed.py."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from jobmatch.cli import bench
from jobmatch.serve import dearest_requests
from jobmatch.serve.dearest_requests import RequestCost
from jobmatch.services import simulated_annotators
from jobmatch_core.benchmarks.speed import describe_speed, parts_speed, serve_speed
from jobmatch_core.benchmarks.speed.describe_speed import DescribeSpeed
from jobmatch_core.benchmarks.speed.encode_speed import EncodeSpeed
from jobmatch_core.benchmarks.speed.link_speed import LinkSpeed
from jobmatch_core.benchmarks.speed.parts_speed import PartsSpeed
from jobmatch_core.benchmarks.speed.serve_speed import ServeSpeed
from jobmatch_core.engines import Engine, InProcess
from jobmatch_core.errors import LinkingError
from jobmatch_core.linking.store import LinkerSpec

SPEED = LinkSpeed(
    taxonomy="tiny-1", names=1234, import_s=1.5, import_mb=600.25, load_s=0.05, link_p50_ms=9.876, link_p95_ms=20.0,
    batch_titles_per_s=1500.0, rss_mb=300.0, one_worker_titles_per_s=1400.0, two_workers_titles_per_s=2600.0,
    two_workers_ratio=1.86, worker_mb=437.5, english_titles_per_s=2000.0, rapidfuzz_titles_per_s=100.0,
    rapidfuzz_cdist_titles_per_s=900.0, rapidfuzz_ratio=20.0,
)  # fmt: skip


@pytest.fixture
def _measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give fixed figures."""
    monkeypatch.setattr(bench, "measure_link_speed", lambda source, progress: SPEED)


@pytest.mark.usefixtures("_measured")
def test_json_has_every_figure(cli: Callable[..., Result], tmp_path: Path) -> None:
    """Each field under its own name, unrounded."""
    printed = json.loads(cli("bench", "link", tmp_path, "--json").stdout)
    assert printed == {field.name: getattr(SPEED, field.name) for field in fields(LinkSpeed)}


@pytest.mark.usefixtures("_measured")
def test_a_table_for_people(cli: Callable[..., Result], tmp_path: Path) -> None:
    """Floats with two places, whole numbers as they are."""
    lines = cli("bench", "link", tmp_path).stdout.splitlines()
    rows = dict([cell.strip() for cell in line.strip("│").split("│")] for line in lines if line.startswith("│"))
    assert (rows["taxonomy"], rows["names"], rows["link_p50_ms"]) == ("tiny-1", "1234", "9.88")
    assert rows["batch_titles_per_s"] == "1,500.00"


def test_encode_has_cold_and_warm_rates(cli: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """Both beside the other encoder's, which is asked for by name."""
    speed = EncodeSpeed("titles-1", 38.2, 100_000, 0.1, 30_000.0, 45_000.0, 450.0, "mini", 500.0, 60.0, 90.0)
    asked: list[str] = []
    monkeypatch.setattr(bench, "measure_encode_speed", lambda against, progress: asked.append(against) or speed)
    printed = json.loads(cli("bench", "encode", "--against", "mini", "--json").stdout)
    assert printed == {field.name: getattr(speed, field.name) for field in fields(EncodeSpeed)}
    assert (printed["cold_titles_per_s"], printed["warm_ratio"], asked) == (30_000, 90, ["mini"])


def test_describe_is_asked_for_a_model(cli: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """And for the encoder that it is compared with."""
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


def test_a_source_that_cannot_be_imported(run_main: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, and no half a table."""

    def failing(source: Path, **_: Any) -> LinkSpeed:
        raise LinkingError(f"The import failed: {source.name}: there is no such file or folder")

    monkeypatch.setattr(bench, "measure_link_speed", failing)
    ended = run_main("bench", "link", "missing.csv")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "jobmatch: The import failed: missing.csv: there is no such file or folder\n"


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


def test_serve_has_every_figure(cli: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """The taxonomy and the number of requests are handed on."""
    speed = ServeSpeed("tiny-1", 1234, 8.0, 20.0, 800.0, 200.0, 0, 50.0, 90.0, 30.0, 40.0, 20.0)
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
