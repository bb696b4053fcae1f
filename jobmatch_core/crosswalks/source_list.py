"""Source lists: the codes and names of a classification in any table, with the code above each."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.sheets.code_list_columns import NO_COLUMNS, taxonomy_layout
from jobmatch_core.taxonomy.code_list import (
    ALTERNATIVES,
    CODE,
    DESCRIPTION,
    EXCLUDES,
    INCLUDES,
    LANGUAGE,
    NAME,
    PARENT,
    VALID_FROM,
    VALID_UNTIL,
    CodeListLayout,
    read_code_list,
)

SOURCE_ROLES = (
    *(CODE, NAME, ALTERNATIVES, LANGUAGE, PARENT),
    *(DESCRIPTION, INCLUDES, EXCLUDES, VALID_FROM, VALID_UNTIL),
)  # roles of the columns that are read, of `code_list.ROLES`
_OWN_COLUMNS = {CODE: "concept_id", NAME: "preferred"}  # of the CSV of one's own taxonomy


@dataclass(frozen=True, slots=True)
class SourceList:
    """The codes of a classification, each once."""

    codes: tuple[SourceCode, ...]  # in the order of the table, each with its first name
    language: str
    notes: tuple[str, ...]  # how the table was read


def read_source_list(
    path: Path,
    *,
    columns: Mapping[str, str] = NO_COLUMNS,
    language: str = "",
    encoding: str | None = None,
    separator: str = "",
) -> SourceList:
    """Read a list of codes and names from CSV, XLSX or another table; arguments as for `taxonomy_layout`.

    Raises:
        DataFileError: the table cannot be read, or has no columns of codes and names.
        SettingsError: the source is no table.
    """
    layout = taxonomy_layout(path, columns=columns, language=language, encoding=encoding, separator=separator)
    layout = layout or CodeListLayout(_OWN_COLUMNS, language)
    read = {role: column for role, column in layout.columns.items() if role in SOURCE_ROLES}
    code_list = read_code_list(path, replace(layout, columns=read))
    rows = {row["concept_id"]: row for row in reversed(code_list.rows) if not language or row[LANGUAGE] == language}
    codes = {code: rows[code] for code in dict.fromkeys(row["concept_id"] for row in code_list.rows) if code in rows}
    sources = tuple(
        SourceCode(code, row["preferred"], row[PARENT] or prefix_parent(code, codes), row[DESCRIPTION])
        for code, row in codes.items()
    )
    return SourceList(sources, next((row[LANGUAGE] for row in codes.values()), language), code_list.notes)


def prefix_parent(code: str, codes: Collection[str]) -> str:
    """Return the longest other code that a code begins with, such as 0110 for 0110.1; '' if there is none."""
    return next((code[:end] for end in range(len(code) - 1, 0, -1) if code[:end] in codes), "")
