"""Closing rows in many languages, and titles that only begin like them."""

import pytest

from jobmatch_core.io.table_rows import is_note, is_total


@pytest.mark.parametrize(
    "cell",
    [
        "Gesamtzahl: 3",
        "Gesamtanzahl 3",
        "Gesamtzahl der Berufe: 3",
        "Sum: 3",
        "Total - 3",
        "Total number of jobs: 3",
        "Nombre total de postes : 3",
        "Número total: 3",
        "Totaal aantal: 3",
        "Liczba ogółem: 3",
        "Celkový počet: 3",
        "Общее количество: 3",
        "Загальна кількість: 3",
        "合计：3",
        "总人数：3",
        "합계: 3",
        "المجموع: 3",
    ],
)
def test_totals(cell: str) -> None:
    """A single cell says total."""
    assert is_total([cell])
    assert is_total(["", cell, "21"])


@pytest.mark.parametrize(
    "cells",
    [
        ["Stand: 1.1.2026"],
        ["Stand 01.01.2026"],
        ["Stand: Januar 2026"],
        ["Stand Januar 2026"],
        ["Stand:", "1.1.2026"],
        ["As of 2026-01-01"],
        ["as of January 1, 2026"],
        ["Last updated: 3 May 2026"],
        ["Date: 1/1/2026"],
        ["État au 1er janvier 2026"],
        ["Mis à jour le 01/01/2026"],
        ["Actualizado el 1 de enero de 2026"],
        ["Aggiornato al 01.01.2026"],
        ["Peildatum: 1-1-2026"],
        ["Stan na dzień 1 stycznia 2026 r."],
        ["Stav k 1. 1. 2026"],
        ["По состоянию на 01.01.2026"],
        ["Станом на 01.01.2026"],
        ["截至2026年1月1日"],
        ["更新日：2026年1月1日"],
        ["Source: labour force survey"],
        ["Quelle: Register"],
        ["* Источник: реестр"],
    ],
)
def test_notes(cells: list[str]) -> None:
    """A note states a date or a source."""
    assert is_note(cells)


@pytest.mark.parametrize(
    "cells",
    [
        ["Total: cook"],
        ["Total quality manager: 3"],
        ["Summer camp leader 3"],
        ["Stand hostess 2026"],
        ["Stand"],
        ["Stand builder: 2026"],
        ["Standing officer 1.1.2026"],
        ["Date picker"],
        ["Data", "1.1.2026"],
        ["Source"],
        ["Quellenforscher"],
        ["Updated cook"],
        ["Stand", "1.1.2026", "cook"],
        ["Sourcer: 3"],
        ["Count"],
        [""],
        ["3"],
        ["Datenanalyst: 2026"],
        ["Stan"],
        ["1.1.2026"],
    ],
)
def test_what_may_be_a_title_closes_no_table(cells: list[str]) -> None:
    """The other cells do not matter."""
    assert not is_total(cells)
    assert not is_note(cells)
