"""Recognition of the ESCO release of an occupations file by its content.

Only releases whose files were counted are listed. The releases 1.0.0 to 1.0.9 hold the same occupations and have no
dates in their older files, so they cannot be distinguished.
"""

from collections.abc import Sequence
from pathlib import Path

from jobmatch_core.errors import DataFileError
from jobmatch_core.taxonomy.repeated_rows import modified
from jobmatch_core.taxonomy.rows import Row

_RELEASES = {  # number of occupations, day of the newest `modifiedDate`
    (3007, "2022-07-27"): "1.1.1",
    (3039, "2024-04-30"): "1.2.0",
    (3039, "2025-12-15"): "1.2.1",
}


def esco_release(path: Path, occupations: Sequence[Row]) -> str:
    """Return the ESCO version of a set of occupations.

    Args:
        path: the file, for error messages.
        occupations: rows of the file, one for each occupation.

    Raises:
        DataFileError: no known release has this number of occupations and this latest date of change.
    """
    newest = max((date for row in occupations if (date := modified(row))), default=None)
    day = f"{newest:%Y-%m-%d}" if newest else ""
    if version := _RELEASES.get((len(occupations), day)):
        return version
    changed = f"changed last on {day}" if day else "without dates of change"
    raise DataFileError(
        path,
        f"the version of ESCO cannot be recognised from the {len(occupations):,} occupations in this file ({changed}); "
        "give the version that you downloaded, such as --version 1.2.1, or 'Version' on the page",
    )
