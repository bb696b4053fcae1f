"""Pieces of a title: what was read, what was ignored, and the words that no name has."""

import unicodedata
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import LinkResult
from jobmatch_core.linking import Linker
from jobmatch_core.linking.scorers import words_of
from jobmatch_core.linking.title_pieces import PieceKind, TitlePiece, title_pieces
from jobmatch_core.text.folding import fold
from tests.core.linking.made_results import UNKNOWN as NOTHING

READ, IGNORED, UNKNOWN = PieceKind.READ, PieceKind.IGNORED, PieceKind.UNKNOWN


def pieces(title: str, *unknown: str, ignored: tuple[str, ...] = ()) -> list[tuple[str, PieceKind]]:
    """Return text and kind of each piece of a title."""
    result = replace(NOTHING, title=title, unknown=unknown, set_aside=ignored)
    return [(piece.text, piece.kind) for piece in title_pieces(result)]


def test_pieces_of_a_title(lexical: Linker) -> None:
    """The linker knows what a 'Betreuer' is, but no name has 'Sonderkunden'."""
    result = lexical.link("Betreuer Sonderkunden (m/w/d)")
    assert list(title_pieces(result)) == [
        TitlePiece("Betreuer ", READ),
        TitlePiece("Sonderkunden", UNKNOWN),
        TitlePiece(" ", READ),
        TitlePiece("(m/w/d)", IGNORED),
    ]


def test_a_title_that_was_read_is_one_piece(lexical: Linker) -> None:
    """An empty one is none."""
    assert list(title_pieces(lexical.link("Krankenschwester"))) == [TitlePiece("Krankenschwester", READ)]
    assert list(title_pieces(lexical.link(""))) == []


@pytest.mark.parametrize(
    ("title", "unknown", "wanted"),
    [
        ("XKCD-Artist, xkcd", ["xkcd"], [("XKCD", UNKNOWN), ("-Artist, ", READ), ("xkcd", UNKNOWN)]),
        ("Vibe-Käfzer", ["vibe", "kafzer"], [("Vibe", UNKNOWN), ("-", READ), ("Käfzer", UNKNOWN)]),
        ("Artist artists", ["artist"], [("Artist", UNKNOWN), (" artists", READ)]),
        ("vibe_master", ["vibe"], [("vibe", UNKNOWN), ("_master", READ)]),
        ("ممرضة زَغْلَطَف", ["زغلطف"], [("ممرضة ", READ), ("زَغْلَطَف", UNKNOWN)]),
        ("看護師 キュリオ", ["キュリオ"], [("看護師 ", READ), ("キュリオ", UNKNOWN)]),
        ("护士兆嘟", ["护士兆嘟"], [("护士兆嘟", UNKNOWN)]),
        ("टलटीच्यक्ष manager", ["टलट"], [("टलटीच्यक्ष", UNKNOWN), (" manager", READ)]),
        ("Kra\u00adfzi Koch", ["krafzi"], [("Kra\u00adfzi", UNKNOWN), (" Koch", READ)]),
        (unicodedata.normalize("NFD", "Káfzer Koch"), ["kafzer"], [("Ka\u0301fzer", UNKNOWN), (" Koch", READ)]),
    ],
)
def test_unknown_words_are_marked_as_typed(title: str, unknown: list[str], wanted: list[object]) -> None:
    """Whole words, wherever they stand, with capitals, accents, vowel signs and soft hyphens."""
    assert pieces(title, *unknown) == wanted


@pytest.mark.parametrize(
    ("title", "ignored", "wanted"),
    [
        ("cook - Leeds", "- Leeds", [("cook ", READ), ("- Leeds", IGNORED)]),
        ("Koch(m/w/d)", "(m/w/d)", [("Koch", READ), ("(m/w/d)", IGNORED)]),
        ("Internist, Intern", "Intern", [("Internist, ", READ), ("Intern", IGNORED)]),
        ("Seniorenpfleger", "Senior", [("Senior", IGNORED), ("enpfleger", READ)]),
        ("高薪急聘司机", "高薪急聘", [("高薪急聘", IGNORED), ("司机", READ)]),
        ("Stagiair(e) journalist", "stagiaire", [("Stagiair(e) journalist", READ)]),
    ],
)
def test_ignored_pieces_are_marked_once(title: str, ignored: str, wanted: list[object]) -> None:
    """As a word of its own if there is one; a piece that the title does not have as such is not marked."""
    assert pieces(title, ignored=(ignored,)) == wanted


def test_an_ignored_piece_is_no_unknown_word() -> None:
    """What was ignored was not looked up."""
    assert pieces("xkcd Vibe (xkcd)", "xkcd", ignored=("Vibe (xkcd)",)) == [
        ("xkcd", UNKNOWN),
        (" ", READ),
        ("Vibe (xkcd)", IGNORED),
    ]


TITLES = st.text(st.characters(categories=["L", "N", "M", "Z", "Cf", "Pd", "Ps", "Pe"]), max_size=30) | st.text(
    st.sampled_from("aB -/(),.éı\u0301 护सि\u00ad\u200cمُ"), max_size=20
)


@given(TITLES | st.text(max_size=30), st.data())
def test_pieces_are_the_title(title: str, data: st.DataObject) -> None:
    """Whatever is unknown or ignored; neighbours differ in kind, and no piece is empty."""
    words = words_of(fold(title)) or ["x"]
    unknown = data.draw(st.lists(st.sampled_from([*words, "y"])))
    places = st.integers(0, len(title))
    ignored = [title[slice(*sorted(data.draw(st.tuples(places, places))))] for _ in range(data.draw(st.integers(0, 3)))]
    found = pieces(title, *unknown, ignored=(*ignored, "not in the title"))
    assert "".join(text for text, _ in found) == title
    assert all(text for text, _ in found)
    assert all(one[1] != other[1] for one, other in pairwise(found))


@given(TITLES, st.data())
def test_every_unknown_word_is_marked(title: str, data: st.DataObject) -> None:
    """Each is in a marked piece, and each marked piece has one."""
    words = words_of(fold(title))
    unknown = data.draw(st.lists(st.sampled_from(words))) if words else []
    marked = [text for text, kind in pieces(title, *unknown) if kind is UNKNOWN]
    assert {word for text in marked for word in words_of(fold(text))} >= {*unknown}
    assert all({*words_of(fold(text))} & {*unknown} for text in marked)


def test_pieces_of_a_link_stay_those_of_the_title() -> None:
    """A title with line breaks and emoji is put together as typed."""
    title = "  Vibe\n\tmaster 👩‍🍳 "
    result = LinkResult(title, (), True, None, "t", ("👩‍🍳",), unknown=("vibe",))
    assert "".join(piece.text for piece in title_pieces(result)) == title
