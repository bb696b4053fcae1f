"""Former jobs beside what somebody does now, in many languages, and titles of a former job alone."""

import pytest

from jobmatch_core.linking import Linker
from jobmatch_core.titles.cleaning import clean_title

KNOWN = frozenset(
    """
    teacher nurse operator koch krankenschwester professeur infirmiere profesora enfermera larare leraar nauczyciel
    учитель медсестра
    """.split()
)


@pytest.mark.parametrize(
    ("title", "form", "aside"),
    [
        ("teacher, formerly nurse", "teacher", "formerly nurse"),
        ("Teacher (Formerly Nurse)", "teacher", "Formerly Nurse"),
        ("teacher - previously a nurse", "teacher", "previously a nurse"),
        ("teacher formerly nurse", "teacher", "formerly nurse"),
        ("teacher, was a nurse", "teacher", "was a nurse"),
        ("teacher, ex-nurse", "teacher", "ex-nurse"),
        ("teacher, former nurse", "teacher", "former nurse"),
        ("Koch, früher Krankenschwester", "koch", "früher Krankenschwester"),
        ("Koch (ehemals Krankenschwester)", "koch", "ehemals Krankenschwester"),
        ("Koch, ehemalige Krankenschwester", "koch", "ehemalige Krankenschwester"),
        ("professeur, anciennement infirmière", "professeur", "anciennement infirmière"),
        ("professeur, ancienne infirmière", "professeur", "ancienne infirmière"),
        ("profesora, anteriormente enfermera", "profesora", "anteriormente enfermera"),
        ("leraar, voorheen verpleegkundige", "leraar", "voorheen verpleegkundige"),
        ("lärare, tidigare sjuksköterska", "larare", "tidigare sjuksköterska"),
        ("nauczyciel, dawniej pielęgniarka", "nauczyciel", "dawniej pielęgniarka"),
        ("учитель, ранее медсестра", "учитель", "ранее медсестра"),
    ],
)
def test_a_former_job_is_set_aside(title: str, form: str, aside: str) -> None:
    """The whole part after the job of now, as typed."""
    cleaned = clean_title(title, KNOWN)
    assert (cleaned.forms, cleaned.set_aside) == ((form,), (aside,))


@pytest.mark.parametrize(
    ("title", "form"),
    [
        ("formerly teacher", "teacher"),
        ("Former teacher", "former teacher"),
        ("früher Krankenschwester", "krankenschwester"),
        ("retired (was a nurse)", "nurse"),
        ("Blorp, formerly nurse", "blorp nurse"),
        ("teacher, formerly", "teacher"),
        ("Krankenschwester früher", "krankenschwester"),
        ("glass former operator", "glass former operator"),
        ("profesora no clasificada anteriormente", "profesora no clasificada anteriormente"),
    ],
)
def test_a_former_job_without_another_is_the_title(title: str, form: str) -> None:
    """Words that only look like 'former' set no job aside."""
    assert clean_title(title, KNOWN).forms[0] == form


def test_no_name_of_an_occupation_has_a_former_job(bundled: Linker) -> None:
    """Of the bundled taxonomy."""
    names = [name for name in bundled.taxonomy.name_texts if "former" in name.casefold() or "ancien" in name.casefold()]
    assert names
    known = bundled.index.known_words
    assert [name for name in names if any("former" in each for each in clean_title(name, known).set_aside)] == []
