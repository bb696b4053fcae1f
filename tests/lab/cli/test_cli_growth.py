"""`python -m lab bench growth`: what it prints and draws, and its errors."""

import gc
import json
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Self

import pytest
from typer.testing import Result

from lab.growth import growth_series


class InThisProcess:
    """A pool that starts no process, which would take seconds."""

    def __init__(self, workers: int, mp_context: object) -> None:
        assert workers == 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, work: Callable[..., Any], *given: object) -> Future[Any]:
        """Work at once."""
        done: Future[Any] = Future()
        done.set_result(work(*given))
        return done


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stay in this process, of which each point would look through everything for garbage."""
    gc.freeze()
    monkeypatch.setattr(growth_series, "ProcessPoolExecutor", InThisProcess)
    monkeypatch.setattr(growth_series, "REPEATS", 1)


@pytest.mark.long
def test_json_and_pictures(cli: Callable[..., Result], tmp_path: Path) -> None:
    """Every step at every size, with the exponents; a picture for each growth."""
    words = ("bench", "growth", "retrieval", "--share", "0.0001", "--out", tmp_path / "new")
    printed = json.loads(cli(*words, "--json").stdout)
    assert list(printed) == ["retrieval"]
    steps = [
        (curve["series"], curve["step"], [point["size"] for point in curve["points"]]) for curve in printed["retrieval"]
    ]
    assert steps[0] == ("profiles", "fill the store", [1, 3, 11, 33, 100])
    assert len(steps) == 5
    assert set(printed["retrieval"][0]) == {
        "series",
        "unit",
        "step",
        "points",
        "by_wall",
        "exponent",
        "last_exponent",
        "memory_exponent",
        "faster_than_linearithmic",
    }
    assert set(printed["retrieval"][0]["points"][0]) == {"size", "wall_s", "processor_s", "peak_mb"}
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["growth-retrieval.svg"]


@pytest.mark.long
def test_tables_for_people(cli: Callable[..., Result]) -> None:
    """One for each series, a row for each step."""
    shown = cli("bench", "growth", "labels", "labels", "--share", "0.00001").stdout
    assert shown.count("Growth of labels: judgments") == 1
    assert "statistics" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("marriage",), "There is no growth of 'marriage'; choose of linking, retrieval, labels, maps."),
        (("labels", "--share", "0"), "The share of the sizes is above 0 and at most 1, not 0."),
        (("labels", "--share", "0.000001"), "give a larger --share"),
        (("labels", "linking", "--taxonomy", "esco-9"), "esco-9"),
        (("retrieval", "--out", "file/pictures"), "could not be made"),
    ],
)
def test_errors_come_first(
    run_main: Callable[..., Any], words: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is measured."""
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("", "utf-8")
    monkeypatch.setattr(growth_series, "measured_curves", lambda *_, **__: pytest.fail("measured"))
    ended = run_main("bench", "growth", *words)
    assert ended.code == 2
    assert message in " ".join(ended.err.split())
