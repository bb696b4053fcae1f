"""Postings with their coded occupations, for evaluation only.

Nothing is trained, fitted or chosen on them; the crosswalk of the Polish classification least of all.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jobmatch_core.descriptions.postings import Posting, read_rows
from jobmatch_core.errors import DataFileError


@dataclass(frozen=True, slots=True)
class CodedPosting:
    """A posting and its occupations.

    Attributes:
        posting: posting as published.
        codes: codes of ESCO's occupations, such as `2422.10`; each of them is right.
    """

    posting: Posting
    codes: tuple[str, ...]


def read_hahu_postings(path: Path) -> Iterator[CodedPosting]:
    """Yield the English postings of HaHu Jobs.

    Datasheet. 271 postings of Ethiopia's HaHu Jobs, names removed (`[REDACTED]`), each with one ESCO code. Fields used:
    ID, title, description, esco_code. Licence: CC BY 4.0, Tabiya.

    Args:
        path: `hahu_postings_esco_en.csv`.

    Raises:
        DataFileError: it cannot be read or lacks a column.
    """
    for row in _rows_with(path, "ID", "title", "description", "esco_code"):
        yield CodedPosting(Posting(row["ID"], row["title"], row["description"]), (row["esco_code"].strip(),))


def read_polish_postings(path: Path, crosswalk: Path) -> Iterator[CodedPosting]:
    """Yield the Polish postings whose code the crosswalk maps to ESCO: 8,466 of 10,002.

    Datasheet. Polish postings coded by experts in the national classification KZiS, RepOD doi:10.18150/SX0E7G; and a
    mapping of KZiS to ESCO's occupations, of which one code may have several. Fields used: id_oferty, title,
    description, kzis; kzis code, esco code.

    Args:
        path: `pl_hand_coded_10k.jsonl.gz`.
        crosswalk: `pl_kzis_esco_crosswalk.csv`.

    Raises:
        DataFileError: a file cannot be read or lacks a column.
    """
    codes: dict[str, dict[str, None]] = {}
    for row in _rows_with(crosswalk, "kzis code", "esco code"):
        codes.setdefault(row["kzis code"].strip(), {})[row["esco code"].strip()] = None
    for number, row in enumerate(_rows_with(path, "title", "description", "kzis"), 1):
        if found := codes.get(str(row["kzis"]).strip()):
            posting = Posting(str(number), str(row["title"] or ""), str(row["description"] or ""))
            yield CodedPosting(posting, tuple(found))


def _rows_with(path: Path, *columns: str) -> Iterator[dict[str, Any]]:
    for row in read_rows(path):
        for column in columns:
            if column not in row:
                raise DataFileError(path, f"there is no column {column!r}; expected {', '.join(columns)}")
        yield row
