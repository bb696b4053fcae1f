"""Reading of users' projects: a pasted text, or records without the fields that can be guessed.

Fields are those of an import (`marketplace_import.py`), but none is required except some text: the language is
guessed, and if no skill is listed, the skills that the text mentions are used.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jobmatch_core.entities import NamedSkill, Project
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import read_table
from jobmatch_core.io.text_files import read_text
from jobmatch_core.marketplace.marketplace_columns import Cells
from jobmatch_core.retrieval.briefing import PASTED, read_briefing
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.skill_finder import SkillFinder, SkillNames
from jobmatch_core.taxonomy.skill_keys import SkillKeys
from jobmatch_core.text.language_guess import guess_language


class ProjectReader:
    """A reader of projects with the skills and groups of one taxonomy."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        """Fold the names of the taxonomy's skills, which takes a second for a hundred thousand."""
        names = SkillNames.of(taxonomy)
        self._taxonomy, self._finder, self._keys = taxonomy, SkillFinder(names), SkillKeys(names)

    def text(self, text: str, *, language: str = "") -> Project:
        """Return the project that a text describes; raises as `read_briefing`."""
        return read_briefing(text, self._finder, language=language)

    def file(self, path: Path) -> Project:
        """Return the project of a file: a record if its name ends in .json, else a text.

        Raises:
            DataFileError: the file cannot be read, or a record has an invalid cell.
            MatchingError: it has no text.
        """
        is_record = path.suffix.lower() == ".json"
        try:
            content = read_text(path, "utf-8-sig")
            record = json.loads(content) if is_record else {}
        except UnicodeDecodeError as error:
            raise DataFileError(path, "this is not UTF-8 text; save it as UTF-8") from error
        except (ValueError, RecursionError) as error:
            raise DataFileError(path, f"this is not JSON ({error})") from error
        except OSError as error:
            raise DataFileError(path, f"the file cannot be read ({error.strerror or error})") from error
        if not is_record:
            return self.text(content)
        if not isinstance(record, dict):
            raise DataFileError(path, "expected one JSON object: a project")
        return self.record(record, path)

    def record(self, record: dict[str, Any], source: Path) -> Project:
        """Return the project of one record; *source* names it in errors. Raises DataFileError for an invalid cell."""
        return self._project(Cells(source, 1, record), PASTED)

    def table(self, path: Path, *, encoding: str = "utf-8-sig") -> Iterator[list[Project]]:
        """Yield the projects of a CSV, XLSX, Parquet or JSON lines file in batches; one without an id has its row's.

        Raises:
            DataFileError: the file cannot be read, or a cell is not valid.
        """
        number = 0
        for batch in read_table(path, encoding=encoding, batch_rows=200):
            rows = [Cells(path, number + place, record) for place, record in enumerate(batch, 1)]
            yield [self._project(row, str(row.number)) for row in rows]
            number += len(batch)
        if not number:
            raise DataFileError(path, "the file has no rows")

    def _project(self, row: Cells, default_id: str) -> Project:
        title, job_title, description = (row.text(field) for field in ("title", "job_title", "description"))
        text = "\n".join(filter(None, (title, job_title, description)))
        if not text:
            raise row.error("the project has neither a title nor a description")
        language = row.language() if row.text("language") else guess_language(text)
        category, family = row.text("category"), row.text("family")
        mandatory, bonus = self._skills(row, text, language)
        return Project(
            id=row.text("id") or default_id,
            language=language,
            title=title,
            job_title=job_title,
            description=description,
            family=family,
            family_name=row.text("family_name") or self._taxonomy.group_name(family, language),
            category=category,
            category_name=row.text("category_name") or self._taxonomy.group_name(category, language),
            mandatory=mandatory,
            bonus=bonus,
            created=row.date("created"),
            country=row.country(),
            place=row.place(),
        )

    def _skills(self, row: Cells, text: str, language: str) -> tuple[tuple[NamedSkill, ...], tuple[NamedSkill, ...]]:
        """Return the mandatory and the bonus skills."""
        mandatory, bonus = (self._keys.named(row.names(field)) for field in ("mandatory", "bonus"))
        return (mandatory, bonus) if mandatory or bonus else (self._finder.find(text, language), ())
