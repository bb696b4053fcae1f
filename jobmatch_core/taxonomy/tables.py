"""The parts of a stored taxonomy: its tables, the builder that importers fill, the catalogue of skills, the manifest.

Concepts and skills are numbered in the order in which they were met; the other tables point to them
by that number. The catalogue has the names of skills and the occupations that ask for them; the manifest has name,
version, languages, counts, source and attribution.
"""

from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import SurfaceForm
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.io.records import OtherFormatError, read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.text.packed_texts import PackedTexts

if TYPE_CHECKING:
    import pandas as pd


OCCUPATION = "occupation"
GROUP = "group"
UNIT_DIGITS = 4  # of the code of a unit group of ISCO-08


_NAMES = {"language": "str", "text": "str", "preferred": "bool"}
_COLUMNS = {
    "concepts": {"uri": "str", "kind": "str", "code": "str", "isco": "str"},
    "names": {"concept": "int32", **_NAMES},
    "descriptions": {"concept": "int32", "language": "str", "text": "str"},
    "broader": {"child": "int32", "parent": "int32"},
    "skills": {"uri": "str", "kind": "str"},
    "skill_names": {"skill": "int32", **_NAMES},
    "relations": {"occupation": "int32", "skill": "int32", "essential": "bool"},
}


@dataclass(frozen=True, slots=True)
class TaxonomyTables:
    """One table for each kind of record.

    concepts: uri, kind (occupation | group), code, isco (its ISCO-08 code, up to 4 digits, or '')
    names: concept, language, text, preferred
    descriptions: concept, language, text
    broader: child, parent
    skills: uri, kind
    skill_names: skill, language, text, preferred
    relations: occupation, skill, essential
    """

    concepts: "pd.DataFrame"
    names: "pd.DataFrame"
    descriptions: "pd.DataFrame"
    broader: "pd.DataFrame"
    skills: "pd.DataFrame"
    skill_names: "pd.DataFrame"
    relations: "pd.DataFrame"

    def save(self, folder: Path) -> None:
        """Write one Parquet file per table."""
        for table in fields(self):
            getattr(self, table.name).to_parquet(folder / f"{table.name}.parquet", index=False)

    @classmethod
    def load(cls, folder: Path) -> "TaxonomyTables":
        """Read the Parquet files.

        Raises:
            TaxonomyError: one is missing or damaged.
        """
        try:
            return cls(**{table: _read(folder / f"{table}.parquet") for table in _COLUMNS})
        except (OSError, ValueError, KeyError) as error:
            raise TaxonomyError(
                f"The taxonomy in {folder.name} is damaged ({error}); remove it and import it again."
            ) from error


def _read(path: Path) -> "pd.DataFrame":
    import pandas as pd  # which takes longer than listing taxonomies

    table = pd.read_parquet(path)
    if list(table.columns) != list(_COLUMNS[path.stem]):
        raise ValueError(f"{path.name} has the columns {', '.join(map(str, table.columns))}")
    return table


@dataclass(slots=True)
class _Names:
    """Names of concepts or skills, each once; where two files name one in one language, the first is preferred."""

    _preferred: dict[tuple[int, str, str], bool] = field(default_factory=dict)
    _named: set[tuple[int, str]] = field(default_factory=set)

    def add(self, number: int, language: str, preferred: str, alternatives: list[str]) -> None:
        """Add one concept's or skill's names in one language."""
        if preferred and (number, language) not in self._named:
            self._named.add((number, language))
            self._preferred[number, language, preferred] = True
        elif preferred:
            self._preferred.setdefault((number, language, preferred), False)
        for name in alternatives:
            self._preferred.setdefault((number, language, name), False)

    def rows(self) -> list[tuple[int, str, str, bool]]:
        """Return number, language, text, preferred."""
        return [(*key, preferred) for key, preferred in self._preferred.items()]


