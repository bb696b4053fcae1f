"""Titles of general words alone, such as 'Employee' or 'Mitarbeiter (m/w/d)', which name no occupation."""

import tomllib
from collections.abc import Container
from functools import cache
from importlib.resources import files

from jobmatch_core.text.folding import fold
from jobmatch_core.titles.cleaning import clean_title


def is_general(title: str, known_words: Container[str]) -> bool:
    """Return whether a cleaned title has only general words (`general_words.toml`), or no words.

    Args:
        title: the title as typed.
        known_words: folded words of the taxonomy's names, see `clean_title`.
    """
    return all(_general_words().issuperset(form.split()) for form in clean_title(title, known_words).forms)


@cache
def _general_words() -> frozenset[str]:
    text = (files("jobmatch_core.linking") / "general_words.toml").read_text("utf-8")
    return frozenset(fold(word) for words in tomllib.loads(text).values() for word in words)
