"""A taxonomy in memory: occupations with their names, groups and skills, and a search by parts of names."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from sys import intern
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import IscoGroup, Occupation, Skill, SurfaceForm
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.taxonomy.name_table import NameTable, closest_rows, first_of_each
from jobmatch_core.taxonomy.skills import SkillCatalogue, SkillHierarchy
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, Manifest, RowGroups, TaxonomyTables
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.text.packed_texts import PackedTexts

if TYPE_CHECKING:
    import pandas as pd


class Taxonomy:
    """Occupations with their names in many languages, read-only."""

    def __init__(self, manifest: Manifest, tables: TaxonomyTables, n_own_names: int | None = None) -> None:
        """Wrap the tables; by default all names are the taxonomy's own."""
        self.manifest = manifest  # name, version, languages and counts of the taxonomy
        self.tables = tables  # the tables of its content; concepts are rows of `tables.concepts`
        # number of its own rows in the name table; later rows are further names
        self.n_own_names = len(tables.names) if n_own_names is None else n_own_names
        self._preferred: dict[str, dict[int, str]] = {}

    @property
    def id(self) -> str:
        """The id that links carry, such as `esco-1.0.3`."""
        return self.manifest.id

    def with_names(self, further: "pd.DataFrame") -> "Taxonomy":
        """Return the taxonomy with further rows of the name table after its own."""
        import pandas as pd  # takes longer than listing taxonomies

        names = pd.concat([self.tables.names, further], ignore_index=True)
        return Taxonomy(self.manifest, replace(self.tables, names=names), self.n_own_names)

    @cached_property
    def occupation_numbers(self) -> NDArray[np.int32]:
        """Rows of the concept table that titles can be linked to."""
        return np.flatnonzero((self.tables.concepts["kind"] == OCCUPATION).to_numpy()).astype(np.int32)

    @cached_property
    def uris(self) -> list[str]:
        """Every concept's URI, by number."""
        return self.tables.concepts["uri"].to_list()

    @cached_property
    def isco_codes(self) -> list[str]:
        """Every concept's ISCO-08 code, by number; '' where it has none."""
        return self.tables.concepts["isco"].to_list()

    @cached_property
    def name_texts(self) -> PackedTexts:
        """Texts of the name table, by row."""
        return PackedTexts.of(self.tables.names["text"])

    @cached_property
    def casefolded_names(self) -> PackedTexts:
        """Case-folded texts of the name table, by row."""
        return PackedTexts.of(map(str.casefold, self.tables.names["text"]))

    @cached_property
    def name_languages(self) -> list[str]:
        """Languages of the name table, by row."""
        return list(map(intern, self.tables.names["language"].to_list()))  # one string a language, not one a row

    @cached_property
    def skill_catalogue(self) -> SkillCatalogue:
        """The taxonomy's skills."""
        return SkillCatalogue(self.tables)

    @cached_property
    def skill_hierarchy(self) -> SkillHierarchy:
        """The hierarchy of the taxonomy's skills and skill groups."""
        return SkillHierarchy(self.tables)

    @cached_property
    def codes(self) -> list[str]:
        """Every concept's own code, by number; '' where it has none."""
        return self.tables.concepts["code"].to_list()

    def name(self, concept: int, language: str) -> str:
        """Return a concept's preferred name in a language, else in English, else in any, else its code."""
        for candidate in (language, ENGLISH):
            if name := self._preferred_in(candidate).get(concept):
                return name
        rows = self._names_by_concept.get(concept)
        if rows is None:
            return self.codes[concept]
        return self.name_texts[max(rows, key=self._preferred_flags.__getitem__)]

    def isco_path(self, code: str, language: str) -> tuple[IscoGroup, ...]:
        """Return the ISCO-08 groups from the major group down to *code*."""
        steps = [code[:digits] for digits in range(1, len(code) + 1)]
        return tuple(IscoGroup(step, self.group_name(step, language)) for step in steps)

    def group_name(self, code: str, language: str) -> str:
        """Return the name of an ISCO-08 group, or its code if the group is unknown."""
        concept = self._isco_concepts.get(code)
        return code if concept is None else self.name(concept, language)

    def occupation(self, uri: str, language: str = ENGLISH) -> Occupation:
        """Return a concept as an occupation, with names in a language.

        Raises TaxonomyError if no concept has that URI.
        """
        concept = self.number(uri)
        return Occupation(
            uri=uri,
            code=self.codes[concept],
            name=self.name(concept, language),
            description=self._description(uri, language),
            isco_path=self.isco_path(self.isco_codes[concept], language),
            names=self.names(uri),
            skills=self.skills(uri, language),
            narrower=tuple(self.narrower(uri)),
        )

    def descriptions(self, uri: str) -> dict[str, str]:
        """Return a concept's descriptions by language; raises as `number`."""
        table = self.tables.descriptions
        languages, texts = table["language"].array, table["text"].array
        return {languages[row]: texts[row] for row in self._description_rows[self.number(uri)]}

    def names(self, uri: str) -> tuple[SurfaceForm, ...]:
        """Return a concept's names sorted by language, the preferred ones first; raises as `number`."""
        languages, texts, preferred = self.name_languages, self.name_texts, self._preferred_flags
        names = [
            SurfaceForm(languages[row], texts[row], preferred[row])
            for row in self._names_by_concept.get(self.number(uri), [])
        ]
        return tuple(sorted(names, key=lambda name: (name.language, not name.preferred, name.text)))

    def skills(self, uri: str, language: str = ENGLISH) -> tuple[Skill, ...]:
        """Return the skills that an occupation requires, the essential ones first, by name; raises as `number`."""
        catalogue = self.skill_catalogue
        numbers, essential = self.tables.relations["skill"].array, self.tables.relations["essential"].array
        skills = [
            Skill(catalogue.uris[numbers[row]], catalogue.name(int(numbers[row]), language), bool(essential[row]))
            for row in self._relation_rows[self.number(uri)]
        ]
        return tuple(sorted(skills, key=lambda skill: (not skill.essential, skill.name)))

    def has_concept(self, uri: str) -> bool:
        """Return whether a concept has this URI."""
        return uri in self._numbers

    def number(self, uri: str) -> int:
        """Return a concept's number; raises TaxonomyError if no concept has that URI."""
        if uri not in self._numbers:
            raise TaxonomyError(f"There is no occupation {uri!r} in {self.id}.")
        return self._numbers[uri]

    def subgroups(self, code: str, language: str) -> list[IscoGroup]:
        """Return the ISCO-08 groups one level below *code* ('' for the major groups)."""
        codes = sorted(c for c in self._isco_concepts if len(c) == len(code) + 1 and c.startswith(code))
        return [IscoGroup(c, self.group_name(c, language)) for c in codes]

    def has_group(self, code: str) -> bool:
        """Return whether an ISCO-08 group has this code."""
        return code in self._isco_concepts

    def group_uri(self, code: str) -> str:
        """Return the URI of an ISCO-08 group; raises TaxonomyError if no group has that code."""
        if code not in self._isco_concepts:
            raise TaxonomyError(f"There is no ISCO-08 group {code!r} in {self.id}.")
        return self.uris[self._isco_concepts[code]]

    def is_occupation(self, uri: str) -> bool:
        """Return whether a concept is an occupation, not a group; raises as `number`."""
        return self.number(uri) in self._occupations

    def with_code(self, code: str) -> list[str]:
        """Return the URIs of the concepts with this own code."""
        return [self.uris[number] for number in self._numbers_by_code.get(code, ())]

    def find_uri(self, identifier: str) -> str | None:
        """Return the URI of a concept by its URI, also with https, or its code, such as `7212.3`, `2221`, `C2221`.

        None if there is no such concept, or if the code is ambiguous: an occupation is preferred to groups.
        """
        for uri in (identifier, re.sub("^https://", "http://", identifier)):
            if self.has_concept(uri):
                return uri
        concepts = self.with_code(identifier.removeprefix("C")) or self.with_code(identifier)
        occupations = [uri for uri in concepts if self.is_occupation(uri)]
        return next((uris[0] for uris in (occupations, concepts) if len(uris) == 1), None)

    def broader(self, uri: str) -> list[str]:
        """Return the URIs of the concepts directly above a concept; raises as `number`."""
        parents = self.tables.broader["parent"].array
        return [self.uris[parents[row]] for row in self._child_rows[self.number(uri)]]

    def narrower(self, uri: str) -> list[str]:
        """Return the URIs of the occupations directly below a concept; raises as `number`."""
        children = self.tables.broader["child"].array
        below = [int(children[row]) for row in self._parent_rows[self.number(uri)]]
        return [self.uris[child] for child in below if child in self._occupations]

    @cached_property
    def group_sizes(self) -> Counter[str]:
        """ISCO-08 code -> number of occupations in the group and its subgroups."""
        codes = (self.isco_codes[number] for number in self.occupation_numbers)
        return Counter(code[:digits] for code in codes for digits in range(1, len(code) + 1))

    def occupations_in(self, code: str) -> list[str]:
        """Return the URIs of the occupations whose ISCO-08 code is *code* ('' for those without one)."""
        return self._occupations_by_code.get(code, [])

    @cached_property
    def _occupations_by_code(self) -> dict[str, list[str]]:
        occupations: dict[str, list[str]] = {}
        for number in self.occupation_numbers.tolist():
            occupations.setdefault(self.isco_codes[number], []).append(self.uris[number])
        return occupations

    @cached_property
    def _preferred_flags(self) -> list[bool]:
        return self.tables.names["preferred"].to_list()

    @cached_property
    def _occupations(self) -> frozenset[int]:
        return frozenset(self.occupation_numbers.tolist())

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {uri: number for number, uri in enumerate(self.uris)}

    @cached_property
    def _numbers_by_code(self) -> dict[str, list[int]]:
        numbers: dict[str, list[int]] = {}
        for number, code in enumerate(self.codes):
            if code:
                numbers.setdefault(code, []).append(number)
        return numbers

    @cached_property
    def _isco_concepts(self) -> dict[str, int]:
        # code -> the concept that names the group: a group, or a unit group that is itself an occupation
        concepts = self.tables.concepts
        own = concepts[(concepts["isco"] != "") & (concepts["code"] == concepts["isco"])]
        own = own[(own["kind"] == GROUP) | ~own["isco"].isin(own.loc[own["kind"] == GROUP, "isco"])]
        return {code: number for number, code in reversed(list(own["isco"].items()))}

    @cached_property
    def _names_by_concept(self) -> dict[int, list[int]]:
        rows: dict[int, list[int]] = {}
        for row, concept in enumerate(self.tables.names["concept"].to_list()):
            rows.setdefault(concept, []).append(row)
        return rows

    def _preferred_in(self, language: str) -> dict[int, str]:
        if language not in self._preferred:
            names = self.tables.names
            chosen = names[names["preferred"] & (names["language"] == language)]
            self._preferred[language] = dict(zip(chosen["concept"].to_list(), chosen["text"].to_list(), strict=True))
        return self._preferred[language]

    @cached_property
    def _description_rows(self) -> RowGroups:
        return RowGroups.of(self.tables.descriptions["concept"], len(self.uris))

    @cached_property
    def _relation_rows(self) -> RowGroups:
        return RowGroups.of(self.tables.relations["occupation"], len(self.uris))

    @cached_property
    def _child_rows(self) -> RowGroups:
        return RowGroups.of(self.tables.broader["child"], len(self.uris))

    @cached_property
    def _parent_rows(self) -> RowGroups:
        return RowGroups.of(self.tables.broader["parent"], len(self.uris))

    def _description(self, uri: str, language: str) -> str:
        texts = self.descriptions(uri)
        return texts.get(language) or texts.get(ENGLISH) or next(iter(texts.values()), "")


