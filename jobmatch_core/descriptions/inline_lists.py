"""Detection of list items that scraping has joined into one line.

Paper: Laosaengpha et al. (2024), appendix A: 'bullet points, hyphens, and numbering using regular expression'.
"""

import re

from jobmatch_core.descriptions.blocks import BULLETS

_BULLET = re.compile(rf"[{BULLETS}\uf000-\uf0ff](?<=\s.)|【(?<=[^\s【】].)")  # looked behind only where one is
_DASH = re.compile(r"(?<=\s)[-–—*](?=\s|[^\W\d_])")
_STOPS = ":;.!?,。：；"
_LEAST_DASHES = 3  # in a sentence: two may be the borders of an aside
_NUMBER = re.compile(r"\s(?=\(?(\d{1,2})[.)]\s)")


def list_items(sentence: str) -> list[int]:
    """Return the positions of items inside a sentence, ascending, without the sentence's own start."""
    bullets = [match.start() for match in _BULLET.finditer(sentence)]
    return sorted({*bullets, *_dashes(sentence), *_numbers(sentence)} - {0})


def _dashes(sentence: str) -> list[int]:
    """Return the dashes that are bullets: one after a stop, and all behind such a one; or all, where there are many."""
    places = [match.start() for match in _DASH.finditer(sentence)]
    if len(places) >= _LEAST_DASHES:
        return places
    after_stop = (number for number, place in enumerate(places) if _is_after_stop(sentence, place))
    return places[next(after_stop, len(places)) :]


def _is_after_stop(sentence: str, place: int) -> bool:
    while place and sentence[place - 1].isspace():
        place -= 1
    return place > 0 and sentence[place - 1] in _STOPS


def _numbers(sentence: str) -> list[int]:
    """Return the numbers that count up from one."""
    found: list[int] = []
    run: list[int] = []
    for match in _NUMBER.finditer(sentence):
        number = int(match[1])
        if number != len(run) + 1:
            found += run if len(run) > 1 else []
            run = []
        if number == len(run) + 1:
            run.append(match.end())
    return found + (run if len(run) > 1 else [])
