"""The job that a posting names in its first sentence: 'We are hiring a nurse to join our team.' is about a nurse.

The words are in `hiring_sentences.toml`, by language. The end of a title is looked for in the words of the language
that the sentence begins in: `die` ends it in Dutch, and is no such word in English.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

_LONGEST = 80  # characters of a title
_SENTENCE = re.compile(r"[^\n.!?…。！？]*(?:\.(?=\w)[^\n.!?…。！？]*)*")  # 'asst.nurse' goes on
_STOP = re.compile(r"\s*[,;:–—]\s.*|\s+-\s.*")


def hiring_title(text: str) -> str:
    """Return the job of a text whose first sentence says that somebody is wanted for it; '' for another text."""
    sentence = _SENTENCE.match(text.strip())
    said = " ".join(sentence[0].split()) if sentence else ""
    for opening, ends in _patterns():
        if opened := opening.match(said):
            title = _STOP.sub("", ends.split(said[opened.end() :], maxsplit=1)[0]).strip()
            is_job = any(map(str.isalpha, title)) and title.casefold() not in _words()["nobody"]
            return title if is_job and len(title) <= _LONGEST else ""
    return ""


@cache
def _words() -> Mapping[str, Any]:
    return tomllib.loads((files("jobmatch_core.descriptions") / "hiring_sentences.toml").read_text("utf-8"))


@cache
def _patterns() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    # for each language: how such a sentence begins, and what ends its title
    words = _words()
    return [
        (
            re.compile(
                rf"(?:{_any(opens)})\s*:?\s+(?:(?:{_any(words['between'].get(language, ()))})\s+)*", re.IGNORECASE
            ),
            re.compile(rf"\s+(?:{_any(words['ends'].get(language, ()))})(?!\w)", re.IGNORECASE),
        )
        for language, opens in words["opens"].items()
    ]


def _any(phrases: Iterable[str]) -> str:
    # the longest first: 'wir suchen sie als' before 'wir suchen'; nothing matches where there are none
    longest = sorted(phrases, key=len, reverse=True)
    return "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in longest) or r"(?!)"
