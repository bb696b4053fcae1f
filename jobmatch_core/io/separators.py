"""Separator of the cells of CSV: detected in the first lines, or given by the user."""

import re
from collections import Counter
from collections.abc import Sequence

from jobmatch_core.errors import SettingsError

_USUAL = ",;\t|"
_RARE = "^~¦§\x1f\x01"  # detected only if all lines have equally many
_NONE = "\0"  # text with NUL is refused, so that no CSV has it
_NAMES = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "bar": "|", "space": " "}
_QUOTED_CELL = re.compile(rf'(^|[{re.escape(_USUAL + _RARE)}])"[^"]*(?:""[^"]*)*"?')
_LEAST_LINES = 2  # needed to detect a rare separator


def checked_separator(text: str) -> str:
    r"""Return the separator for a user's text: a single character, or a name such as tab or \t; '' stays ''.

    Raises SettingsError if the text is neither, or cannot separate cells.
    """
    separator = _NAMES.get(text.strip().lower(), text)
    if separator and (len(separator) != 1 or separator.isalnum() or separator in '"\r\n\0'):
        raise SettingsError(f"{text!r} cannot separate cells; give one character, such as ; or | or tab.")
    return separator


def guess_separator(start: str, header_row: int) -> str:
    """Return the most frequent separator of the header, or without one, that of most lines, outside quotes.

    Args:
        start: the beginning of a CSV.
        header_row: the row with the column names, from 1; 0 without a header.

    Returns:
        The separator, or NUL if the table has a single column.
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
    """Return the likely separator of a table that was read as a single column; None for other tables."""
    return next((sign for sign in _USUAL if len(columns) == 1 and sign in columns[0]), None)
