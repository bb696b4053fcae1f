"""Words in their dictionary form, for the baselines on lemmas."""

import re
from functools import lru_cache

import simplemma
from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

_WORD = re.compile(r"\w+")
_NAMES = {"no": "nb"}  # where simplemma calls a language otherwise


def lemmatise(text: str, language: str) -> str:
    """Return the lemmas of a text's words in lower case, one space apart, without punctuation.

    The words of a language that simplemma has no dictionary for stay as they are.
    """
    return " ".join(_lemma(word, _NAMES.get(language, language)) for word in _WORD.findall(text.lower()))


@lru_cache(maxsize=1 << 18)  # a corpus repeats its words, and taking one apart takes a millisecond
def _lemma(word: str, language: str) -> str:
    return simplemma.lemmatize(word, language).lower() if language in SUPPORTED_LANGUAGES else word
