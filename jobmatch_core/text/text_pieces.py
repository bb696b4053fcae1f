"""A text in pieces, a word each, to find names of several words in it whatever their case and accents."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from jobmatch_core.text.folding import fold

Name = tuple[str, ...]  # its folded words

_MARKS = r"\s/,;:()\[\]!?…\"'“”„«»‘’"
_PIECE = re.compile(rf"[^{_MARKS}]*[^{_MARKS}.]")  # what stands between such marks: a word, or 'C++', or '.NET'


@lru_cache(maxsize=4096)  # a project's skills are searched for in a thousand profiles
def folded_name(text: str) -> Name:
    """Return a name as its folded words; empty where it has none."""
    return tuple(fold(text).split())


@dataclass(frozen=True, slots=True)
class TextPieces:
    """The pieces of a text.

    Attributes:
        text: the whole text.
        spans: start and end of each piece in it.
        folded: each piece folded; a piece such as 'front-end' has two words.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    folded: tuple[str, ...]

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
        """Return a name as the text first writes it; '' where it does not."""
        places = next(self.named({name}), None) if name else None
        return "" if places is None else self.text[self.spans[places[0]][0] : self.spans[places[-1]][1]]
