"""Formats of taxonomies: one entry of `READERS` each, tried in that order.

A custom taxonomy, such as a national one or a company's job catalogue, is one CSV with a row per concept and language;
docs/taxonomies.md describes its columns.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import ENDINGS
from jobmatch_core.io.text_source import unpacked_name
from jobmatch_core.taxonomy import esco
from jobmatch_core.taxonomy.bundled import add_isco_groups, group_uri, isco_codes
from jobmatch_core.taxonomy.code_list import CodeListLayout, read_code_list
from jobmatch_core.taxonomy.rows import Row, read_rows, split_names
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, TablesBuilder, TaxonomyContent, TaxonomyTables
from jobmatch_core.text.locales import LANGUAGE_NAMES, language_code

COLUMNS = ("concept_id", "language", "preferred", "alternatives", "parent", "description")


def read_custom(path: Path, rows: Sequence[Row] | None = None, *, progress: Progress = no_progress) -> TaxonomyTables:
    """Read a custom taxonomy from one CSV.

    Alternatives are separated by line breaks or `|`. A parent is another concept_id or an ISCO-08 code; a concept whose
    chain of parents ends at an ISCO-08 code gets an ISCO path. Concepts with children are groups and all others are
    occupations, unless the optional column `kind` says otherwise. Parent and kind need be in one row of a concept only.

    Args:
        rows: its rows, if they were read already, with an optional ISCO-08 code in `isco`.

    Raises DataFileError if the file is damaged, lacks a column, has an unknown language, parent or kind, a concept
    twice in one language or with two parents or kinds, a cycle of parents, or no occupation.
    """
    progress(0, 1)
    rows = list(read_rows(path, COLUMNS) if rows is None else rows)
    _check(path, rows)
    parents = _stated(path, rows, "parent")
    ids = {row["concept_id"] for row in rows}
    iscos = {row["concept_id"]: _isco(path, row, parents, ids) for row in rows}
    kinds = _kinds(path, rows, set(parents.values()))
    builder = TablesBuilder()
    for row in rows:
        uri, language = row["concept_id"], language_code(row["language"]) or ""
        concept = builder.concept(uri, kind=kinds[uri], code=uri, isco=iscos[uri])
        builder.add_names(concept, language, row["preferred"], split_names(row["alternatives"]))
        builder.describe(concept, language, row["description"])
    for child, parent in parents.items():
        builder.add_broader(child, parent if parent in kinds else group_uri(parent))
    for uri, isco in iscos.items():
        if isco and uri not in parents:
            builder.add_broader(uri, group_uri(isco))
    add_isco_groups(builder)
    progress(1, 1)
    return builder.build()


def _check(path: Path, rows: Sequence[Row]) -> None:
    if not rows:
        raise DataFileError(path, "the file has a header but no rows", line=1)
    ids = {row["concept_id"] for row in rows}
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        if problem := _problem(row, ids):
            raise DataFileError(path, problem, line=row.line)
        concept, language = row["concept_id"], language_code(row["language"]) or ""
        first = seen.setdefault((concept, language), row.line)
        if first != row.line:
            raise DataFileError(
                path, f"{concept} occurs twice in language {language} (first on line {first})", line=row.line
            )


def _problem(row: Row, ids: set[str]) -> str | None:
    for column in ("concept_id", "language", "preferred"):
        if not row[column]:
            return f"{column} is empty"
    if language_code(row["language"]) is None:
        return f"{row['language']!r} is not a language known here; expected one of {', '.join(LANGUAGE_NAMES)}"
    if row["kind"] not in ("", OCCUPATION, GROUP):
        return f"kind is {row['kind']!r}; expected {OCCUPATION} or {GROUP}"
    if row["parent"] == row["concept_id"]:
        return f"{row['concept_id']} is its own parent; leave the parent empty or give another"
    if row["parent"] and row["parent"] not in ids and row["parent"] not in isco_codes():
        return f"the parent {row['parent']!r} is neither a concept_id of this file nor an ISCO-08 code"
    return None


def _stated(path: Path, rows: list[Row], column: str) -> dict[str, str]:
    # concept -> value of the column; rows of a concept may leave it empty but must not contradict each other
    stated: dict[str, Row] = {}
    for row in rows:
        if not row[column]:
            continue
        first = stated.setdefault(row["concept_id"], row)
        if row[column] != first[column]:
            raise DataFileError(
                path,
                f"the {column} of {row['concept_id']} is {row[column]!r} here but {first[column]!r} on line "
                f"{first.line}",
                line=row.line,
            )
    return {concept: row[column] for concept, row in stated.items()}


def _kinds(path: Path, rows: list[Row], parents: set[str]) -> dict[str, str]:
    kinds = {row["concept_id"]: GROUP if row["concept_id"] in parents else OCCUPATION for row in rows}
    kinds |= _stated(path, rows, "kind")
    if OCCUPATION not in kinds.values():
        raise DataFileError(path, "every concept is a group; at least one must be an occupation")
    return kinds


def _isco(path: Path, row: Row, parents: dict[str, str], ids: set[str]) -> str:
    # its own code, or the one at the end of its chain of parents; a concept_id, even `1`, is not an ISCO-08 code
    if row["isco"] in isco_codes():
        return row["isco"]
    concept, seen = row["concept_id"], {row["concept_id"]}
    while parent := parents.get(concept):
        if parent in seen:
            raise DataFileError(path, f"{parent} is its own ancestor; correct the parents", line=row.line)
        seen.add(parent)
        concept = parent
    return concept if concept in isco_codes() and concept not in ids else ""


@dataclass(frozen=True, slots=True)
class Reader:
    """A format of taxonomies."""

    source: str  # the source in words, for help and errors
    example: str  # name of a file of the format
    # returns the files to read of a folder or file; none if it is not of this format
    recognised: Callable[[Path], list[Path]]
    name: Callable[[Path], str]  # returns the default name of the taxonomy
    version: Callable[[list[Path]], str]  # returns the default version, from the files
    # reads the files; calls the progress with the number of files read and the total
    read: Callable[[list[Path], Progress], TaxonomyContent]
    attribution: str = ""  # sentence that the licence requires
    endings: tuple[str, ...] = ("csv",)  # file name endings for uploads
    is_table: bool = False  # whether it reads one table, whose layout may also be given


def find_reader(source: Path) -> tuple[Reader, list[Path]]:
    """Return the first reader that recognises a folder or file, and the files that it reads.

    Raises DataFileError if there is no such source, or no reader recognises it.
    """
    if not source.exists():
        raise DataFileError(source, "there is no such file or folder")
    for reader in READERS.values():
        if files := reader.recognised(source):
            return reader, files
    raise DataFileError(source, f"no taxonomy is recognised in this folder; expected {expected_sources()}")


def is_recognised(source: Path) -> bool:
    """Return whether a reader recognises a folder or file."""
    return any(reader.recognised(source) for reader in READERS.values())


def expected_sources() -> str:
    """Return a phrase that lists the importable sources."""
    return ", or ".join(f"{reader.source} such as {reader.example}" for reader in READERS.values())


def read_list(path: Path, layout: CodeListLayout, *, progress: Progress = no_progress) -> TaxonomyContent:
    """Read a list of codes and names; raises as `read_code_list` and `read_custom`."""
    code_list = read_code_list(path, layout)
    return TaxonomyContent(read_custom(path, code_list.rows, progress=progress), code_list.notes)


READERS = {
    "esco": Reader(
        "a folder of ESCO's CSV files",
        "occupations_en.csv",
        lambda source: esco.esco_files(source) if source.is_dir() else [],
        lambda source: esco.NAME,
        esco.esco_version,
        lambda files, progress: esco.read_esco(files, progress=progress),
        esco.ATTRIBUTION,
    ),
    # last, because it accepts any file and reports faults when it reads it
    "csv": Reader(
        "one table of any other taxonomy",
        "jobs.csv",
        lambda source: [] if source.is_dir() else [source],
        lambda source: unpacked_name(source).stem,
        lambda files: "1",
        lambda files, progress: TaxonomyContent(read_custom(files[0], progress=progress)),
        endings=ENDINGS,
        is_table=True,
    ),
}
