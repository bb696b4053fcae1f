"""Clipped words of titles spelt out."""

import csv
from importlib.resources import files

import pytest

from jobmatch_core.text.folding import fold
from jobmatch_core.titles.readings.clippings import unclipped


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("asst store mgr", "assistant store manager"),
        ("tech", "technician"),
        ("maint tech 2", "maintenance technician 2"),
        ("tech support", "technical support"),
        ("зам нач", "заместитель начальник"),
        ("steuerfachang", "steuerfachangestellte"),
        ("ogrt ingilizce", "ogretmeni ingilizce"),
        ("dir of nursing", "director of nursing"),
        ("head of eng", "head of engineering"),
        ("vp dev", "vp development"),
        ("elec eng", "electrical engineer"),
        ("eng mgr", "engineering manager"),
        ("kfm angestellte", "kaufmannischer angestellte"),
        ("lab tech ii", "lab technician ii"),
        ("prod op", "production operator"),
        ("ouvr agri", "ouvrier agricole"),
        ("tekn servis elem", "teknik servis elemani"),
        ("verkoopmdw vers", "verkoopmedewerker vers"),
        ("undersk natt", "underskoterska natt"),
        ("munc necalif", "muncitor necalificat"),
        ("toezicht op bouw", "toezicht op bouw"),
        ("operario de piel", "operario de piel"),
        ("nurse", "nurse"),
        ("", ""),
    ],
)
def test_clipped_words_are_spelt_out(form: str, whole: str) -> None:
    """All in a title; some mean one thing as its head and another before other words."""
    assert unclipped(form) == whole


def test_the_table_of_clippings() -> None:
    """Each clipping stands once among all languages, and means a longer word that has its letters in their order."""
    text = (files("jobmatch_core.titles.readings") / "clippings.csv").read_text("utf-8")
    rows = [tuple(row.values()) for row in csv.DictReader(text.splitlines())]
    clippings = [fold(clipping) for _, clipping, _, _ in rows]
    assert len(clippings) == len(set(clippings)) > 100
    assert {language for language, *_ in rows} == {
        "cs",
        "de",
        "en",
        "es",
        "fr",
        "id",
        "it",
        "nl",
        "pl",
        "pt",
        "ro",
        "ru",
        "sv",
        "tr",
        "uk",
    }
    for _, clipping, *meanings in rows:
        assert any(meanings)
        for meaning in filter(None, meanings):
            letters = iter(fold(meaning))
            assert len(fold(meaning)) > len(fold(clipping))
            assert all(letter in letters for letter in fold(clipping).removesuffix("s")), (clipping, meaning)
