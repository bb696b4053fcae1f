"""Walls of text."""

from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.descriptions.long_pieces import LONGEST, long_piece_cuts


def parts(text: str) -> list[str]:
    """Return the text cut."""
    cuts = long_piece_cuts(text)
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def test_what_is_short_enough_stays() -> None:
    """Whatever is in it."""
    text = "Wymagania: prawo jazdy; chęci, Zawód: kucharz " * 6
    assert parts(text) == [text]


def test_labels_before_semicolons_before_commas() -> None:
    """The stronger border counts where it suffices."""
    filler = "bardzo dużo pracy na budowie " * 6
    text = f"Opis pracy: {filler}Nasze Wymagania: {filler}PLN Miejsce pracy: Ełk"
    assert parts(text) == [f"Opis pracy: {filler}", f"Nasze Wymagania: {filler}PLN ", "Miejsce pracy: Ełk"]
    assert parts(f"{filler}; {filler}; a, b") == [f"{filler}; ", f"{filler}; ", "a, b"]


def test_phrases_are_packed() -> None:
    """As many together as fit: commas, and capitals behind small letters, between which a list lost its lines."""
    assert parts("one of many, " * 60) == ["one of many, " * 24, "one of many, " * 24, "one of many, " * 12]
    assert all(part.startswith("Elastyczny czas") for part in parts("Elastyczny czas pracy " * 40))


def test_half_words_stay_whole() -> None:
    """German compounds share their second half; a glued dash is a border."""
    assert all("und" not in part[:7] for part in parts("Vertriebs- und Marketingleiter gesucht für uns " * 10))
    assert parts("praca- " * 60)[1:-1] == ["- praca"] * 59


@given(st.text(st.sampled_from("aB :;,-.日、\n"), min_size=1, max_size=1500))
def test_no_piece_is_longer_than_allowed_but_for_a_word(text: str) -> None:
    """And nothing is lost."""
    found = parts(text)
    assert "".join(found) == text
    for part in found:
        assert part
        words = part.replace("、", " ").replace(",", " ").replace(";", " ").split()
        assert len(part) <= LONGEST or len(words) <= 1


def test_an_unbroken_word_stays() -> None:
    """However long it is: nothing says where to cut it."""
    assert parts("x" * 1000) == ["x" * 1000]
