"""Finders whose vectors lie on PostgreSQL, as commands, pages and the server open them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import inspect

from db.vector_server import connected
from jobmatch.services.freelancer_finders import open_finder, remove_orphans
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.settings import Settings
from tests.core.retrieval.test_finder import ANNA, CARLA, PROJECT, store_market
from tests.hashing_model import HashingModel
from tests.vector_server import vector_server_url


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    """Return a home with a marketplace whose vectors are on PostgreSQL, where none are left."""
    settings = Settings(tmp_path / "home", vector_url=vector_server_url())
    store_market(settings)
    yield settings
    MarketplaceStore.open(settings).remove("market")
    remove_orphans(settings)
    assert tables() == []


def tables() -> list[str]:
    """Return the names of the tables on the server."""
    engine = connected(vector_server_url())
    names = inspect(engine).get_table_names()
    engine.dispose()
    return names


def opened(settings: Settings, model: HashingModel, *, rebuild: bool = False) -> Finder:
    """Open the finder."""
    return open_finder("market", model, settings=settings, rebuild=rebuild)


@pytest.mark.thorough
def test_vectors_on_postgresql(settings: Settings) -> None:
    """As in a folder: filled, opened without encoding, updated, and filled beside the old ones."""
    expected = opened(replace(settings, vector_url=""), HashingModel()).match(PROJECT)
    assert opened(settings, HashingModel()).match(PROJECT) == expected
    again = HashingModel()
    reading = opened(settings, again)
    assert reading.match(PROJECT) == expected
    assert again.encoded == []
    store_market(settings, (ANNA, CARLA))
    assert {match.freelancer.id for match in opened(settings, again).match(PROJECT)} == {"anna", "carla"}
    assert again.encoded == []
    opened(settings, again, rebuild=True)
    assert reading.store.ids() == ["anna", "carla"]
    assert len(tables()) == 1


def test_two_homes_on_one_server_keep_apart(settings: Settings, tmp_path: Path) -> None:
    """A marketplace of the same name in another home has another table."""
    there = replace(settings, home=tmp_path / "there")
    store_market(there, (ANNA,))
    here = opened(settings, HashingModel()).store.ids()
    assert opened(there, HashingModel()).store.ids() == ["anna"]
    assert opened(settings, HashingModel()).store.ids() == here
    assert len(tables()) == 2
    MarketplaceStore.open(there).remove("market")
    remove_orphans(there)
    assert len(tables()) == 1
