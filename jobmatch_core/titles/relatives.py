"""Relatives: `doctor's wife`, `veuve de boulanger` and `advokatsänka` name the job of another person.

The words are in `relatives.toml`, by where they stand and by language.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

_SHORTEST_JOB = 2  # letters before the ending of a word


def is_relative(title: str) -> bool:
    """Return whether a title names the relative of somebody with a job, and not a job."""
    text = " ".join(title.casefold().replace("’", "'").split())
    if text.endswith(_phrases("jobs")):
        return False
    return _relatives().search(text) is not None


@cache
def _relatives() -> "re.Pattern[str]":
    # a phrase that ends in an apostrophe is followed by the job without a space
    begins = "|".join(each if each.endswith("'") else rf"{each}\s" for each in _escaped("begins"))
    ends = "|".join(each if each[0] in "s'" else rf"\s{each}" for each in _escaped("ends"))
    endings = "|".join(_escaped("endings"))
    return re.compile(rf"^(?:{begins})\S|\S(?:{ends})$|\w{{{_SHORTEST_JOB},}}(?:{endings})$")


@cache
def _phrases(place: str) -> tuple[str, ...]:
    text = (files("jobmatch_core.titles") / "relatives.toml").read_text("utf-8")
    return tuple(phrase for phrases in tomllib.loads(text)[place].values() for phrase in phrases)


def _escaped(place: str) -> tuple[str, ...]:
    return tuple(map(re.escape, _phrases(place)))
