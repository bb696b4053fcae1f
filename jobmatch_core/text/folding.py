"""Text as the matchers see it: case, accents and punctuation folded the same way everywhere.

`TextPieces` finds names of several words in a text. `titles.cleaning` removes noise from titles.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache

Name = tuple[str, ...]  # its folded words
_SHORT = 100  # characters; only such texts are cached: titles and their parts, which each step of linking folds again
_CACHE_SIZE = 4096
_PLOTLY = str.maketrans({"<": "‹", ">": "›", "&": "＆", "{": "(", "}": ")"})
# Accents of Latin letters, vowel signs and points of Arabic and Hebrew, hamza above and below, and the stroke that
# stretches an Arabic word: people type titles without them. Not the kana voicing marks, which change the word.
_OPTIONAL_MARKS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0655\u0670]"
)
# Letters that Unicode does not decompose, but that people type without their stroke; and those typed for each other in
# Arabic (as Lucene's ArabicNormalizer has them) and on Persian keyboards.
_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
    | {"ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ٱ": "ا", "ھ": "ه"}
)
_ARABIC_HALF_SPACE = re.compile("(?<=[\u0600-\u06ff])\u200c(?=[\u0600-\u06ff])")  # typed as a space as often
_DOTNET = re.compile(r"\.net\b")
# Vowel signs are part of a word in Indic scripts and Thai, but not of \w.
_SIGNS = "".join(
    chr(code)
    for block in (range(0x0370, 0x1D00), range(0x3099, 0x309B), range(0xA800, 0xAC00))
    for code in block
    if unicodedata.category(chr(code)).startswith("M")
)
_WORD = re.compile(rf"[\w{_SIGNS}]+")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff]")
# Control characters of terminals, direction overrides and surrogates.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_MARKS = r"\s/,;:()\[\]!?…\"'“”„«»‘’"
_PIECE = re.compile(rf"[^{_MARKS}]*[^{_MARKS}.]")  # a word, or 'C++', or '.NET'


def fold(text: str) -> str:
    """Return *text* in lower case, without accents or punctuation, its words one space apart.

    Keeps `c++`, `c#` and `.net` apart from `c` and `net`, because they are different jobs.
    """
    return _fold_short(text) if len(text) <= _SHORT else _fold(text)


def _fold(text: str) -> str:
    text = text.lower() if text.isascii() else _plain_letters(text)
    if text.replace(" ", "").isalnum():  # no sign in it
        return " ".join(text.split())
    text = _DOTNET.sub(" dotnet", text)
    text = text.replace("c++", "cplusplus").replace("c#", "csharp")
    return " ".join(_WORD.findall(text.replace("_", " ")))


@lru_cache(_CACHE_SIZE)
def _recently_folded(text: str) -> str:
    return _fold(text)


_fold_short = _recently_folded


@contextmanager
def folding_once() -> Iterator[None]:
    """Remember all short texts that are folded inside, for work that folds the names of a taxonomy several times."""
    global _fold_short  # in all threads: what they fold does not change
    _fold_short = cache(_fold)
    try:
        yield
    finally:
        _fold_short = _recently_folded


def _plain_letters(text: str) -> str:
    # Decomposing turns compatibility letters, such as a mathematical N, into capitals, which are folded next; casefold
    # turns Cherokee letters, and no others, into capitals, hence `lower`.
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()).casefold().lower()
    text = _OPTIONAL_MARKS.sub("", text)
    if text.isascii():  # as nearly all Latin text is by now
        return text
    text = text.translate(_LETTERS)
    return _INVISIBLE.sub("", unicodedata.normalize("NFC", _ARABIC_HALF_SPACE.sub(" ", text)))


def visible(text: str) -> str:
    """Return a text with its control characters and direction overrides spelled out, such as `⟨U+202E⟩`.

    Tabs and line feeds stay. Carriage returns do not: in a terminal they hide the text before them.
    """
    return _CONTROLS.sub(lambda sign: f"⟨U+{ord(sign.group()):04X}⟩", text)


def visible_json(text: str) -> str:
    """Return JSON with the characters that `visible` spells out escaped, so that it reads back unchanged."""
    return _CONTROLS.sub(lambda sign: f"\\u{ord(sign.group()):04x}", text)


def plotly_text(text: str) -> str:
    """Return a text for Plotly, with look-alikes for angle brackets, ampersands and braces, which it interprets."""
    return visible(text).translate(_PLOTLY)


@lru_cache(_CACHE_SIZE)  # a project's skills are searched for in a thousand profiles
def folded_name(text: str) -> Name:
    """Return the folded words of a name."""
    return tuple(fold(text).split())


@dataclass(frozen=True, slots=True)
class TextPieces:
    """A text split into pieces."""

    text: str
    spans: tuple[tuple[int, int], ...]  # start and end of each piece in it
    folded: tuple[str, ...]  # each piece folded; a piece such as 'front-end' has two words

    @classmethod
    def of(cls, text: str) -> "TextPieces":
        """Split a text."""
        spans = tuple(piece.span() for piece in _PIECE.finditer(text))
        return cls(text, spans, tuple(fold(text[start:end]) for start, end in spans))

    def named(self, names: Collection[Name]) -> Iterator[range]:
        """Yield the ranges of pieces that together form one of the names."""
        longest = max((len(name) for name in names), default=0)
        for start in range(len(self.folded)):
            words: list[str] = []
            for end in range(start, min(start + longest, len(self.folded))):
                words += self.folded[end].split()
                if tuple(words) in names:
                    yield range(start, end + 1)

    def written(self, name: Name) -> str:
        """Return the first occurrence of a name as the text spells it; '' without any."""
        places = next(self.named({name}), None) if name else None
        return "" if places is None else self.text[self.spans[places[0]][0] : self.spans[places[-1]][1]]
