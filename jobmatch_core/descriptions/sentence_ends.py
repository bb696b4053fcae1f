"""Detection of sentence ends inside a block.

Rules for all languages at once, because a posting's language is not asked for and postings mix them: a full stop ends
a sentence where white space and no small letter follow, unless it belongs to an abbreviation, an initial or an ordinal.
Scripts with a full stop of their own need no such care.
Paper: Laosaengpha et al. (2024), appendix A, who take NLTK's, of one language.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

_CLOSING = "\"'”’“»›)\\]"  # German and Czech quotes close with what opens English ones
_CLOSING_WIDE = "」』）”’】〉》"
_WIDE = "。！？｡।॥۔։።"
_STOP = re.compile(rf"(?P<stop>[{_WIDE}.!?…؟;\u037e]+)(?P<closing>[{_CLOSING}{_CLOSING_WIDE}]*)(?P<space>\s*)")
_OPENING = re.compile(r"[\"'“„‘‚«‹»(\[¿¡*\-–—\s]*")
_TOKEN_BORDER = re.compile(r"[\s(\[\"'“„«]")
_LONGEST_TOKEN = 24  # letters before a full stop that are looked at; an abbreviation has fewer
_INNER_STOPS = re.compile(r"[^\W\d_]{1,4}(?:\.[^\W\d_]{1,4})+")  # e.g, z.B, s.r.o
_MAY_END = ("a.m", "p.m")
_ORDINAL = re.compile(r"\d{1,2}|[IVX]{1,5}")
_GLUED = re.compile(r"[^\W\d_]{2}[.!?]\Z")  # 'our team.Also': the space was lost with a line's end
_NAME_BEHIND = re.compile(r"(?:Net|Js|Com|Org)\b|\S*@")  # Asp.Net, Jane.Doe@example.org


def sentence_ends(block: str) -> list[int]:
    """Return the starts of all sentences but the first, ascending; white space belongs to the sentence before it."""
    return [
        match.end()
        for match in _STOP.finditer(block)
        if match.end() < len(block) and (match["stop"][-1] in _WIDE or _ends(block, match))
    ]


def _ends(block: str, match: re.Match[str]) -> bool:
    """Return whether a sentence ends with a stop of the Latin, Greek, Cyrillic or Arabic script."""
    if not match["space"]:
        return _ends_glued(block, match)
    opened = _OPENING.match(block, match.end())
    place = opened.end() if opened else match.end()
    follows = block[place : place + 1]
    if follows.islower() or not follows:
        return False
    stop = match["stop"]
    if stop == ";":
        return follows.isupper()
    return stop != "." or not _is_abbreviation(block[max(0, match.start() - _LONGEST_TOKEN) : match.start()], follows)


def _ends_glued(block: str, match: re.Match[str]) -> bool:
    """Return whether a sentence ends without white space: between a small letter and a capitalised word."""
    place = match.end()
    before = block[max(0, match.start() - _LONGEST_TOKEN) : match.start() + 1]
    if match["closing"] or not _GLUED.search(before) or not before[-2].islower():
        return False
    behind = block[place : place + _LONGEST_TOKEN]
    if not (behind[:1].isupper() and behind[1:2].islower()) or _NAME_BEHIND.match(behind):
        return False
    token = _TOKEN_BORDER.split(before)[-1]
    return not token.startswith(("www.", "http"))


def _is_abbreviation(before: str, follows: str) -> bool:
    """Return whether the full stop after some text belongs to its last word."""
    token = _TOKEN_BORDER.split(before)[-1]
    word = token.casefold()
    if _ORDINAL.fullmatch(token):
        return True
    if len(token) == 1:
        return token.isupper() or token.islower()
    if _INNER_STOPS.fullmatch(token):
        return word not in _MAY_END
    before_number, before_any = _abbreviations()
    return word in before_any or (follows.isdigit() and word in before_number)


@cache
def _abbreviations() -> tuple[frozenset[str], frozenset[str]]:
    """Return the abbreviations before numbers, and those before anything."""
    tables = tomllib.loads((files("jobmatch_core.descriptions") / "abbreviations.toml").read_text("utf-8"))
    before_number, before_any = (
        frozenset(word for words in tables[name].values() for word in words.split())
        for name in ("before_number", "before_any")
    )
    return before_number, before_any
