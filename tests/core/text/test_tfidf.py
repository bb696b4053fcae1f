"""TF-IDF by hand."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from jobmatch_core.text.tfidf import term_rarity, unit_rows


def test_rarity_falls_with_the_number_of_texts() -> None:
    """Of three texts, three have term 0, one has term 1, and none has term 2."""
    terms = np.array([0, 0, 0, 1], dtype=np.int32)
    assert term_rarity(terms, 3, 3) == pytest.approx([0, 0.5, 1])  # log(4/4), log(4/2) and log(4/1) over log(4)


def test_without_texts_nothing_is_rare() -> None:
    """No division by zero."""
    assert term_rarity(np.empty(0, dtype=np.int32), 0, 2).tolist() == [0, 0]


def test_rows_have_length_one() -> None:
    """Weights 3 and 4 become 0.6 and 0.8; an empty row stays empty."""
    counts = csr_matrix(np.array([[1, 1, 0], [0, 0, 0], [0, 0, 2]], dtype=np.float32))
    rows = unit_rows(counts, np.array([3, 4, 5], dtype=np.float32)).toarray()
    assert rows == pytest.approx(np.array([[0.6, 0.8, 0], [0, 0, 0], [0, 0, 1]]))
