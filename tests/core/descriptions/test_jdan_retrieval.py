"""Descriptions that find their titles."""

from collections.abc import Sequence

import numpy as np
import pytest

from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.descriptions.jdan_report import TitleRetrieval
from jobmatch_core.descriptions.jdan_retrieval import title_retrieval
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.entities import FloatArray
from tests.core.descriptions.made_postings import WordEncoder


class Angles:
    """Titles and descriptions that are angles in degrees."""

    name, dimension = "angles", 2

    def encode_titles(self, titles: Sequence[str]) -> FloatArray:
        """Return points on the circle."""
        angles = np.radians([float(title) for title in titles])
        return np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)

    def encode_postings(self, postings: Sequence[Posting]) -> FloatArray:
        """Return those of the descriptions."""
        return self.encode_titles([posting.description for posting in postings])


def test_by_hand() -> None:
    """10 is nearest to 0, right; 50 is nearest to 60, but is 0's: rank 2; 61 is 60's: rank 1. MRR (1 + 1/2 + 1) / 3."""
    postings = [Posting("", "0", "10"), Posting("", "0", "50"), Posting("", "60", "61"), Posting("", "180", "180")][:3]
    assert title_retrieval(Angles(), postings) == TitleRetrieval(
        3, 2, pytest.approx(2 / 3), 1.0, pytest.approx(2.5 / 3)
    )


def test_nothing_to_measure_and_nothing_said() -> None:
    """No posting; one whose vector is zero counts the right title last."""
    assert title_retrieval(Angles(), []) is None
    model = DescriptionModel(WordEncoder(), "words", "sentence-mean")
    found = title_retrieval(model, [Posting("", "baker", ""), Posting("", "nurse", "")])
    assert found == TitleRetrieval(2, 2, 0.0, 1.0, 0.5)
