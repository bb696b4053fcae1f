"""Lists of codes and names in any table, such as SOC, KldB, HISCO or CBO, converted to rows of a custom taxonomy.

Rows with the same code are one occupation: the first name is preferred, the others are alternatives. Where all codes
are digits and shorter codes are prefixes of longer ones, as in KldB (1, 11, 111), the shorter ones are groups; so they
are where all codes at the end have as many parts between dots, as in CP2011 (1, 1.1, 1.1.1).
"""

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from pathlib import Path

from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.io.tables import cell_text, no_column, read_numbered, table_columns
from jobmatch_core.taxonomy.bundled import isco_codes, unit_group_names
from jobmatch_core.taxonomy.rows import Row, split_names
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import guess_language
from jobmatch_core.text.locales import ENGLISH, language_code, language_name

CODE, NAME, LANGUAGE, ISCO, ALTERNATIVES, PARENT = "code", "name", "language", "isco", "alternatives", "parent"
REQUIRED = (CODE, NAME)
DESCRIPTION, INCLUDES, EXCLUDES = "description", "includes", "excludes"
VALID_FROM, VALID_UNTIL = "valid_from", "valid_until"
_NOTES, _VALIDITY = (DESCRIPTION, INCLUDES, EXCLUDES), (VALID_FROM, VALID_UNTIL)
ROLES = (*REQUIRED, ALTERNATIVES, LANGUAGE, ISCO, PARENT, *_NOTES, *_VALIDITY, "kind")
_YEAR_OR_MONTH = re.compile(r"(\d{4})(?:-(\d\d))?")
_DAYS = {
    re.compile(r"\d{4}-\d\d-\d\d"): "%Y-%m-%d",  # also with a time, as in workbooks
    re.compile(r"\d{4}/\d\d/\d\d$"): "%Y/%m/%d",
    re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}$"): "%d.%m.%Y",
    re.compile(r"\d{1,2}/\d{1,2}/\d{4}$"): "%d/%m/%Y",
    re.compile(r"\d{8}$"): "%Y%m%d",
}
_SAMPLE = 1000  # names from which the language is guessed
_DENSE = 0.3  # share of the numbers in use above which codes are running numbers
_SHORTEST = 3  # letters of a word that counts as evidence of a language


@dataclass(frozen=True, slots=True)
class CodeListLayout:
    """How to read a list."""

    columns: Mapping[str, str]  # role -> column; see `ROLES`
    language: str = ""  # language code of the names where no column gives it; '' to guess it
    # encoding, header_row, sheet, separator: as for `read_table`
    encoding: str = "utf-8-sig"
    header_row: int = 1
    sheet: str | None = None
    separator: str = ""


@dataclass(frozen=True, slots=True)
class CodeList:
    """A list as rows of a custom taxonomy (`readers.COLUMNS` and `isco`), with notes on how it was read."""

    rows: list[Row]
    notes: tuple[str, ...] = ()


def parsed_columns(text: str) -> dict[str, str]:
    """Return role -> column from a text such as `code=SOC,name=Title`; double a comma in a column's name.

    Raises SettingsError if a role is unknown or repeated, or code or name is missing.
    """
    columns: dict[str, str] = {}
    for part in text.replace(",,", "\0").split(","):
        role, equals, column = (piece.replace("\0", ",").strip() for piece in part.partition("="))
        if not equals or role not in ROLES or role in columns or not column:
            raise SettingsError(
                f"{part.strip()!r} does not name a column; give each role once, as in code=SOC,name=Title; roles are "
                f"{', '.join(ROLES)}."
            )
        columns[role] = column
    if missing := [role for role in REQUIRED if role not in columns]:
        raise SettingsError(f"The column of {' and of '.join(missing)} is missing; give code=COLUMN,name=COLUMN.")
    return columns


