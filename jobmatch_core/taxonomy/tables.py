"""The parts of a stored taxonomy: its tables, the builder that importers fill, and the manifest.

Concepts, skills and skill groups are numbered in the order of their first occurrence; other tables refer to these
numbers. In the skills hierarchy a skill's node is its number, a group's node its number plus the number of skills.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.errors import TaxonomyError
from jobmatch_core.io.records import OtherFormatError, read_record
from jobmatch_core.io.text_files import json_text

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
    "skill_groups": {"uri": "str", "code": "str"},
    "skill_group_names": {"group": "int32", **_NAMES},
    "skill_levels": {"skill": "int32", "level": "str"},
    "skill_descriptions": {"node": "int32", "language": "str", "text": "str"},
    "skill_broader": {"child": "int32", "parent": "int32"},
}
_SINCE_FORMAT_2 = ("skill_groups", "skill_group_names", "skill_levels", "skill_descriptions", "skill_broader")
FORMAT = 2  # raised when the Parquet layout changes
FORMATS = (1, FORMAT)  # readable ones; taxonomies of format 1 have no skills hierarchy


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
    skill_groups: uri, code
    skill_group_names: group, language, text, preferred
    skill_levels: skill, level (how widely it is used, such as cross-sector)
    skill_descriptions: node, language, text
    skill_broader: child, parent (nodes)
    """

    concepts: "pd.DataFrame"
    names: "pd.DataFrame"
    descriptions: "pd.DataFrame"
    broader: "pd.DataFrame"
    skills: "pd.DataFrame"
    skill_names: "pd.DataFrame"
    relations: "pd.DataFrame"
    skill_groups: "pd.DataFrame"
    skill_group_names: "pd.DataFrame"
    skill_levels: "pd.DataFrame"
    skill_descriptions: "pd.DataFrame"
    skill_broader: "pd.DataFrame"

    def save(self, folder: Path) -> None:
        """Write one Parquet file per table."""
        for table in fields(self):
            getattr(self, table.name).to_parquet(folder / f"{table.name}.parquet", index=False)

    @classmethod
    def load(cls, folder: Path, stored_format: int = FORMAT) -> "TaxonomyTables":
        """Read the Parquet files; tables that the stored format lacks are empty.

        Raises TaxonomyError if a file is missing or damaged.
        """
        lacking = _SINCE_FORMAT_2 if stored_format < 2 else ()
        try:
            return cls(
                **{
                    table: _table(table, []) if table in lacking else _read(folder / f"{table}.parquet")
                    for table in _COLUMNS
                }
            )
        except (OSError, ValueError, KeyError) as error:
            raise TaxonomyError(
                f"The taxonomy in {folder.name} is damaged ({error}); remove it and import it again."
            ) from error


def _read(path: Path) -> "pd.DataFrame":
    import pandas as pd  # takes longer than listing taxonomies

    table = pd.read_parquet(path)
    if list(table.columns) != list(_COLUMNS[path.stem]):
        raise ValueError(f"{path.name} has the columns {', '.join(map(str, table.columns))}")
    return table


def _table(name: str, rows: Sequence[tuple[Any, ...]]) -> "pd.DataFrame":
    import pandas as pd

    columns = _COLUMNS[name]
    return pd.DataFrame(rows, columns=list(columns)).astype(columns)


@dataclass(frozen=True, slots=True)
class RowGroups:
    """The rows of a table by the number in one of its columns."""

    rows: NDArray[np.intp]  # (n_rows,) the rows sorted by number, stable
    starts: NDArray[np.intp]  # (n_numbers + 1,) the offset of each number's rows in `rows`

    @classmethod
    def of(cls, column: "pd.Series[int]", n_numbers: int) -> "RowGroups":
        """Group the rows of a table by a column with numbers from 0 to `n_numbers - 1`."""
        numbers = column.to_numpy()
        rows = np.argsort(numbers, kind="stable")
        return cls(rows, np.searchsorted(numbers[rows], np.arange(n_numbers + 1)))

    def __getitem__(self, number: int) -> list[int]:
        """Return the rows of a number."""
        rows: list[int] = self.rows[self.starts[number] : self.starts[number + 1]].tolist()
        return rows


