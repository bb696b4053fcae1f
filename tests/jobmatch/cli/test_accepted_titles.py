"""Titles that people accepted, in `jobmatch link`: on a real store."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from db.access_store import Person
from db.label_store import LabelStore
from jobmatch_core.labelling.label_files import write_labels
from jobmatch_core.linking.corrections import ACCEPTED
from jobmatch_core.settings import Settings
from tests.core.labelling.made_judgments import judgment
from tests.jobmatch.cli.made_links import COOKS, link

Cli = Callable[..., Result]


@pytest.fixture(autouse=True)
def no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a store in the test's own home."""
    monkeypatch.delenv("JOBMATCH_DB", raising=False)


def linked(cli: Cli, *words: str) -> list[dict[str, Any]]:
    """Return the candidates of the first title of a `link --json`."""
    candidates: list[dict[str, Any]] = json.loads(cli("link", *words, "--json").stdout)["results"][0]["candidates"]
    return candidates


@pytest.fixture
def accepted(cli: Cli, own_linker_home: Path, tmp_path: Path) -> str:
    """Record that two people accept a title, and a withdrawn acceptance."""
    back = judgment("+", "ann", link("Grand Vizier"), minute=2)
    path = tmp_path / "accepted.jsonl"
    write_labels(
        path,
        [
            judgment("+", "ann", link("Vibemaster")),
            judgment("+", "bob", link("VIBEMASTER"), minute=1),
            back,
            judgment(None, "ann", back.pair, minute=3, undoes=back.id),
        ],
    )
    cli("labels", "import", path)
    return "Vibemaster"


def test_link_knows_what_people_accepted(cli: Cli, accepted: str) -> None:
    """The title with its evidence, in JSON and tables; withdrawn acceptances are not used."""
    best = linked(cli, "vibemaster!")[0]
    assert best["uri"] == COOKS
    assert best["probability"] >= ACCEPTED
    assert best["evidence"] == {
        "name": "VIBEMASTER",
        "language": "own",
        "source": "own",
        "accepted": {"title": "VIBEMASTER", "by": ["ann", "bob"], "on": "2026-03-02"},
    }
    assert "a name of your own, accepted by ann and bob on 2 Mar 2026" in cli("link", accepted).stdout
    assert all("accepted" not in each["evidence"] for each in linked(cli, "Grand Vizier"))


@pytest.mark.thorough
def test_link_names_who_signed_in(cli: Cli, accepted: str) -> None:
    """Instead of their id, in tables and JSON."""
    at = datetime(2026, 11, 21, tzinfo=UTC)
    with LabelStore.open(Settings.from_environment().label_store) as store:
        store.access.signed_in(Person("bob", "issuer", "subject", "Bob Lee", "annotator", at))
    assert linked(cli, accepted)[0]["evidence"]["accepted"]["by"] == ["ann", "Bob Lee"]
    assert "accepted by ann and Bob Lee on 2 Mar 2026" in cli("link", accepted).stdout


def test_link_leaves_it_out_where_asked_to(cli: Cli, accepted: str) -> None:
    """With `--no-own-names`."""
    assert all("accepted" not in each["evidence"] for each in linked(cli, accepted, "--no-own-names"))


def test_a_linked_file_says_that_a_name_is_ones_own(cli: Cli, accepted: str, tmp_path: Path) -> None:
    """Instead of its language."""
    source, out = tmp_path / "titles.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"title": "Vibemaster"}\n', "utf-8")
    cli("link", "--file", source, "--out", out)
    row = json.loads(out.read_text("utf-8"))
    assert (row["link_uri"], row["link_matched_name"], row["link_matched_language"]) == (COOKS, "VIBEMASTER", "own")


def test_link_makes_no_store(cli: Cli, own_linker_home: Path) -> None:
    """Without judgments no store is created."""
    assert linked(cli, "cook")[0]["uri"] == COOKS
    assert not Path(Settings.from_environment().label_store).exists()


def test_link_says_how_to_go_on_without_a_damaged_store(run_main: Callable[..., Any], own_linker_home: Path) -> None:
    """Accepted titles are not ignored silently."""
    (own_linker_home / "jobmatch.db").write_bytes(b"no database at all, but long enough to be looked at" * 20)
    ended = run_main("link", "cook")
    assert ended.code == 2
    assert "not an SQLite database" in ended.err
    assert "--no-own-names" in ended.err
    assert run_main("link", "cook", "--no-own-names").code == 0
