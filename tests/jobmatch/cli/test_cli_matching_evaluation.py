"""`jobmatch evaluate matching`: what it prints."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import Result

from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.towers.matching_metrics import FIGURES
from tests.made_marketplace import marketplace

Cli = Callable[..., Result]
WORDS = ("--model", "bm25", "--model", "section-sbert+projection-triplet", "--seeds", "2")


@pytest.fixture
def _stored() -> None:
    MarketplaceStore.open().save("tiny", marketplace().blocks(), origin={}, generated=True)


@pytest.mark.usefixtures("_stored")
def test_matching_as_json(cli: Cli) -> None:
    """A row per model, another per model and language, and the data."""
    result = cli("evaluate", "matching", "tiny", *WORDS, "--json")
    assert result.stderr.startswith("Home: ")
    answer = json.loads(result.stdout)
    counts = {name: answer[name] for name in ("marketplace", "generated", "projects", "freelancers", "interactions")}
    assert counts == {"marketplace": "tiny", "generated": True, "projects": 4, "freelancers": 24, "interactions": 28}
    bm25, projection = answer["results"]
    assert [(row["model"], row["seeds"]) for row in (bm25, projection)] == [
        ("bm25", 1),
        ("section-sbert+projection-triplet", 2),
    ]
    assert list(bm25["mean"]) == list(FIGURES)
    assert bm25["deviation"]["map"] is None
    assert projection["deviation"]["map"] >= 0
    assert [(row["model"], row["language"]) for row in answer["languages"][:2]] == [("bm25", "de"), ("bm25", "en")]


@pytest.mark.thorough
@pytest.mark.usefixtures("_stored")
def test_matching_for_people(cli: Cli) -> None:
    """Both tables, marked as generated; a second run uses the stored results."""
    for _ in range(2):
        shown = " ".join(cli("evaluate", "matching", "tiny", *WORDS).stdout.split())
        assert "tiny (generated): 4 test projects, 24 freelancers, 28 interactions" in shown
        assert "section-sbert+projection-triplet, by language of the project" in shown
        assert "±" in shown
        assert "bm25" in shown


@pytest.mark.usefixtures("_stored")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere",), "There is no marketplace 'nowhere'"),
        (("tiny", "--model", "tower"), "There is no model 'tower'"),
        (("tiny", "--model", "sbert-triplet"), "--sbert"),
        (("tiny", "--seeds", "0"), "--seeds"),
        (("tiny", "--encoder", "no/such/model"), "There is no model 'no/such/model'"),
    ],
)
def test_matching_with_what_cannot_be(run_main: Callable[..., Any], words: tuple[str, ...], told: str) -> None:
    """One line on standard error."""
    ended = run_main("evaluate", "matching", *words)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err
    assert ended.err.count("\n") == 1
