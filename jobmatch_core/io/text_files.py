"""Text, JSON and TOML files, read whole: none that has no end, fills the memory, or is nested too deeply to be read."""

import errno
import json
import math
import os
import re
import stat
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

LARGEST = 64 * 1024 * 1024  # bytes; a million lines of text
_LONG_KEY = re.compile(r"(?:[\w\"'-]{1,200}[ \t]*\.[ \t]*){64}")  # `a.a.a`: tomllib's memory grows with its square
_TOO_DEEP = "it is nested too deeply"


def check_regular(path: Path) -> None:
    """Refuse folders, pipes and devices, which have no end or keep their reader waiting.

    Raises:
        OSError: there is no such file, or it is something else than a file.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is a folder, a pipe or a device", str(path))


def is_regular(path: Path) -> bool:
    """Return whether there is such a file; no name is too long or too strange to be asked for."""
    try:
        check_regular(path)
    except (OSError, ValueError):  # a ValueError where a NUL is in the name
        return False
    return True


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """Return what a text file in UTF-8 holds.

    Args:
        path: the file.
        encoding: `utf-8-sig` where a byte order mark may come first.

    Raises:
        OSError: it cannot be read, is no file, or is larger than `LARGEST`.
        UnicodeDecodeError: it is not UTF-8, or there are NULs in it.
    """
    check_regular(path)
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > LARGEST:
            raise OSError(errno.EFBIG, f"it is larger than {LARGEST >> 20} MB", str(path))
        content = file.read()
    if (at := content.find(b"\0")) >= 0:
        raise UnicodeDecodeError(encoding, content, at, at + 1, "no text has NUL; UTF-16 and binary files do")
    return content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


def read_json(path: Path) -> Any:  # noqa: ANN401  # whatever the file holds
    """Return what a JSON file holds; null for NaN and infinity, which JSON does not know.

    Raises:
        OSError: the file cannot be read, or is too large; see `read_text`.
        UnicodeDecodeError: it is not UTF-8.
        json.JSONDecodeError: it is not JSON, or nested too deeply.
    """
    content = read_text(path)
    try:
        return json.loads(content, parse_constant=_not_a_number)
    except json.JSONDecodeError:
        raise
    except RecursionError as error:
        raise json.JSONDecodeError(_TOO_DEEP, content, 0) from error
    except ValueError as error:  # of thousands of digits
        raise json.JSONDecodeError(str(error), content, 0) from error


def json_text(
    value: object, *, indent: int | None = None, ensure_ascii: bool = True, default: Callable[[Any], Any] | None = None
) -> str:
    """Return a value as JSON, which knows neither NaN nor infinity: they become null.

    Args:
        value: lists, dicts, texts and numbers.
        indent: spaces of an indented line; None for one line.
        ensure_ascii: escape all letters but those of ASCII.
        default: makes JSON of other values, such as dates; without it they raise TypeError.
    """
    encode = partial(json.dumps, indent=indent, ensure_ascii=ensure_ascii, default=default, allow_nan=False)
    try:
        return encode(value)
    except ValueError:
        return encode(_finite(value))


def _finite(value: Any) -> Any:  # noqa: ANN401  # whatever JSON holds
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _not_a_number(word: str) -> None:
    """Read the words NaN and Infinity, which older releases wrote, as null."""


def _toml_number(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        raise tomllib.TOMLDecodeError(f"{word} is not a finite number")
    return number


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds.

    Raises:
        OSError: the file cannot be read, or is too large; see `read_text`.
        UnicodeDecodeError: it is not UTF-8.
        tomllib.TOMLDecodeError: it is not TOML, nested too deeply, or has a number that is NaN or infinite.
    """
    content = read_text(path)
    if _LONG_KEY.search(content):
        raise tomllib.TOMLDecodeError(_TOO_DEEP)
    try:
        return tomllib.loads(content, parse_float=_toml_number)
    except RecursionError as error:
        raise tomllib.TOMLDecodeError(_TOO_DEEP) from error
    except ValueError as error:  # of thousands of digits, too
        raise tomllib.TOMLDecodeError(str(error)) from error
