"""Names found in the pieces of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.text.folding import fold
from jobmatch_core.text.text_pieces import TextPieces, folded_name

_PARTS = ("C++", "c", "C#", ".NET", "ASP.NET", "front-end", "end", "Köln", "koln", "data science", "İ", "ﬁ", "e\u0301")
_BETWEEN = (" ", ", ", ".", "/", "-", "\n", "'", "", "+", "…", "\u00ad")


@pytest.mark.parametrize(
    ("text", "name", "written"),
    [
        ("Wir suchen C++, Java.", "c++", "C++"),
        ("ein Data-Science Projekt", "data science", "Data-Science"),
        ("the back-end", "end", ""),
        ("", "java", ""),
        ("Java", "", ""),
    ],
)
def test_a_name_as_it_is_written(text: str, name: str, written: str) -> None:
    """Whatever its case and marks; a part of a piece is none."""
    assert TextPieces.of(text).written(folded_name(name)) == written


@given(st.lists(st.sampled_from(_PARTS + _BETWEEN), max_size=8).map("".join), st.sampled_from(_PARTS))
def test_what_is_written_stands_in_the_folded_text(text: str, name: str) -> None:
    """So that a look at the folded text is enough where a name is not there."""
    words = folded_name(name)
    if TextPieces.of(text).written(words):
        assert f" {' '.join(words)} " in f" {fold(text)} "
