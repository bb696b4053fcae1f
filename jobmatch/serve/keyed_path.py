"""The paths in which a key may stand, for clients that send no header."""

_BEGINNING = "/reconcile/key/"
KEYED_PATH = f"{_BEGINNING}{{key}}"


def key_in(path: str) -> str | None:
    """Return the key in a path; None if the path has no place for one."""
    if not path.startswith(_BEGINNING):
        return None
    return path.removeprefix(_BEGINNING).partition("/")[0]