@dataclass(frozen=True, slots=True)
class TaxonomyContent:
    """The tables read from files, and notes on rows that were left out."""

    tables: TaxonomyTables
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class TablesBuilder:
    """Collects concepts, names, skills and relations while an importer reads its files."""

    _concepts: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)
    _skills: dict[str, str] = field(default_factory=dict)
    _skill_numbers: dict[str, int] = field(default_factory=dict)
    _names: _Names = field(default_factory=_Names)
    _skill_names: _Names = field(default_factory=_Names)
    _descriptions: dict[tuple[int, str], str] = field(default_factory=dict)
    _broader: dict[tuple[str, str], None] = field(default_factory=dict)
    _relations: dict[tuple[int, int], bool] = field(default_factory=dict)

    def concept(self, uri: str, *, kind: str, code: str, isco: str) -> int:
        """Add a concept, or find the one with this URI, and return its number."""
        if uri not in self._numbers:
            self._numbers[uri] = len(self._numbers)
            self._concepts[uri] = (kind, code, isco)
        return self._numbers[uri]

    def has_concept(self, uri: str) -> bool:
        """Return whether a concept with this URI was added."""
        return uri in self._numbers

    def add_names(self, concept: int, language: str, preferred: str, alternatives: list[str]) -> None:
        """Add a concept's names in one language; repeated and empty ones are left out."""
        self._names.add(concept, language, preferred, alternatives)

    def describe(self, concept: int, language: str, text: str) -> None:
        """Add a description, if there is one; the first in a language stays."""
        if text:
            self._descriptions.setdefault((concept, language), text)

    def add_broader(self, child: str, parent: str) -> None:
        """Add that one concept is narrower than another, which may be added later or never."""
        if child != parent:
            self._broader[child, parent] = None

    def skill(self, uri: str, kind: str, language: str, preferred: str, alternatives: list[str]) -> None:
        """Add a skill's names in one language."""
        number = self._skill_numbers.setdefault(uri, len(self._skill_numbers))
        self._skills.setdefault(uri, kind)
        self._skill_names.add(number, language, preferred, alternatives)

    def relate(self, occupation: str, skill: str, *, essential: bool) -> None:
        """Add that an occupation requires a skill; relations of unknown (withdrawn) ones are left out."""
        if occupation in self._numbers and skill in self._skill_numbers:
            self._relations[self._numbers[occupation], self._skill_numbers[skill]] = essential

    def build(self) -> TaxonomyTables:
        """Return the tables."""
        import pandas as pd

        numbers = self._numbers
        rows: dict[str, list[Any]] = {
            "concepts": [(uri, *rest) for uri, rest in self._concepts.items()],
            "names": self._names.rows(),
            "descriptions": [(*key, text) for key, text in self._descriptions.items()],
            "broader": [(numbers[c], numbers[p]) for c, p in self._broader if c in numbers and p in numbers],
            "skills": list(self._skills.items()),
            "skill_names": self._skill_names.rows(),
            "relations": [(*key, essential) for key, essential in self._relations.items()],
        }
        return TaxonomyTables(
            **{table: pd.DataFrame(rows[table], columns=list(c)).astype(c) for table, c in _COLUMNS.items()}
        )