def read_code_list(path: Path, layout: CodeListLayout, on: date | None = None) -> CodeList:
    """Read a list of codes and names.

    Args:
        path: the table.
        layout: how it is read.
        on: codes that are not valid on this day are left out; today by default.

    Raises DataFileError if the file cannot be read, lacks a column, or has no row with a code and a name.
    """
    _check_columns(path, layout)
    occupations: dict[tuple[str, str], _Entry] = {}
    iscos: dict[str, Counter[str]] = {}
    left_out: list[int] = []
    rows = list(_cells(path, layout))
    today = on or date.today()
    n_read, no_dates = len(rows), _no_dates(cells for _, cells in rows)
    rows = [(line, cells) for line, cells in rows if _is_valid(cells, today)]
    not_valid = n_read - len(rows)
    default = layout.language or _guessed_language(cells[NAME] for _, cells in rows)
    for line, cells in rows:
        if not (cells[CODE] and cells[NAME]):
            left_out.append(line)
            continue
        language = cells.get(LANGUAGE, "") or default
        key = cells[CODE], language_code(language) or language
        occupations.setdefault(key, _Entry(line, cells | {LANGUAGE: language})).add(cells)
        iscos.setdefault(cells[CODE], Counter()).update(_isco_codes(cells.get(ISCO, "")))
    if not occupations:
        raise DataFileError(
            path,
            f"no row {'that is valid ' if not_valid else ''}has both a code ({layout.columns[CODE]}) and a name "
            f"({layout.columns[NAME]})",
        )
    parents = {} if PARENT in layout.columns else parents_by_code([code for code, _ in occupations])
    taxonomy_rows = [
        entry.row(next(iter(iscos[code].most_common(1)), ("", 0))[0], parents.get(code, ""), layout.columns)
        for (code, _), entry in occupations.items()
    ]
    return CodeList(taxonomy_rows, (*_notes(layout, default, left_out, not_valid), *no_dates))


@dataclass(slots=True)
class _Entry:  # one code in one language
    line: int
    first: Mapping[str, str]
    names: dict[str, None] = field(default_factory=dict)

    def add(self, cells: Mapping[str, str]) -> None:
        self.names |= dict.fromkeys([cells[NAME], *split_names(cells.get(ALTERNATIVES, ""))])

    def row(self, isco: str, parent: str, columns: Mapping[str, str]) -> Row:
        preferred, *others = self.names
        return Row(
            self.line,
            {
                "concept_id": self.first[CODE],
                "language": self.first[LANGUAGE],
                "preferred": preferred,
                "alternatives": "\n".join(others),
                "parent": self.first.get(PARENT, "") or parent,
                "description": "\n\n".join(filter(None, [self.first.get(DESCRIPTION, ""), *self._notes(columns)])),
                "kind": self.first.get("kind", "").lower(),
                "isco": isco,
            },
        )

    def _notes(self, columns: Mapping[str, str]) -> list[str]:
        # what a code includes and excludes, under the words of the list itself
        return [f"{columns[role]}: {self.first[role]}" for role in (INCLUDES, EXCLUDES) if self.first.get(role)]


def _is_valid(cells: Mapping[str, str], on: date) -> bool:
    begins, ends = (_days(cells.get(role, "")) for role in _VALIDITY)
    return (begins is None or begins[0] <= on) and (ends is None or on <= ends[1])


def _no_dates(rows: Iterable[Mapping[str, str]]) -> list[str]:
    cells = [row[role] for row in rows for role in _VALIDITY if row.get(role) and _days(row[role]) is None]
    return [f"Cells that are no date limit no validity: {len(cells):,}, such as {cells[0]!r}."] if cells else []


@cache
def _days(cell: str) -> tuple[date, date] | None:
    # the first and the last day of a cell with a year, a month or a day; None for any other
    try:
        if month := _YEAR_OR_MONTH.fullmatch(cell):
            year, first, last = int(month[1]), int(month[2] or 1), int(month[2] or 12)
            return date(year, first, 1), date(year, last, monthrange(year, last)[1])
        if form := next((form for sign, form in _DAYS.items() if sign.match(cell)), ""):
            day = datetime.strptime(cell[:10], form).date()
            return day, day
    except ValueError:
        pass
    return None


