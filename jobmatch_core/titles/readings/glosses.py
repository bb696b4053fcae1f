"""English glosses of titles in Japanese, Chinese and Korean: ソフトウェアエンジニア as `software engineer`.

ESCO has no names in these languages. Their titles are compounds whose parts stand in the order of an English title's,
so that most can be read by a dictionary of parts (`glossaries/XX.csv`: `words`, `english`; the translation of a
particle is empty). A word is cut into the fewest entries that cover it.
"""

import re
from functools import cache

from jobmatch_core.text.folding import fold
from jobmatch_core.titles.readings.reading import read_table

_HAN, _KANA, _HANGUL = "\u3400-\u4dbf\u4e00-\u9fff々", "\u3041-\u30ff", "\uac00-\ud7a3"
_GLOSSED = re.compile(f"[{_HAN}{_KANA}{_HANGUL}]")
_RUN = re.compile(f"([{_HAN}{_KANA}{_HANGUL}]+)")  # other letters, as in ITエンジニア, stay as they are
_LANGUAGES = ((re.compile(f"[{_HANGUL}]"), ("ko",)), (re.compile(f"[{_KANA}]"), ("ja",)))
_HAN_LANGUAGES = ("ja", "zh")
_UNKNOWN = 100  # cost of a letter without an entry, in entries
_LEAST_COVERED = 0.75  # of a title's letters; the rest may be a name


def glossed(title: str) -> list[str]:
    """Return English readings of a folded title: two if Japanese and Chinese differ, none if few letters are known."""
    if not _GLOSSED.search(title):
        return []
    languages = next((languages for letters, languages in _LANGUAGES if letters.search(title)), _HAN_LANGUAGES)
    glosses = [_gloss(title, language) for language in languages]
    most = max(covered for _, covered in glosses)
    if most < _LEAST_COVERED:
        return []
    return list(dict.fromkeys(gloss for gloss, covered in glosses if gloss and covered == most))


# a title's reading in a language, and the share of its letters that are in entries
def _gloss(title: str, language: str) -> tuple[str, float]:
    words: list[str] = []
    n_letters = n_covered = 0
    for piece in _RUN.split(title):
        if _GLOSSED.match(piece):
            english, covered = _cut(piece, language)
            words.extend(english)
            n_letters += len(piece)
            n_covered += covered
        else:
            words.extend(piece.split())
    return " ".join(words), n_covered / n_letters


# the translations of the fewest entries that cover a word, and the number of letters covered
def _cut(word: str, language: str) -> tuple[list[str], int]:
    glossary, longest = _glossary(language)
    costs, starts = [0], [0]  # of the best cut of the first letters, by their number, and where its last entry starts
    for end in range(1, len(word) + 1):
        cost, start = costs[end - 1] + _UNKNOWN, end - 1
        for before in range(max(0, end - longest), end):
            if costs[before] + 1 < cost and word[before:end] in glossary:
                cost, start = costs[before] + 1, before
        costs.append(cost)
        starts.append(start)
    entries: list[str] = []
    end = len(word)
    while end:
        entries.append(word[starts[end] : end])
        end = starts[end]
    translated = [entry for entry in reversed(entries) if entry in glossary]
    return [glossary[entry] for entry in translated if glossary[entry]], sum(map(len, translated))


# folded entries with their translations, and the number of letters of the longest
@cache
def _glossary(language: str) -> tuple[dict[str, str], int]:
    glossary = {fold(row["words"]): row["english"] for row in read_table(f"glossaries/{language}.csv")}
    return glossary, max(map(len, glossary))
