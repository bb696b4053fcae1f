"""Words of the title encoder as tokens: how many, which vectors, and at which scale."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.titles.encoder import MOST_TOKENS, TitleEncoder, shipped_encoder
from jobmatch_core.titles.packing import unpack
from jobmatch_core.token_vectors import TokenEncoder


@pytest.fixture(scope="module")
def encoder() -> TitleEncoder:
    """The shipped one."""
    return shipped_encoder()


def raw(encoder: TitleEncoder, word: str) -> np.ndarray:
    """Return the sum of a word's n-grams' vectors."""
    rows = encoder._vocabulary.rows_of_words([word]).rows
    return unpack(encoder._codes[rows], encoder._scales[rows]).sum(axis=0)


def test_it_is_a_token_encoder(encoder: TitleEncoder) -> None:
    """As the towers take it."""
    backbone: TokenEncoder = encoder
    assert backbone.dimension == backbone.encode_tokens(["nurse"]).vectors.shape[2] == 256


def test_a_token_a_word(encoder: TitleEncoder) -> None:
    """Folded, in order, padded with zeros; an empty text has none."""
    batch = encoder.encode_tokens(["Senior Nurse (m/w)", "", "nurse"])
    assert batch.mask.tolist() == [[True] * 4, [False] * 4, [True, False, False, False]]
    assert (batch.vectors.dtype, batch.mask.dtype) == (np.float32, np.bool_)
    assert not batch.vectors[~batch.mask].any()
    for place, word in enumerate(["senior", "nurse", "m", "w"]):
        vector, expected = batch.vectors[0, place], raw(encoder, word)
        assert vector @ expected == pytest.approx(np.linalg.norm(vector) * np.linalg.norm(expected), rel=1e-4)


def test_what_a_word_says_is_its_length(encoder: TitleEncoder) -> None:
    """Within a text the lengths keep their ratio."""
    [vectors] = encoder.encode_tokens(["nurse and baker"]).vectors
    lengths = np.linalg.norm(vectors, axis=1)
    expected = [np.linalg.norm(raw(encoder, word)) for word in ("nurse", "and", "baker")]
    np.testing.assert_allclose(lengths / lengths[0], np.array(expected) / expected[0], rtol=1e-4)
    assert lengths[1] < lengths[0] / 3


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from(["nurse", "and", "baker", "ᚠ", "護士"]), max_size=6), min_size=1, max_size=4))
def test_the_mean_of_a_texts_tokens_has_length_one(texts: list[list[str]]) -> None:
    """However long the text is, and whatever stands beside it."""
    encoder = shipped_encoder()
    batch = encoder.encode_tokens([" ".join(text) for text in texts])
    for text, vectors, mask in zip(texts, batch.vectors, batch.mask, strict=True):
        assert mask.sum() == len(text)
        known = any(raw(encoder, word).any() for word in text)
        mean = vectors[mask].mean(axis=0) if text else np.zeros(256)
        assert np.linalg.norm(mean) == pytest.approx(1.0 if known else 0.0, abs=1e-4)


@pytest.mark.parametrize(
    "text", ["nurse", "Krankenschwester", "project manager", "software engineer in a team of project managers", "護士"]
)
def test_pooled_it_is_the_encoder(encoder: TitleEncoder, text: str) -> None:
    """Pairs of neighbouring words included: half of each is in either."""
    batch = encoder.encode_tokens([text, "nurse"])
    np.testing.assert_allclose(batch.vectors[0][batch.mask[0]].mean(axis=0), encoder.encode([text])[0], atol=1e-5)


def test_a_word_stands_in_its_context(encoder: TitleEncoder) -> None:
    """Beside one that it is often beside it is more than alone; 'project manager' is a pair of the vocabulary."""
    [project, _], [alone, _] = encoder.encode_tokens(["project manager", "project nurse"]).vectors
    directions = [vector / np.linalg.norm(vector) for vector in (project, alone)]
    assert directions[0] @ directions[1] < 0.999


def test_nothing_known_is_nothing_said(encoder: TitleEncoder) -> None:
    """A token all the same, of zeros, not of NaN."""
    batch = encoder.encode_tokens(["\u16a0\u16a0"])
    assert batch.mask.tolist() == [[True]]
    assert not batch.vectors.any()


def test_long_texts_and_words_are_cut(encoder: TitleEncoder) -> None:
    """A pasted book takes no minutes."""
    batch = encoder.encode_tokens(["nurse " * 1000, "x" * 100_000])
    assert batch.mask.sum(axis=1).tolist() == [MOST_TOKENS, 1]


def test_no_texts(encoder: TitleEncoder) -> None:
    """No rows."""
    batch = encoder.encode_tokens([])
    assert batch.vectors.shape == (0, 0, 256)
    assert batch.mask.shape == (0, 0)
