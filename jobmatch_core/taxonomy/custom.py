"""Import of any other taxonomy from one CSV: a national terminology, a company's own job catalogue.

Columns: concept_id, language, preferred, alternatives, parent, description; one row a concept and
language. Alternatives stand one a line or with `|` between them. A parent is another concept_id or an
ISCO-08 code; where the chain of parents ends at an ISCO-08 code, the concept gets an ISCO path. A concept
that is somebody's parent is a group, all others are occupations, unless an optional column `kind` says
`occupation` or `group`.
"""

from pathlib import Path

from jobmatch_core.errors import DataFileError
from jobmatch_core.languages import LANGUAGE_NAMES, language_code
from jobmatch_core.taxonomy.bundled import add_isco_groups, isco_codes
from jobmatch_core.taxonomy.rows import Row, read_rows, split_names
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, TablesBuilder, TaxonomyTables

COLUMNS = ("concept_id", "language", "preferred", "alternatives", "parent", "description")


def read_custom(path: Path) -> TaxonomyTables:
    """Read one CSV into tables.

    Raises:
        DataFileError: the file is damaged, lacks a column, has an unknown language or parent, a
            concept twice in one language, a circle of parents, or no occupation at all.
    """
    rows = list(read_rows(path, COLUMNS))
    _check(path, rows)
    parents = {row["concept_id"]: row["parent"] for row in rows if row["parent"]}
    kinds = _kinds(path, rows, set(parents.values()))
    builder = TablesBuilder()
    for row in rows:
        uri = row["concept_id"]
        isco = _isco(path, row, parents)
        concept = builder.concept(uri, kind=kinds[uri], code=uri, isco=isco)
        builder.add_names(concept, language_code(row["language"]) or "", row["preferred"], _alternatives(row))
        builder.describe(concept, language_code(row["language"]) or "", row["description"])
    for child, parent in parents.items():
        builder.add_broader(child, parent)
    add_isco_groups(builder)
    return builder.build()


def _alternatives(row: Row) -> list[str]:
    return split_names(row["alternatives"])


def _check(path: Path, rows: list[Row]) -> None:
    if not rows:
        raise DataFileError(path, "the file has a header but no rows", line=1)
    ids = {row["concept_id"] for row in rows}
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        for column in ("concept_id", "language", "preferred"):
            if not row[column]:
                raise DataFileError(path, f"{column} is empty", line=row.line)
        code = language_code(row["language"])
        if code is None:
            known = ", ".join(LANGUAGE_NAMES)
            raise DataFileError(
                path, f"{row['language']!r} is not a language known here; expected one of {known}", line=row.line
            )
        key = (row["concept_id"], code)
        if key in seen:
            raise DataFileError(
                path, f"{key[0]} occurs twice in language {code} (first on line {seen[key]})", line=row.line
            )
        seen[key] = row.line
        if row["parent"] and row["parent"] not in ids and row["parent"] not in isco_codes():
            raise DataFileError(
                path, f"the parent {row['parent']!r} is neither a concept_id of this file nor an ISCO-08 code",
                line=row.line,
            )  # fmt: skip


def _kinds(path: Path, rows: list[Row], parents: set[str]) -> dict[str, str]:
    kinds = {}
    for row in rows:
        kind = row["kind"] or (GROUP if row["concept_id"] in parents else OCCUPATION)
        if kind not in (OCCUPATION, GROUP):
            raise DataFileError(path, f"kind is {kind!r}; expected {OCCUPATION} or {GROUP}", line=row.line)
        kinds[row["concept_id"]] = kind
    if OCCUPATION not in kinds.values():
        raise DataFileError(path, "every concept is a group; at least one must be an occupation")
    return kinds


def _isco(path: Path, row: Row, parents: dict[str, str]) -> str:
    """Follow the parents up to an ISCO-08 code; '' where there is none."""
    concept, seen = row["concept_id"], {row["concept_id"]}
    while parent := parents.get(concept):
        if parent in seen:
            raise DataFileError(path, f"{row['concept_id']} is its own ancestor; mend the parents", line=row.line)
        seen.add(parent)
        concept = parent
    return concept if concept in isco_codes() else ""
