"""Search encoders by their words: trained ones, any other encoder, the promoted one, damaged ones."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.model_store.model_spec import ModelKind, kind_of
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retraining.model_cards import cards
from jobmatch_core.search.search_encoder import DOCUMENT, QUERY, NgramSearchEncoder, NgramTower, PlainSearchEncoder
from jobmatch_core.search.search_models import (
    load_search_encoder,
    open_search_encoder,
    search_model_in_use,
    shipped_folder,
)
from jobmatch_core.settings import Settings
from jobmatch_core.titles.ngrams import NgramVocabulary

TEXTS = ["someone who repairs lifts", "lift technician", ""]


def tower(dimension: int = 8, seed: int = 1) -> NgramTower:
    """Return a tower of random weights."""
    random = np.random.default_rng(seed)
    hashes = NgramVocabulary.from_texts(TEXTS, least=1, most=50).hashes
    projection = random.normal(size=(dimension, shipped_encoder().dimension)).astype(np.float32)
    return NgramTower.packed(projection, hashes, random.normal(size=(len(hashes), dimension)).astype(np.float32))


def encoder(**towers: NgramTower) -> NgramSearchEncoder:
    """Return an encoder of these towers."""
    return NgramSearchEncoder(shipped_encoder(), towers, query_tokens=2, document_tokens=9, name="made")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A home with one search encoder."""
    home = Settings(tmp_path)
    encoder(**{DOCUMENT: tower()}).save(home.models / "mine", {})
    return home


def test_a_vector_is_the_sum_of_its_features() -> None:
    """Projected ones of the title encoder, and own ones; a query is cut earlier than a document."""
    made = encoder(**{DOCUMENT: tower()})
    projected = shipped_encoder().sums(["lift"]) @ tower().projection.T.astype(np.float32)
    own = made.encode(["lift"])[0]
    assert not np.allclose(own, (projected / np.linalg.norm(projected))[0], atol=1e-3)
    assert np.allclose(made.encode_queries(["Someone, who repairs lifts"]), made.encode(["someone who"]))
    assert not made.encode([""]).any()
    assert made.encode([]).shape == (0, 8)


def test_two_towers() -> None:
    """Queries have their own."""
    made = encoder(**{DOCUMENT: tower(), QUERY: tower(seed=2)})
    assert not np.allclose(made.encode(["lift"]), made.encode_queries(["lift"]), atol=0.1)


def test_words_for_search_encoders(settings: Settings) -> None:
    """A name in the home, a folder, and any other encoder, which encodes queries as it does documents."""
    assert kind_of(settings.models / "mine") is ModelKind.SEARCH
    expected = encoder(**{DOCUMENT: tower()}).encode(TEXTS)
    for word in ("mine", str(settings.models / "mine"), "search:mine"):
        assert np.allclose(load_search_encoder(word, settings).encode(TEXTS), expected)
    plain = load_search_encoder("titles", settings)
    assert isinstance(plain, PlainSearchEncoder)
    assert plain.dimension == 256
    assert np.array_equal(plain.encode_queries(TEXTS), shipped_encoder().encode(TEXTS))
    with pytest.raises(ModelError, match="There is no model 'gone'"):
        load_search_encoder("gone", settings)


def test_the_one_in_use(settings: Settings) -> None:
    """The shipped one until another is promoted, and again when that is gone."""
    assert search_model_in_use(settings) == "search"
    Registry(settings).promote(ModelKind.SEARCH, "mine", who="ann")
    assert search_model_in_use(settings) == "mine"
    assert load_search_encoder("", settings).name.startswith("mine-")
    assert [(card.name, card.in_use, card.fault) for card in cards(ModelKind.SEARCH, settings)] == [
        ("mine", True, ""), ("search", False, ""),
    ]  # fmt: skip
    (settings.models / "mine" / "model.safetensors").write_bytes(b"")
    [mine, shipped] = cards(ModelKind.SEARCH, settings)
    assert "damaged" in mine.fault
    assert shipped.in_use
    shutil.rmtree(settings.models / "mine")
    assert search_model_in_use(settings) == "search"


def test_the_shipped_encoder() -> None:
    """It fits the title encoder that it was trained over, is small, and finds who repairs lifts in seven languages."""
    assert sum(path.stat().st_size for path in shipped_folder().iterdir()) < 10_000_000
    shipped = open_search_encoder(shipped_folder())
    jobs = ["lift technician", "baker", "hairdresser", "bus driver", "primary school teacher"]
    asked = {
        "someone who repairs lifts": 0, "wer Brot backt": 1, "jemand der Haare schneidet": 2,
        "personne qui conduit un bus": 3, "persona que corta el pelo": 2, "iemand die brood bakt": 1,
        "kör buss": 3, "unterrichtet Kinder in der Grundschule": 4,
    }  # fmt: skip
    found = (shipped.encode_queries(list(asked)) @ shipped.encode(jobs).T).argmax(axis=1)
    assert found.tolist() == list(asked.values())
