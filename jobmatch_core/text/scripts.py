"""Scripts that texts are written in, by the Unicode names of their letters: `THAI CHARACTER KO KAI` is Thai."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Set
from functools import lru_cache

# First words of Unicode names that are not what the script is called in English.
_NAMES = {
    "CJK": "Chinese characters", "IDEOGRAPHIC": "Chinese characters", "HIRAGANA": "Japanese", "KATAKANA": "Japanese",
    "HANGUL": "Korean", "MYANMAR": "Burmese", "ORIYA": "Odia", "CANADIAN": "Canadian syllabics", "NKO": "N'Ko",
}  # fmt: skip
_OF_NO_SCRIPT = frozenset({"MODIFIER", "CARON", "VERTICAL", "MASU", "TURNED", "VEDIC"})
_FEW = 0.1  # of a text's letters: a brand or a level in a title that is otherwise of another script


@lru_cache(maxsize=65536)
def script_of(sign: str) -> str:
    """Return the English name of a letter's script, such as 'Greek'; '' for a sign that is no letter."""
    letter = unicodedata.normalize("NFKC", sign)[:1]
    word = unicodedata.name(letter, "").split(" ")[0].split("-")[0] if letter.isalpha() else ""
    return "" if word in _OF_NO_SCRIPT else _NAMES.get(word, word.capitalize())


def count_scripts(text: str) -> Counter[str]:
    """Return the number of letters of each script in a text; accents and vowel signs are no letters of their own."""
    scripts = Counter(map(script_of, text))
    scripts.pop("", None)
    return scripts


def main_script(text: str) -> str:
    """Return the script of most letters of a text, the first one of equally many; '' for a text without letters."""
    scripts = count_scripts(text)
    return max(scripts, key=scripts.__getitem__, default="")


def main_scripts(texts: Iterable[str]) -> frozenset[str]:
    """Return the main scripts of all texts that have letters."""
    return frozenset(map(main_script, texts)) - {""}


def foreign_script(text: str, known: Set[str]) -> str:
    """Return the most frequent script that is not known, where nearly all letters of a text are of such scripts.

    Returns '' for a text of which more than a tenth is of known scripts, or without letters.
    """
    scripts = count_scripts(text)
    foreign = {script: count for script, count in scripts.items() if script not in known}
    if not foreign or scripts.total() - sum(foreign.values()) > _FEW * scripts.total():
        return ""
    return max(foreign, key=foreign.__getitem__)
