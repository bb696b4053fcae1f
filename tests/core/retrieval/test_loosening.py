"""Which filter leaves nobody, by a store of four freelancers."""

import numpy as np
import pytest

from jobmatch_core.entities import Place
from jobmatch_core.retrieval.finder import Loosening, empty_alone, filters_set, loosenings, without
from jobmatch_core.vector_stores.exact_store import ExactStore
from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters, Payload, Within

NEAR_BERLIN = Within(Place(52.5, 13.4), 10)


@pytest.fixture
def store() -> ExactStore:
    """Two Polish profiles in Poland, two German ones in Germany, each a cheap and a dear one."""
    store = ExactStore(1)
    payloads = [
        Payload(language=code.lower(), country=code, day_rate=rate) for code in ("PL", "DE") for rate in (200.0, 600.0)
    ]
    store.upsert(["a", "b", "c", "d"], np.ones((4, 1), dtype=np.float32), payloads)
    return store


def test_filters_that_are_set() -> None:
    """Those that differ from none; and each can be taken out."""
    filters = Filters(languages=("pl",), max_day_rate=0, within=NEAR_BERLIN)
    assert filters_set(NO_FILTERS) == ()
    assert filters_set(filters) == ("languages", "within", "max_day_rate")
    assert without(filters, ["within", "max_day_rate"]) == Filters(languages=("pl",))


def test_a_single_one_suffices(store: ExactStore) -> None:
    """Polish in Germany for at most 300: without the language one is left, without the country one, both in order."""
    filters = Filters(languages=("pl",), countries=("DE",))
    assert loosenings(store, filters) == [Loosening(("languages",), 2), Loosening(("countries",), 2)]
    assert empty_alone(store, filters) == []
    filters = Filters(languages=("pl",), max_day_rate=100)
    assert loosenings(store, filters) == [Loosening(("max_day_rate",), 2)]
    assert empty_alone(store, filters) == ["max_day_rate"]


def test_several_must_go(store: ExactStore) -> None:
    """Nobody says where they are, and nobody works for 100: the language alone can stay."""
    filters = Filters(languages=("pl",), within=NEAR_BERLIN, max_day_rate=100)
    assert loosenings(store, filters) == [Loosening(("within", "max_day_rate"), 2)]
    assert empty_alone(store, filters) == ["within", "max_day_rate"]


def test_all_must_go(store: ExactStore) -> None:
    """Then everybody is left."""
    filters = Filters(within=NEAR_BERLIN, max_day_rate=100)
    assert loosenings(store, filters) == [Loosening(("within", "max_day_rate"), 4)]


def test_nothing_helps() -> None:
    """In an empty store, or where no filter is set."""
    assert loosenings(ExactStore(1), Filters(languages=("pl",))) == []
    assert loosenings(ExactStore(1), NO_FILTERS) == []
