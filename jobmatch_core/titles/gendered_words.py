"""Gendered words: rules of endings map `Briefträgerin` to `Briefträger`, so that both forms have one vector.

The rule of a word's longest ending applies (ripple-down rules: Juršič, Mozetič, Erjavec & Lavrač 2010, LemmaGen,
section 3). The rules are learned from names that have both forms, see `gendered_training`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Self

from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.ngrams import MAX_WORDS, words_of

GENDERED_FILE = "gendered_words.json"
START = "<"  # stands before a word, so that an ending can be a whole one
_MOST_REMEMBERED = 200_000  # words; most words recur


class EndingChange(NamedTuple):
    """The change from a word to its other form: number of letters to cut at the end, and letters to add."""

    cut: int
    added: str


SAME = EndingChange(0, "")


class GenderedWords:
    """The rules of endings."""

    def __init__(self, endings: Mapping[str, EndingChange]) -> None:
        """Check the rules; ValueError if one cuts more than its ending, or adds letters that are not folded."""
        for ending, change in endings.items():
            is_word = fold(change.added) == change.added and " " not in change.added
            if not 0 <= change.cut <= len(ending.removeprefix(START)) or not is_word:
                raise ValueError(f"the rule of {ending!r} cuts {change.cut} letters and adds {change.added!r}")
        # ending of a folded word -> its change; an ending that is a whole word begins with `START`
        self.endings = dict(endings)
        self._longest = max(map(len, self.endings), default=0)
        self._one_form = lru_cache(_MOST_REMEMBERED)(self._changed)

    def words_of(self, text: str, most: int = MAX_WORDS) -> list[str]:
        """Return the words of a text as `ngrams.words_of` does, each in its common form."""
        words = words_of(text, most)
        return [self.one_form(word) for word in words] if self.endings else words

    def one_form(self, word: str) -> str:
        """Return the common form of a folded word: the word itself if no rule applies."""
        return self._one_form(word)

    def _changed(self, word: str) -> str:
        bordered = START + word
        for length in range(min(self._longest, len(bordered)), 0, -1):
            if change := self.endings.get(bordered[-length:]):
                n_unchanged = len(word) - change.cut
                return word[:n_unchanged] + change.added if n_unchanged > 1 else word
        return word

    def save(self, folder: Path) -> None:
        """Write the rules into a model's folder; no file without rules."""
        path = folder / GENDERED_FILE
        if self.endings:
            path.write_text(json_text({"endings": self.endings}, ensure_ascii=False), "utf-8")
        else:
            path.unlink(missing_ok=True)

    @classmethod
    def load(cls, path: Path | None) -> Self:
        """Read what `save` wrote; without the file there are no rules.

        Raises:
            OSError: the file cannot be read.
            ValueError: it does not hold rules.
        """
        return cls(read_record(path, _Stored).endings if path is not None and path.exists() else {})


@dataclass(frozen=True, slots=True)
class _Stored:
    endings: dict[str, EndingChange]
