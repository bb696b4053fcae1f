"""Search encoders by their words: trained, plain, promoted, and damaged ones."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.model_store.model_spec import ModelKind, kind_of
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.model_store.transformer_models import load_transformer
from jobmatch_core.retraining.promotion import cards, promote, roll_back
from jobmatch_core.search import transformer_encoder
from jobmatch_core.search.search_encoder import DOCUMENT, QUERY, PlainSearchEncoder
from jobmatch_core.search.search_models import (
    load_search_encoder,
    open_search_encoder,
    search_model_in_use,
    shipped_folder,
)
from jobmatch_core.search.transformer_encoder import TransformerSearchEncoder, TransformerTower
from jobmatch_core.settings import Settings
from tests.made_search_encoder import TEXTS, encoder, tower
from tests.tiny_transformer import change, save_transformer


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A home with one search encoder."""
    home = Settings(tmp_path)
    encoder(**{DOCUMENT: tower()}).save(home.models / "mine", {})
    return home


def test_a_vector_is_the_sum_of_its_features() -> None:
    """The title encoder's features are projected and own ones added; queries and documents have maximum lengths."""
    made = encoder(**{DOCUMENT: tower()})
    projected = shipped_encoder().sums(["lift"]) @ tower().projection.T.astype(np.float32)
    own = made.encode(["lift"])[0]
    assert not np.allclose(own, (projected / np.linalg.norm(projected))[0], atol=1e-3)
    assert np.allclose(made.encode_queries(["Someone, who repairs lifts"]), made.encode(["someone who"]))
    assert not made.encode([""]).any()
    assert made.encode([]).shape == (0, 8)


def test_two_towers() -> None:
    """Queries have a tower of their own."""
    made = encoder(**{DOCUMENT: tower(), QUERY: tower(seed=2)})
    assert not np.allclose(made.encode(["lift"]), made.encode_queries(["lift"]), atol=0.1)


def test_words_for_search_encoders(settings: Settings) -> None:
    """A name in the home, a folder, or any other encoder, which encodes queries like documents."""
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
    """The shipped one until another is promoted; a broken one is not replaced."""
    assert search_model_in_use(settings) == "search"
    Registry(settings).promote(ModelKind.SEARCH, "mine", who="ann")
    assert search_model_in_use(settings) == "mine"
    assert load_search_encoder("", settings).name.startswith("mine-")
    assert [(card.name, card.in_use, card.fault) for card in cards(ModelKind.SEARCH, settings)] == [
        ("mine", True, ""),
        ("search", False, ""),
    ]
    (settings.models / "mine" / "model.safetensors").write_bytes(b"")
    for fault in ("it is damaged", "its folder is gone"):
        [mine, shipped] = cards(ModelKind.SEARCH, settings)
        assert fault in mine.fault
        assert (mine.name, mine.in_use, shipped.in_use) == ("mine", True, False)
        with pytest.raises(
            ModelError, match=r"The search model in use, mine, cannot .*`jobmatch models promote search"
        ):
            load_search_encoder("", settings)
        shutil.rmtree(settings.models / "mine", ignore_errors=True)
    promote(ModelKind.SEARCH, "search", settings, who="ann")
    assert load_search_encoder("", settings).name == load_search_encoder("search", settings).name


@pytest.mark.parametrize("backbone", ["gone", "titles"])
def test_what_cannot_be_used_is_not_promoted(settings: Settings, backbone: str) -> None:
    """Without its title encoder a model is refused, and the one in use stays, also after a roll back."""
    change(settings.models / "mine" / "config.json", backbone=backbone, backbone_name="other-1")
    with pytest.raises(ModelError, match=r"mine cannot be put into use: .*The current model stays in use"):
        promote(ModelKind.SEARCH, "mine", settings, who="ann")
    assert search_model_in_use(settings) == "search"
    for name in ("mine", "search"):
        Registry(settings).promote(ModelKind.SEARCH, name, who="ann")
    with pytest.raises(ModelError, match="mine cannot be put into use"):
        roll_back(ModelKind.SEARCH, settings, who="ann")
    assert search_model_in_use(settings) == "search"


def test_a_model_that_cannot_encode_is_not_promoted(settings: Settings, tmp_path: Path) -> None:
    """A transformer with fewer vectors than words opens, but fails to encode."""
    tower = TransformerTower(*load_transformer(save_transformer(tmp_path / "tiny")), 4)
    folder = settings.models / "deaf"
    TransformerSearchEncoder({DOCUMENT: tower}, query_tokens=4, document_tokens=4, name="t").save(folder, {})
    tokenizer = folder / DOCUMENT / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text("utf-8").replace('"nurse": 5', '"nurse": 500'), "utf-8")
    assert open_search_encoder(folder).dimension == 4
    with pytest.raises(ModelError, match="deaf cannot be put into use"):
        promote(ModelKind.SEARCH, "deaf", settings, who="ann")


def test_bfloat16_gives_nearly_the_same_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With or without hardware support."""
    tower = TransformerTower(*load_transformer(save_transformer(tmp_path / "tiny", layers=2)), 4)
    encoder = TransformerSearchEncoder({DOCUMENT: tower}, query_tokens=4, document_tokens=4, name="t")
    vectors = []
    for fast in (True, False):
        monkeypatch.setattr(transformer_encoder, "multiplies_bfloat16", lambda device, fast=fast: fast)
        vectors.append(encoder.encode(["nurse", "cook", "baker cook"]))
    assert (vectors[0] != vectors[1]).any()
    np.testing.assert_allclose((vectors[0] * vectors[1]).sum(axis=1), 1, atol=1e-3)


def test_a_model_of_another_kind_is_not_promoted(settings: Settings) -> None:
    """The error gives its kind and the available models."""
    with pytest.raises(ModelError, match=r"'mine' is a model of kind search, not towers; there are untrained\."):
        promote(ModelKind.TOWERS, "mine", settings, who="ann")


def test_the_shipped_encoder() -> None:
    """It fits its title encoder, is small, and finds lift repairers in seven languages."""
    assert sum(path.stat().st_size for path in shipped_folder().iterdir()) < 10_000_000
    shipped = open_search_encoder(shipped_folder())
    jobs = ["lift technician", "baker", "hairdresser", "bus driver", "primary school teacher"]
    asked = {
        "someone who repairs lifts": 0,
        "wer Brot backt": 1,
        "jemand der Haare schneidet": 2,
        "personne qui conduit un bus": 3,
        "persona que corta el pelo": 2,
        "iemand die brood bakt": 1,
        "kör buss": 3,
        "unterrichtet Kinder in der Grundschule": 4,
    }
    found = (shipped.encode_queries(list(asked)) @ shipped.encode(jobs).T).argmax(axis=1)
    assert found.tolist() == list(asked.values())
