"""Import of ESCO from its official CSV download, or any subset of its files and languages.

Source: https://esco.ec.europa.eu/en/use-esco/download, versions 1.0.3 to 1.2.0. Columns differ between
versions; only those named in `_COLUMNS` must be there. Licence: CC BY 4.0, with the attribution below.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import DataFileError
from jobmatch_core.languages import LANGUAGE_NAMES, language_code
from jobmatch_core.taxonomy.bundled import add_isco_groups, isco_codes
from jobmatch_core.taxonomy.rows import Row, read_rows, split_names
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, TablesBuilder, TaxonomyTables

NAME = "ESCO"
ATTRIBUTION = "This service uses the ESCO classification of the European Commission."

_COLUMNS = {
    "occupations": ("conceptUri", "iscoGroup", "preferredLabel", "altLabels"),
    "ISCOGroups": ("conceptUri", "code", "preferredLabel"),
    "skills": ("conceptUri", "skillType", "preferredLabel", "altLabels"),
    "occupationSkillRelations": ("occupationUri", "relationType", "skillUri"),
    "broaderRelations": ("conceptUri", "broaderUri"),
}
_LANGUAGE_FILE = re.compile(r"^(occupations|ISCOGroups|skills)_([A-Za-z-]+)\.csv$")
_RELATION_FILE = re.compile(r"^(occupationSkillRelations|broaderRelations)\w*\.csv$")
_VERSION = re.compile(r"v?(\d+\.\d+(?:\.\d+)?)")


def esco_files(folder: Path) -> list[Path]:
    """Return the files of a folder that are part of ESCO's download, in the order of reading."""
    order = list(_COLUMNS)
    found = [path for path in folder.iterdir() if path.is_file() and _table(path)]
    return sorted(found, key=lambda path: (order.index(_table(path) or ""), path.name))


def guess_version(folder: Path) -> str:
    """Take the version from the folder's name (`labels_v1.0.3`, `ESCO dataset - v1.1.1`), else 'unknown'."""
    found = _VERSION.search(folder.name)
    return found.group(1) if found else "unknown"


def read_esco(files: list[Path], *, progress: Progress = no_progress) -> TaxonomyTables:
    """Read ESCO's files into tables.

    Args:
        files: what `esco_files` found; at least one is `occupations_XX.csv`.
        progress: called with files read and files in all.

    Raises:
        DataFileError: a file is damaged or lacks a column, or there are no occupations.
    """
    if not any(_table(path) == "occupations" for path in files):
        raise DataFileError(files[0].parent, "there is no occupations_XX.csv (XX = a language) in this folder")
    builder = TablesBuilder()
    for done, path in enumerate(files):
        progress(done, len(files))
        _READERS[_table(path) or ""](builder, path)
    add_isco_groups(builder)
    progress(len(files), len(files))
    return builder.build()


def _table(path: Path) -> str | None:
    found = _LANGUAGE_FILE.match(path.name) or _RELATION_FILE.match(path.name)
    return found.group(1) if found else None


def _language(path: Path) -> str:
    found = _LANGUAGE_FILE.match(path.name)
    code = language_code(found.group(2)) if found else None
    if code is None:
        known = ", ".join(LANGUAGE_NAMES)
        raise DataFileError(path, f"the language in the file's name is not known; expected one of {known}")
    return code


def _rows(path: Path) -> Iterator[Row]:
    return read_rows(path, _COLUMNS[_table(path) or ""])


def _unique_rows(path: Path) -> Iterator[Row]:
    """Yield a file's concepts; each must have a URI of its own."""
    seen: dict[str, int] = {}
    for row in _rows(path):
        uri = row["conceptUri"]
        if not uri:
            raise DataFileError(path, "conceptUri is empty; every concept needs its URI", line=row.line)
        if uri in seen:
            raise DataFileError(path, f"{uri} occurs twice (first on line {seen[uri]})", line=row.line)
        seen[uri] = row.line
        yield row
    if not seen:
        raise DataFileError(path, "the file has a header but no rows", line=1)


def _isco_code(path: Path, row: Row, column: str) -> str:
    code = row[column].removeprefix("C")
    if code not in isco_codes():
        raise DataFileError(
            path, f"{column} is {row[column]!r}; expected an ISCO-08 code such as 2221 or 0110", line=row.line
        )
    return code


def _read_occupations(builder: TablesBuilder, path: Path) -> None:
    language = _language(path)
    for row in _unique_rows(path):
        isco = _isco_code(path, row, "iscoGroup")
        code = row["code"] or isco
        concept = builder.concept(row["conceptUri"], kind=OCCUPATION, code=code, isco=isco)
        alternatives = split_names(row["altLabels"]) + split_names(row["hiddenLabels"])
        builder.add_names(concept, language, row["preferredLabel"], alternatives)
        builder.describe(concept, language, row["description"])


def _read_groups(builder: TablesBuilder, path: Path) -> None:
    language = _language(path)
    for row in _unique_rows(path):
        code = _isco_code(path, row, "code")
        concept = builder.concept(row["conceptUri"], kind=GROUP, code=code, isco=code)
        builder.add_names(concept, language, row["preferredLabel"], split_names(row["altLabels"]))
        builder.describe(concept, language, row["description"])


def _read_skills(builder: TablesBuilder, path: Path) -> None:
    language = _language(path)
    for row in _unique_rows(path):
        builder.skill(
            row["conceptUri"], row["skillType"], language, row["preferredLabel"], split_names(row["altLabels"])
        )


def _read_skill_relations(builder: TablesBuilder, path: Path) -> None:
    for row in _rows(path):
        kind = row["relationType"]
        if kind not in ("essential", "optional"):
            raise DataFileError(path, f"relationType is {kind!r}; expected essential or optional", line=row.line)
        builder.relate(row["occupationUri"], row["skillUri"], essential=kind == "essential")


def _read_broader(builder: TablesBuilder, path: Path) -> None:
    for row in _rows(path):
        builder.add_broader(row["conceptUri"], row["broaderUri"])


_READERS = {
    "occupations": _read_occupations,
    "ISCOGroups": _read_groups,
    "skills": _read_skills,
    "occupationSkillRelations": _read_skill_relations,
    "broaderRelations": _read_broader,
}
