"""`jobmatch app`: Streamlit is started on the app with the address asked for."""

import runpy
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from jobmatch.services.retention import Retention

ROOT = Path(__file__).parents[3]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace Streamlit; return its arguments."""
    words: list[str] = []

    def run(module: str, *, run_name: str) -> None:
        words.extend([module, run_name, *sys.argv[1:]])

    monkeypatch.setattr(runpy, "run_module", run)
    monkeypatch.setattr(Retention, "start", lambda _retention: words.append("retention"))
    monkeypatch.setattr(sys, "argv", ["jobmatch"])
    return words


@pytest.fixture
def free_port() -> int:
    """Return a free port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def test_this_machine_only(cli: Callable[..., Result], started: list[str], free_port: int) -> None:
    """By default only this machine can reach the app, and a browser opens."""
    cli("app", "--port", str(free_port))
    assert started == [
        "retention",
        "streamlit",
        "__main__",
        "run",
        str(ROOT / "app.py"),
        f"--server.port={free_port}",
        "--server.address=127.0.0.1",
        "--server.headless=false",
    ]


def test_another_address(cli: Callable[..., Result], started: list[str], free_port: int) -> None:
    """Options are passed to Streamlit."""
    cli("app", "--port", str(free_port), "--host", "127.0.0.2", "--headless")
    assert started[-3:] == [f"--server.port={free_port}", "--server.address=127.0.0.2", "--server.headless=true"]


def test_a_port_in_use(run_main: Callable[..., Any], started: list[str]) -> None:
    """The app does not start; the message says what to do."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = run_main("app", "--port", server.getsockname()[1])
    assert ended.code == 2
    assert "give another --port or --host" in ended.err
    assert started == []


@pytest.mark.parametrize("host", ["nowhere.invalid", "x" * 80, ""])
def test_an_address_of_nobody(run_main: Callable[..., Any], started: list[str], host: str) -> None:
    """Like a port in use; '' would mean all addresses of this machine."""
    assert run_main("app", "--host", host).code == 2
    assert started == []
