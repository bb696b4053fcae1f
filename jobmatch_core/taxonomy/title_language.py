"""Languages of job titles, by the words of the lexicon's titles."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache

from jobmatch_core.taxonomy.lexicon import lexicon_titles
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import guess_language

_LEAST = 0.5  # weight of a title's words in the best language: half of a word that no other language has
_CLEAR = 1.5  # times the weight of the second best language


def title_language(title: str) -> str:
    """Return the two-letter code of a title's language; '' if its words do not tell.

    The more languages of the lexicon have a word, the lower its weight; single letters (`m/w/d`) have none.
    """
    weights: dict[str, float] = defaultdict(float)
    for word in fold(title).split():
        languages = _languages_of_words().get(word, ()) if len(word) > 1 or not word.isascii() else ()
        for language in languages:
            weights[language] += 1 / len(languages)
    best, second = [*sorted(weights.items(), key=lambda item: -item[1]), ("", 0.0), ("", 0.0)][:2]
    clear = best[1] >= _LEAST and best[1] >= _CLEAR * second[1]
    return best[0] if clear else guess_language(title)


def count_languages(titles: Iterable[str]) -> Counter[str]:
    """Count titles by language; '' is unknown."""
    return Counter(map(title_language, titles))


@cache
def _languages_of_words() -> dict[str, frozenset[str]]:
    languages: dict[str, set[str]] = defaultdict(set)
    for title in lexicon_titles():
        for word in fold(title.title).split():
            languages[word].add(title.language)
    return {word: frozenset(of_word) for word, of_word in languages.items()}
