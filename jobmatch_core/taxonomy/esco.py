"""Import of ESCO from its official CSV download, or any subset of its files and languages.

Source: https://esco.ec.europa.eu/en/use-esco/download, versions 1.0.3 to 1.2.1. Columns differ between
versions; only those in `_COLUMNS` are required. Licence: CC BY 4.0, with the attribution below.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import DataFileError
from jobmatch_core.taxonomy.bundled import add_isco_groups, isco_codes
from jobmatch_core.taxonomy.rows import (
    RepeatedRow,
    Row,
    UniqueRows,
    modified,
    read_rows,
    repetition_notes,
    split_names,
    unique_rows,
)
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, Manifest, TablesBuilder, TaxonomyContent
from jobmatch_core.text.locales import LANGUAGE_NAMES, language_code

NAME = "ESCO"
ATTRIBUTION = "This service uses the ESCO classification of the European Commission."

_COLUMNS = {
    "occupations": ("conceptUri", "iscoGroup", "preferredLabel", "altLabels"),
    "ISCOGroups": ("conceptUri", "code", "preferredLabel"),
    "skills": ("conceptUri", "skillType", "preferredLabel", "altLabels"),
    "skillGroups": ("conceptUri", "preferredLabel"),
    "skillsHierarchy": ("Level 0 URI", "Level 0 preferred term"),
    "occupationSkillRelations": ("occupationUri", "relationType", "skillUri"),
    "broaderRelations": ("conceptUri", "broaderUri"),
}
_CONTENT = {  # the columns that are read: rows of a concept that agree in all of them are duplicates
    "occupations": ("iscoGroup", "code", "preferredLabel", "altLabels", "hiddenLabels", "description"),
    "ISCOGroups": ("code", "preferredLabel", "altLabels", "description"),
    "skills": ("skillType", "reuseLevel", "preferredLabel", "altLabels", "description"),
    "skillGroups": ("code", "preferredLabel", "altLabels", "description"),
}
_LEVELS = tuple(f"Level {level}" for level in range(4))  # of the skills hierarchy; each has several columns
_LANGUAGE_FILE = re.compile(r"^(occupations|ISCOGroups|skills|skillGroups|skillsHierarchy)_([A-Za-z-]+)\.csv$")
_RELATION_FILE = re.compile(r"^(occupationSkillRelations|broaderRelations)\w*\.csv$")
_VERSION = re.compile(r"v?(\d+\.\d+(?:\.\d+)?)")
_ID = re.compile(rf"{NAME.lower()}-\d+(\.\d+)+")
# Only releases whose files were counted. 1.0.0 to 1.0.9 cannot be told apart: they hold the same occupations, the older
# ones without dates.
_RELEASES = {  # number of occupations, day of the newest `modifiedDate`
    (3007, "2022-07-27"): "1.1.1",
    (3039, "2024-04-30"): "1.2.0",
    (3039, "2025-12-15"): "1.2.1",
}


@dataclass(slots=True)
class _Oddities:
    repeated: list[RepeatedRow] = field(default_factory=list)
    corrected: dict[str, None] = field(default_factory=dict)  # URIs of occupations

    def notes(self) -> tuple[str, ...]:
        count = f"{len(self.corrected):,} occupation{'s' if len(self.corrected) != 1 else ''}"
        corrected = f"The ISCO-08 code of {count} had lost its first 0, as happens in a spreadsheet; it was put back."
        return (*repetition_notes(self.repeated), *([corrected] if self.corrected else []))


def is_release(manifest: Manifest) -> bool:
    """Return whether a taxonomy is an official ESCO release; a custom table may have the same name."""
    return manifest.attribution == ATTRIBUTION and _ID.fullmatch(manifest.id) is not None


def esco_files(folder: Path) -> list[Path]:
    """Return the files of a folder that are part of ESCO's download, in the order in which they are read."""
    order = list(_COLUMNS)
    paths = [path for path in folder.iterdir() if path.is_file() and _table(path)]
    return sorted(paths, key=lambda path: (order.index(_table(path) or ""), path.name))


def esco_version(files: list[Path]) -> str:
    """Return the version from the folder's name (`labels_v1.0.3`, `ESCO dataset - v1.1.1`), else from the occupations.

    Raises DataFileError if neither gives a version, a file is damaged, or there are no occupations.
    """
    if match := _VERSION.search(files[0].parent.resolve().name):
        return match.group(1)
    occupations = _occupation_files(files)[0]
    return esco_release(occupations, _concepts(occupations).rows)


def read_esco(files: list[Path], *, progress: Progress = no_progress) -> TaxonomyContent:
    """Read ESCO's files into tables.

    Raises DataFileError if a file is damaged or lacks a column, or there are no occupations.
    """
    _occupation_files(files)
    builder = TablesBuilder()
    oddities = _Oddities()
    for done, path in enumerate(files):
        progress(done, len(files))
        _read_file(builder, path, oddities)
    add_isco_groups(builder)
    progress(len(files), len(files))
    return TaxonomyContent(builder.build(), oddities.notes())


def _occupation_files(files: list[Path]) -> list[Path]:
    occupations = [path for path in files if _table(path) == "occupations"]
    if not occupations:
        raise DataFileError(files[0].parent, "there is no occupations_XX.csv (XX = a language) in this folder")
    return occupations


def _read_file(builder: TablesBuilder, path: Path, oddities: _Oddities) -> None:
    table = _table(path) or ""
    if table not in _CONTENT:
        _READERS[table](builder, path, read_rows(path, _COLUMNS[table], may_end_early=table == "skillsHierarchy"))
        return
    _language(path)  # an unknown one is reported before any fault in the file
    concepts = _concepts(path)
    _READERS[table](builder, path, concepts.rows)
    oddities.repeated += concepts.repeated
    oddities.corrected |= {row["conceptUri"]: None for row in concepts.rows if _lost_its_zero(row["iscoGroup"])}