@dataclass(slots=True)
class _Names:
    # each name once; of two preferred names in one language, the first counts
    _preferred: dict[tuple[int, str, str], bool] = field(default_factory=dict)
    _named: set[tuple[int, str]] = field(default_factory=set)

    def add(self, number: int, language: str, preferred: str, alternatives: list[str]) -> None:
        if preferred and (number, language) not in self._named:
            self._named.add((number, language))
            self._preferred[number, language, preferred] = True
        elif preferred:
            self._preferred.setdefault((number, language, preferred), False)
        for name in alternatives:
            self._preferred.setdefault((number, language, name), False)

    def rows(self) -> list[tuple[int, str, str, bool]]:
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
    _levels: dict[str, str] = field(default_factory=dict)
    _groups: dict[str, str] = field(default_factory=dict)
    _group_numbers: dict[str, int] = field(default_factory=dict)
    _group_names: _Names = field(default_factory=_Names)
    _skill_descriptions: dict[tuple[str, str], str] = field(default_factory=dict)

    def concept(self, uri: str, *, kind: str, code: str, isco: str) -> int:
        """Add a concept unless it is present, and return its number."""
        if uri not in self._numbers:
            self._numbers[uri] = len(self._numbers)
            self._concepts[uri] = (kind, code, isco)
        return self._numbers[uri]

    def has_concept(self, uri: str) -> bool:
        """Return whether a concept with this URI is present."""
        return uri in self._numbers

    def add_names(self, concept: int, language: str, preferred: str, alternatives: list[str]) -> None:
        """Add a concept's names in one language; duplicates and empty ones are left out."""
        self._names.add(concept, language, preferred, alternatives)

    def describe(self, concept: int, language: str, text: str) -> None:
        """Add a description unless it is empty; the first one in a language counts."""
        if text:
            self._descriptions.setdefault((concept, language), text)

    def add_broader(self, child: str, parent: str) -> None:
        """Record that a concept, skill or skill group is narrower than another, which may be added later or never."""
        if child != parent:
            self._broader[child, parent] = None

    def skill(self, uri: str, kind: str, language: str, preferred: str, alternatives: list[str]) -> None:
        """Add a skill's names in one language."""
        number = self._skill_numbers.setdefault(uri, len(self._skill_numbers))
        self._skills.setdefault(uri, kind)
        self._skill_names.add(number, language, preferred, alternatives)

    def level_skill(self, uri: str, level: str) -> None:
        """Add a skill's reuse level unless it is empty."""
        if level:
            self._levels.setdefault(uri, level)

    def skill_group(self, uri: str, code: str, language: str, preferred: str, alternatives: list[str]) -> None:
        """Add a skill group's names in one language; the first code counts."""
        number = self._group_numbers.setdefault(uri, len(self._group_numbers))
        self._groups.setdefault(uri, code)
        self._group_names.add(number, language, preferred, alternatives)

    def describe_skill(self, uri: str, language: str, text: str) -> None:
        """Add a description of a skill or skill group unless it is empty; the first one in a language counts."""
        if text:
            self._skill_descriptions.setdefault((uri, language), text)

    def relate(self, occupation: str, skill: str, *, essential: bool) -> None:
        """Record that an occupation requires a skill; relations of unknown (withdrawn) ones are left out."""
        if occupation in self._numbers and skill in self._skill_numbers:
            self._relations[self._numbers[occupation], self._skill_numbers[skill]] = essential

    def build(self) -> TaxonomyTables:
        """Return the tables."""
        numbers, nodes = self._numbers, {uri: node for node, uri in enumerate((*self._skills, *self._groups))}
        rows: dict[str, list[tuple[Any, ...]]] = {
            "concepts": [(uri, *rest) for uri, rest in self._concepts.items()],
            "names": self._names.rows(),
            "descriptions": [(*key, text) for key, text in self._descriptions.items()],
            "broader": _numbered(self._broader, numbers),
            "skills": list(self._skills.items()),
            "skill_names": self._skill_names.rows(),
            "relations": [(*key, essential) for key, essential in self._relations.items()],
            "skill_groups": list(self._groups.items()),
            "skill_group_names": self._group_names.rows(),
            "skill_levels": [(nodes[uri], level) for uri, level in self._levels.items()],
            "skill_descriptions": [
                (nodes[uri], language, text) for (uri, language), text in self._skill_descriptions.items()
            ],
            "skill_broader": _numbered(self._broader, nodes),
        }
        return TaxonomyTables(**{name: _table(name, rows[name]) for name in _COLUMNS})


def _numbered(pairs: Iterable[tuple[str, str]], numbers: Mapping[str, int]) -> list[tuple[int, int]]:
    return [(numbers[child], numbers[parent]) for child, parent in pairs if child in numbers and parent in numbers]


@dataclass(frozen=True, slots=True)
class Manifest:
    """Name, version, languages, counts, source and attribution of a taxonomy."""

    id: str
    name: str
    version: str
    languages: tuple[str, ...]
    counts: dict[str, int]  # occupations, groups, names, skills, relations, skill groups
    source_hash: str  # SHA-256 of the source files
    attribution: str
    created: str  # ISO 8601, UTC
    format: int = FORMAT
    notes: tuple[str, ...] = ()  # on rows of the sources that were left out

    def save(self, folder: Path) -> None:
        """Write `manifest.json`."""
        (folder / "manifest.json").write_text(json_text(asdict(self), indent=2, ensure_ascii=False), "utf-8")

    @classmethod
    def load(cls, folder: Path) -> "Manifest":
        """Read `manifest.json`; raises TaxonomyError if the manifest is missing, damaged, or of another format."""
        try:
            return read_record(folder / "manifest.json", cls, formats=FORMATS)
        except OtherFormatError as error:
            raise TaxonomyError(
                f"The taxonomy {folder.name} was stored by another release; import it again."
            ) from error
        except (OSError, ValueError) as error:
            raise TaxonomyError(
                f"The taxonomy in {folder.name} is damaged ({error}); remove it and import it again."
            ) from error
