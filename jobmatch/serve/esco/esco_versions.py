"""The versions of ESCO that are imported."""

from collections.abc import Sequence

from jobmatch.serve.operations import not_found

_PREFIX = "esco-"
_IMPORT = (
    "Download ESCO's CSV files from https://esco.ec.europa.eu/en/use-esco/download, and import the folder on the "
    "server with `jobmatch taxonomy import FOLDER`, or on the page 'Taxonomies'"
)


def esco_id(installed: Sequence[str], version: str) -> str:
    """Return the id of the taxonomy that answers.

    Args:
        installed: ids of the installed taxonomies.
        version: such as `1.2.1`, or `1.2` for its newest release; '' for the newest of all.

    Raises:
        HTTPException: that version, or any, is not imported.
    """
    versions = sorted((each.removeprefix(_PREFIX) for each in installed if each.startswith(_PREFIX)), key=_order)
    if not versions:
        raise not_found(f"No ESCO is imported. {_IMPORT}.")
    fitting = [each for each in versions if version in ("", each) or each.startswith(f"{version}.")]
    if not fitting:
        known = ", ".join(f"v{each}" for each in versions)
        raise not_found(f"ESCO v{version} is not imported; imported are {known}. {_IMPORT}.")
    return _PREFIX + fitting[-1]


def _order(version: str) -> tuple[tuple[bool, int, str], ...]:
    """Return the key by which 1.10.0 follows 1.9.0."""
    return tuple((part.isdigit(), int(part) if part.isdigit() else 0, part) for part in version.split("."))
