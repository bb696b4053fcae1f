"""Relations decided together: by hand, and without any conflict whatever the probabilities are."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.crosswalks.conflicts import problems_of
from jobmatch_core.crosswalks.joint_relations import LEFT_OUT, joint_relations
from jobmatch_core.crosswalks.mapping import BROADER, CLOSE, EXACT, NARROWER, PREDICTED
from tests.core.crosswalks.made_mappings import mapped, written

Row = tuple[int, int, tuple[float, float, float, float]]  # source, target, probabilities in the order of `PREDICTED`


def decided(*rows: Row) -> list[str]:
    """Return the relations of pairs; '' for those left out."""
    source_of, target_of = (np.array([row[place] for row in rows], np.intp) for place in (0, 1))
    chosen = joint_relations(source_of, target_of, np.array([row[2] for row in rows], np.float64).reshape(-1, 4))
    return ["" if relation == LEFT_OUT else PREDICTED[relation] for relation in chosen]


@pytest.mark.parametrize(
    ("rows", "relations"),
    [
        ([(0, 0, (0.9, 0, 0.1, 0)), (0, 1, (0.1, 0, 0.5, 0))], [EXACT, ""]),
        ([(0, 0, (0.3, 0, 0.6, 0)), (0, 1, (0.1, 0, 0.1, 0.7))], [BROADER, CLOSE]),
        ([(0, 0, (0.5, 0, 0.4, 0)), (0, 1, (0, 0, 0.9, 0.1)), (0, 2, (0, 0, 0.9, 0))], [BROADER] * 3),
        ([(0, 0, (0.1, 0.8, 0, 0)), (0, 1, (0, 0.2, 0.5, 0.1))], [NARROWER, NARROWER]),
        ([(0, 0, (0.6, 0.3, 0, 0)), (1, 0, (0.9, 0, 0, 0))], [NARROWER, EXACT]),
        ([], []),
    ],
)
def test_decided_by_hand(rows: list[Row], relations: list[str]) -> None:
    """Exact alone; one way for a code; a concept is exact with the surer of two codes."""
    assert decided(*rows) == relations


_probabilities = st.lists(st.floats(0, 1), min_size=5, max_size=5).map(
    lambda parts: tuple(part / (sum(parts) or 1) for part in parts[:4])
)
_rows = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), _probabilities), unique_by=lambda row: row[:2])


@given(_rows)
def test_no_conflict_is_proposed(rows: list[Row]) -> None:
    """Whatever is likely, the check of a crosswalk finds nothing, and no code loses its last pair."""
    relations = decided(*rows)
    items = [
        mapped(str(source), relation, f"t{target}")
        for (source, target, _), relation in zip(rows, relations, strict=True)
        if relation
    ]
    assert {item.source for item in items} == {str(source) for source, *_ in rows}
    with TemporaryDirectory() as folder:
        assert problems_of(written(Path(folder), *items)) == []
