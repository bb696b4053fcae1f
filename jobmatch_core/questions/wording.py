"""The words around the options of a question (`wording.toml`)."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jobmatch_core.text.locales import ENGLISH


@dataclass(frozen=True, slots=True)
class Wording:
    """The question that stands before the options, and the last option, in a language."""

    question: str
    none: str


@cache
def wording(language: str) -> Wording:
    """Return the words in a language, in English where there are none."""
    tables = tomllib.loads((files("jobmatch_core.questions") / "wording.toml").read_text("utf-8"))
    spoken = language if language in tables["question"] else ENGLISH
    return Wording(tables["question"][spoken], tables["none"][spoken])