@dataclass(frozen=True, slots=True)
class NameHit:
    """An occupation, group or skill, with the matched name."""

    uri: str
    name: str
    matched: str
    language: str


def search_names(
    taxonomy: Taxonomy, letters: str, *, show: str, limit: int = 100, kind: str = OCCUPATION
) -> list[NameHit]:
    """Return occupations that have a name with these letters in it, the closest names first.

    Names that start with the letters rank before names that only contain them; then names in the shown language, exact
    names, preferred names and shorter names rank first.

    Args:
        letters: as typed; case does not matter.
        show: language code of the names in the answer, also preferred in the ranking.
        limit: maximum number of results.
        kind: kind of the concepts; GROUP for ISCO-08 groups.
    """
    names, languages = taxonomy.tables.names, taxonomy.name_languages
    rows = closest_rows(taxonomy.casefolded_names, languages, names["preferred"].to_numpy(), letters, show)
    concepts = names["concept"].to_numpy()
    of_kind = (taxonomy.tables.concepts["kind"] == kind).to_numpy()
    rows = rows[of_kind[concepts[rows]]]
    hits = []
    for row in first_of_each(concepts, rows, limit):
        concept = int(concepts[row])
        name, matched = taxonomy.name(concept, show), taxonomy.name_texts[row]
        hits.append(NameHit(taxonomy.uris[concept], name, matched, languages[row]))
    return hits


def search_skills(taxonomy: Taxonomy, letters: str, *, show: str, limit: int = 100) -> list[NameHit]:
    """Return skills that have a name with these letters in it; arguments and order as for `search_names`."""
    skills = taxonomy.skill_catalogue
    return _hits(skills.name_table, skills.uris, letters, show, limit)


def search_skill_groups(taxonomy: Taxonomy, letters: str, *, show: str, limit: int = 100) -> list[NameHit]:
    """Return skill groups that have a name with these letters in it; arguments and order as for `search_names`."""
    hierarchy = taxonomy.skill_hierarchy
    return _hits(hierarchy.group_names, hierarchy.groups, letters, show, limit)


def _hits(names: NameTable, uris: Sequence[str], letters: str, show: str, limit: int) -> list[NameHit]:
    return [
        NameHit(uris[number], names.name(number, show), names.texts[row], names.languages[row])
        for row in names.closest(letters, show, limit)
        for number in [names.numbers[row]]
    ]
