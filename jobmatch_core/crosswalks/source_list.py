"""Source lists: the codes and names of a classification in any table, with the code above each."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.sheets.code_list_columns import NO_COLUMNS, taxonomy_layout
from jobmatch_core.taxonomy.code_list import (
    ALTERNATIVES,
    CODE,
    LANGUAGE,
    NAME,
    PARENT,
    VALID_FROM,
    VALID_UNTIL,
    CodeListLayout,
    read_code_list,
)

_READ = (CODE, NAME, LANGUAGE, PARENT, VALID_FROM, VALID_UNTIL)
_OWN_COLUMNS = {CODE: "concept_id", NAME: "preferred"}  # of the CSV of one's own taxonomy


@dataclass(frozen=True, slots=True)
class SourceList:
    """The codes of a classification, each once."""

    codes: tuple[SourceCode, ...]  # in the order of the table, each with its first name
    language: str
    notes: tuple[str, ...]  # how the table was read


def read_source_list(path: Path, *, columns: Mapping[str, str] = NO_COLUMNS, language: str = "") -> SourceList:
    """Read a list of codes and names from CSV, XLSX or another table.

    Args:
        columns: role -> column, see `code_list.ROLES`; none to detect them.
        language: language of the names; '' to guess it.

    Raises:
        DataFileError: the table cannot be read, or has no columns of codes and names.
        SettingsError: the source is no table.
    """
    layout = taxonomy_layout(path, columns=columns, language=language) or CodeListLayout(_OWN_COLUMNS, language)
    own_columns = {role: column for role, column in layout.columns.items() if role in _READ}
    named = {role: column for role, column in layout.columns.items() if role == ALTERNATIVES}
    code_list = read_code_list(
        path,
        CodeListLayout(
            own_columns | named, layout.language, layout.encoding, layout.header_row, layout.sheet, layout.separator
        ),
    )
    rows = {row["concept_id"]: row for row in reversed(code_list.rows) if not language or row[LANGUAGE] == language}
    codes = {code: rows[code] for code in dict.fromkeys(row["concept_id"] for row in code_list.rows) if code in rows}
    sources = tuple(
        SourceCode(code, row["preferred"], row[PARENT] or prefix_parent(code, codes)) for code, row in codes.items()
    )
    return SourceList(sources, next((row[LANGUAGE] for row in codes.values()), language), code_list.notes)


def prefix_parent(code: str, codes: Collection[str]) -> str:
    """Return the longest other code that a code begins with, such as 0110 for 0110.1; '' if there is none."""
    return next((code[:end] for end in range(len(code) - 1, 0, -1) if code[:end] in codes), "")
