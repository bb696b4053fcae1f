"""A taxonomy's skills: names, kinds, reuse levels, and the occupations that ask for them."""

from functools import cached_property

from jobmatch_core.entities import SurfaceForm
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.taxonomy.name_table import NameTable
from jobmatch_core.taxonomy.row_groups import RowGroups
from jobmatch_core.taxonomy.tables import TaxonomyTables


class SkillCatalogue:
    """Skills by number, which is their row in the skill table; read-only."""

    def __init__(self, tables: TaxonomyTables) -> None:
        """Wrap the tables of a taxonomy."""
        self._tables = tables
        self.name_table = NameTable(tables.skill_names, "skill", len(tables.skills))

    @cached_property
    def uris(self) -> list[str]:
        """Every skill's URI, by number."""
        return self._tables.skills["uri"].to_list()

    @cached_property
    def kinds(self) -> list[str]:
        """Every skill's kind, such as `knowledge` or `skill/competence`, by number; '' where it has none."""
        return self._tables.skills["kind"].to_list()

    def level(self, skill: int) -> str:
        """Return a skill's reuse level, such as `cross-sector`; '' where it has none."""
        return self._levels.get(skill, "")

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
        return self.name_table.name(skill, language)

    def names(self, skill: int) -> tuple[SurfaceForm, ...]:
        """Return all names of a skill."""
        return self.name_table.names(skill)

    def occupations(self, skill: int) -> list[tuple[int, bool]]:
        """Return the concept numbers of the occupations that ask for a skill, and whether it is essential to them."""
        occupations, essential = self._occupations, self._essential
        return [(occupations[row], essential[row]) for row in self._relation_rows[skill]]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {uri: number for number, uri in enumerate(self.uris)}

    @cached_property
    def _levels(self) -> dict[int, str]:
        levels = self._tables.skill_levels
        return dict(zip(levels["skill"].to_list(), levels["level"].to_list(), strict=True))

    @cached_property
    def _relation_rows(self) -> RowGroups:
        return RowGroups.of(self._tables.relations["skill"], len(self.uris))

    @cached_property
    def _occupations(self) -> list[int]:
        return self._tables.relations["occupation"].to_list()

    @cached_property
    def _essential(self) -> list[bool]:
        return self._tables.relations["essential"].to_list()
