"""Readings of whole titles, of every kind in the table."""

import pytest

from jobmatch_core.titles.readings import kinds
from jobmatch_core.titles.readings.kinds import READINGS, TitleForms
from jobmatch_core.titles.readings.reading import Reading


def readings(typed: str, *parts: str, jobs: tuple[int | None, ...] = ()) -> list[Reading]:
    """Return the readings of a title whose folded parts are its forms."""
    forms = dict(zip(parts, jobs or [0] * len(parts), strict=True))
    return list(TitleForms.of(typed, parts, forms).readings())


def test_a_kind_that_comes_first_decides_on_a_text_of_two_kinds() -> None:
    """'VP Product' is nearly a product manager; a clipping that gave the same words would not make them equal."""
    assert readings("VP Product", "vp product") == [Reading("product manager", equal=False, job=0)]


def test_a_form_is_no_reading_of_its_own_title() -> None:
    """A reading that equals another form of the title is left out."""
    assert [reading.text for reading in readings("Mgr / Manager", "mgr", "manager", jobs=(0, 1))] == []


def test_readings_have_their_meaning_and_job() -> None:
    """An abbreviation in the second job has a reading for each of its meanings, of that job."""
    both = readings("Cook / PA", "cook", "pa", jobs=(0, 1))
    assert {(reading.text, reading.meaning, reading.job) for reading in both} == {
        ("personal assistant", 0, 1),
        ("production assistant", 1, 1),
        ("physician assistant", 2, 1),
    }


def test_a_new_kind_is_a_row_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its readings come beside those of the other kinds."""
    monkeypatch.setattr(kinds, "READINGS", (*READINGS, lambda title: [Reading(title.typed.upper() + " X")]))
    assert readings("nurse", "nurse") == [Reading("NURSE X")]
