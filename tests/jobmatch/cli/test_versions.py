"""`jobmatch taxonomy compare` and `jobmatch labels carry-over`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from db.label_store import LabelStore
from jobmatch.cli.main import app
from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.io.tables import read_table
from jobmatch_core.labelling.own_names import own_names
from jobmatch_core.settings import Settings
from tests.db.made_judgments import make_judgment
from tests.made_taxonomy import install
from tests.made_versions import uri, versions

Cli = Callable[..., Result]


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A home with both versions, and decisions on titles of the earlier one."""
    settings = Settings(tmp_path / "home")
    for taxonomy in versions():
        install(taxonomy, settings.home)
    monkeypatch.setenv("JOBMATCH_HOME", str(settings.home))
    decisions = {"ward nurse": "nurse", "RTT": "radio", "scribbler": "scribe", "=cmd()": "guide"}
    with LabelStore.open(settings.label_store) as store:
        store.record_all(
            make_judgment(pair=Pair(PairKind.TITLE_OCCUPATION, "trades-1", title, uri(key)))
            for title, key in decisions.items()
        )
    return settings


def cli(*arguments: str) -> str:
    """Run a command that succeeds; return its output."""
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_versions_compared(tmp_path: Path, run_main: Callable[..., Any]) -> None:
    """On the screen, as JSON, and as a table with every change."""
    out = tmp_path / "changes.csv"
    shown = cli("taxonomy", "compare", "trades-1", "trades-2", "--out", str(out))
    assert "perhaps onshore technician" in shown
    found = json.loads(cli("taxonomy", "compare", "trades-1", "trades-2", "--json"))
    assert found["counts"]["moved"] == 1
    assert [row["change"] for rows in read_table(out) for row in rows] == [row["change"] for row in found["changes"]]
    assert "no taxonomy" in run_main("taxonomy", "compare", "trades-1", "trades-9").err.lower()


def test_decisions_carried_over(settings: Settings) -> None:
    """Decisions are carried over once and only on request; they become own names of the later version."""
    command = ("labels", "carry-over", "trades-1", "trades-2")
    assert "Nothing was recorded" in cli(*command, "--dry-run")
    found = json.loads(cli(*command, "--json"))
    counts = {key: found[key] for key in ("recorded", "as_before", "to_successors", "already", "left")}
    assert counts == {"recorded": 3, "as_before": 2, "to_successors": 1, "already": 0, "left": 1}
    assert [(row["title"], row["change"]) for row in found["touched"]] == [
        ("scribbler", "removed"),
        ("RTT", "replaced"),
        ("=cmd()", "renamed"),
    ]
    assert "Recorded 0 judgments for trades-2" in cli(*command)
    with LabelStore.open(settings.label_store) as store:
        names = {name.title: name.uri for name in own_names(store.as_recorded(), "trades-2")}
    assert names == {"ward nurse": uri("nurse"), "RTT": uri("therapist"), "=cmd()": uri("guide")}
