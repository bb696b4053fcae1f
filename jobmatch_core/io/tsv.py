"""Strict reading of tab-separated files without a header, and of folders of them."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.text_files import check_regular, is_regular

_BREAKS = str.maketrans("\t\n\r", "   ")
_QRELS = ("query id", "0", "element id", "relevance")


def read_tsv(path: Path, fields: Sequence[str]) -> list[list[str]]:
    """Return a file's rows; the row at index i is line i + 1.

    Raises DataFileError if the file is unreadable, empty or not UTF-8, or a line has other or empty fields.
    """
    try:
        check_regular(path)
        content = path.read_bytes()
    except OSError as error:
        raise DataFileError(path, f"the file cannot be read ({error.strerror or error})") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataFileError(path, "this is not UTF-8 text; give the file as published", line=line) from error
    # no splitlines: it also splits at characters that a name may hold
    rows = [line.removesuffix("\r").split("\t") for line in text.removesuffix("\n").split("\n")]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(fields) or not all(value.strip() for value in row):
            expected = ", ".join(fields)
            raise DataFileError(path, f"expected {expected}, separated by tabs and not empty", line=number)
    return rows


def read_texts(path: Path, fields: tuple[str, str]) -> tuple[list[str], list[str]]:
    """Return the ids and texts of a file; raises as `read_tsv`, and for an id that occurs twice."""
    rows = read_tsv(path, fields)
    lines: dict[str, int] = {}
    for number, (key, _) in enumerate(rows, start=1):
        if key in lines:
            raise DataFileError(path, f"the id {key} occurs twice (first on line {lines[key]})", line=number)
        lines[key] = number
    return list(lines), [text for _, text in rows]


def read_qrels(path: Path, query_ids: Sequence[str], element_ids: Sequence[str]) -> csr_matrix:
    """Return judgments in the format of trec_eval, (query, element) boolean; a relevance above 0 is relevant.

    Raises DataFileError if the file is damaged (see `read_tsv`), an id is unknown, a relevance is not a number, or a
    pair is judged twice.
    """
    queries = {key: number for number, key in enumerate(query_ids)}
    elements = {key: number for number, key in enumerate(element_ids)}
    judged: dict[tuple[int, int], bool] = {}
    for line, (query, _, element, relevance) in enumerate(read_tsv(path, _QRELS), start=1):
        if query not in queries or element not in elements:
            unknown = element if query in queries else query
            raise DataFileError(
                path, f"there is no query or element {unknown}; do the files belong together?", line=line
            )
        pair = queries[query], elements[element]
        if pair in judged or not relevance.removeprefix("-").isdecimal():
            problem = "is judged twice" if pair in judged else f"has the relevance {relevance!r}; expected 0 or 1"
            raise DataFileError(path, f"{query}, {element} {problem}", line=line)
        judged[pair] = int(relevance) > 0
    rows, columns = np.array([pair for pair, good in judged.items() if good], dtype=np.int32).reshape(-1, 2).T
    shape = (len(query_ids), len(element_ids))
    return csr_matrix((np.ones(len(rows), dtype=np.bool_), (rows, columns)), shape=shape)


def write_tsv(path: Path, rows: Iterable[Sequence[str]]) -> None:
    """Write rows that `read_tsv` reads; tabs and line breaks in a value become spaces."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines("\t".join(value.translate(_BREAKS) for value in row) + "\n" for row in rows)


def find_folders(path: Path, files: Sequence[str]) -> list[Path]:
    """Return the folder if it holds all of *files*, else its subfolders that do; raises DataFileError without any."""
    folders = [path, *sorted(path.iterdir())] if path.is_dir() else []
    complete = [folder for folder in folders if all(is_regular(folder / file) for file in files)]
    if not complete:
        raise DataFileError(path, f"neither this folder nor a subfolder holds {', '.join(files)}")
    return [path] if path in complete else complete
