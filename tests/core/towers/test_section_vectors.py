"""Sections become vectors, each distinct text once."""

from collections.abc import Sequence

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray
from jobmatch_core.towers.documents import Document
from jobmatch_core.towers.section_vectors import section_vectors


class Lengths:
    """Encodes a text as its length, and remembers what it was asked."""

    name = "lengths"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return (text, 1)."""
        self.asked += texts
        return np.array([[len(text)] for text in texts], dtype=np.float32)


def freelancer(*texts: str) -> Document:
    """Return a profile."""
    return Document("f", "freelancer", "en", "", texts, frozenset())


def test_each_distinct_text_is_encoded_once() -> None:
    """Also the empty one, which has a vector of its own."""
    encoder = Lengths()
    seen: list[tuple[int, int]] = []
    documents = [freelancer("a", "bb", "", "", "a", "ccc"), freelancer("bb", "a", "a", "", "", "dddd")]
    vectors = section_vectors(documents, encoder, progress=lambda done, total: seen.append((done, total)))
    assert vectors.shape == (2, 6, 1)
    assert vectors[:, :, 0].tolist() == [[1, 2, 0, 0, 1, 3], [2, 1, 1, 0, 0, 4]]
    assert encoder.asked == ["a", "bb", "", "ccc", "dddd"]
    assert seen == [(5, 5)]


def test_two_kinds_or_nobody_are_an_error() -> None:
    """Sections of projects and profiles are not the same."""
    with pytest.raises(ValueError, match="one kind"):
        section_vectors([freelancer(*"abcdef"), Document("p", "project", "en", "", ("",) * 7, frozenset())], Lengths())
    with pytest.raises(ValueError, match="at least one"):
        section_vectors([], Lengths())
