"""Titles of general words alone, such as 'Employee', 'Mitarbeiter (m/w/d)' or 'Student', which name no occupation."""

import tomllib
from collections.abc import Container, Iterable
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
    return are_general(clean_title(title, known_words).forms)


def are_general(forms: Iterable[str]) -> bool:
    """Return whether the folded forms of a title have only general words, or there are none."""
    return all(_general_words().issuperset(form.split()) for form in forms)


@cache
def _general_words() -> frozenset[str]:
    text = (files("jobmatch_core.linking") / "general_words.toml").read_text("utf-8")
    return frozenset(fold(word) for words in tomllib.loads(text).values() for word in words)
