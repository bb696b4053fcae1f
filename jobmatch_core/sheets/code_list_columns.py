"""Detection of the columns of a list of codes and names, such as a national classification.

Column names decide first (`code`, `SOC2020`, `Bezeichnung`, `ISCO-08`), then cells: codes have digits, and names are in
the column that looks most like job titles.
"""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.io.tables import first_rows, table_format
from jobmatch_core.io.text_source import is_packed
from jobmatch_core.sheets.table_layout import TableLayout, column_cells, guess_layout
from jobmatch_core.sheets.title_column import CellKind, cell_kind, title_column
from jobmatch_core.taxonomy.code_list import (
    ALTERNATIVES,
    CODE,
    DESCRIPTION,
    EXCLUDES,
    INCLUDES,
    ISCO,
    LANGUAGE,
    NAME,
    PARENT,
    ROLES,
    VALID_FROM,
    VALID_UNTIL,
    CodeListLayout,
)
from jobmatch_core.taxonomy.readers import COLUMNS, find_reader
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import language_code

NO_COLUMNS: Mapping[str, str] = MappingProxyType({})
_SAMPLED_ROWS = 1000
_SHARE = 0.9  # of a column's cells that must be of its kind
URI, ID = "uri", "id"  # kinds of code columns: with the highest and with the lowest priority
_USUAL_NAMES = {
    URI: ("concept id", "concepturi", "concept uri", "uri"),
    ID: ("id", "code", "kod", "kode", "codigo", "codice", "schlussel", "nummer", "numero", "код", "代码", "코드"),
    NAME: tuple(
        (
            "preferred, preferredlabel, preferred label, name, title, titles, label, job title, occupation, "
            "bezeichnung, berufsbezeichnung, titel, titre, libelle, intitule, titulo, denominacion, denominacao, "
            "nombre, nome, nazwa, titolo, naam, benaming, название, наименование"
        ).split(", ")
    ),
    ALTERNATIVES: ("alternatives", "altlabels", "alt labels", "alternative names", "synonyms", "synonyme", "aliases"),
    LANGUAGE: ("language", "lang", "sprache", "langue", "idioma", "lingua", "taal", "jezyk", "locale"),
    PARENT: ("parent", "broader", "parent code", "broader code"),
    DESCRIPTION: ("description", "definition", "beschreibung", "definicion", "descricao", "opis"),
    INCLUDES: (
        "includes",
        "inclusions",
        "umfasst",
        "einschlusse",
        "comprend",
        "inclut",
        "incluye",
        "inclui",
        "obejmuje",
    ),
    EXCLUDES: ("excludes", "exclusions", "umfasst nicht", "ausschlusse", "exclut", "excluye", "exclui", "nie obejmuje"),
    VALID_FROM: ("valid from", "start date", "gultig ab", "gultig von", "date debut", "vigente desde"),
    VALID_UNTIL: ("valid until", "valid to", "end date", "gultig bis", "date fin", "vigente hasta"),
    "kind": ("kind",),
}
_CLASSIFICATION = re.compile(
    r"\b(code|kod|codigo|soc|kldb|hisco|cbo|noc|rome|anzsco|kbji|ssyk|pcs|nco|sinco)\w*\b|schlussel|kennziffer"
)
_DIGIT = re.compile(r"\d")
_LONGEST_CODE = 20  # characters
_CODE_KINDS = (CellKind.NUMBER, CellKind.CODE, CellKind.DATE)  # 11-1011 may look like a date
_CHECKED: dict[str, Callable[[str], bool]] = {
    LANGUAGE: lambda cell: language_code(cell) is not None,
    "kind": lambda cell: cell.lower() in (OCCUPATION, GROUP),
}


def _is_isco(column: str) -> bool:
    return any(word.startswith("isco") for word in _words(column).split())


