"""The lexicon: today's job titles in many languages, each with its unit group of ISCO-08 and, mostly, its occupation.

`lexicon_titles/titles_XX.csv` has one title a row: `title`, `isco` (the unit group), `esco` (the URI of the ESCO
occupation that it means, or '') and `nearest` (the URI of the occupation of the unit group that is nearest to the
title, for a title without one). The titles serve every taxonomy with ISCO-08 codes as further names.
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.taxonomy.bundled import unit_group_names
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.taxonomy.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import name_forms

if TYPE_CHECKING:
    import pandas as pd

_FOLDER = "lexicon_titles"
_FIRM = "firm"


@dataclass(frozen=True, slots=True)
class LexiconTitle:
    """A title of a language, its unit group, the URI of its ESCO occupation or '', and that of the nearest one."""

    language: str
    title: str
    isco: str
    esco: str
    nearest: str


def lexicon_files() -> list[Path]:
    """Return the files of the lexicon, by language."""
    return sorted(Path(str(files("jobmatch_core.taxonomy") / _FOLDER)).glob("titles_*.csv"))


@cache
def lexicon_digest() -> str:
    """Return the SHA-256 of the lexicon, to tell whether an index was built with it."""
    return sha256(b"".join(path.read_bytes() for path in lexicon_files())).hexdigest()


def lexicon_titles() -> Iterator[LexiconTitle]:
    """Yield every title."""
    for path in lexicon_files():
        language = path.stem.removeprefix("titles_")
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield LexiconTitle(language, row["title"], row["isco"], row["esco"], row["nearest"])


def with_lexicon(taxonomy: Taxonomy, titles: Iterable[LexiconTitle] | None = None) -> Taxonomy:
    """Return a taxonomy with the lexicon's titles, or those given, as further names; see `lexicon_names`.

    Of the lexicon's, those that mean a unit group are left out unless it is an occupation: whoever searches by them
    does not look for the nearest one.
    """
    titles = (replace(each, nearest="") for each in lexicon_titles()) if titles is None else titles
    return taxonomy.with_names(lexicon_names(taxonomy, titles))


def lexicon_names(taxonomy: Taxonomy, titles: Iterable[LexiconTitle] | None = None) -> "pd.DataFrame":
    """Return the names that the lexicon, or the titles given, have for a taxonomy, as rows of its name table.

    A title becomes a name of its own occupation, else of its unit group where that is an occupation itself, else of the
    nearest occupation. Titles that the taxonomy has as names of that unit group already are left out. So are, whatever
    they mean in the lexicon, those that it has as names of unit groups, which need no translation to ISCO-08 (the
    bundled names are right more often than the lexicon where both differ, lab/notes/2026-11-23.md), and those that it
    has as preferred names, unless the bundled taxonomy means the same as the lexicon: ESCO 1.0.3 prefers `enfermera`
    for a phlebotomist.
    """
    import pandas as pd  # which takes longer than listing taxonomies

    of_group = _unit_groups(taxonomy)
    known = _known_meanings(taxonomy, frozenset(of_group.values()))
    numbers = {uri: number for number, uri in enumerate(taxonomy.uris)}
    rows = [
        (concept, each.language, each.title, False)
        for each in (lexicon_titles() if titles is None else titles)
        if (concept := numbers.get(each.esco, of_group.get(each.isco, numbers.get(each.nearest)))) is not None
        and _is_further(each, known.get((each.language, fold(each.title)), set()), of_units=bool(of_group))
    ]
    table = taxonomy.tables.names
    return pd.DataFrame(rows, columns=list(table.columns)).astype(table.dtypes.to_dict())


def _is_further(title: LexiconTitle, meanings: set[str], *, of_units: bool) -> bool:
    """Return whether a title says more than a taxonomy's names.

    Args:
        title: the title.
        meanings: what the taxonomy's names that equal it mean, see `_known_meanings`.
        of_units: whether the taxonomy's occupations are unit groups.
    """
    if title.isco in meanings:
        return False
    if _FIRM not in meanings:
        return True
    return not of_units and title.isco in _bundled_meanings().get((title.language, fold(title.title)), ())


@cache
def _bundled_meanings() -> dict[tuple[str, str], set[str]]:
    """Return (language, folded name) -> the unit groups that the bundled taxonomy calls so."""
    meanings: dict[tuple[str, str], set[str]] = {}
    for language, code, name in unit_group_names():
        for form in name_forms(name):
            meanings.setdefault((language, fold(form)), set()).add(code)
    return meanings


def at_nearest(taxonomy: Taxonomy) -> NDArray[np.bool_]:
    """Return (row,) true for the rows of a taxonomy's name table that mean a unit group, and no occupation of it.

    They are the lexicon's titles without an occupation of their own, which stand at the nearest one.
    """
    groups = {(each.language, each.title, each.nearest) for each in lexicon_titles() if each.nearest}
    uris = (taxonomy.uris[concept] for concept in taxonomy.tables.names["concept"].to_list())
    rows = zip(taxonomy.name_languages, taxonomy.name_texts, uris, strict=True)
    found = np.fromiter((row in groups for row in rows), dtype=bool, count=len(taxonomy.name_texts))
    found[: taxonomy.n_own_names] = False
    return found


def _known_meanings(taxonomy: Taxonomy, groups: frozenset[int]) -> dict[tuple[str, str], set[str]]:
    """Return (language, folded name) -> the unit groups of its occupations.

    `_FIRM` stands for a preferred name's, and for those of *groups*, the occupations that are unit groups.
    """
    names = taxonomy.tables.names
    columns = (names[column].to_list() for column in ("concept", "language", "text", "preferred"))
    known: dict[tuple[str, str], set[str]] = {}
    for concept, language, text, preferred in zip(*columns, strict=True):
        meaning = _FIRM if preferred or concept in groups else taxonomy.isco_codes[concept][:UNIT_DIGITS]
        for form in name_forms(text):
            known.setdefault((language, fold(form)), set()).add(meaning)
    return known


def _unit_groups(taxonomy: Taxonomy) -> dict[str, int]:
    """Return unit group -> its occupation, where the taxonomy's occupations are unit groups, as the bundled one's.

    ESCO 1.0.3 has the codes of unit groups, too, but many occupations with the same one.
    """
    codes = taxonomy.tables.concepts["code"].to_list()
    numbers = taxonomy.occupation_numbers.tolist()
    groups = {codes[number]: number for number in numbers if codes[number] == taxonomy.isco_codes[number] != ""}
    coded = sum(codes[number] in groups for number in numbers)
    return groups if len(groups) == coded else {}