def _concepts(path: Path) -> UniqueRows:
    table = _table(path) or ""
    return unique_rows(path, read_rows(path, _COLUMNS[table]), _CONTENT[table])


def _table(path: Path) -> str | None:
    match = _LANGUAGE_FILE.match(path.name) or _RELATION_FILE.match(path.name)
    return match.group(1) if match else None


def _language(path: Path) -> str:
    match = _LANGUAGE_FILE.match(path.name)
    code = language_code(match.group(2)) if match else None
    if code is None:
        raise DataFileError(
            path, f"the language in the file's name is not known; expected one of {', '.join(LANGUAGE_NAMES)}"
        )
    return code


def _isco_code(path: Path, row: Row, column: str) -> str:
    code = row[column].removeprefix("C")
    if _lost_its_zero(code):
        return f"0{code}"
    if code not in isco_codes():
        raise DataFileError(
            path, f"{column} is {row[column]!r}; expected an ISCO-08 code such as 2221 or 0110", line=row.line
        )
    return code


def _lost_its_zero(code: str) -> bool:
    # such as 110 for 0110: only the armed forces' codes begin with 0
    return code not in isco_codes() and len(code) == 3 and f"0{code}" in isco_codes()


def _read_occupations(builder: TablesBuilder, path: Path, rows: Iterable[Row]) -> None:
    language = _language(path)
    for row in rows:
        isco = _isco_code(path, row, "iscoGroup")
        code = f"{'0' * _lost_its_zero(row['iscoGroup'])}{row['code']}" if row["code"] else isco
        concept = builder.concept(row["conceptUri"], kind=OCCUPATION, code=code, isco=isco)
        alternatives = split_names(row["altLabels"]) + split_names(row["hiddenLabels"])
        builder.add_names(concept, language, row["preferredLabel"], alternatives)
        builder.describe(concept, language, row["description"])


def _read_groups(builder: TablesBuilder, path: Path, rows: Iterable[Row]) -> None:
    language = _language(path)
    for row in rows:
        code = _isco_code(path, row, "code")
        concept = builder.concept(row["conceptUri"], kind=GROUP, code=code, isco=code)
        builder.add_names(concept, language, row["preferredLabel"], split_names(row["altLabels"]))
        builder.describe(concept, language, row["description"])


def _read_skills(builder: TablesBuilder, path: Path, rows: Iterable[Row]) -> None:
    language = _language(path)
    for row in rows:
        uri = row["conceptUri"]
        builder.skill(uri, row["skillType"], language, row["preferredLabel"], split_names(row["altLabels"]))
        builder.level_skill(uri, row["reuseLevel"])
        builder.describe_skill(uri, language, row["description"])


def _read_skill_groups(builder: TablesBuilder, path: Path, rows: Iterable[Row]) -> None:
    language = _language(path)
    for row in rows:
        uri = row["conceptUri"]
        builder.skill_group(uri, row["code"], language, row["preferredLabel"], split_names(row["altLabels"]))
        builder.describe_skill(uri, language, row["description"])


def _read_hierarchy(builder: TablesBuilder, path: Path, rows: Iterable[Row]) -> None:
    # each row is about the last group in it; the official list of groups lacks some of them
    language = _language(path)
    for row in rows:
        chain = [level for level in _LEVELS if row[f"{level} URI"]]
        if not chain:
            raise DataFileError(path, "there is no URI in this row", line=row.line)
        uri = row[f"{chain[-1]} URI"]
        builder.skill_group(uri, row[f"{chain[-1]} code"], language, row[f"{chain[-1]} preferred term"], [])
        builder.describe_skill(uri, language, row["Description"])
        if len(chain) > 1:
            builder.add_broader(uri, row[f"{chain[-2]} URI"])


def _read_skill_relations(builder: TablesBuilder, path: Path, rows: Iterable[Row]) -> None:
    for row in rows:
        kind = row["relationType"]
        if kind not in ("essential", "optional"):
            raise DataFileError(path, f"relationType is {kind!r}; expected essential or optional", line=row.line)
        builder.relate(row["occupationUri"], row["skillUri"], essential=kind == "essential")


def _read_broader(builder: TablesBuilder, path: Path, rows: Iterable[Row]) -> None:
    for row in rows:
        builder.add_broader(row["conceptUri"], row["broaderUri"])


_READERS = {
    "occupations": _read_occupations,
    "ISCOGroups": _read_groups,
    "skills": _read_skills,
    "skillGroups": _read_skill_groups,
    "skillsHierarchy": _read_hierarchy,
    "occupationSkillRelations": _read_skill_relations,
    "broaderRelations": _read_broader,
}


def esco_release(path: Path, occupations: Sequence[Row]) -> str:
    """Return the ESCO version that has this number of occupations and this latest date of change.

    Args:
        path: the file, for error messages.
        occupations: rows of the file, one per occupation.

    Raises DataFileError if no known release matches.
    """
    newest = max((date for row in occupations if (date := modified(row))), default=None)
    day = f"{newest:%Y-%m-%d}" if newest else ""
    if version := _RELEASES.get((len(occupations), day)):
        return version
    changed = f"last changed on {day}" if day else "without dates of change"
    raise DataFileError(
        path,
        f"the version of ESCO cannot be recognised from the {len(occupations):,} occupations in this file ({changed}); "
        "give the version that you downloaded, such as --version 1.2.1, or 'Version' on the page",
    )
