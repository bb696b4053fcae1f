"""Leadership in titles such as `VP Product`, `Leiter Einkauf` or `Assistant to the CEO`; phrases in `leadership.toml`.

The field is read as most names of occupations have it: `product manager`.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import dropwhile

from jobmatch_core.entities import Seniority
from jobmatch_core.text.folding import fold

_FIELD = "x"  # in phrases, folded
_LONGEST_FIELD = 3  # words; a longer one is a description

_Pattern = tuple[str, list[str], list[str]]  # table, words before the field, words behind it


@dataclass(frozen=True, slots=True)
class _Kind:
    seniority: Seniority
    reading: str  # the title in other words, with the field for {}; '' for none
    equal: bool = False  # whether the reading has the meaning of the title, or nearly so
    manages: bool = False  # whether most titles of this kind are of managers


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
    """Leadership that a title states."""

    seniority: Seniority  # the level
    equal: tuple[str, ...]  # folded readings with the same meaning
    near: tuple[str, ...]  # folded readings with nearly the same meaning
    manages: bool  # true if most such titles are of managers, ISCO's major group 1


def find_leadership(folded: str) -> Leadership | None:
    """Return the leadership that a folded title states; None without any."""
    words = folded.split()
    bare = _without_scope([word for word in words if word not in _words("deputy_words")])
    match = _kind_and_field(bare)
    if match is None or _contains(words, "other_occupations"):
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
            field = list(dropwhile(_words("between").__contains__, words[len(before) : end]))
            if _is_led(table, words, field) and 0 < len(field) <= _LONGEST_FIELD:
                return _KINDS[table], field
    return None


def _is_led(table: str, words: list[str], field: list[str]) -> bool:
    if table == "assistant":
        return _contains(field, "management")
    return table != "lead" or not _contains(words, "no_lead")


def _contains(words: list[str], table: str) -> bool:
    text = f" {' '.join(words)} "
    return any(f" {' '.join(phrase)} " in text for phrase in _phrases(table))


# patterns by the title's first word, and by its last
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
    return tomllib.loads((files("jobmatch_core.titles.readings") / "leadership.toml").read_text("utf-8"))
