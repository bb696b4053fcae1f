"""The skills hierarchy of a taxonomy: groups of skills, what is above and below, and descriptions.

Taxonomies that were imported by older releases, and those without such files, have no groups, levels and descriptions.
"""

from collections.abc import Iterable
from functools import cached_property
from sys import intern

from jobmatch_core.entities import SurfaceForm
from jobmatch_core.taxonomy.name_table import NameTable
from jobmatch_core.taxonomy.row_groups import RowGroups
from jobmatch_core.taxonomy.tables import TaxonomyTables


class SkillHierarchy:
    """Skills and skill groups as nodes, numbered as in `tables`; read-only.

    Attributes:
        group_names: names of the groups, by the number of the group.
    """

    def __init__(self, tables: TaxonomyTables) -> None:
        """Wrap the tables of a taxonomy."""
        self._tables = tables
        self._n_skills = len(tables.skills)
        self.group_names = NameTable(tables.skill_group_names, "group", len(tables.skill_groups))

    @cached_property
    def groups(self) -> list[str]:
        """Every group's URI, by number."""
        return self._tables.skill_groups["uri"].to_list()

    def has_group(self, uri: str) -> bool:
        """Return whether a group has this URI."""
        return self._nodes.get(uri, -1) >= self._n_skills

    def code(self, uri: str) -> str:
        """Return a group's code, such as `S5.6.0`; '' where it has none. Raises KeyError where there is no node."""
        return self._codes[self._nodes[uri] - self._n_skills]

    def name(self, uri: str, language: str) -> str:
        """Return a group's preferred name in a language, else in English, else in any; raises as `code`."""
        return self.group_names.name(self._nodes[uri] - self._n_skills, language)

    def names(self, uri: str) -> tuple[SurfaceForm, ...]:
        """Return all names of a group; raises as `code`."""
        return self.group_names.names(self._nodes[uri] - self._n_skills)

    def descriptions(self, uri: str) -> dict[str, str]:
        """Return the descriptions of a skill or a group by language; raises as `code`."""
        languages, texts = self._description_languages, self._tables.skill_descriptions["text"].array
        return {languages[row]: texts[row] for row in self._description_rows[self._nodes[uri]]}

    def broader_groups(self, uri: str) -> list[str]:
        """Return the groups directly above a skill or a group; raises as `code`."""
        return self._uris(self._above(uri), groups=True)

    def broader_skills(self, uri: str) -> list[str]:
        """Return the skills directly above a skill; raises as `code`."""
        return self._uris(self._above(uri), groups=False)

    def narrower_groups(self, uri: str) -> list[str]:
        """Return the groups directly below a group; raises as `code`."""
        return self._uris(self._below(uri), groups=True)

    def narrower_skills(self, uri: str) -> list[str]:
        """Return the skills directly below a skill or a group; raises as `code`."""
        return self._uris(self._below(uri), groups=False)

    @cached_property
    def tops(self) -> list[str]:
        """The groups that are below no other, by code."""
        tops = [uri for uri in self.groups if not self._above(uri)]
        return sorted(tops, key=lambda uri: (self.code(uri), uri))

    def _uris(self, nodes: Iterable[int], *, groups: bool) -> list[str]:
        return [self._node_uris[node] for node in nodes if (node >= self._n_skills) is groups]

    def _above(self, uri: str) -> list[int]:
        parents = self._parents
        return [parents[row] for row in self._child_rows[self._nodes[uri]]]

    def _below(self, uri: str) -> list[int]:
        children = self._children
        return [children[row] for row in self._parent_rows[self._nodes[uri]]]

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
    def _children(self) -> list[int]:
        return self._tables.skill_broader["child"].to_list()

    @cached_property
    def _parents(self) -> list[int]:
        return self._tables.skill_broader["parent"].to_list()

    @cached_property
    def _child_rows(self) -> RowGroups:
        return RowGroups.of(self._tables.skill_broader["child"], len(self._node_uris))

    @cached_property
    def _parent_rows(self) -> RowGroups:
        return RowGroups.of(self._tables.skill_broader["parent"], len(self._node_uris))

    @cached_property
    def _description_rows(self) -> RowGroups:
        return RowGroups.of(self._tables.skill_descriptions["node"], len(self._node_uris))

    @cached_property
    def _description_languages(self) -> list[str]:
        return list(map(intern, self._tables.skill_descriptions["language"].to_list()))
