"""The tables that make up a taxonomy, and the builder that importers fill.

Concepts and skills are numbered in the order in which they were met; the other tables point to them
by that number.
"""

from dataclasses import dataclass, field, fields
from pathlib import Path

import pandas as pd

from jobmatch_core.errors import TaxonomyError

OCCUPATION = "occupation"
GROUP = "group"


@dataclass(frozen=True, slots=True)
class TaxonomyTables:
    """One table a noun.

    concepts: uri, kind (occupation | group), code, isco (its ISCO-08 code, up to 4 digits, or '')
    names: concept, language, text, preferred
    descriptions: concept, language, text
    broader: child, parent
    skills: uri, kind
    skill_names: skill, language, text, preferred
    relations: occupation, skill, essential
    """

    concepts: pd.DataFrame
    names: pd.DataFrame
    descriptions: pd.DataFrame
    broader: pd.DataFrame
    skills: pd.DataFrame
    skill_names: pd.DataFrame
    relations: pd.DataFrame

    def save(self, folder: Path) -> None:
        """Write one Parquet file a table."""
        for table in fields(self):
            getattr(self, table.name).to_parquet(folder / f"{table.name}.parquet", index=False)

    @classmethod
    def load(cls, folder: Path) -> "TaxonomyTables":
        """Read the Parquet files.

        Raises:
            TaxonomyError: one is missing or damaged.
        """
        try:
            return cls(**{t.name: pd.read_parquet(folder / f"{t.name}.parquet") for t in fields(cls)})
        except (OSError, ValueError) as error:
            raise TaxonomyError(
                f"The taxonomy in {folder.name} is damaged ({error}); remove it and import it again."
            ) from error


@dataclass(slots=True)
class TablesBuilder:
    """Collects concepts, names, skills and relations while an importer reads its files."""

    _concepts: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)
    _skills: dict[str, str] = field(default_factory=dict)
    _skill_numbers: dict[str, int] = field(default_factory=dict)
    _names: dict[tuple[int, str, str], bool] = field(default_factory=dict)
    _skill_names: dict[tuple[int, str, str], bool] = field(default_factory=dict)
    _descriptions: dict[tuple[int, str], str] = field(default_factory=dict)
    _broader: dict[tuple[int, int], None] = field(default_factory=dict)
    _relations: dict[tuple[int, int], bool] = field(default_factory=dict)

    def concept(self, uri: str, *, kind: str, code: str, isco: str) -> int:
        """Add a concept, or find the one with this URI, and return its number."""
        if uri not in self._numbers:
            self._numbers[uri] = len(self._numbers)
            self._concepts[uri] = (kind, code, isco)
        return self._numbers[uri]

    def has_concept(self, uri: str) -> bool:
        """Tell whether a concept with this URI was added."""
        return uri in self._numbers

    def add_names(self, concept: int, language: str, preferred: str, alternatives: list[str]) -> None:
        """Add a concept's names in one language; repeated and empty ones are left out."""
        _add_names(self._names, concept, language, preferred, alternatives)

    def describe(self, concept: int, language: str, text: str) -> None:
        """Add a description, if there is one."""
        if text:
            self._descriptions[concept, language] = text

    def add_broader(self, child: str, parent: str) -> None:
        """Note that one concept is narrower than another; unknown ones are left out."""
        if child in self._numbers and parent in self._numbers:
            self._broader[self._numbers[child], self._numbers[parent]] = None

    def skill(self, uri: str, kind: str, language: str, preferred: str, alternatives: list[str]) -> None:
        """Add a skill's names in one language."""
        number = self._skill_numbers.setdefault(uri, len(self._skill_numbers))
        self._skills.setdefault(uri, kind)
        _add_names(self._skill_names, number, language, preferred, alternatives)

    def relate(self, occupation: str, skill: str, *, essential: bool) -> None:
        """Note that an occupation asks for a skill; relations of unknown (withdrawn) ones are left out."""
        if occupation in self._numbers and skill in self._skill_numbers:
            self._relations[self._numbers[occupation], self._skill_numbers[skill]] = essential

    def build(self) -> TaxonomyTables:
        """Return the tables."""
        concepts = [(uri, *rest) for uri, rest in self._concepts.items()]
        return TaxonomyTables(
            concepts=_frame(concepts, uri="str", kind="str", code="str", isco="str"),
            names=_name_frame("concept", self._names),
            descriptions=_frame(
                [(*key, text) for key, text in self._descriptions.items()], concept="int32", language="str", text="str"
            ),
            broader=_frame(list(self._broader), child="int32", parent="int32"),
            skills=_frame(list(self._skills.items()), uri="str", kind="str"),
            skill_names=_name_frame("skill", self._skill_names),
            relations=_frame(
                [(*key, essential) for key, essential in self._relations.items()],
                occupation="int32",
                skill="int32",
                essential="bool",
            ),
        )


def _add_names(
    names: dict[tuple[int, str, str], bool], number: int, language: str, preferred: str, alternatives: list[str]
) -> None:
    if preferred:
        names[number, language, preferred] = True
    for name in alternatives:
        names.setdefault((number, language, name), False)


def _name_frame(owner: str, names: dict[tuple[int, str, str], bool]) -> pd.DataFrame:
    rows = [(*key, preferred) for key, preferred in names.items()]
    return _frame(rows, **{owner: "int32"}, language="str", text="str", preferred="bool")


def _frame(rows: list, **columns: str) -> pd.DataFrame:  # type: ignore[type-arg]
    return pd.DataFrame(rows, columns=list(columns)).astype(columns)
