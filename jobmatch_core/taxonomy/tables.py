"""The tables that make up a taxonomy, and the builder that importers fill.

Concepts and skills are numbered in the order in which they were met; the other tables point to them
by that number.
"""

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jobmatch_core.errors import TaxonomyError

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
