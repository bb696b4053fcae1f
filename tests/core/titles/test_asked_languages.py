"""Languages that titles ask for, and those that they are about."""

import pytest

from jobmatch_core.titles.asked_languages import asks_for_languages, is_asked_language, language_phrases
from jobmatch_core.titles.cleaning import clean_title

KNOWN = {"customer", "service", "agent", "accountant", "nanny", "teacher", "english", "german", "support", "chat"}


@pytest.mark.parametrize(
    ("title", "pieces"),
    [
        ("Swedish-speaking Customer Service Agent", ["Swedish-speaking"]),
        ("Chat Support (Native Thai Speaker)", ["Native Thai Speaker"]),
        ("Customer Service (Mandarin & Cantonese Speaker)", ["Mandarin & Cantonese Speaker"]),
        ("Content Review - Hindi Native", ["Hindi Native"]),
        ("Native Korean Chat Support", ["Native Korean"]),
        ("Junior Accountant with Hungarian", ["with Hungarian"]),
        ("Service Agent with fluent German and English (remote)", ["with fluent German and English"]),
        ("Representative with French or Portuguese language skills", ["with French or Portuguese language skills"]),
        ("Deutschsprachiger Kundenberater (m/w/d)", ["Deutschsprachiger"]),
        ("Polnischsprachige*r Kundenbetreuer*in", ["Polnischsprachige*r"]),
        ("Content Moderator mit guten Englischkenntnissen", ["mit guten Englischkenntnissen"]),
        ("Kundenbetreuung mit polnischen Sprachkenntnissen", ["mit polnischen Sprachkenntnissen"]),
        ("Sachbearbeiter Deutsch C1", ["Deutsch C1"]),
        ("Conseiller clientèle francophone", ["francophone"]),
        ("Assistante commerciale anglais courant", ["anglais courant"]),
        ("Recepcionista con inglés", ["con inglés"]),
        ("Księgowa z językiem angielskim i francuskim", ["z językiem angielskim i francuskim"]),
        ("Księgowa z j. niemieckim lub angielskim", ["z j. niemieckim lub angielskim"]),
        ("Kundenservice mit Deutsch- und Englischkenntnissen", ["mit Deutsch- und Englischkenntnissen"]),
        ("Customer Service German required", ["German required"]),
        ("Assistant Polish preferred", ["Polish preferred"]),
        ("Recepcionista inglés avanzado", ["inglés avanzado"]),
        ("Sales Representative French language skills", ["French language skills"]),
        ("svensktalande kundtjänst", ["svensktalande"]),
        ("German-speaking Sales Professional", ["German-speaking"]),
        ("Floor care with polish", []),
        ("Editor with German", []),
        ("Foreign language assistant with French", []),
        ("Chef with Italian cuisine", []),  # no end of the title follows
        ("Native app developer", []),
        ("Public speaking coach", []),
        ("Softwareentwickler mit C++-Kenntnissen", []),
        ("Englischlehrer mit Deutschkenntnissen", []),  # languages are what such titles are about
        ("Native English Teacher", []),
    ],
)
def test_phrases(title: str, pieces: list[str]) -> None:
    """Of several languages, joined or not."""
    found = language_phrases().findall(title) if asks_for_languages(title) else []
    assert found == pieces


@pytest.mark.parametrize(
    ("part", "title", "asked"),
    [
        ("английский язык", "Менеджер - английский язык", True),
        ("английский язык", "Учитель - английский язык", False),
        ("英语", "客服 - 英语", True),
        ("英語", "講師 - 英語", False),
        ("영어", "상담원 - 영어", True),
        ("tiếng Anh", "lễ tân - tiếng Anh", True),
        ("bahasa Inggris", "guru - bahasa Inggris", False),
        ("אנגלית", "מורה - אנגלית", False),
        ("Dutch", "Call Center Agent - Dutch", True),
        (" Thai & English", "Technical Support (Thai & English)", True),
        ("Chinese only", "Personal Assistant (Chinese only)", True),
        ("Native Japanese", "Customer Service (Native Japanese)", True),
        ("English", "Teacher - English", False),
        ("English", "Trainer - English", False),
        ("polish", "Machine operator - polish", False),
        ("German", "Übersetzerin (German)", False),
        ("French cuisine", "Cook (French cuisine)", False),
    ],
)
def test_languages_between_separators(part: str, title: str, asked: bool) -> None:
    """Alone, in titles that are not about languages."""
    assert is_asked_language(part, title) == asked


def test_cleaning_sets_them_aside() -> None:
    """As written, and reported; a title of a language alone is left."""
    cleaned = clean_title("Spanish speaking nanny", KNOWN)
    assert (cleaned.forms, cleaned.set_aside) == (("nanny",), ("Spanish speaking",))
    cleaned = clean_title("Customer Service Agent - German / English", KNOWN)
    assert (cleaned.forms, cleaned.set_aside) == (("customer service agent",), ("German / English",))
    assert clean_title("Teacher - English", KNOWN).forms == ("teacher english",)
    assert clean_title("German", KNOWN).forms == ("german",)
    assert clean_title("German speaker", KNOWN).forms == ()  # no job
