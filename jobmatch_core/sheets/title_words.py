"""Words of occupation names, which identify cells with job titles.

They come from a taxonomy, the bundled taxonomy and the lexicon. In scripts without spaces, pairs of letters take the
place of words. Those of a large taxonomy take a second to collect, so they are stored beside its indexes.
"""

import csv
import logging
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from pathlib import Path

from rapidfuzz.distance import OSA
from rapidfuzz.process import extractOne

from jobmatch_core.io.folders import atomic_folder
from jobmatch_core.io.text_files import hash_files
from jobmatch_core.settings import Settings
from jobmatch_core.sheets.column_names import OTHER, TITLE, column_words
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.taxonomy.bundled import bundled_files
from jobmatch_core.taxonomy.lexicon import lexicon_files
from jobmatch_core.taxonomy.rows import read_rows

_SHORTEST = 4  # letters; shorter words are mostly function words
_LONG = 6  # letters of a word in which a misspelling is recognised
_PART, _MISSPELT = 0.4, 0.8  # points of a word that is not a name by itself, and of a misspelt name; a name has 1
_WORD = re.compile(r"\w+")
WIDE_SCRIPT = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff"  # without spaces between words
_WIDE = re.compile(f"[{WIDE_SCRIPT}]")
_FORMAT = 1  # of stored words
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TitleWords:
    """Words, and pairs of letters, of occupation names in lower case."""

    words: frozenset[str]
    names: frozenset[str]  # words that are names by themselves, such as `teacher`, unlike `primary`

    def has_word(self, text: str) -> bool:
        """Return whether a text has a word of an occupation name."""
        return not self.words.isdisjoint(_pieces(text))

    def likeness(self, text: str) -> float:
        """Return the likeness of a text to occupation names, from 0 to 2: points of its best word plus their mean."""
        points = [self._points(piece) for piece in _pieces(text)]
        return max(points, default=0.0) + sum(points) / max(len(points), 1)

    def _points(self, piece: str) -> float:
        if piece in self.names:
            return 1.0
        if piece in self.words:
            return _PART
        return _MISSPELT * self._is_misspelt(piece)

    def _is_misspelt(self, word: str) -> bool:
        # one wrong letter in a long name, as in survey answers: `carpinter`
        near = range(len(word) - 1, len(word) + 2)
        return len(word) >= _LONG and any(
            extractOne(word, self._by_beginning.get((word[0], length), ()), scorer=OSA.distance, score_cutoff=1)
            for length in near
        )

    @cached_property
    def _by_beginning(self) -> dict[tuple[str, int], list[str]]:
        # first letter and length -> names
        names: dict[tuple[str, int], list[str]] = {}
        for name in self.names:
            names.setdefault((name[0], len(name)), []).append(name)
        return names


def title_words(taxonomy_id: str = BUNDLED_ID) -> TitleWords:
    """Return the words of a taxonomy, the bundled one and the lexicon; raises TaxonomyError without the taxonomy."""
    if taxonomy_id == BUNDLED_ID:
        return _bundled_words()
    manifest = TaxonomyStore.open().manifest(taxonomy_id)
    return _taxonomy_words(Settings.from_environment(), taxonomy_id, manifest.source_hash)


@lru_cache(maxsize=2)
def _taxonomy_words(settings: Settings, taxonomy_id: str, source_hash: str) -> TitleWords:
    path = settings.indexes / f"{taxonomy_id}+title-words" / "words.txt"
    stamp = f"{_FORMAT} {source_hash} {hash_files([*bundled_files(), *lexicon_files()])}"
    if (stored := _stored_words(path, stamp)) is not None:
        return stored
    own, bundled = _words_in(TaxonomyStore.open(settings).load(taxonomy_id).tables.names["text"]), _bundled_words()
    words = TitleWords(bundled.words | own.words, bundled.names | own.names)
    try:
        with atomic_folder(path.parent) as folder:
            lines = (stamp, " ".join(sorted(words.names)), " ".join(sorted(words.words)))
            (folder / path.name).write_text("\n".join(lines), "utf-8")
    except OSError as error:  # the next process collects them again
        _log.warning("The words of %s could not be stored in %s (%s).", taxonomy_id, path.parent, error)
    return words


def _stored_words(path: Path, stamp: str) -> TitleWords | None:
    try:
        stored, names, words = path.read_text("utf-8").split("\n")
    except (OSError, ValueError):  # not stored yet, or damaged
        return None
    return TitleWords(frozenset(words.split()), frozenset(names.split())) if stored == stamp else None


@lru_cache(maxsize=1)
def _bundled_words() -> TitleWords:
    return _words_in(_bundled_names())


def _bundled_names() -> Iterator[str]:
    for path in bundled_files():
        for row in read_rows(path, ("preferred", "alternatives")):
            yield from (row["preferred"], *row["alternatives"].split("|"))
    for path in lexicon_files():
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file)
            next(rows)
            yield from (row[0] for row in rows)


def _words_in(texts: Iterable[str]) -> TitleWords:
    # without words that are usual column names
    names = "\n".join(texts).casefold()
    columns = column_words(TITLE) | column_words(OTHER)
    parts = set(names.split())  # most occur often: of each, the words are looked for once
    words = frozenset(_filter_pieces(set(_WORD.findall("\n".join(parts))))) - columns
    return TitleWords(words, words.intersection(names.split("\n")))


def _pieces(text: str) -> Iterator[str]:
    return _filter_pieces(_WORD.findall(text.casefold()))


def _filter_pieces(words: Collection[str]) -> Iterator[str]:
    long = (word for word in words if len(word) >= _SHORTEST and not _WIDE.match(word))
    pairs = (first + second for word in words if _WIDE.match(word) for first, second in pairwise(word))
    return chain(long, pairs)
