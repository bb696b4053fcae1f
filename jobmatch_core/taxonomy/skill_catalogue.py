"""The skills of a taxonomy: their names, and the occupations that ask for them."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import SurfaceForm
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.taxonomy.tables import TaxonomyTables
from jobmatch_core.text.languages import ENGLISH
from jobmatch_core.text.packed_texts import PackedTexts


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
