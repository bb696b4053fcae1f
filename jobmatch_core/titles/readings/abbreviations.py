"""Abbreviations spelt out: `HGV` as `heavy goods vehicle driver`, from `abbreviations.csv`.

A word counts as an abbreviation if it is in capitals, or written as in the table; in a title that is all in capitals it
needs three letters: `AUXILIAR DE COCINA` has none. An abbreviation that is the whole title may be in small letters.
"""

import re
from functools import cache

from jobmatch_core.text.folding import fold
from jobmatch_core.titles.readings.reading import read_table

_WORD = re.compile(r"[^\W_]+")
_AMONG_CAPITALS = 3  # letters


def spelt_out(form: str, title: str) -> list[tuple[str, int]]:
    """Return a folded form with its first abbreviation spelt out, once for each meaning, with the meaning's number.

    The title as typed shows whether the abbreviation is in capitals.
    """
    words = form.split()
    for place, word in enumerate(words):
        meanings = _meanings().get(word)
        if meanings and _is_written(word, title):
            before, after = words[:place], words[place + 1 :]
            return [(" ".join([*before, text, *after]), number) for number, text in enumerate(meanings)]
    return []


def _is_written(word: str, title: str) -> bool:
    spellings = [written for written in _WORD.findall(title) if fold(written) == word]
    if word == fold(title):
        return any(written.isupper() or written.islower() or written in _written() for written in spellings)
    enough = len(word) >= _AMONG_CAPITALS or not title.isupper()
    return any(
        (written.isupper() and enough) or (not written.isupper() and written in _written()) for written in spellings
    )


@cache
def _meanings() -> dict[str, tuple[str, ...]]:
    collected: dict[str, dict[str, None]] = {}
    for row in read_table("abbreviations.csv"):
        collected.setdefault(fold(row["abbreviation"]), {})[row["meaning"]] = None
    return {abbreviation: tuple(meanings) for abbreviation, meanings in collected.items()}


@cache
def _written() -> frozenset[str]:
    return frozenset(row["abbreviation"] for row in read_table("abbreviations.csv"))