class SkillCatalogue:
    """Skills by number, which is their row in the skill table; read-only."""

    def __init__(self, tables: TaxonomyTables) -> None:
        """Wrap the tables of a taxonomy."""
        self._tables = tables

    @cached_property
    def uris(self) -> list[str]:
        """Every skill's URI, by number."""
        return self._tables.skills["uri"].to_list()

    @cached_property
    def kinds(self) -> list[str]:
        """Every skill's kind, such as `knowledge` or `skill/competence`, by number; '' where it has none."""
        return self._tables.skills["kind"].to_list()

    @cached_property
    def name_texts(self) -> list[str]:
        """The text of every name, by its row in the table of skills' names."""
        return self._tables.skill_names["text"].to_list()

    @cached_property
    def casefolded_names(self) -> PackedTexts:
        """The names as search by letters compares them, by row; made at the first search."""
        return PackedTexts.of(map(str.casefold, self.name_texts))

    @cached_property
    def name_languages(self) -> list[str]:
        """The language of every name, by its row."""
        return self._tables.skill_names["language"].to_list()

    @cached_property
    def named(self) -> list[int]:
        """The skill of every name, by its row."""
        return self._tables.skill_names["skill"].to_list()

    def has_skill(self, uri: str) -> bool:
        """Return whether a skill has this URI."""
        return uri in self._numbers

    def number(self, uri: str) -> int:
        """Return a skill's number.

        Raises:
            TaxonomyError: no skill has that URI.
        """
        if uri not in self._numbers:
            raise TaxonomyError(f"There is no skill {uri!r}.")
        return self._numbers[uri]

    def name(self, skill: int, language: str) -> str:
        """Return a skill's preferred name in a language, else in English, else in any, else ''."""
        names = self._preferred.get(skill, {})
        return names.get(language) or names.get(ENGLISH) or next(iter(names.values()), "")

    def names(self, skill: int) -> tuple[SurfaceForm, ...]:
        """Return all names of a skill."""
        rows = self._tables.skill_names.iloc[self._rows[self._starts[skill] : self._starts[skill + 1]]]
        return tuple(SurfaceForm(*values) for values in rows[["language", "text", "preferred"]].itertuples(index=False))

    def occupations(self, skill: int) -> list[tuple[int, bool]]:
        """Return the concept numbers of the occupations that ask for a skill, and whether it is essential to them."""
        relations = self._tables.relations
        chosen = relations[relations["skill"] == skill]
        return list(zip(chosen["occupation"].to_list(), chosen["essential"].to_list(), strict=True))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {uri: number for number, uri in enumerate(self.uris)}

    @cached_property
    def _rows(self) -> NDArray[np.intp]:
        """The rows of the name table, by skill."""
        return np.argsort(self._tables.skill_names["skill"].to_numpy(), kind="stable")

    @cached_property
    def _starts(self) -> NDArray[np.intp]:
        """(skill + 1,) where each skill's rows begin in `_rows`."""
        skills = self._tables.skill_names["skill"].to_numpy()[self._rows]
        return np.searchsorted(skills, np.arange(len(self.uris) + 1))

    @cached_property
    def _preferred(self) -> dict[int, dict[str, str]]:
        table = self._tables.skill_names
        chosen = table[table["preferred"]]
        names: dict[int, dict[str, str]] = {}
        for skill, language, text in zip(chosen["skill"], chosen["language"], chosen["text"], strict=True):
            names.setdefault(int(skill), {})[language] = text
        return names


FORMAT = 1  # raised when the Parquet layout changes; older ones must then be imported again


@dataclass(frozen=True, slots=True)
class Manifest:
    """Name, version, languages, counts, source and attribution of a taxonomy."""

    id: str
    name: str
    version: str
    languages: tuple[str, ...]
    counts: dict[str, int]  # occupations, groups, names, skills, relations
    source_hash: str  # SHA-256 over the files it was read from
    attribution: str
    created: str  # ISO 8601, UTC
    format: int = FORMAT
    notes: tuple[str, ...] = ()  # rows of its sources that were left out, in words

    def save(self, folder: Path) -> None:
        """Write `manifest.json`."""
        (folder / "manifest.json").write_text(json_text(asdict(self), indent=2, ensure_ascii=False), "utf-8")

    @classmethod
    def load(cls, folder: Path) -> "Manifest":
        """Read `manifest.json`.

        Raises:
            TaxonomyError: the manifest is missing, damaged, or of another format.
        """
        try:
            return read_record(folder / "manifest.json", cls, formats=(FORMAT,))
        except OtherFormatError as error:
            raise TaxonomyError(
                f"The taxonomy {folder.name} was stored by another release; import it again."
            ) from error
        except (OSError, ValueError) as error:
            raise TaxonomyError(
                f"The taxonomy in {folder.name} is damaged ({error}); remove it and import it again."
            ) from error
