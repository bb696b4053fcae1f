"""Words for the confidence of a link."""

import pytest

from jobmatch_core.entities import LinkResult
from jobmatch_core.linking.confidence import confidence, confidence_word
from tests.core.linking.made_results import LINKED, OF_UNIT, UNKNOWN, UNSURE


@pytest.mark.parametrize(
    ("probability", "word"),
    [
        (1.0, "sure"),
        (0.8, "sure"),
        (0.79999, "likely"),
        (0.5, "likely"),
        (0.49999, "unsure"),
        (0.0, "unsure"),
    ],
)
def test_a_probability_in_a_word(probability: float, word: str) -> None:
    """Sure from .8, likely from .5."""
    assert confidence_word(probability) == word


@pytest.mark.parametrize(
    ("result", "word"),
    [(LINKED, "likely"), (OF_UNIT, "sure"), (UNSURE, "to check"), (UNKNOWN, "to check")],
    ids=["linked", "unit group", "unsure", "none"],
)
def test_confidence_of_a_result(result: LinkResult, word: str) -> None:
    """Where the linker abstained somebody has to look, however probable the first candidate is."""
    assert confidence(result) == word
