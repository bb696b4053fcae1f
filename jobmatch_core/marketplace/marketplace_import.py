"""Import of a company's own marketplace from tables with the columns of `marketplace_columns`.

HTML and Markdown become plain text. Skills are a list or a text of several (`taxonomy.skill_finder`); a skill gets the
key of the taxonomy's skill with the same name in any language, ignoring case and accents, else a key of its text.
Interactions without an answer are left out (Jouanneau et al. 2024, section 3).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jobmatch_core.entities import Freelancer, Interaction, NamedSkill, Progress, Project, no_progress
from jobmatch_core.io.tables import table_columns
from jobmatch_core.marketplace.marketplace import RecordBlock
from jobmatch_core.marketplace.marketplace_columns import Cells, Mapping, read_cells, unknown_columns
from jobmatch_core.sheets.table_layout import table_encodings
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.skill_finder import SkillKeys, SkillSplitter

_HIGHEST_RATE = 100_000.0  # euro per day; more is a typo


@dataclass(frozen=True, slots=True)
class MarketplaceFiles:
    """Files to import."""

    # projects, freelancers, interactions: files; training needs interactions, search does not
    projects: Path
    freelancers: Path
    interactions: Path | None = None
    mapping: Mapping | None = None  # columns by kind of file and field, if their names differ
    encoding: str | None = None  # text encoding of CSV and JSON; None detects that of each file
    separator: str = ""  # character between the cells of CSV; '' detects it
    # sheets of workbooks by kind of file; by default as for `read_table`
    sheets: dict[str, str | None] = field(default_factory=dict)

    def by_kind(self) -> dict[str, Path]:
        """Return the given files by kind."""
        files = {"freelancers": self.freelancers, "projects": self.projects, "interactions": self.interactions}
        return {kind: path for kind, path in files.items() if path}

    def left_out(self) -> dict[str, tuple[str, ...]]:
        """Return the columns of each kind of file that are ignored; raises as `import_blocks`."""
        ignored = {}
        for kind, path in self.by_kind().items():
            columns = table_columns(
                path, encoding=self.encoding_of(path), separator=self.separator, sheet=self.sheets.get(kind)
            )
            ignored[kind] = unknown_columns(kind, columns, self.mapping or {})
        return ignored

    def encoding_of(self, path: Path) -> str:
        """Return the text encoding of a file; raises DataFileError if none is given or detected."""
        return self.encoding or table_encodings(path)[0]


def import_blocks(
    files: MarketplaceFiles,
    taxonomy: Taxonomy,
    *,
    skills: SkillSplitter | None = None,
    progress: Progress = no_progress,
) -> Iterator[RecordBlock]:
    """Read a marketplace as a stream; only ids are held in memory.

    Args:
        taxonomy: taxonomy with names of skills, and of ISCO-08 groups for families and categories.
        skills: splits texts of skills, and collects doubtful ones; one of *taxonomy* by default.

    Raises DataFileError if a file cannot be read or lacks a column, a cell is invalid, an id occurs twice, or an
    interaction has an unknown project or freelancer.
    """
    reader = _Reader(files, taxonomy, skills or SkillSplitter(SkillKeys.of(taxonomy)))
    total = len(files.by_kind())
    for done, kind in enumerate(files.by_kind()):
        progress(done, total)
        yield from reader.blocks(kind)
    progress(total, total)


class _Reader:
    def __init__(self, files: MarketplaceFiles, taxonomy: Taxonomy, skills: SkillSplitter) -> None:
        self._files = files
        self._taxonomy = taxonomy
        self._splitter = skills
        self._groups: dict[tuple[str, str], str] = {}
        self._ids: dict[str, dict[str, int]] = {"projects": {}, "freelancers": {}}  # id -> row

    def blocks(self, kind: str) -> Iterator[RecordBlock]:
        columns = (self._files.mapping or {}).get(kind, {})
        files, path = self._files, self._files.by_kind()[kind]
        batches = read_cells(
            path, kind, columns, files.encoding_of(path), separator=files.separator, sheet=files.sheets.get(kind)
        )
        for rows in batches:
            if kind == "projects":
                yield RecordBlock(projects=[self._project(row) for row in rows])
            elif kind == "freelancers":
                yield RecordBlock(freelancers=[self._freelancer(row) for row in rows])
            else:
                yield RecordBlock(interactions=[*filter(None, map(self._interaction, rows))])

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
            raise row.error(f"the id {key!r} occurs twice (first in row {first}); ids must be unique")
        return key

    def _skills(self, row: Cells, field: str) -> tuple[NamedSkill, ...]:
        return self._splitter.named(row.names(field))

    def _group_name(self, row: Cells, field: str, language: str) -> str:
        # the given name, else the name of the ISCO-08 group with this code, else the key itself
        key = row.text(field)
        if name := row.text(f"{field}_name"):
            return name
        if (key, language) not in self._groups:
            self._groups[key, language] = self._taxonomy.group_name(key, language)
        return self._groups[key, language]
