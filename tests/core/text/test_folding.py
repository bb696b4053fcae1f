"""Folding: what becomes the same for the matchers, and what must stay apart; and what must be seen.

Names found in the pieces of a text.
"""

import json
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jobmatch_core.text.folding import TextPieces, fold, folded_name, folding_once, plotly_text, visible, visible_json


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Krankenschwester", "krankenschwester", id="case"),
        pytest.param("Ärztin für Chirurgie", "arztin fur chirurgie", id="umlauts"),
        pytest.param("infirmière diplômée", "infirmiere diplomee", id="french accents"),
        pytest.param("nin\u0303o", "nino", id="decomposed accent"),
        pytest.param("Straßenbauer", "strassenbauer", id="sharp s"),
        pytest.param("STRAẞE", "strasse", id="capital sharp s"),
        pytest.param("Łódź", "lodz", id="l with stroke"),
        pytest.param("Sjøfører", "sjoforer", id="o with stroke"),
        pytest.param("Đorđe", "dorde", id="d with stroke"),
        pytest.param("þjónn æðar œuvre", "thjonn aedar oeuvre", id="thorn, eth and ligatures"),
        pytest.param("fırıncı", "firinci", id="dotless i"),
        pytest.param("İŞÇİ", "isci", id="capital dotted i"),
        pytest.param("ħaddiem", "haddiem", id="maltese h"),
        pytest.param("ﬁtter", "fitter", id="fi ligature"),
        pytest.param("Ｃｏｏｋ", "cook", id="full width"),
        pytest.param("McDonald’s cook", "mcdonald s cook", id="typographic apostrophe"),
        pytest.param("  a\t\nb   c ", "a b c", id="whitespace"),
        pytest.param("cook/chef (m/w) - part-time", "cook chef m w part time", id="punctuation"),
        pytest.param("head_of_sales", "head of sales", id="underscore"),
        pytest.param("1st engineer 2", "1st engineer 2", id="digits stay"),
        pytest.param("ΝΟΣΟΚΌΜΟΣ", "νοσοκομοσ", id="greek capitals, tonos"),
        pytest.param("νοσοκόμος", "νοσοκομοσ", id="greek final sigma"),
        pytest.param("МЕДСЕСТРА", "медсестра", id="cyrillic case"),
        pytest.param("간호사", "간호사", id="hangul intact"),
        pytest.param(unicodedata.normalize("NFD", "간호사"), "간호사", id="hangul jamo composed"),
        pytest.param("看護師", "看護師", id="kanji intact"),
        pytest.param("ｴﾝｼﾞﾆｱ", "エンジニア", id="half width katakana"),
        pytest.param("", "", id="empty"),
        pytest.param(" \n", "", id="blank"),
        pytest.param("😀👩\u200d🍳🇩🇪", "", id="emoji only"),
        pytest.param("chef 👩\u200d🍳", "chef", id="emoji behind a word"),
        pytest.param("…!?", "", id="punctuation only"),
    ],
)
def test_fold(text: str, expected: str) -> None:
    """Case, accents, punctuation and width do not count."""
    assert fold(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("C++ developer", "cplusplus developer", id="c++"),
        pytest.param("C＋＋", "cplusplus", id="full width c++"),
        pytest.param("C# developer", "csharp developer", id="c#"),
        pytest.param(".NET developer", "dotnet developer", id=".net"),
        pytest.param("ASP.NET", "asp dotnet", id="asp.net"),
        pytest.param("C/C++", "c cplusplus", id="c and c++"),
        pytest.param("C developer", "c developer", id="plain c"),
        pytest.param("net maker", "net maker", id="plain net"),
        pytest.param("Sr.Network Engineer", "sr network engineer", id="full stop before network"),
    ],
)
def test_fold_keeps_programming_languages_apart(text: str, expected: str) -> None:
    """Three languages with punctuation in their names stay distinct; other names do not change."""
    assert fold(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("が", "か", id="hiragana voicing"),
        pytest.param("ガ", "カ", id="katakana voicing"),
        pytest.param("パ", "ハ", id="katakana half-voicing"),
        pytest.param("ครู", "ครี", id="thai vowels"),
        pytest.param("नर्स", "नरस", id="devanagari virama"),
        pytest.param("की", "कु", id="devanagari vowels"),
        pytest.param("C++", "C", id="c++ and c"),
        pytest.param("C++", "C#", id="c++ and c#"),
    ],
)
def test_fold_keeps_different_words_apart(one: str, other: str) -> None:
    """Marks that change the word are not accents."""
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    "word",
    [
        pytest.param("हिन्दी", id="hindi"),
        pytest.param("นักบัญชี", id="thai"),
        pytest.param("مُهَنْدِس", id="arabic with vowel marks"),
        pytest.param("מְהַנְדֵּס", id="hebrew with points"),
        pytest.param("Kranken\u00adschwester", id="soft hyphen"),
    ],
)
def test_fold_does_not_tear_a_word(word: str) -> None:
    """A mark or a soft hyphen inside a word does not split it."""
    assert len(fold(word).split()) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("أخصائي", "اخصائى"),  # hamza left out, and the other yeh
        ("معلمة", "معلمه"),
        ("مُعَلِّم", "معلم"),  # vowel signs
        ("مـعـلـم", "معلم"),  # stretched
        ("کارگر", "كارگر"),  # Persian and Arabic kaf
        ("برنامه\u200cنویس", "برنامه نویس"),  # half-space
        ("מוֹרֶה", "מורה"),  # points
    ],
)
def test_fold_of_arabic_and_hebrew_spellings(one: str, other: str) -> None:
    """What people type for each other is equal."""
    assert fold(one) == fold(other)


