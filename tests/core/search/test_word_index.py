"""The word index: inflected, misspelled and compound words match, without becoming rarer than they are."""

from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.search.word_index import MOST_WORDS, WordIndex, pieces_of, words_of

TEXTS = ("lift repairer", "Aufzugsmechaniker", "baker of bread", "", "repair of shoes, shoes, shoes")


def found(query: str, texts: tuple[str, ...] = TEXTS) -> list[list[int]]:
    """Return for each word of a query that found something the items, best first."""
    words = WordIndex.of(texts).look_up(query)
    return [[int(row) for row in np.argsort(-word.scores, kind="stable") if word.scores[row] > 0] for word in words]


def test_words_that_are_spelled_alike_count() -> None:
    """Inflections, typing errors and parts of compounds match; the word itself counts most."""
    assert sorted(found("repairs")[0]) == [0, 4]
    assert found("bakerr") == [[2]]
    assert found("Aufzug") == [[1]]
    assert found("repair", ("repairer here", "repair here")) == [[1, 0]]


def test_what_matched_is_told() -> None:
    """Matches give the word as typed and the item's word."""
    index = WordIndex.of(TEXTS)
    [word] = index.look_up("Répairs!")
    assert word.text == "Répairs"
    assert index.matched(word, [4, 0, 2]) == ["repair", "repairer", ""]


def test_stop_words_are_left_out_unless_there_is_nothing_else() -> None:
    """'of' is ignored beside other words."""
    assert found("of bread") == [[2]]
    assert sorted(found("of")[0]) == [2, 4]


def test_words_that_stand_for_one_are_as_rare_as_all_together() -> None:
    """A rare misspelling scores no more than the common word."""
    index = WordIndex.of(["nursing"] * 9 + ["nursinng"])
    [word] = index.look_up("nursing")
    assert np.count_nonzero(word.scores) == 10
    assert word.scores[9] < word.scores[0]


def test_writing_without_blanks_is_cut_into_pairs() -> None:
    """Parts of words are found in scripts without spaces."""
    assert words_of("修理電梯") == ["修理", "理電", "電梯"]
    assert found("電梯", ("修理電梯", "麵包師"))[0] == [0]


@pytest.mark.parametrize("query", ["", "   ", "🙂", "\u202e", "\ud800", "?!"])
def test_a_query_without_words_finds_nothing(query: str) -> None:
    """It is no error."""
    assert found(query) == []


def test_a_query_of_many_words_is_cut() -> None:
    """Ten thousand words take no longer than the first few."""
    index = WordIndex.of([f"word{number:05}" for number in range(100)])
    assert len(index.look_up(" ".join(f"word{number:05}" for number in range(10_000)))) <= MOST_WORDS


def test_an_empty_index(tmp_path: Path) -> None:
    """It has no matches, also after loading."""
    WordIndex.of([]).save(tmp_path, "words")
    assert WordIndex.load(tmp_path, "words", 0).look_up("lift") == []


def test_what_is_stored_finds_the_same(tmp_path: Path) -> None:
    """A stored index gives the same matches; a truncated file is damaged."""
    index = WordIndex.of(TEXTS)
    index.save(tmp_path, "words")
    before, after = (each.look_up("repairs lift")[0] for each in (index, WordIndex.load(tmp_path, "words", len(TEXTS))))
    assert before.alike == after.alike
    assert before.scores.tolist() == after.scores.tolist()
    np.save(tmp_path / "words-weights.npy", np.zeros(2, np.float32))
    with pytest.raises(ValueError, match="do not fit"):
        WordIndex.load(tmp_path, "words", len(TEXTS))


def test_pieces() -> None:
    """Pieces have four letters, with the ends of the word marked."""
    assert pieces_of("lift") == {"<lif", "lift", "ift>"}
    assert pieces_of("abc") == frozenset()
