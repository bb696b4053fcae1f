"""The common form of gendered nouns in texts."""

import pytest

from jobmatch_core.titles.one_gender import one_gender


@pytest.mark.parametrize(
    ("language", "text", "common"),
    [
        ("de", "Krankenpflegerin", "Krankenpfleger"),
        ("de", "Luftbildfotografin mit Praxis", "Luftbildfotograf mit Praxis"),
        ("de", "KÖCHIN", "KOCH"),
        ("fr", "Développeuse COBOL", "Développeur COBOL"),
        ("es", "Ingeniera de software", "Ingeniero de software"),
        ("pl", "Programistka front-end", "Programista front-end"),
        ("uk", "акторка", "актор"),
        ("en", "Nurse", "Nurse"),
        ("de", "Berlin, Benzin und Wien", "Berlin, Benzin und Wien"),
    ],
)
def test_feminine_nouns_become_masculine(language: str, text: str, common: str) -> None:
    """Case, other words and other languages stay; doing it twice changes nothing."""
    assert one_gender(text, language) == common
    assert one_gender(common, language) == common
