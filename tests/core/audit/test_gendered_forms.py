"""Masculine and feminine forms: attested by a taxonomy's names, made by rule, and in texts."""

import pytest

from jobmatch_core.audit.gendered_forms import GenderedForms, TitleTwin, gender_rules

NAMES = [
    ("de", "nurse", ["Krankenpfleger", "Krankenpflegerin", "Pflegekraft"]),
    ("de", "assistant", ["Chirurgischer Assistent", "Chirurgische Assistentin"]),
    ("de", "photographer", ["Fotograf", "Fotografin"]),
    ("fr", "developer", ["développeur", "développeuse web", "développeuse"]),
    ("es", "engineer", ["ingeniero mecánico", "ingeniera mecánica", "técnico"]),
    ("bg", "painter", ["фотограф", "оператор на машина"]),
]


@pytest.fixture
def forms() -> GenderedForms:
    """The forms of the names above."""
    return GenderedForms(NAMES)


def test_twins_are_pairs_of_names_of_one_occupation(forms: GenderedForms) -> None:
    """Words that agree with the noun change as well; a name of more words is no twin."""
    pairs = {(twin.masculine, twin.feminine) for twin in forms.attested}
    assert pairs == {
        ("Krankenpfleger", "Krankenpflegerin"),
        ("Chirurgischer Assistent", "Chirurgische Assistentin"),
        ("Fotograf", "Fotografin"),
        ("développeur", "développeuse"),
        ("ingeniero mecánico", "ingeniera mecánica"),
    }


def test_by_rule_the_main_word_changes(forms: GenderedForms) -> None:
    """In languages with few attested twins; a word without a known ending has no twin."""
    made = [twin for twin in forms.title_twins() if not twin.attested]
    assert TitleTwin("bg", "оператор на машина", "операторка на машина", "painter", attested=False) in made
    assert all("фотограф" not in twin.masculine for twin in made)


@pytest.mark.parametrize(
    ("language", "masculine", "feminine"),
    [
        ("de", "Krankenpfleger in Berlin", "Krankenpflegerin in Berlin"),
        ("de", "Luftbildfotograf", "Luftbildfotografin"),  # a compound
        ("de", "Chirurgischer Assistent", "Chirurgische Assistentin"),
        ("de", "FOTOGRAF", "FOTOGRAFIN"),
        ("es", "Ingeniero mecánico", "Ingeniera mecánica"),
    ],
)
def test_texts_change_to_and_fro(forms: GenderedForms, language: str, masculine: str, feminine: str) -> None:
    """Case stays."""
    assert forms.as_gender(masculine, language, "f") == feminine
    assert forms.as_gender(feminine, language, "m") == masculine


def test_other_words_stay(forms: GenderedForms) -> None:
    """An adjective alone, unknown words, and languages without words."""
    assert forms.as_gender("taller mecánico", "es", "f") == "taller mecánico"
    assert forms.as_gender("Koch", "de", "f") == "Koch"
    assert forms.as_gender("Fotograf", "fi", "f") == "Fotograf"


def test_twenty_languages_have_rules() -> None:
    """Each rule makes another word."""
    rules = gender_rules()
    assert len(rules) == 20
    for language, rule in rules.items():
        assert all(left != right for left, right in rule.endings), language
