"""A taxonomy's skills, the occupations that require them, and the hierarchy of skill groups above them.

Taxonomies stored in format 1 and those without such files have no groups, reuse levels or descriptions of skills.
"""

from collections.abc import Iterable
from functools import cached_property

from jobmatch_core.entities import SurfaceForm
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.taxonomy.name_table import NameTable
from jobmatch_core.taxonomy.tables import RowGroups, TaxonomyTables


class SkillCatalogue:
    """Skills by number, which is their row in the skill table; read-only."""

    def __init__(self, tables: TaxonomyTables) -> None:
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
        """Return a skill's number; raises TaxonomyError if no skill has that URI."""
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
        """Return the concept numbers of the occupations that require a skill, and whether it is essential to them."""
        relations = self._tables.relations
        occupations, essential = relations["occupation"].to_numpy(), relations["essential"].to_numpy()
        return [(int(occupations[row]), bool(essential[row])) for row in self._relation_rows[skill]]

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


class SkillHierarchy:
    """Skills and skill groups as nodes, numbered as in `tables`; read-only.

    Methods that take a URI raise KeyError for an unknown one.
    """

    def __init__(self, tables: TaxonomyTables) -> None:
        self._tables = tables
        self._n_skills = len(tables.skills)
        # names of the groups, by the number of the group
        self.group_names = NameTable(tables.skill_group_names, "group", len(tables.skill_groups))

    @cached_property
    def groups(self) -> list[str]:
        """Every group's URI, by number."""
        return self._tables.skill_groups["uri"].to_list()

    def has_group(self, uri: str) -> bool:
        """Return whether a group has this URI."""
        return self._nodes.get(uri, -1) >= self._n_skills

    def code(self, uri: str) -> str:
        """Return a group's code, such as `S5.6.0`; '' where it has none."""
        return self._codes[self._nodes[uri] - self._n_skills]

    def name(self, uri: str, language: str) -> str:
        """Return a group's preferred name in a language, else in English, else in any."""
        return self.group_names.name(self._nodes[uri] - self._n_skills, language)

    def names(self, uri: str) -> tuple[SurfaceForm, ...]:
        """Return all names of a group."""
        return self.group_names.names(self._nodes[uri] - self._n_skills)

    def descriptions(self, uri: str) -> dict[str, str]:
        """Return the descriptions of a skill or a group by language."""
        table = self._tables.skill_descriptions
        languages, texts = table["language"].array, table["text"].array
        return {languages[row]: texts[row] for row in self._description_rows[self._nodes[uri]]}

    def broader_groups(self, uri: str) -> list[str]:
        """Return the groups directly above a skill or a group."""
        return self._uris(self._above(uri), groups=True)

    def broader_skills(self, uri: str) -> list[str]:
        """Return the skills directly above a skill."""
        return self._uris(self._above(uri), groups=False)

    def narrower_groups(self, uri: str) -> list[str]:
        """Return the groups directly below a group."""
        return self._uris(self._below(uri), groups=True)

    def narrower_skills(self, uri: str) -> list[str]:
        """Return the skills directly below a skill or a group."""
        return self._uris(self._below(uri), groups=False)

    @cached_property
    def tops(self) -> list[str]:
        """The groups that are below no other, by code."""
        tops = [uri for uri in self.groups if not self._above(uri)]
        return sorted(tops, key=lambda uri: (self.code(uri), uri))

    def _uris(self, nodes: Iterable[int], *, groups: bool) -> list[str]:
        return [self._node_uris[node] for node in nodes if (node >= self._n_skills) is groups]

    def _above(self, uri: str) -> list[int]:
        parents = self._tables.skill_broader["parent"].to_numpy()
        return [int(parents[row]) for row in self._child_rows[self._nodes[uri]]]

    def _below(self, uri: str) -> list[int]:
        children = self._tables.skill_broader["child"].to_numpy()
        return [int(children[row]) for row in self._parent_rows[self._nodes[uri]]]

    @cached_property
    def _node_uris(self) -> list[str]:
        return [*self._tables.skills["uri"].to_list(), *self.groups]

    @cached_property
    def _nodes(self) -> dict[str, int]:
        return {uri: node for node, uri in enumerate(self._node_uris)}

    @cached_property
    def _codes(self) -> list[str]:
        return self._tables.skill_groups["code"].to_list()

    @cached_property
    def _child_rows(self) -> RowGroups:
        return RowGroups.of(self._tables.skill_broader["child"], len(self._node_uris))

    @cached_property
    def _parent_rows(self) -> RowGroups:
        return RowGroups.of(self._tables.skill_broader["parent"], len(self._node_uris))

    @cached_property
    def _description_rows(self) -> RowGroups:
        return RowGroups.of(self._tables.skill_descriptions["node"], len(self._node_uris))
