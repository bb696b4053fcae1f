"""Import of a company's own marketplace: projects, freelancers and interactions in tables of any format.

    projects      id language title | job_title description family family_name category category_name country latitude
                  longitude mandatory bonus created
    freelancers   id language title | experience description family family_name category category_name country latitude
                  longitude skills available_from day_rate
    interactions  project freelancer positive | date

Columns before the bar are required, those after it may be missing; of the former only titles may be empty. Titles,
descriptions and experience may be HTML or Markdown; their plain text is kept. Skills are a list, or a text of several
(`taxonomy.skill_finder`); each gets the key of the taxonomy's skill of exactly that name in any language, upper and
lower case and accents aside, else one of its own text. Dates are ISO (2026-11-30). Where nobody
answered, `positive` is empty, and the interaction is left out (Jouanneau et al. 2024, section 3).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jobmatch_core.entities import Freelancer, Interaction, NamedSkill, Progress, Project, no_progress
from jobmatch_core.io.tables import table_columns
from jobmatch_core.marketplace.marketplace import Block
from jobmatch_core.marketplace.marketplace_columns import Cells, Mapping, read_cells, unknown_columns
from jobmatch_core.sheets.table_layout import table_encodings
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.skill_finder import SkillKeys, SkillSplitter

_HIGHEST_RATE = 100_000.0  # euro per day; more is a typing error


@dataclass(frozen=True, slots=True)
class MarketplaceFiles:
    """Files to import.

    Attributes:
        projects, freelancers, interactions: files; without interactions no training is possible, but search is.
        mapping: columns with other names than their fields, by kind of file.
        encoding: text encoding of CSV and JSON; None to detect that of each file.
        separator: character between the cells of CSV; '' to detect it.
        sheets: sheets of workbooks by kind of file; as for `read_table` where there is none.
    """

    projects: Path
    freelancers: Path
    interactions: Path | None = None
    mapping: Mapping | None = None
    encoding: str | None = None
    separator: str = ""
    sheets: dict[str, str | None] = field(default_factory=dict)

    def by_kind(self) -> dict[str, Path]:
        """Return the given files by kind."""
        files = {"freelancers": self.freelancers, "projects": self.projects, "interactions": self.interactions}
        return {kind: path for kind, path in files.items() if path}

    def left_out(self) -> dict[str, tuple[str, ...]]:
        """Return the columns of each kind of file that are ignored; raises as `import_blocks`."""
        return {
            kind: unknown_columns(path, kind, self._columns(kind, path), self.mapping or {})
            for kind, path in self.by_kind().items()
        }

    def encoding_of(self, path: Path) -> str:
        """Return the text encoding of one of the files; raises DataFileError if none is known that fits."""
        return self.encoding or table_encodings(path)[0]

    def _columns(self, kind: str, path: Path) -> list[str]:
        return table_columns(
            path, encoding=self.encoding_of(path), separator=self.separator, sheet=self.sheets.get(kind)
        )


def import_blocks(
    files: MarketplaceFiles,
    taxonomy: Taxonomy,
    *,
    skills: SkillSplitter | None = None,
    progress: Progress = no_progress,
) -> Iterator[Block]:
    """Read a marketplace as a stream; only ids are held in memory.

    Args:
        files: files to read.
        taxonomy: taxonomy with the names of skills, and of ISCO-08 groups for families and categories.
        skills: splits texts of skills, and knows afterwards which were doubtful; one of *taxonomy* by default.
        progress: called with files read and files in total.

    Raises:
        DataFileError: a file cannot be read or lacks a column, a cell is not valid, an id occurs twice, or an
            interaction has an unknown project or freelancer.
    """
    reader = _Reader(files, taxonomy, skills or SkillSplitter(SkillKeys.of(taxonomy)))
    total = len(files.by_kind())
    for done, kind in enumerate(files.by_kind()):
        progress(done, total)
        yield from reader.blocks(kind)
    progress(total, total)


class _Reader:
    """Converter of rows to records, which remembers their ids."""

    def __init__(self, files: MarketplaceFiles, taxonomy: Taxonomy, skills: SkillSplitter) -> None:
        self._files = files
        self._taxonomy = taxonomy
        self._splitter = skills
        self._groups: dict[tuple[str, str], str] = {}
        self._ids: dict[str, dict[str, int]] = {"projects": {}, "freelancers": {}}  # id -> row

    def blocks(self, kind: str) -> Iterator[Block]:
        """Yield a file's records."""
        columns = (self._files.mapping or {}).get(kind, {})
        files, path = self._files, self._files.by_kind()[kind]
        batches = read_cells(
            path, kind, columns, files.encoding_of(path), separator=files.separator, sheet=files.sheets.get(kind)
        )
        for rows in batches:
            if kind == "projects":
                yield Block(projects=[self._project(row) for row in rows])
            elif kind == "freelancers":
                yield Block(freelancers=[self._freelancer(row) for row in rows])
            else:
                found = (self._interaction(row) for row in rows)
                yield Block(interactions=[interaction for interaction in found if interaction])

    def _project(self, row: Cells) -> Project:
        language = row.language()
        return Project(
            id=self._new_id(row, "projects"),
            language=language,
            title=row.line("title"),
            job_title=row.line("job_title"),
            description=row.prose("description"),
            family=row.text("family"),
            family_name=self._group_name(row, "family", language),
            category=row.text("category"),
            category_name=self._group_name(row, "category", language),
            mandatory=self._skills(row, "mandatory"),
            bonus=self._skills(row, "bonus"),
            created=row.date("created"),
            country=row.country(),
            place=row.place(),
        )

    def _freelancer(self, row: Cells) -> Freelancer:
        language = row.language()
        return Freelancer(
            id=self._new_id(row, "freelancers"),
            language=language,
            title=row.line("title"),
            description=row.prose("description"),
            experience=row.prose("experience"),
            family=row.text("family"),
            family_name=self._group_name(row, "family", language),
            category=row.text("category"),
            category_name=self._group_name(row, "category", language),
            skills=self._skills(row, "skills"),
            country=row.country(),
            place=row.place(),
            available_from=row.date("available_from"),
            day_rate=row.number_in("day_rate", 0, _HIGHEST_RATE),
        )

    def _interaction(self, row: Cells) -> Interaction | None:
        met = {kind: row.needed(kind.removesuffix("s")) for kind in ("projects", "freelancers")}
        for kind, key in met.items():
            if key not in self._ids[kind]:
                file = self._files.by_kind()[kind].name
                raise row.error(
                    f"there is no {kind.removesuffix('s')} {key!r} in {file}; add it there, or remove the row"
                )
        positive = row.answer()
        if positive is None:
            return None
        return Interaction(met["projects"], met["freelancers"], positive, row.date("date"))

    def _new_id(self, row: Cells, kind: str) -> str:
        key = row.needed("id")
        first = self._ids[kind].setdefault(key, row.number)
        if first != row.number:
            raise row.error(f"the id {key!r} occurs twice (first in row {first}); give each its own")
        return key

    def _skills(self, row: Cells, field: str) -> tuple[NamedSkill, ...]:
        return self._splitter.named(row.names(field))

    def _group_name(self, row: Cells, field: str, language: str) -> str:
        """Return the given name, else the name of the ISCO-08 group with this code, else the key itself."""
        key = row.text(field)
        if name := row.text(f"{field}_name"):
            return name
        if (key, language) not in self._groups:
            self._groups[key, language] = self._taxonomy.group_name(key, language)
        return self._groups[key, language]
