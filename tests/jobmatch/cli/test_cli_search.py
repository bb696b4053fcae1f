"""`jobmatch search` and `jobmatch search-log`."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from typer.testing import CliRunner, Result

from db.label_store import LabelStore
from jobmatch.cli.main import app
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.search.search_encoder import DOCUMENT
from jobmatch_core.search_events import SearchChoice, SearchKind, SearchShown
from jobmatch_core.settings import Settings
from tests import made_marketplace
from tests.made_search_encoder import encoder, tower
from tests.made_taxonomy import install, skilled_taxonomy

Cli = Callable[..., Result]


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A home with a tiny taxonomy and a tiny marketplace."""
    settings = Settings(tmp_path / "home")
    install(skilled_taxonomy(), settings.home)
    MarketplaceStore.open(settings).save("tiny", made_marketplace.marketplace(1).blocks(), origin={}, generated=True)
    monkeypatch.setenv("JOBMATCH_HOME", str(settings.home))
    return settings


@pytest.fixture
def store(settings: Settings) -> Iterator[LabelStore]:
    """A label store with a search and an opened result."""
    shown = SearchShown(
        str(uuid4()),
        SearchKind.OCCUPATIONS,
        "skilled-1",
        "writes programs",
        "m",
        ("http://jobs/2512", "x"),
        1,
        False,
        str(uuid4()),
        datetime.now(UTC),
    )
    with LabelStore.open(settings.label_store) as opened:
        opened.record_search(shown)
        opened.record_choice(SearchChoice(str(uuid4()), shown.id, "http://jobs/2512", 1, shown.at))
        opened.record_choice(SearchChoice(str(uuid4()), shown.id, "x", 2, shown.at))
        yield opened


def test_search(cli: Cli) -> None:
    """Occupations in a language, freelancers and projects, as tables and JSON."""
    found = json.loads(cli("search", "Coders", "--taxonomy", "skilled-1", "--show", "de", "--json").stdout)
    assert {key: found[key] for key in ("query", "in", "source")} == {
        "query": "Coders",
        "in": "occupations",
        "source": "skilled-1",
    }
    assert (found["hits"][0]["title"], found["hits"][0]["isco"]) == ("Programmierer", "2512")
    assert {"query": "Coders", "item": "coder"} in found["hits"][0]["words"]
    shown = cli("search", "python", "--in", "freelancers", "--marketplace", "tiny", "--limit", "2").stdout
    assert "words: python · similar meaning" in shown
    assert "f-data-" in shown
    assert "p-web-0" in cli("search", "homepage", "--in", "projects", "--marketplace", "tiny").stdout
    assert "Nothing found in 6 occupations" in cli("search", "🙂", "--taxonomy", "skilled-1").stdout


def test_an_online_comparison(cli: Cli, run_main: Callable[..., Any], settings: Settings) -> None:
    """Started, shown and stopped."""
    assert "No online comparison" in cli("search-log", "compare").stdout
    encoder(**{DOCUMENT: tower()}).save(settings.models / "mine", {})
    assert "mine against search" in cli("search-log", "compare", "mine").stdout
    found = json.loads(cli("search-log", "compare", "--json").stdout)
    assert (found["runs"], found["comparison"]["candidate"], found["credit"]["searches"]) == (True, "mine", 0)
    assert found["verdict"] == "No search has a winner yet."
    assert "has ended" in cli("search-log", "compare", "--stop").stdout
    assert "No online comparison runs" in run_main("search-log", "compare", "--stop").err
    assert "not both" in run_main("search-log", "compare", "mine", "--stop").err


def test_errors_of_a_search(run_main: Callable[..., Any]) -> None:
    """An empty query, an unknown taxonomy, an unknown language."""
    assert "The query is empty" in run_main("search", " ").err
    assert "nowhere" in run_main("search", "x", "--taxonomy", "nowhere").err
    assert "not a language" in run_main("search", "x", "--show", "xx").err


def test_the_status_of_the_log(cli: Cli, store: LabelStore) -> None:
    """Size, age and bias; also of an empty log."""
    found = json.loads(cli("search-log", "status", "--json").stdout)
    assert (found["searches"], found["choices"], found["keep_days"]) == (1, 2, 90)
    assert (found["upper"][0], found["lower"][0]) == (1, 1)
    shown = cli("search-log", "status").stdout
    assert "1 searches" in shown
    assert "1 and 2" in shown
    assert "+00:00" not in shown
    store.erase_searches()
    assert "No search is stored" in cli("search-log", "status").stdout


def test_export(cli: Cli, store: LabelStore, tmp_path: Path) -> None:
    """Choices of removed items are counted, not written."""
    out = tmp_path / "pairs.jsonl"
    found = json.loads(cli("search-log", "export", out, "--json").stdout)
    assert found == {"out": str(out), "pairs": 1, "gone": 1, "corrected": True}
    assert json.loads(out.read_text("utf-8"))["document"].startswith("coder, program writer")
    assert "1 choices are of removed items" in cli("search-log", "export", out, "--uncorrected").stdout


def test_erase_asks_first(cli: Cli, store: LabelStore) -> None:
    """Unless --yes is given; only old searches if an age is given."""
    refused = CliRunner().invoke(app, ["search-log", "erase"], input="n\n")
    assert refused.exit_code == 1
    assert "Erased 0 searches" in cli("search-log", "erase", "--older-than-days", "1", "--yes").stdout
    assert store.search_log_size().searches == 1
    assert json.loads(cli("search-log", "erase", "--yes", "--json").stdout) == {"erased": 1, "remains": ""}
    assert store.search_log_size().searches == 0
