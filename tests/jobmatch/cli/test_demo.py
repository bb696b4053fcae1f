"""`jobmatch demo`: where it builds, what it says, and that the app it opens sees nothing of the user's own data."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jobmatch.cli import demo as command
from jobmatch.services import demo_building
from jobmatch_core.settings import Settings

RunMain = Callable[..., Any]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Settings, Settings, bool]]:
    """Note what would be built, and build nothing; the app reads the environment as the demo leaves it."""
    calls: list[tuple[Settings, Settings, bool]] = []

    def open_demo(settings: Settings, own: Settings, *, step: object, fresh: bool) -> None:
        calls.append((settings, own, fresh))

    monkeypatch.setattr(demo_building, "open_demo", open_demo)
    for name in ("JOBMATCH_HOME", "JOBMATCH_DB", "JOBMATCH_VECTOR_URL", "JOBMATCH_VECTOR_KEY", "JOBMATCH_KEEP_DAYS"):
        monkeypatch.setenv(name, os.environ.get(name, ""))  # undone after the test
    return calls


def test_the_demo_has_a_home_of_its_own(
    opened: list[tuple[Settings, Settings, bool]], jobmatch_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside the user's, and without the user's databases."""
    monkeypatch.setenv("JOBMATCH_DB", "postgresql+psycopg://me@host/mine")
    monkeypatch.setenv("JOBMATCH_VECTOR_URL", "postgresql://me@host/mine")
    seen: list[Settings] = []
    monkeypatch.setattr(command, "open_app", lambda **_: seen.append(Settings.from_environment()))
    monkeypatch.setattr(command, "check_free", lambda host, port: None)
    command.demo(headless=True)
    home = jobmatch_home.with_name(f"{jobmatch_home.name}-demo")
    [(settings, own, fresh)] = opened
    assert (settings, own.home, own.database, fresh) == (
        Settings(home, keep_days=0),
        jobmatch_home,
        "postgresql+psycopg://me@host/mine",
        False,
    )
    assert seen == [Settings(home, keep_days=0)]


def test_what_it_says(opened: list[tuple[Settings, Settings, bool]], run_main: RunMain, tmp_path: Path) -> None:
    """Where it is, how to start it again and how to delete it."""
    said = run_main("demo", "--home", str(tmp_path / "try"), "--fresh", "--build-only")
    assert opened[0][0].home == tmp_path / "try"
    assert opened[0][2]
    assert f"The demo is in {tmp_path / 'try'}" in said.err
    assert "delete that folder" in said.err
