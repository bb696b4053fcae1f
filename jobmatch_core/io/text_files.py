"""Text, JSON and TOML files, read whole; devices, too large files and too deep nesting are refused. Hashes of files."""

import errno
import hashlib
import json
import math
import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

LARGEST = 64 * 1024 * 1024  # bytes; a million lines of text
_LONG_KEY = re.compile(r"(?:[\w\"'-]{1,200}[ \t]*\.[ \t]*){64}")  # `a.a.a`: tomllib's memory grows with its square
_TOO_DEEP = "it is nested too deeply"


def check_regular(path: Path) -> None:
    """Raise OSError for a missing path, a folder, a pipe or a device; the latter two may block or never end."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is a folder, a pipe or a device", str(path))


def is_regular(path: Path) -> bool:
    """Return whether there is such a file; false for a name that no file can have."""
    try:
        check_regular(path)
    except (OSError, ValueError):  # a ValueError where a NUL is in the name
        return False
    return True


def hash_files(paths: Iterable[Path]) -> str:
    """Return the SHA-256 of the names and contents of files, in hexadecimal digits."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode())
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def read_text(path: Path, encoding: str = "utf-8") -> str:
    r"""Return the content of a text file in UTF-8, with line ends of `\n`.

    Args:
        encoding: `utf-8-sig` if the file may begin with a byte order mark.

    Raises:
        OSError: the file cannot be read, is not a regular file, or is larger than `LARGEST`.
        UnicodeDecodeError: it is not UTF-8, or contains NULs.
    """
    check_regular(path)
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > LARGEST:
            raise OSError(errno.EFBIG, f"it is larger than {LARGEST >> 20} MB", str(path))
        content = file.read()
    if (at := content.find(b"\0")) >= 0:
        raise UnicodeDecodeError(encoding, content, at, at + 1, "no text has NUL; UTF-16 and binary files do")
    return with_line_feeds(content.decode(encoding))


def with_line_feeds(text: str) -> str:
    """Return a text whose line breaks are line feeds."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json(path: Path) -> Any:  # noqa: ANN401  # whatever the file holds
    """Return the content of a JSON file, with None for the words NaN and Infinity, which older releases wrote.

    Raises:
        OSError, UnicodeDecodeError: see `read_text`.
        json.JSONDecodeError: it is not JSON, or nested too deeply.
    """
    content = read_text(path)
    try:
        return json.loads(content, parse_constant=lambda _: None)
    except json.JSONDecodeError:
        raise
    except RecursionError as error:
        raise json.JSONDecodeError(_TOO_DEEP, content, 0) from error
    except ValueError as error:  # a number of thousands of digits
        raise json.JSONDecodeError(str(error), content, 0) from error


def json_text(
    value: object, *, indent: int | None = None, ensure_ascii: bool = True, default: Callable[[Any], Any] | None = None
) -> str:
    """Return a value as JSON; NaN and infinity become null.

    Args:
        value: lists, dicts, texts and numbers.
        indent: spaces of indentation; None for a single line.
        ensure_ascii: true to escape characters beyond ASCII.
        default: converts other values, such as dates; without it they raise TypeError.
    """
    encode = partial(json.dumps, indent=indent, ensure_ascii=ensure_ascii, default=default, allow_nan=False)
    try:
        return encode(value)
    except ValueError:
        return encode(_finite(value))


def _finite(value: Any) -> Any:  # noqa: ANN401  # whatever JSON holds
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _toml_number(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        raise tomllib.TOMLDecodeError(f"{word} is not a finite number")
    return number


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file.

    Raises:
        OSError, UnicodeDecodeError: see `read_text`.
        tomllib.TOMLDecodeError: it is not TOML, nested too deeply, or has NaN or an infinite number.
    """
    content = read_text(path)
    if _LONG_KEY.search(content):
        raise tomllib.TOMLDecodeError(_TOO_DEEP)
    try:
        return tomllib.loads(content, parse_float=_toml_number)
    except RecursionError as error:
        raise tomllib.TOMLDecodeError(_TOO_DEEP) from error
    except ValueError as error:  # also a number of thousands of digits
        raise tomllib.TOMLDecodeError(str(error)) from error
