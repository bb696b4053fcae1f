"""Batches of padded tokens: their places, and empty sections."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.encoders.token_encoders import padded
from jobmatch_core.token_vectors import TokenBatch
from jobmatch_core.towers.documents import Document
from jobmatch_core.towers.tower import document_batch


class Letters:
    """A backbone whose tokens are letters, with an additional token before each text if *border* is true."""

    name = "letters"
    dimension = 2

    def __init__(self, *, border: bool = False) -> None:
        self.border = border
        self.texts: list[str] = []

    def encode_tokens(self, texts: Sequence[str]) -> TokenBatch:
        """Return (code, 1) for each letter, (-1, 0) for the border."""
        self.texts += texts
        first = [[-1.0, 0.0]] if self.border else []
        rows = [np.array(first + [[ord(letter), 1] for letter in text], np.float32).reshape(-1, 2) for text in texts]
        return padded(rows, 2)


def document(*texts: str) -> Document:
    """Return a profile with these sections."""
    return Document("f", "freelancer", "en", "", texts, frozenset())


def test_by_hand() -> None:
    """Two documents of two sections, one empty, one truncated."""
    batch = document_batch([document("ab", ""), document("abcd", "b")], Letters(), max_tokens=3)
    assert batch.tokens[..., 0].tolist() == [[97, 98, 0, 0], [97, 98, 99, 98]]
    assert batch.sections.tolist() == [[0, 0, 1, 0], [0, 0, 0, 1]]
    assert batch.mask.tolist() == [[True, True, True, False], [True] * 4]
    assert batch.empty.tolist() == [[False, False, True, False], [False] * 4]
    assert batch.n_sections == 2


def test_a_backbone_with_border_tokens_knows_no_empty_section() -> None:
    """Its border token stands for an empty section (section 4.2)."""
    batch = document_batch([document("", "a")], Letters(border=True), max_tokens=9)
    assert batch.tokens[..., 0].tolist() == [[-1, -1, 97]]
    assert batch.sections.tolist() == [[0, 1, 1]]
    assert not batch.empty.any()


def test_each_text_is_encoded_once() -> None:
    """Names of categories recur."""
    letters = Letters()
    document_batch([document("a", "b"), document("b", "a")], letters, max_tokens=9)
    assert letters.texts == ["a", "b"]


@settings(deadline=None)
@given(
    st.lists(st.lists(st.text("abc", max_size=5), min_size=3, max_size=3), min_size=1, max_size=4),
    st.integers(1, 4),
    st.booleans(),
)
def test_equals_the_naive_loop(texts: list[list[str]], max_tokens: int, border: bool) -> None:
    """Document by document, section by section, token by token."""
    batch = document_batch([document(*sections) for sections in texts], Letters(border=border), max_tokens)
    for row, sections in enumerate(texts):
        place = 0
        for number, text in enumerate(sections):
            tokens = ([-1] if border else []) + [ord(letter) for letter in text]
            for code in tokens[:max_tokens] or [0]:
                assert batch.tokens[row, place, 0] == code
                assert batch.sections[row, place] == number
                assert batch.mask[row, place]
                assert batch.empty[row, place] == (not tokens)
                place += 1
        assert not batch.mask[row, place:].any()
        assert not batch.tokens[row, place:].any()
        assert not batch.empty[row, place:].any()
    assert batch.mask.any(dim=0).all(), "no longer than the longest"


def test_types(tmp_path: object) -> None:
    """Float32, integers and booleans; all tensors move to a device together."""
    batch = document_batch([document("a", "")], Letters(), max_tokens=9).to(torch.device("cpu"))
    types = [tensor.dtype for tensor in (batch.tokens, batch.sections, batch.mask, batch.empty)]
    assert types == [torch.float32, torch.int64, torch.bool, torch.bool]


def test_documents_of_two_kinds() -> None:
    """They are refused, because their sections differ."""
    with pytest.raises(ValueError, match="inhomogeneous"):
        document_batch([document("a"), document("a", "b")], Letters(), max_tokens=9)
