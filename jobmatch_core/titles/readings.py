"""Further readings of titles: abbreviations, clipped words, leadership, and English glosses.

Abbreviations (`abbreviations.csv`) are words in capitals or as written in the table; in a title all in capitals they
need three letters. Clippings (`clippings.csv`) may depend on their place: a `lab tech` is a technician, `tech support`
is technical. Leadership (`leadership.toml`) is rewritten as in names of occupations: `VP Product`, `product manager`.
Glosses (`glossaries/XX.csv`) translate Japanese, Chinese and Korean titles part by part: ソフトウェアエンジニア,
`software engineer`; a word is cut into the fewest entries.
"""

import csv
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jobmatch_core.entities import Seniority
from jobmatch_core.text.folding import fold

_WORD = re.compile(r"[^\W_]+")
_AMONG_CAPITALS = 3  # letters
_AFTER_A_HEAD = frozenset(("", "and", "at", "for", "in", "of", "to", "with", "i", "ii", "iii", "iv"))
_BEFORE_A_FIELD = frozenset(("of", "vp"))  # `head of eng` leads engineering
_FIELD = "x"  # in phrases, folded
_LONGEST_FIELD = 3  # words; a longer one is a description
_HAN, _KANA, _HANGUL = "\u3400-\u4dbf\u4e00-\u9fff々", "\u3041-\u30ff", "\uac00-\ud7a3"
_GLOSSED = re.compile(f"[{_HAN}{_KANA}{_HANGUL}]")
_RUN = re.compile(f"([{_HAN}{_KANA}{_HANGUL}]+)")  # other letters, as in ITエンジニア, stay as they are
_LANGUAGES_OF = ((re.compile(f"[{_HANGUL}]"), ("ko",)), (re.compile(f"[{_KANA}]"), ("ja",)))
_OF_HAN_ALONE = ("ja", "zh")
_UNKNOWN = 100  # entries that a letter without one counts as
_LEAST_COVERED = 0.75  # of a title's letters; the rest may be a name


def spelt_out(form: str, title: str) -> list[tuple[str, int]]:
    """Return a folded form with its first abbreviation spelt out, once per meaning, with the meaning's number.

    Args:
        form: folded form.
        title: the title as typed.
    """
    words = form.split()
    for place, word in enumerate(words):
        meanings = _meanings().get(word)
        if meanings and _is_written(word, title):
            before, after = words[:place], words[place + 1 :]
            return [(" ".join([*before, text, *after]), number) for number, text in enumerate(meanings)]
    return []


def _is_written(word: str, title: str) -> bool:
    spellings = [written for written in _WORD.findall(title) if fold(written) == word]
    if word == fold(title):
        return any(written.isupper() or written.islower() or written in _written() for written in spellings)
    enough = len(word) >= _AMONG_CAPITALS or not title.isupper()
    return any(
        (written.isupper() and enough) or (not written.isupper() and written in _written()) for written in spellings
    )


@cache
def _meanings() -> dict[str, tuple[str, ...]]:
    collected: dict[str, dict[str, None]] = {}
    for row in _rows():
        collected.setdefault(fold(row["abbreviation"]), {})[row["meaning"]] = None
    return {abbreviation: tuple(meanings) for abbreviation, meanings in collected.items()}


@cache
def _written() -> frozenset[str]:
    return frozenset(row["abbreviation"] for row in _rows())


@cache
def _rows() -> list[dict[str, str]]:
    return _table("abbreviations.csv")


def _table(file: str) -> list[dict[str, str]]:
    text = (files("jobmatch_core.titles") / file).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


def unclipped(form: str) -> str:
    """Return a folded form with its clippings spelt out: `assistant manager` for `asst mgr`."""
    words = form.split()
    neighbours = zip(["", *words], words, [*words[1:], ""], strict=False)
    return " ".join(_clippings().get((word, _is_head(before, after))) or word for before, word, after in neighbours)


def _is_head(before: str, after: str) -> bool:
    return (after in _AFTER_A_HEAD or after.isdecimal()) and before not in _BEFORE_A_FIELD


@cache
def _clippings() -> dict[tuple[str, bool], str]:
    """Return (folded clipping, whether it is a head) -> folded word; '' where it is no clipping."""
    return {
        (fold(row["clipping"]), column == "as_head"): fold(row[column])
        for row in _table("clippings.csv")
        for column in ("as_head", "before_others")
    }


_Pattern = tuple[str, list[str], list[str]]  # table, words before the field, words behind it


@dataclass(frozen=True, slots=True)
class _Kind:
    """Meaning of the phrases of a table.

    Attributes:
        seniority: the level.
        reading: the title in other words, with the field for {}; '' for none.
        equal: true if the reading has the meaning of the title, false if nearly so.
        manages: true if most titles of this kind are of managers.
    """

    seniority: Seniority
    reading: str
    equal: bool = False
    manages: bool = False