def taxonomy_layout(
    path: Path,
    *,
    columns: Mapping[str, str] = NO_COLUMNS,
    language: str = "",
    encoding: str | None = None,
    separator: str = "",
) -> CodeListLayout | None:
    """Return how a taxonomy's table is read; None for a plain CSV of one's own taxonomy, and for other formats.

    Args:
        path: a source that one of `readers.READERS` recognises.
        columns: role -> column, see `code_list.ROLES`; none to detect them.
        language: code of the names' language, where no column has it; '' to guess it.
        encoding: text encoding; None to detect it.
        separator: character between the cells of CSV; '' to detect it.

    Raises:
        DataFileError: it cannot be read, or has no columns that look like codes and names.
        SettingsError: the separator cannot separate cells, or a layout is given for a source that is no table.
    """
    given = dict(columns)
    chosen = bool(given or encoding or separator or language)
    reader, _ = find_reader(path)
    if not reader.is_table:
        if chosen:
            what = "Columns, language, encoding and separator can be chosen only for a table"
            raise SettingsError(f"{what}, and {path.name} is {reader.source}; leave them out.")
        return None
    if not chosen and _is_plain(path):
        return None
    table = code_list_table(path, encoding=encoding, separator=separator, column=given.get(NAME, ""))
    if not given:
        with closing(table.read(path, _SAMPLED_ROWS)) as batches:
            given = code_list_columns(column_cells(next(batches, [])))
    if not given:
        problem = (
            f"the columns of a taxonomy ({', '.join(COLUMNS)}) are missing, and none look like codes and names; "
            "name them, such as code=SOC,name=Title"
        )
        raise DataFileError(path, problem, line=table.header_row or None)
    return CodeListLayout(given, language, table.encoding, table.header_row, table.sheet, table.separator)


def code_list_table(path: Path, *, encoding: str | None = None, separator: str = "", column: str = "") -> TableLayout:
    """Return how to read the table of a list, whose header may look like codes; columns are not detected.

    Args:
        separator: character between the cells of CSV; '' to detect it.
        column: name of a column if the user gave one.

    Raises:
        DataFileError: the table cannot be read.
        SettingsError: the separator cannot separate cells.
    """
    table = guess_layout(path, encoding=encoding, separator=separator, column=column)
    return replace(table, header_row=table.header_row or int(_is_header(path, table)))


def _is_header(path: Path, table: TableLayout) -> bool:
    # such as `SOC2020, ISCO-08`, which looks like a row of values
    first = first_rows(path, 1, encoding=table.encoding, sheet=table.sheet, separator=table.separator)
    names = [_words(cell) for row in first for cell in row]
    usual = {name for words in _USUAL_NAMES.values() for name in words}
    return any(name in usual or _is_isco(name) or _CLASSIFICATION.search(name) for name in names)


def code_list_columns(cells: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return role -> column of a list, from its columns' cells in order; empty without codes or names."""
    columns = {role: column for role in _USUAL_NAMES if (column := _named(role, cells))}
    for role, is_right in _CHECKED.items():
        if role in columns and not _most(cells[columns[role]], is_right):
            del columns[role]
    if isco := next((column for column in cells if _is_isco(column) and _most(cells[column], _is_code)), None):
        columns[ISCO] = isco
    if code := columns.get(URI) or _code_column(cells, set(columns.values())) or columns.get(ID) or isco:
        columns[CODE] = code
    others = {column: texts for column, texts in cells.items() if column not in columns.values()}
    if NAME not in columns and (name := title_column(others)):
        columns[NAME] = name
    return {role: columns[role] for role in ROLES if role in columns} if {CODE, NAME} <= columns.keys() else {}


def _named(role: str, cells: Mapping[str, Sequence[str]]) -> str | None:
    columns = {_words(column): column for column in reversed(list(cells))}
    return next((columns[name] for name in _USUAL_NAMES[role] if name in columns), None)


def _code_column(cells: Mapping[str, Sequence[str]], taken: Set[str]) -> str | None:
    # the first column of codes, preferably one named after a classification
    codes = [column for column in cells if column not in taken and _most(cells[column], _is_code)]
    named = [column for column in codes if _CLASSIFICATION.search(_words(column))]
    return next(iter([*named, *codes]), None)


def _words(column: str) -> str:
    return fold(column.replace("_", " ").replace("-", " "))


def _is_code(cell: str) -> bool:
    return len(cell) <= _LONGEST_CODE and bool(_DIGIT.search(cell)) and cell_kind(cell) in _CODE_KINDS


def _most(cells: Sequence[str], is_right: Callable[[str], bool]) -> bool:
    filled = [cell.strip() for cell in cells if cell.strip()]
    return bool(filled) and sum(map(is_right, filled)) >= _SHARE * len(filled)


def _is_plain(path: Path) -> bool:
    # UTF-8 with commas and the first column of an own taxonomy, or not a table at all
    try:
        if table_format(path) != "csv" or is_packed(path):
            return False
    except DataFileError:
        return True  # the strict reader raises an error with the reason
    try:
        return COLUMNS[0] in {name.strip() for row in first_rows(path, 1, separator=",") for name in row}
    except DataFileError:
        return False
