"""Moves of the concept head by judged titles, computed by hand."""

import numpy as np
import pytest

from jobmatch_core.linking.corrections import AWAY
from jobmatch_core.linking.encoder_scorer import ConceptHead
from jobmatch_core.linking.linking_model import HeadMoves

EAST, NORTH = np.array([[1.0, 0.0]], np.float32), np.array([[0.0, 1.0]], np.float32)


def test_moves_by_hand() -> None:
    """One title counts 1/2, three count 3/4; rejected titles push away with a quarter of the strength."""
    moves = HeadMoves.of({"a": EAST, "b": np.repeat(NORTH, 3, axis=0)}, {"a": NORTH, "c": EAST}, 2.0, 2)
    assert moves.uris == ("a", "b", "c")
    assert moves.vectors == pytest.approx(np.array([[1.0, -AWAY], [0.0, 1.5], [-AWAY, 0.0]]))
    by_concept = moves.by_concept(["x", "b", "a"])
    assert by_concept == pytest.approx(np.array([[0.0, 0.0], [0.0, 1.5], [1.0, -AWAY]]))


def test_nothing_judged_moves_nothing() -> None:
    """Without titles there are no moves."""
    moves = HeadMoves.of({}, {}, 1.0, 2)
    assert (moves.uris, moves.vectors.shape) == ((), (0, 2))
    assert not moves.by_concept(["a", "b"]).any()


def test_other_moves_have_another_digest() -> None:
    """Equal moves have equal digests."""
    east, again, north = (HeadMoves.of({"a": title}, {}, 1.0, 2) for title in (EAST, EAST, NORTH))
    assert east.digest == again.digest != north.digest


def test_a_moved_head_is_normalised() -> None:
    """(1, 0) moved by (0, 1) ends half way; an unmoved vector stays."""
    head = ConceptHead(np.array([3, 5], np.int32), np.concatenate([EAST, EAST]))
    moved = head.moved(np.array([[0.0, 1.0], [0.0, 0.0]], np.float32))
    assert moved.vectors == pytest.approx(np.array([[0.5**0.5, 0.5**0.5], [1.0, 0.0]]))
    assert moved.concepts.tolist() == [3, 5]
