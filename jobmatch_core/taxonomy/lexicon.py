"""The lexicon: current job titles in many languages, with their ISCO-08 unit groups and, mostly, ESCO occupations.

Every taxonomy with ISCO-08 codes gets the titles as further names.
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
_ESCO = "http://data.europa.eu/esco/occupation/"  # what the files leave out of ESCO's URIs
_FIRM = "firm"  # meaning of a preferred name or of a name of a unit group, which the lexicon does not override


@dataclass(frozen=True, slots=True)
class LexiconTitle:
    """A row of the lexicon.

    Attributes:
        language: language code.
        title: the job title.
        isco: code of its ISCO-08 unit group.
        esco: URI of the ESCO occupation that it means, or ''.
        nearest: URI of the nearest occupation in the unit group, for a title without an occupation of its own.
    """

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
    """Return the SHA-256 of the lexicon; an index built with another one is outdated."""
    return sha256(b"".join(path.read_bytes() for path in lexicon_files())).hexdigest()


def lexicon_titles() -> Iterator[LexiconTitle]:
    """Yield every title."""
    for path in lexicon_files():
        language = path.stem.removeprefix("titles_")
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file)
            next(rows)  # title, isco, esco, nearest
            for title, isco, esco, nearest in rows:
                yield LexiconTitle(language, title, isco, esco and _ESCO + esco, nearest and _ESCO + nearest)


def with_lexicon(taxonomy: Taxonomy, titles: Iterable[LexiconTitle] | None = None) -> Taxonomy:
    """Return a taxonomy with the lexicon's titles, or those given, as further names; see `lexicon_names`.

    By default, titles without an occupation of their own are left out: a search for them should not find the
    nearest one.
    """
    titles = (replace(title, nearest="") for title in lexicon_titles()) if titles is None else titles
    return taxonomy.with_names(lexicon_names(taxonomy, titles))


def lexicon_names(taxonomy: Taxonomy, titles: Iterable[LexiconTitle] | None = None) -> "pd.DataFrame":
    """Return the lexicon's titles, or those given, as further rows of a taxonomy's name table.

    A title becomes a name of its own occupation, else of its unit group where that is an occupation, else of the
    nearest occupation. Left out are titles that the taxonomy already has

    - as names in the same unit group,
    - as names of unit groups that are occupations: the bundled names are right more often than the lexicon where they
      differ (lab/notes/2026-11-23.md),
    - as preferred names, unless the bundled taxonomy agrees with the lexicon: ESCO 1.0.3 prefers `enfermera` for a
      phlebotomist.
    """
    import pandas as pd  # takes longer than listing taxonomies

    unit_groups = _unit_groups(taxonomy)
    meanings = _name_meanings(taxonomy, frozenset(unit_groups.values()))
    numbers = {uri: number for number, uri in enumerate(taxonomy.uris)}
    rows = [
        (concept, row.language, row.title, False)
        for row in (lexicon_titles() if titles is None else titles)
        if (concept := numbers.get(row.esco, unit_groups.get(row.isco, numbers.get(row.nearest)))) is not None
        and _is_further(row, meanings.get((row.language, fold(row.title)), set()), of_units=bool(unit_groups))
    ]
    table = taxonomy.tables.names
    return pd.DataFrame(rows, columns=list(table.columns)).astype(table.dtypes.to_dict())


def _is_further(title: LexiconTitle, meanings: set[str], *, of_units: bool) -> bool:
    # meanings: those of the taxonomy's equal names (`_name_meanings`); of_units: its occupations are unit groups
    if title.isco in meanings:
        return False
    if _FIRM not in meanings:
        return True
    return not of_units and title.isco in _bundled_meanings().get((title.language, fold(title.title)), ())


@cache
def _bundled_meanings() -> dict[tuple[str, str], set[str]]:
    # (language, folded name) -> codes of unit groups
    meanings: dict[tuple[str, str], set[str]] = {}
    for language, code, name in unit_group_names():
        for form in name_forms(name):
            meanings.setdefault((language, fold(form)), set()).add(code)
    return meanings


def at_nearest(taxonomy: Taxonomy) -> NDArray[np.bool_]:
    """Return the rows of a taxonomy's name table that are lexicon titles at their nearest occupation.

    Such a title means its unit group, not that occupation.

    Returns:
        (n_names,) mask.
    """
    at_groups = {(row.language, row.title, row.nearest) for row in lexicon_titles() if row.nearest}
    uris = (taxonomy.uris[concept] for concept in taxonomy.tables.names["concept"].to_list())
    names = zip(taxonomy.name_languages, taxonomy.name_texts, uris, strict=True)
    mask = np.fromiter((name in at_groups for name in names), dtype=bool, count=len(taxonomy.name_texts))
    mask[: taxonomy.n_own_names] = False
    return mask


def _name_meanings(taxonomy: Taxonomy, groups: frozenset[int]) -> dict[tuple[str, str], set[str]]:
    # (language, folded name) -> unit groups of its occupations; `_FIRM` for preferred names and names of *groups*
    names = taxonomy.tables.names
    columns = (names[column].to_list() for column in ("concept", "language", "text", "preferred"))
    meanings: dict[tuple[str, str], set[str]] = {}
    for concept, language, text, preferred in zip(*columns, strict=True):
        meaning = _FIRM if preferred or concept in groups else taxonomy.isco_codes[concept][:UNIT_DIGITS]
        for form in name_forms(text):
            meanings.setdefault((language, fold(form)), set()).add(meaning)
    return meanings


def _unit_groups(taxonomy: Taxonomy) -> dict[str, int]:
    # code -> occupation, if the taxonomy's occupations are unit groups, as the bundled one's; else empty.
    # ESCO 1.0.3 also has codes of unit groups, but many occupations share one.
    codes = taxonomy.tables.concepts["code"].to_list()
    numbers = taxonomy.occupation_numbers.tolist()
    groups = {codes[number]: number for number in numbers if codes[number] == taxonomy.isco_codes[number] != ""}
    coded = sum(codes[number] in groups for number in numbers)
    return groups if len(groups) == coded else {}
