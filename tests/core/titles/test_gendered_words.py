"""Gendered words: which word they are read as, and the file of the rules."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.titles.encoder import shipped_encoder, shipped_folder
from jobmatch_core.titles.gendered_words import GENDERED_FILE, SAME, EndingChange, GenderedWords
from jobmatch_core.titles.ngrams import words_of

ENDINGS = {
    "rin": EndingChange(2, ""),
    "erin": EndingChange(2, ""),
    "anwaltin": EndingChange(8, "anwalt"),
    "euse": EndingChange(4, "eur"),
    "sserin": SAME,
    "<masseuse": EndingChange(1, "r"),
}


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("brieftragerin", "brieftrager"),
        ("staatsanwaltin", "staatsanwalt"),  # the vowel changes, too
        ("vendeuse", "vendeur"),
        ("masseuse", "masseusr"),  # the rule of the whole word
        ("fusspflegemasseuse", "fusspflegemasseur"),
        ("mausserin", "mausserin"),  # a longer ending is an exception
        ("cook", "cook"),
        ("rin", "rin"),  # one letter would be left
        ("", ""),
    ],
)
def test_the_longest_ending_counts(word: str, form: str) -> None:
    """By hand."""
    assert GenderedWords(ENDINGS).one_form(word) == form


def test_words_of_a_text() -> None:
    """Folded as for the features, as many as wanted."""
    words = GenderedWords(ENDINGS)
    assert words.words_of("Leitende Briefträgerin (m/w/d)", 2) == ["leitende", "brieftrager"]
    assert GenderedWords({}).words_of("Briefträgerin") == ["brieftragerin"]


@given(st.text(max_size=40))
def test_any_text_has_as_many_words(text: str) -> None:
    """None is lost, and none becomes two, so that pairs of words stay pairs."""
    words = GenderedWords(ENDINGS).words_of(text)
    assert len(words) == len(words_of(text))
    assert all(word and word == "".join(word.split()) for word in words)


def test_saved_and_loaded(tmp_path: Path) -> None:
    """The same rules; without the file none."""
    file = tmp_path / GENDERED_FILE
    GenderedWords(ENDINGS).save(tmp_path)
    assert GenderedWords.load(file).endings == ENDINGS
    GenderedWords({}).save(tmp_path)
    assert not file.exists()
    assert GenderedWords.load(file).endings == GenderedWords.load(None).endings == {}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"endings": {"in": 2}}',
        '{"endings": {"in": ["2", ""]}}',
        '{"endings": {"in": [-3, ""]}}',
        '{"endings": {"in": [3, ""]}}',
        '{"endings": {"in": [2, "er und"]}}',
        '{"endings": {"in": [2, "ÄR"]}}',
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, content: str) -> None:
    """Not read as other rules."""
    (tmp_path / GENDERED_FILE).write_text(content, "utf-8")
    with pytest.raises(ValueError, match=r"line 1|gendered_words\.json|endings|the rule of"):
        GenderedWords.load(tmp_path / GENDERED_FILE)


@pytest.mark.parametrize(
    ("feminine", "masculine"),
    [
        ("Briefträgerin", "Briefträger"),
        ("Staatsanwältin", "Staatsanwalt"),
        ("ingénieure en mécanique", "ingénieur en mécanique"),
        ("camarera de piso", "camarero de piso"),
        ("direttrice artistica", "direttore artistico"),
        ("trabalhadora agrícola", "trabalhador agrícola"),
        ("koordinatorka projektu", "koordinator projektu"),
        ("Quantenschmiedeforscherin", "Quantenschmiedeforscher"),  # which no name has
    ],
)
def test_the_shipped_encoder_reads_both_forms_alike(feminine: str, masculine: str) -> None:
    """As one text."""
    one, other = shipped_encoder().encode([feminine, masculine])
    assert one.tolist() == other.tolist()
    assert one.any()


def test_the_shipped_rules_leave_other_words_alone() -> None:
    """Among them those that end like feminine ones."""
    words = GenderedWords.load(shipped_folder() / GENDERED_FILE)
    others = ["admin", "benzin", "medizin", "medecin", "musica", "kuchnia", "manager", "nurse", "barista", "camera"]
    assert [words.one_form(word) for word in others] == others