@pytest.mark.parametrize("word", ["Водитель", "Йога", "Қазақ", "Ναύτης"])
def test_fold_does_not_depend_on_case_or_composition(word: str) -> None:
    """Capitals and decomposed accents give the same result."""
    assert fold(word.upper()) == fold(word)
    assert fold(unicodedata.normalize("NFD", word)) == fold(word)


@settings(database=None, deadline=None, max_examples=300)
@given(st.text())
@example("Cook™")
@example("№ 5")
@example("ℂ")
@example("ϲ")
@example("c+++")
@example("か゛")
def test_fold_is_idempotent(text: str) -> None:
    """Folding twice gives the same result."""
    once = fold(text)
    assert fold(once) == once


@settings(database=None, deadline=None, max_examples=300)
@given(st.text())
@example("Cook™")
@example("a__b")
@example("℃")
@example("Ꭰ")
def test_fold_gives_lower_case_words_one_space_apart(text: str) -> None:
    """True for any text."""
    folded = fold(text)
    assert folded == " ".join(folded.split())
    assert folded == folded.lower()
    assert "_" not in folded


@given(st.text(alphabet=st.characters(max_codepoint=127)))
@example("C++ and .NET_core")
def test_plain_english_is_folded_as_any_text(text: str) -> None:
    """The faster path for ASCII gives the same result."""
    assert fold(f"{text} é") == f"{fold(text)} e".strip()


def test_folding_once_folds_the_same() -> None:
    """Inside, and after it."""
    texts = ["Köchin", "c++", "ŁÓDŹ"]
    with folding_once():
        assert [*map(fold, texts)] == [*map(fold, texts)] == ["kochin", "cplusplus", "lodz"]
    assert [*map(fold, texts)] == ["kochin", "cplusplus", "lodz"]


def test_plotly_reads_no_markup() -> None:
    """No HTML and no placeholder is left; letters of any script stay."""
    assert plotly_text("<b>R&D</b> {x} مهندس 技") == "‹b›R＆D‹/b› (x) مهندس 技"


def test_what_a_terminal_obeys_is_spelled_out() -> None:
    """Escape sequences, bells, carriage returns and overrides; letters, tabs and line feeds stay."""
    assert visible("\x1b]0;mine\x07\r\x9b2J") == "⟨U+001B⟩]0;mine⟨U+0007⟩⟨U+000D⟩⟨U+009B⟩2J"
    assert visible("cook\u202exe.gnp") == "cook⟨U+202E⟩xe.gnp"
    assert visible("\ud83c") == "⟨U+D83C⟩"
    assert visible("看護師\tКöchin\nטבח\u200f 🍳") == "看護師\tКöchin\nטבח\u200f 🍳"


@given(st.text(st.characters()))
def test_escaped_json_reads_back_unchanged(text: str) -> None:
    """It contains none of those characters."""
    escaped = visible_json(json.dumps({"a": text}, ensure_ascii=False))
    assert json.loads(escaped) == {"a": text}
    assert visible(escaped) == escaped


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
    """In any case and with any marks; a part of a piece is not a name."""
    assert TextPieces.of(text).written(folded_name(name)) == written


@given(st.lists(st.sampled_from(_PARTS + _BETWEEN), max_size=8).map("".join), st.sampled_from(_PARTS))
def test_what_is_written_stands_in_the_folded_text(text: str, name: str) -> None:
    """Searching the folded text first is therefore sufficient."""
    words = folded_name(name)
    if TextPieces.of(text).written(words):
        assert f" {' '.join(words)} " in f" {fold(text)} "
