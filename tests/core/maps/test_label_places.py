"""No label covers another."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.maps.density import Frame
from jobmatch_core.maps.label_places import Label, label_box, placed

FRAME = Frame(-1, 11, -1, 11)
LABELS = st.lists(
    st.builds(Label, st.text("abc ", min_size=1, max_size=12), st.floats(0, 10), st.floats(0, 10), st.integers(1, 99)),
    max_size=25,
)


@given(LABELS)
def test_none_covers_another(labels: list[Label]) -> None:
    """Whatever they are; all that is left out found no room."""
    found = placed(labels, FRAME, 0.2, 0.3)
    boxes = [label_box(label, 0.2, 0.3) for label in found]
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))
    assert len(found) <= len(labels)


def test_the_larger_one_stays() -> None:
    """And the smaller one moves up by half a line, or down."""
    large, small = Label("large", 0, 0, 9), Label("small", 0, 0, 1)
    first, second = placed([small, large], FRAME, 0.1, 1)
    assert first == large
    assert second.text == "small"
    assert second.x == 0
    assert second.y != 0


def test_far_labels_stay() -> None:
    """Where there is room, nothing moves."""
    labels = [Label("one", 1, 0, 2), Label("two", 9, 9, 1)]
    assert placed(labels, FRAME, 0.1, 0.1) == labels


def test_what_would_be_cut_off_moves_inwards() -> None:
    """A label of ten letters is 0.62 * 10 * 0.5 wide, so that its middle is 1.55 from the edge at least."""
    left, right = placed([Label("abcdefghij", 0, 0, 2), Label("abcdefghij", 99, 9, 1)], FRAME, 0.5, 0.1)
    assert (left.x, right.x) == (pytest.approx(-1 + 1.55), pytest.approx(11 - 1.55))
    [wide] = placed([Label("abcdefghij" * 9, 0, 0, 2)], FRAME, 0.5, 0.1)
    assert wide.x == 5
