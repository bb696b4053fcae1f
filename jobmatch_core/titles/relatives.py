"""Relatives: `doctor's wife`, `veuve de boulanger` and `advokatsänka` name the job of another person.

The words are in `relatives.toml`, by where they stand and by language.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

from jobmatch_core.text.folding import fold
from jobmatch_core.titles.title_parts import TitleParts

RELATIVE = "a relative, not a job"  # why a title names no job
_SHORTEST_JOB = 2  # letters before the ending of a word
_APART = re.compile(r"\s*[/,;&+]\s*")
_WORD = re.compile(r"\w+")
_JOINED = re.compile("['\u0e00-\u0e7f]$")


def take_out_relatives(title: TitleParts) -> None:
    """Set civil status and relatives beside a job aside: `nurse, wife`; a relative that remains is no job: `widow`."""
    parts = [piece for part in title.parts for piece in civil_status_apart(part)]
    others = [part for part in parts if not is_relative(part)]
    relatives = [part for part in parts if part not in others]
    title.parts = parts
    if others and (all(map(is_civil_status, relatives)) or any(title.is_known(fold(part)) for part in others)):
        title.keep(others)
    if any(is_relative(part, whole=len(title.parts) == 1) for part in title.parts):
        title.no_job = RELATIVE


def is_relative(part: str, *, whole: bool = False) -> bool:
    """Return whether a part of a title names a relative, such as `doctor's wife`, but not `nurse for a widow`.

    Args:
        part: the text as typed.
        whole: whether it is the whole title; ambiguous words such as `son` and `mother` then count, too.
    """
    text = _plain(part)
    if is_civil_status(part) or (whole and text in _phrases("alone")):
        return True
    if text.endswith(_phrases("jobs")):
        return False
    if begins := _begins().match(text):
        return _is_free_of("others", _WORD.findall(text, begins.end())[:2])
    if not text.endswith(_last_letters()):  # as nearly all texts, which the pattern takes longer to tell
        return False
    return _ends().search(text) is not None and _is_free_of("between", text.split()[1:])


def is_civil_status(part: str) -> bool:
    """Return whether a part of a title is a civil status, as in registers: `nurse (widow)`."""
    return _plain(part) in _phrases("words")


def civil_status_apart(part: str) -> list[str]:
    """Split a part of a title into jobs and civil status: `nurse/wife` into `nurse` and `wife`."""
    pieces = _APART.split(part)
    jobs = [piece for piece in pieces if not is_civil_status(piece)]
    return [" / ".join(jobs), *filter(is_civil_status, pieces)] if any(jobs) and len(jobs) < len(pieces) else [part]


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())


def _is_free_of(place: str, words: list[str]) -> bool:
    return not any(word in _phrases(place) for word in words)


@cache
def _begins() -> "re.Pattern[str]":
    # a phrase that ends in an apostrophe, or in Thai, is followed by the job without a space
    begins = "|".join(phrase if _JOINED.search(phrase) else rf"{phrase}\s" for phrase in _escaped("begins"))
    return re.compile(rf"(?:{begins})(?=\S)")


@cache
def _ends() -> "re.Pattern[str]":
    ends = "|".join(phrase if phrase[0] in "s'" else rf"\s{phrase}" for phrase in _escaped("ends"))
    endings = "|".join(_escaped("endings"))
    return re.compile(rf"\S(?:{ends})$|\w{{{_SHORTEST_JOB},}}(?:{endings})$")


@cache
def _last_letters() -> tuple[str, ...]:
    return _phrases("ends") + _phrases("endings")


@cache
def _phrases(place: str) -> tuple[str, ...]:
    text = (files("jobmatch_core.titles") / "relatives.toml").read_text("utf-8")
    return tuple(phrase for phrases in tomllib.loads(text)[place].values() for phrase in phrases)


def _escaped(place: str) -> tuple[str, ...]:
    return tuple(map(re.escape, _phrases(place)))
