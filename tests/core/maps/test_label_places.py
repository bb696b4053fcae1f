"""No label covers another."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.maps.label_places import Label, label_box, placed

LABELS = st.lists(
    st.builds(Label, st.text("abc ", min_size=1, max_size=12), st.floats(0, 10), st.floats(0, 10), st.integers(1, 99)),
    max_size=25,
)


@given(LABELS)
def test_none_covers_another(labels: list[Label]) -> None:
    """Whatever they are; all that is left out found no room."""
    found = placed(labels, 0.2, 0.3)
    boxes = [label_box(label, 0.2, 0.3) for label in found]
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))
    assert len(found) <= len(labels)


def test_the_larger_one_stays() -> None:
    """And the smaller one moves up by half a line, or down."""
    large, small = Label("large", 0, 0, 9), Label("small", 0, 0, 1)
    first, second = placed([small, large], 0.1, 1)
    assert first == large
    assert second.text == "small"
    assert second.x == 0
    assert second.y != 0


def test_far_labels_stay() -> None:
    """Where there is room, nothing moves."""
    labels = [Label("one", 0, 0, 2), Label("two", 50, 50, 1)]
    assert placed(labels, 0.1, 0.1) == labels
