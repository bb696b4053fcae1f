"""Paths that contain a key, for clients that cannot send a header."""

_BEGINNING = "/reconcile/key/"
KEYED_PATH = f"{_BEGINNING}{{key}}"


def key_in(path: str) -> str | None:
    """Return the key in a path; None if it is not a path with a key."""
    if not path.startswith(_BEGINNING):
        return None
    return path.removeprefix(_BEGINNING).partition("/")[0]
