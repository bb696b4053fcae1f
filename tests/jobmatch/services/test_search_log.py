"""The search log in use: recording, and training data with the texts of what was opened."""

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from db.label_store import LabelStore
from jobmatch.services.search_log import (
    Ranking,
    comparison_credit,
    export_pairs,
    opened_freelancers,
    pairs_as_jsonl,
    record_opened,
    shown_search,
    training_pairs,
)
from jobmatch_core.errors import SearchError
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retraining.online_comparison import OnlineComparison
from jobmatch_core.search.position_bias import WeightedChoice, WeightedPair
from jobmatch_core.search_events import SearchKind, SearchShown
from jobmatch_core.settings import Settings
from tests import made_marketplace
from tests.made_taxonomy import install, skilled_taxonomy


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A home with a tiny taxonomy and a tiny marketplace."""
    settings = Settings(tmp_path)
    install(skilled_taxonomy(), settings.home)
    MarketplaceStore.open(settings).save("tiny", made_marketplace.marketplace(1).blocks(), origin={}, generated=True)
    return settings


@pytest.fixture
def store(settings: Settings) -> Iterator[LabelStore]:
    """Its label store."""
    with LabelStore.open(settings.label_store) as opened:
        yield opened


def search(kind: SearchKind, source: str, query: str, *items: str) -> SearchShown:
    """Return a search without swaps."""
    return shown_search(kind, source, query, Ranking("model", items), session=str(uuid4()), varied=False)


def test_what_was_opened_becomes_training_data(store: LabelStore, settings: Settings) -> None:
    """In the query's language if the item has one in it; removed items are left out."""
    jobs = ("http://jobs/2512", "http://jobs/2643", "http://nowhere")
    searches = [
        search(SearchKind.OCCUPATIONS, "skilled-1", "wer ist das und was macht der", *jobs),
        search(SearchKind.OCCUPATIONS, "gone-1", "x", *jobs),
        search(SearchKind.FREELANCERS, "tiny", "python", "f-data-0", "f-nobody"),
        search(SearchKind.PROJECTS, "tiny", "homepage", "p-web-0", "p-nobody"),
    ]
    for shown in searches:
        store.record_search(shown, searcher="RANDOM-ID-OF-A-BROWSER")
        for item in shown.items:
            assert record_opened(store, shown, item)
            assert not record_opened(store, shown, item)
    pairs = training_pairs(store, settings)
    assert [(pair.query[:3], pair.document[:20], pair.weight) for pair in pairs] == [
        ("wer", "Programmierer, Kodie", 1.0),
        ("wer", "Übersetzer, Dolmetsc", 1.0),
        ("pyt", "python. code. python", 1.0),
        ("hom", "homepage. code. home", 1.0),
    ]
    assert "RANDOM-ID" not in pairs_as_jsonl(pairs) + repr(pairs) + repr(store.searches())


def test_what_was_opened_of_a_marketplace(store: LabelStore, settings: Settings, tmp_path: Path) -> None:
    """Searches for its freelancers only; a home without labels has none."""
    for kind, source in (
        (SearchKind.FREELANCERS, "tiny"),
        (SearchKind.FREELANCERS, "x"),
        (SearchKind.PROJECTS, "tiny"),
    ):
        shown = search(kind, source, "python", "a", "b")
        store.record_search(shown)
        record_opened(store, shown, "b")
    assert opened_freelancers("tiny", settings) == [WeightedChoice("python", ("a", "b"), "b", frozenset(), 1.0)]
    assert opened_freelancers("tiny", Settings(tmp_path / "empty")) == []


@pytest.mark.parametrize("query", ["a\0b", "\ud800", "'; DROP TABLE searches;--", "x" * 10_000])
def test_any_query_can_be_kept(store: LabelStore, query: str) -> None:
    """Without characters that databases cannot store."""
    store.record_search(search(SearchKind.PROJECTS, "tiny", query, "p-web-0"))
    assert store.search_log_size().searches == 1


def test_swaps_are_drawn_by_the_search_itself() -> None:
    """Its id is the seed."""
    ranking = Ranking("m", tuple(str(number) for number in range(20)))
    drawn = [shown_search(SearchKind.PROJECTS, "t", "q", ranking, session="s", varied=True) for _ in range(200)]
    assert 40 < sum(shown.pair > 0 for shown in drawn) < 160
    assert any(shown.swapped and shown.items != ranking.items for shown in drawn)


def test_credit_of_a_comparison(store: LabelStore) -> None:
    """Only searches in which just these two models were compared count."""
    comparison = OnlineComparison(1, "search", "mine", ("m", "n"), "", "ann")
    in_use = Ranking("m", ("a", "b", "c"))
    for candidate in (Ranking("n", ("c", "b", "a")), Ranking("other", ("c", "b", "a")), None):
        shown = shown_search(SearchKind.PROJECTS, "t", "q", in_use, session="s", varied=True, candidate=candidate)
        assert (shown.candidate, len(shown.teams)) == ((candidate.model, 3) if candidate else ("", 0))
        store.record_search(shown)
        record_opened(store, shown, "c")
    result = comparison_credit(store, comparison)
    assert (result.searches, result.opened, result.ties) == (1, 1, 0)
    assert (result.candidate.wins, result.candidate.losses) == (1, 0)


def test_an_exported_file(tmp_path: Path) -> None:
    """JSON lines, as a training reads them."""
    pairs = [WeightedPair("wer backt", "Bäcker", 2.5), WeightedPair("מורה", "teacher", 1.0)]
    export_pairs(tmp_path / "pairs.jsonl", pairs)
    text = (tmp_path / "pairs.jsonl").read_text("utf-8")
    assert text == pairs_as_jsonl(pairs)
    assert [json.loads(line) for line in text.splitlines()] == [
        {"query": "wer backt", "document": "Bäcker", "weight": 2.5},
        {"query": "מורה", "document": "teacher", "weight": 1.0},
    ]


def test_what_cannot_be_exported(tmp_path: Path) -> None:
    """The error says what to do."""
    pair = WeightedPair("q", "d", 1.0)
    with pytest.raises(SearchError, match="no opened result is stored"):
        export_pairs(tmp_path / "pairs.jsonl", [])
    with pytest.raises(SearchError, match=r"does not end in \.jsonl"):
        export_pairs(tmp_path / "pairs.csv", [pair])
    with pytest.raises(SearchError, match="cannot be written"):
        export_pairs(tmp_path / "no" / "pairs.jsonl", [pair])
