"""Stop words: words so common in a language that two texts which share one need not have anything in common."""

from functools import cache

from stop_words import LANGUAGE_MAPPING, get_stop_words

from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import common_words

_NORWEGIAN = {"no": "nb", "nn": "nb"}  # the package lists Bokmål only


def is_stop_word(word: str, language: str) -> bool:
    """Return whether a folded word is a stop word of a language, given by its two-letter code."""
    return word in _stop_words(language)


@cache
def _stop_words(language: str) -> frozenset[str]:
    code = _NORWEGIAN.get(language, language)
    listed = get_stop_words(code) if code in LANGUAGE_MAPPING else []
    return frozenset(part for word in (*listed, *common_words(language)) for part in fold(word).split())
