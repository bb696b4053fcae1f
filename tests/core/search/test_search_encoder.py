"""Short descriptions by the shipped search encoder."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from jobmatch_core.linking import Linker
from jobmatch_core.linking.posting_linker import SHIPPED_HINT_WEIGHTS, PostingLinker, PostingWeights
from jobmatch_core.search.search_encoder import MOST_WORDS, SearchDescriptions, is_short
from jobmatch_core.search.search_models import load_search_encoder


@pytest.fixture(scope="module")
def encoder() -> SearchDescriptions:
    """Return the shipped one."""
    return SearchDescriptions(load_search_encoder("search"))


@pytest.mark.parametrize(
    ("title", "description", "isco"),
    [
        ("Officer", "Guard inmates in a prison.", "5413"),
        ("Coach", "Train a football team.", "3422"),
        ("Assistant", "Shelve books and help readers in a library.", "4411"),
        ("Mitarbeiter", "Kocht in der Kantine.", "5120"),
    ],
)
def test_a_few_words_decide_where_the_title_is_general(
    bundled: Linker, encoder: SearchDescriptions, title: str, description: str, isco: str
) -> None:
    """A description decides between occupations, with the shipped weights."""
    linker = PostingLinker(bundled, encoder, PostingWeights.load(SHIPPED_HINT_WEIGHTS), general_titles=True)
    assert linker.link(title, description).candidates[0].isco == isco


def test_titles_and_descriptions_are_documents(encoder: SearchDescriptions) -> None:
    """Both are in one space, with zeros for unknown features."""
    assert encoder.name == load_search_encoder("search").name
    assert_array_equal(encoder.encode_titles(["nurse"]), encoder.encode_descriptions(["nurse"]))
    assert not np.any(encoder.encode_descriptions([""]))


@pytest.mark.parametrize(("words", "short"), [(0, True), (MOST_WORDS, True), (MOST_WORDS + 1, False)])
def test_is_short(words: int, *, short: bool) -> None:
    """A description up to the encoder's maximum length is short."""
    assert is_short("a " * words) is short
