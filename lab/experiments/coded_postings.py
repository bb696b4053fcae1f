"""Coded postings, for evaluation only: nothing is trained, fitted or chosen on them, nor on the Polish crosswalk."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jobmatch_core.descriptions.postings import Posting, read_rows
from jobmatch_core.errors import DataFileError
from jobmatch_core.text.markup import plain_line, plain_text


@dataclass(frozen=True, slots=True)
class CodedPosting:
    """A posting and its occupations."""

    posting: Posting  # posting as published
    codes: tuple[str, ...]  # codes of its correct ESCO occupations, such as `2422.10`


def read_hahu_postings(path: Path) -> Iterator[CodedPosting]:
    """Yield the English postings of HaHu Jobs.

    Datasheet. 271 postings of Ethiopia's HaHu Jobs, names removed (`[REDACTED]`), each with one ESCO code. Fields used:
    ID, title, description, esco_code. Licence: CC BY 4.0, Tabiya.

    Raises DataFileError if it cannot be read or lacks a column.
    """
    for row in _rows_with(path, "ID", "title", "description", "esco_code"):
        posting = Posting(row["ID"], plain_line(row["title"]), plain_text(row["description"]))
        yield CodedPosting(posting, (row["esco_code"].strip(),))


def read_polish_postings(path: Path, crosswalk: Path) -> Iterator[CodedPosting]:
    """Yield the Polish postings whose code the crosswalk maps to ESCO: 8,466 of 10,002.

    Datasheet. Polish postings coded by experts in the national classification KZiS, RepOD doi:10.18150/SX0E7G; and a
    one-to-many mapping of KZiS to ESCO's occupations. Fields used: id_oferty, title, description, kzis; kzis code, esco
    code.

    Raises DataFileError if a file cannot be read or lacks a column.
    """
    codes: dict[str, dict[str, None]] = {}
    for row in _rows_with(crosswalk, "kzis code", "esco code"):
        codes.setdefault(row["kzis code"].strip(), {})[row["esco code"].strip()] = None
    for number, row in enumerate(_rows_with(path, "title", "description", "kzis"), 1):
        if esco_codes := codes.get(str(row["kzis"]).strip()):
            title, description = plain_line(str(row["title"] or "")), plain_text(str(row["description"] or ""))
            posting = Posting(str(number), title, description)
            yield CodedPosting(posting, tuple(esco_codes))


def _rows_with(path: Path, *columns: str) -> Iterator[dict[str, Any]]:
    for row in read_rows(path):
        for column in columns:
            if column not in row:
                raise DataFileError(path, f"there is no column {column!r}; expected {', '.join(columns)}")
        yield row
