"""Texts that items share: encoded once, scored for each item, saved and loaded."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray
from jobmatch_core.search.search_items import Group, SharedTexts

BAKING, REPAIRS = ("bakes bread", "sells cakes"), ("repairs lifts",)
ITEMS = [(BAKING,), (), (REPAIRS,), (REPAIRS, BAKING)]


class Letters:
    """Counts four letters; remembers what it was given."""

    name = "letters"
    dimension = 4

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised counts."""
        self.encoded += texts
        counts = np.array([[text.count(letter) for letter in "abel"] for text in texts], dtype=np.float32)
        return counts.reshape(-1, 4) / np.maximum(np.linalg.norm(counts.reshape(-1, 4), axis=1, keepdims=True), 1e-9)


def test_each_text_is_encoded_once_and_the_nearest_counts(tmp_path: Path) -> None:
    """Each item has the highest cosine of its texts, or 0; the same after loading."""
    encoder = Letters()
    shared = SharedTexts.of(ITEMS, encoder)
    assert encoder.encoded == ["bakes bread", "sells cakes", "repairs lifts"]
    [asked] = encoder.encode(["bread"])
    expected = [
        max((float(encoder.encode([text])[0] @ asked) for group in groups for text in group), default=0.0)
        for groups in ITEMS
    ]
    assert shared.likeness(asked) == pytest.approx(expected)
    shared.save(tmp_path)
    assert SharedTexts.load(tmp_path).likeness(asked) == pytest.approx(expected)


@pytest.mark.parametrize("items", [[], [(), ()]])
def test_nothing_is_shared(items: list[tuple[Group, ...]]) -> None:
    """Every item has 0."""
    assert SharedTexts.of(items, Letters()).likeness(np.ones(4, np.float32)).tolist() == [0.0] * len(items)