def _check_columns(path: Path, layout: CodeListLayout) -> None:
    columns = table_columns(
        path, encoding=layout.encoding, header_row=layout.header_row, sheet=layout.sheet, separator=layout.separator
    )
    for column in layout.columns.values():
        if column not in columns:
            raise no_column(path, column, columns, line=layout.header_row or None)


def _cells(path: Path, layout: CodeListLayout) -> Iterator[tuple[int, dict[str, str]]]:
    batches = read_numbered(
        path, encoding=layout.encoding, header_row=layout.header_row, sheet=layout.sheet, separator=layout.separator
    )
    for batch in batches:
        for line, record in batch:
            yield line, {role: cell_text(record.get(column), path).strip() for role, column in layout.columns.items()}


def parents_by_code(codes: Sequence[str]) -> dict[str, str]:
    """Return code -> parent where the longest shorter prefix of every code is a code, too; else an empty dict.

    Running numbers are not hierarchical, although 1 is a prefix of 10. Of codes with dots, those without others below
    them must have as many parts each: ESCO's 2512.1 and 2512.1.1 are both occupations.
    """
    different = set(codes)
    lengths = sorted({len(code) for code in different})
    if any("." in code for code in different):
        return _parents_by_parts(different)
    if len(lengths) == 1 or not all(code.isdecimal() for code in different):
        return {}
    numbers = [int(code) for code in different]
    if len(different) > _DENSE * (max(numbers) - min(numbers) + 1):
        return {}
    parents = {
        code: next(
            (code[:length] for length in reversed(lengths) if length < len(code) and code[:length] in different), ""
        )
        for code in different
        if len(code) > lengths[0]
    }
    return parents if all(parents.values()) else {}


def _parents_by_parts(codes: Set[str]) -> dict[str, str]:
    parents = {code: code.rpartition(".")[0] for code in codes if "." in code}
    leaves = codes - set(parents.values())
    is_tree = codes >= set(parents.values()) and len({code.count(".") for code in leaves}) == 1
    return parents if is_tree and len(leaves) > len(codes - leaves) else {}


def _isco_codes(cell: str) -> list[str]:
    # a cell may be `2512`, `2512|2513` or `0110`
    digits = "".join(sign if sign.isdecimal() else " " for sign in cell.removesuffix(".0")).split()
    return [code for code in digits if code in isco_codes()]


def _guessed_language(names: Iterable[str]) -> str:
    # the language whose bundled names share most words with these; else guessed by the script; else English
    sample = [name for name, _ in zip(filter(None, names), range(_SAMPLE), strict=False)]
    words = Counter(word for name in sample for word in fold(name).split() if len(word) >= _SHORTEST)
    hits = {language: sum(words[word] for word in names) for language, names in _words_by_language().items()}
    best = max(hits, key=hits.__getitem__)
    return best if hits[best] else guess_language("\n".join(sample)) or ENGLISH


@cache
def _words_by_language() -> dict[str, frozenset[str]]:
    words: dict[str, set[str]] = {}
    for language, _, name in unit_group_names():
        words.setdefault(language, set()).update(word for word in fold(name).split() if len(word) >= _SHORTEST)
    return {language: frozenset(in_names) for language, in_names in words.items()}


def _notes(layout: CodeListLayout, language: str, left_out: Sequence[int], not_valid: int) -> Iterator[str]:
    read = ", ".join(f"{role} from {column!r}" for role, column in layout.columns.items())
    yield f"Read as a list of codes and names: {read}."
    if LANGUAGE not in layout.columns and not layout.language:
        yield f"No column gives the language of the names; {language_name(language)} was assumed."
    if left_out:
        yield f"Rows without a code or a name were left out: {len(left_out):,}, the first in line {left_out[0]:,}."
    if not_valid:
        yield f"Rows that are not valid on the day of the import were left out: {not_valid:,}."
