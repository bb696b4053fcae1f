"""Abbreviations of titles, and what they may mean."""

import csv
from importlib.resources import files

import pytest

from jobmatch_core.text.folding import fold
from jobmatch_core.titles.readings.abbreviations import spelt_out


@pytest.mark.parametrize(
    ("title", "spelt"),
    [
        ("HGV", ["heavy goods vehicle driver"]),
        ("hgv", ["heavy goods vehicle driver"]),
        ("HCA nights", ["healthcare assistant nights"]),
        ("BiBu", ["Bilanzbuchhalter"]),
        ("AVS à domicile", ["auxiliaire de vie sociale a domicile", "auxiliaire de vie scolaire a domicile"]),
        ("CHAUFFEUR HGV", ["chauffeur heavy goods vehicle driver"]),
        ("pa to somebody", []),
        ("Pa", []),
        ("AUXILIAR PA COCINA", []),
        ("nurse", []),
    ],
)
def test_spelt_out(title: str, spelt: list[str]) -> None:
    """In capitals or as in the table; in small letters only as the whole title; among capitals from three letters."""
    assert [text for text, _ in spelt_out(fold(title), title)] == spelt


def test_the_table() -> None:
    """Eight languages, no row twice, and no meaning that contains its own abbreviation."""
    text = (files("jobmatch_core.titles.readings") / "abbreviations.csv").read_text("utf-8")
    rows = [tuple(row.values()) for row in csv.DictReader(text.splitlines())]
    assert len(rows) == len(set(rows)) > 250
    assert {language for language, _, _ in rows} == {
        "cs",
        "de",
        "en",
        "es",
        "fr",
        "it",
        "nl",
        "pl",
        "pt",
        "ro",
        "ru",
        "sv",
        "tr",
    }
    assert not [row for row in rows if row[1].isupper() and row[1] in row[2].split()]
    assert all(
        len(fold(abbreviation).split()) == 1 and len(meaning) > len(abbreviation) for _, abbreviation, meaning in rows
    )
