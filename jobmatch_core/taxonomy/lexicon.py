"""The lexicon: current job titles in many languages, with their ISCO-08 unit groups and, mostly, ESCO occupations.

Every taxonomy with ISCO-08 codes gets the titles as further names.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from jobmatch_core.taxonomy.bundled import unit_group_names
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.taxonomy.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import name_forms

if TYPE_CHECKING:
    import pandas as pd

_FOLDER = "lexicon_titles"
ESCO_PREFIX = "http://data.europa.eu/esco/occupation/"  # what the files leave out of ESCO's URIs
_WHOLE = 400  # of the 436 unit groups that have occupations, from which a taxonomy is meant to cover all work
_FIRM = "firm"  # meaning of a preferred name or of a name of a unit group, which the lexicon does not override


class LexiconTitle(NamedTuple):
    """A row of the lexicon."""

    language: str  # language code
    title: str  # the job title
    isco: str  # code of its ISCO-08 unit group
    esco: str  # URI of the ESCO occupation that it means, or ''
    nearest: str  # URI of the nearest occupation in the unit group, for a title without an occupation of its own


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
                yield LexiconTitle(
                    language, title, isco, esco and ESCO_PREFIX + esco, nearest and ESCO_PREFIX + nearest
                )


def with_lexicon(taxonomy: Taxonomy, titles: Iterable[LexiconTitle] | None = None) -> Taxonomy:
    """Return a taxonomy with the lexicon's titles, or those given, as further names; see `lexicon_names`.

    By default, titles without an occupation of their own are left out: a search for them should not find the
    nearest one.
    """
    titles = (title._replace(nearest="") for title in lexicon_titles()) if titles is None else titles
    return taxonomy.with_names(lexicon_names(taxonomy, titles, at_groups=False))


def lexicon_names(
    taxonomy: Taxonomy, titles: Iterable[LexiconTitle] | None = None, *, at_groups: bool = True
) -> "pd.DataFrame":
    """Return the lexicon's titles, or those given, as further rows of a taxonomy's name table.

    A title becomes a name of its own occupation, else of its unit group where that is an occupation, else of the
    nearest occupation. In a taxonomy of all work, such as ESCO, it becomes else, with *at_groups*, a name of the
    occupation of its unit group whose name is spelt most like it (`data engineer` in ESCO 1.0.3, which has none), or of
    the unit group itself if that has no occupation (`Altenpfleger`). Left out are titles that the taxonomy already has

    - as names in the same unit group,
    - as names of unit groups that are occupations: the bundled names are right more often than the lexicon where they
      differ (lab/notes/2026-11-23.md),
    - as preferred names, unless the bundled taxonomy agrees with the lexicon: ESCO 1.0.3 prefers `enfermera` for a
      phlebotomist.
    """
    import pandas as pd  # takes longer than listing taxonomies

    unit_groups = _unit_groups(taxonomy)
    stand_ins = _StandIns.of(taxonomy) if at_groups and not unit_groups else None
    meanings = _name_meanings(taxonomy, frozenset(unit_groups.values()))
    numbers = {uri: number for number, uri in enumerate(taxonomy.uris)}
    rows = [
        (concept, row.language, row.title, False)
        for row in (lexicon_titles() if titles is None else titles)
        if (concept := _concept_of(row, numbers, unit_groups, stand_ins)) is not None
        and _is_further(row, meanings.get((row.language, fold(row.title)), set()), of_units=bool(unit_groups))
    ]
    table = taxonomy.tables.names
    return pd.DataFrame(rows, columns=list(table.columns)).astype(table.dtypes.to_dict())


def _concept_of(
    row: LexiconTitle, numbers: Mapping[str, int], unit_groups: Mapping[str, int], stand_ins: "_StandIns | None"
) -> int | None:
    concept = numbers.get(row.esco, unit_groups.get(row.isco, numbers.get(row.nearest)))
    return stand_ins.concept(row) if concept is None and stand_ins else concept


@dataclass(frozen=True, slots=True)
class _StandIns:
    # for the titles of a unit group without an occupation that they mean: names by code, as (folded, concept), and
    # the groups themselves by code
    names: dict[str, list[tuple[str, int]]]
    groups: dict[str, int]

    @classmethod
    def of(cls, taxonomy: Taxonomy) -> "_StandIns | None":
        codes = [code[:UNIT_DIGITS] for code in taxonomy.isco_codes]
        occupations = frozenset(taxonomy.occupation_numbers.tolist())
        with_occupations = {codes[number] for number in occupations}
        if len(with_occupations) < _WHOLE:
            return None
        units = {code for code in codes if len(code) == UNIT_DIGITS and taxonomy.has_group(code)}
        groups = {code: taxonomy.number(taxonomy.group_uri(code)) for code in units - with_occupations}
        names: dict[str, list[tuple[str, int]]] = {}
        columns = taxonomy.tables.names["concept"].to_list(), taxonomy.name_texts
        for concept, text in zip(*columns, strict=True):
            if concept in occupations:
                names.setdefault(codes[concept], []).append((fold(text), concept))
        return cls(names, groups)

    def concept(self, row: LexiconTitle) -> int | None:
        if row.isco in self.groups:
            return self.groups[row.isco]
        names = self.names.get(row.isco)
        if not names:
            return None
        return names[process.extractOne(fold(row.title), [name for name, _ in names], scorer=fuzz.ratio)[2]][1]


def _is_further(title: LexiconTitle, meanings: set[str], *, of_units: bool) -> bool:
    # meanings: those of the taxonomy's equal names (`_name_meanings`); of_units: its occupations are unit groups
    if title.isco in meanings:
        return False
    if _FIRM not in meanings:
        return True
    return not of_units and title.isco in bundled_groups().get((title.language, fold(title.title)), ())


@cache
def bundled_groups() -> Mapping[tuple[str, str], set[str]]:
    """Return (language, folded name) -> unit groups in the bundled taxonomy."""
    meanings: dict[tuple[str, str], set[str]] = {}
    for language, code, name in unit_group_names():
        for form in name_forms(name):
            meanings.setdefault((language, fold(form)), set()).add(code)
    return meanings


def at_nearest(taxonomy: Taxonomy, titles: Iterable[LexiconTitle]) -> NDArray[np.bool_]:
    """Return the rows of a taxonomy's name table that are the lexicon's *titles*, not at the occupation that they mean.

    Such a title means its unit group, not the occupation.

    Returns:
        (n_names,) mask.
    """
    further = frozenset(taxonomy.name_texts[taxonomy.n_own_names :])
    own = {(row.language, row.title): row.esco for row in titles if row.title in further}
    units = {taxonomy.uris[number] for number in _unit_groups(taxonomy).values()}
    uris = (taxonomy.uris[concept] for concept in taxonomy.tables.names["concept"].to_list())
    names = zip(taxonomy.name_languages, taxonomy.name_texts, uris, strict=True)
    nearest = (uri not in units and own.get((language, text), uri) != uri for language, text, uri in names)
    mask = np.fromiter(nearest, dtype=bool, count=len(taxonomy.name_texts))
    mask[: taxonomy.n_own_names] = False
    return mask


def title_groups(titles: Iterable[LexiconTitle]) -> Mapping[tuple[str, str], set[str]]:
    """Return (language, folded title) -> unit groups in the lexicon, of which these are the titles."""
    groups: dict[tuple[str, str], set[str]] = {}
    for row in titles:
        groups.setdefault((row.language, fold(row.title)), set()).add(row.isco)
    return groups


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