_KINDS = {
    "chief": _Kind(Seniority.CHIEF, "{} manager", manages=True),
    "vice_president": _Kind(Seniority.VICE_PRESIDENT, "{} manager", manages=True),
    "director": _Kind(Seniority.DIRECTOR, "{} manager", manages=True),
    "head": _Kind(Seniority.HEAD, "{} manager", manages=True),
    "deputy_head": _Kind(Seniority.DEPUTY_HEAD, "{} manager", manages=True),
    "section_head": _Kind(Seniority.HEAD, "{} manager"),
    "team_lead": _Kind(Seniority.LEAD, "{} supervisor"),
    "lead": _Kind(Seniority.LEAD, "{}", equal=True),
    "trade_head": _Kind(Seniority.LEAD, ""),
    "assistant": _Kind(Seniority.ASSISTANT, "executive assistant", equal=True),
}


@dataclass(frozen=True, slots=True)
class Leadership:
    """Leadership that a title states.

    Attributes:
        seniority: the level.
        equal: folded readings with the same meaning.
        near: folded readings with nearly the same meaning.
        manages: true if most such titles are of managers, ISCO's major group 1.
    """

    seniority: Seniority
    equal: tuple[str, ...]
    near: tuple[str, ...]
    manages: bool


def find_leadership(folded: str) -> Leadership | None:
    """Return the leadership that a folded title states; None without any."""
    words = folded.split()
    bare = _without_scope([word for word in words if word not in _words("deputy_words")])
    match = _kind_and_field(bare)
    if match is None or _holds(words, "other_occupations"):
        return None
    kind, field = match
    is_deputy = kind.manages and not _words("deputy_words").isdisjoint(words)
    reading = (kind.reading.format(" ".join(field)),) if kind.reading else ()
    without = (" ".join(bare),) if bare != words else ()
    return Leadership(
        Seniority.DEPUTY_HEAD if is_deputy else kind.seniority,
        (*without, *reading) if kind.equal else without,
        () if kind.equal else reading,
        kind.manages,
    )


def _without_scope(words: list[str]) -> list[str]:
    scope = _words("scope")
    start, end = 0, len(words)
    while end - start > 2 and words[start] in scope:
        start += 1
    while end - start > 2 and words[end - 1] in scope:
        end -= 1
    return words[start:end]


def _kind_and_field(words: list[str]) -> tuple[_Kind, list[str]] | None:
    if len(words) < 2:
        return None
    patterns = (*_patterns()[0].get(words[0], ()), *_patterns()[1].get(words[-1], ()))
    for table, before, after in sorted(patterns, key=lambda pattern: -len(pattern[1]) - len(pattern[2])):
        end = len(words) - len(after)
        if len(before) < end and words[: len(before)] == before and words[end:] == after:
            field = _without_words_between(words[len(before) : end])
            led = table != "assistant" or _holds(field, "management")
            if led and 0 < len(field) <= _LONGEST_FIELD:
                return _KINDS[table], field
    return None


def _without_words_between(words: list[str]) -> list[str]:
    start = next((place for place, word in enumerate(words) if word not in _words("between")), len(words))
    return words[start:]


def _holds(words: list[str], table: str) -> bool:
    text = f" {' '.join(words)} "
    return any(f" {' '.join(phrase)} " in text for phrase in _phrases(table))


@cache
def _patterns() -> tuple[dict[str, list[_Pattern]], dict[str, list[_Pattern]]]:
    first: dict[str, list[_Pattern]] = {}
    last: dict[str, list[_Pattern]] = {}
    for table in _KINDS:
        for words in _phrases(table):
            before, after = words[: words.index(_FIELD)], words[words.index(_FIELD) + 1 :]
            by_word, word = (first, before[0]) if before else (last, after[-1])
            by_word.setdefault(word, []).append((table, before, after))
    return first, last


@cache
def _phrases(table: str) -> list[list[str]]:
    phrases = (fold(phrase) for phrases in _tables()[table].values() for phrase in phrases)
    return [phrase.split() for phrase in dict.fromkeys(phrases)]


@cache
def _words(table: str) -> frozenset[str]:
    return frozenset(word for phrase in _phrases(table) for word in phrase)


@cache
def _tables() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((files("jobmatch_core.titles") / "leadership.toml").read_text("utf-8"))


def glossed(title: str) -> list[str]:
    """Return the English readings of a folded title: two if Japanese and Chinese differ, none if hardly in entries."""
    if not _GLOSSED.search(title):
        return []
    glosses = [_gloss(title, language) for language in _languages(title)]
    most = max(covered for _, covered in glosses)
    if most < _LEAST_COVERED:
        return []
    return list(dict.fromkeys(gloss for gloss, covered in glosses if gloss and covered == most))


def _languages(title: str) -> tuple[str, ...]:
    return next((languages for letters, languages in _LANGUAGES_OF if letters.search(title)), _OF_HAN_ALONE)


def _gloss(title: str, language: str) -> tuple[str, float]:
    """Return a title's reading in a language, and the share of its letters that are in entries."""
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


def _cut(word: str, language: str) -> tuple[list[str], int]:
    """Return the translations of the fewest entries that cover a word, and the number of letters covered."""
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


@cache
def _glossary(language: str) -> tuple[dict[str, str], int]:
    """Return a language's folded entries with their translations, and the number of letters of the longest."""
    glossary = {fold(row["words"]): row["english"] for row in _table(f"glossaries/{language}.csv")}
    return glossary, max(map(len, glossary))
