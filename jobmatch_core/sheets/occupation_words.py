"""Words of occupation names, in the languages of the bundled taxonomy."""

from functools import cache

from jobmatch_core.sheets.column_words import OTHER, TITLE, column_words
from jobmatch_core.taxonomy.bundled import bundled_files
from jobmatch_core.taxonomy.rows import read_rows
from jobmatch_core.text.folding import fold

_SHORTEST = 4  # letters; shorter words join others


def names_occupation(text: str) -> bool:
    """Return whether a text has a word of a bundled name of an occupation."""
    return not _occupation_words().isdisjoint(fold(text).split())


@cache
def _occupation_words() -> frozenset[str]:
    names = (
        name
        for path in bundled_files()
        for row in read_rows(path, ("preferred", "alternatives"))
        for name in (row["preferred"], *row["alternatives"].split("|"))
    )
    words = {word for name in names for word in fold(name).split() if len(word) >= _SHORTEST}
    return frozenset(words - column_words(TITLE) - column_words(OTHER))
