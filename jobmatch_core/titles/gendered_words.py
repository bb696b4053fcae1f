"""Gendered words: an encoder reads the feminine form of a word as the masculine one, so that both have one vector.

`Briefträgerin` and `Briefträger` are one occupation, but share only some of their n-grams. Rules of endings lead from
the one to the other; of a word's endings that have a rule, the longest counts, so that an exception is the rule of a
longer ending or of a whole word. These are the ripple-down rules of lemmatisers (Juršič, Mozetič, Erjavec & Lavrač
2010, LemmaGen, section 3), learned from names that have both forms, see `gendered_training`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Self

from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.titles.ngrams import MAX_WORDS, words_of

GENDERED_FILE = "gendered_words.json"
START = "<"  # stands before a word, so that an ending can be a whole one
_MOST_CACHED = 200_000  # words


class Change(NamedTuple):
    """What leads from a feminine word to the masculine one.

    Attributes:
        cut: number of letters that its end loses.
        added: letters that follow instead.
    """

    cut: int
    added: str


SAME = Change(0, "")


class GenderedWords:
    """The rules of endings.

    Attributes:
        endings: ending of a folded word -> its change; an ending that is a whole word begins with `START`.
    """

    def __init__(self, endings: Mapping[str, Change]) -> None:
        """Take the rules."""
        self.endings = dict(endings)
        self._longest = max(map(len, self.endings), default=0)
        self.masculine = lru_cache(_MOST_CACHED)(self._masculine)

    def words_of(self, text: str, most: int = MAX_WORDS) -> list[str]:
        """Return the words of a text as `ngrams.words_of` does, each in its masculine form."""
        words = words_of(text, most)
        return [self.masculine(word) for word in words] if self.endings else words

    def _masculine(self, word: str) -> str:
        """Return the masculine form of a folded word, or the word itself if no rule changes it."""
        bordered = START + word
        for length in range(min(self._longest, len(bordered)), 0, -1):
            if change := self.endings.get(bordered[-length:]):
                kept = len(word) - change.cut
                return word[:kept] + change.added if kept > 1 else word
        return word

    def save(self, folder: Path) -> None:
        """Write the rules into a model's folder."""
        (folder / GENDERED_FILE).write_text(json_text({"endings": self.endings}, ensure_ascii=False), "utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote; a folder without it has no rules.

        Raises:
            OSError: the file cannot be read.
            ValueError: it does not hold rules.
        """
        path = folder / GENDERED_FILE
        return cls(read_record(path, _Stored).endings) if path.exists() else cls({})


@dataclass(frozen=True, slots=True)
class _Stored:
    """What the file holds."""

    endings: dict[str, Change]
