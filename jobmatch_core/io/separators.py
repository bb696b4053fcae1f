"""The separator of a CSV's cells: detected in its first lines, or given by the user."""

import re
from collections import Counter
from collections.abc import Sequence

from jobmatch_core.errors import SettingsError

_USUAL = ",;\t|"
_RARE = "^~¦§\x1f\x01"  # that count only where all lines have as many
_NONE = "\0"  # no CSV has it: it would have been refused
_NAMES = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "bar": "|", "space": " "}
_QUOTED_CELL = re.compile(rf'(^|[{re.escape(_USUAL + _RARE)}])"[^"]*(?:""[^"]*)*"?')
_LEAST_LINES = 2  # by which a rare separator is told


def checked_separator(text: str) -> str:
    r"""Return the separator that a user names: a single character, or a name such as tab or \t; '' to detect it.

    Raises:
        SettingsError: it is neither, or cannot separate cells.
    """
    separator = _NAMES.get(text.strip().lower(), text)
    if separator and (len(separator) != 1 or separator.isalnum() or separator in '"\r\n\0'):
        raise SettingsError(f"{text!r} cannot separate cells; give one character, such as ; or | or tab.")
    return separator


def guess_separator(start: str, header_row: int) -> str:
    """Return what the header has most of outside quotes, or without a header what most lines have as often.

    Where there is none, the whole line is one cell.

    Args:
        start: the beginning of a CSV.
        header_row: the row of the columns' names, from 1; 0 where there is none.
    """
    lines = re.split(r"\r\n|\r|\n", _QUOTED_CELL.sub(r"\1", start))
    if header_row:
        header = lines[header_row - 1] if header_row <= len(lines) else ""
        most = max(_USUAL, key=header.count)
        return most if most in header else _rare_separator(lines[header_row - 1 :])
    filled = [line for line in lines if line.strip()]
    counts = {sign: Counter(line.count(sign) for line in filled if sign in line) for sign in _USUAL}
    alike = {sign: max(counts[sign].values(), default=0) for sign in _USUAL}
    regular = max(_USUAL, key=alike.__getitem__)
    in_all = counts[regular].total() == len(filled) > 0
    return regular if in_all or 2 * alike[regular] > len(filled) else _rare_separator(lines)


def _rare_separator(lines: Sequence[str]) -> str:
    filled = [line for line in lines[:-1] if line.strip()]  # the last one may be cut
    return next(
        (
            sign
            for sign in _RARE
            if len(filled) >= _LEAST_LINES and sign in filled[0] and len({line.count(sign) for line in filled}) == 1
        ),
        _NONE,
    )


def other_separator(columns: Sequence[str]) -> str | None:
    """Return the separator that a table seems to have, where it was read as one column by another one."""
    return next((sign for sign in _USUAL if len(columns) == 1 and sign in columns[0]), None)
