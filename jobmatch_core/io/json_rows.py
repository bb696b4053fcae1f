"""Rows of JSON files: one object a line (JSON lines), or one list of objects."""

import json
import re
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, TextIO

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_limits import LARGEST_ROW, check_width, single_lines, too_large_row
from jobmatch_core.io.text_source import opened_text

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_CHUNK = 1 << 16
_LONGEST_WORD = 12  # letters of a word such as -Infinity, or of an escape, that a chunk may cut
_VALUE = re.compile(r"[^\s,]")  # first character of a value
SizedObject = tuple[int, int, dict[str, Any]]  # (characters, line of its beginning, object)
_decode = json.JSONDecoder().raw_decode


def json_lines(path: Path, encoding: str) -> Generator[SizedObject]:
    """Yield the objects of a file with one per line; raises DataFileError, which names the line of the problem."""
    names: set[str] = set()
    with opened_text(path, encoding) as file:
        for number, line in enumerate(single_lines(path, file), 1):
            if line.strip():
                try:
                    row = _whole(json.loads(line), line)
                except (ValueError, RecursionError) as error:
                    raise DataFileError(path, f"this line is not JSON ({error})", line=number) from error
                if not isinstance(row, dict):
                    problem = "expected one JSON object a line; a file with one list of objects ends in .json"
                    raise DataFileError(path, problem, line=number)
                names.update(row)
                check_width(path, len(names), number)
                yield len(line), number, row


def json_list(path: Path, encoding: str) -> Generator[SizedObject]:
    """Yield the objects of a list, or objects one after another; raises DataFileError, which names the line."""
    names: set[str] = set()
    with opened_text(path, encoding) as file:
        for line, text, value in _values(path, file):
            row = _whole(value, text)
            if not isinstance(row, dict):
                raise DataFileError(path, "expected a list of JSON objects, as [{…}, {…}]", line=line)
            names.update(row)
            check_width(path, len(names), line)
            yield len(text), line, row


def _values(path: Path, file: TextIO) -> Iterator[tuple[int, str, object]]:
    # yields (line, text, value) in bounded memory
    text = file.read(_CHUNK)
    start = len(text) - len(text.lstrip())
    line = 1 + text.count("\n", 0, start)
    is_list = text.startswith("[", start)
    at = start + is_list
    while True:
        first = _VALUE.search(text, at)
        begin = first.start() if first else len(text)
        line += text.count("\n", at, begin)
        if is_list and text.startswith("]", begin):
            return
        try:
            value, at = _decode(text, begin)
        except RecursionError as error:
            raise DataFileError(path, "it is nested too deeply", line=line) from error
        except ValueError as error:
            _check_size(path, len(text) - begin, line)
            if _may_go_on(error, text) and (more := file.read(max(_CHUNK, len(text) - begin))):
                text, at = text[begin:] + more, 0
                continue
            if begin == len(text) and not is_list:
                return
            line += getattr(error, "lineno", 1) - 1 - text.count("\n", 0, begin)
            raise DataFileError(path, f"this is not JSON ({getattr(error, 'msg', error)})", line=line) from error
        _check_size(path, at - begin, line)
        yield line, text[begin:at], value
        line += text.count("\n", begin, at)


def _check_size(path: Path, size: int, line: int) -> None:
    if size > LARGEST_ROW:
        raise too_large_row(path, line)


def _may_go_on(error: ValueError, text: str) -> bool:
    # whether the text may be wrong only because the chunk ends too soon
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.msg.startswith("Unterminated string") or error.pos >= len(text) - _LONGEST_WORD


def _whole(value: object, text: str) -> object:
    # half a character, as a cut emoji leaves it, is replaced: UTF-8 cannot encode it
    if "\\ud" in text.lower():
        return json.loads(_HALF_CHARACTER.sub("\ufffd", json.dumps(value, ensure_ascii=False)))
    return value
