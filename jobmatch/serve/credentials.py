"""Keys and tokens in requests: in the header `Authorization`, or in the path for clients that cannot send a header."""

import base64
import binascii

_KEYED = "/reconcile/key/"
KEYED_PATH = f"{_KEYED}{{key}}"


def credential_in(authorization: str) -> str:
    """Return the key or token in a header `Authorization`; '' if there is none.

    With the scheme `Basic`, which some clients support alone, the password is the key.
    """
    scheme, _, rest = authorization.strip().partition(" ")
    if scheme.lower() == "bearer":
        return rest.strip()
    if scheme.lower() == "basic":
        try:
            return base64.b64decode(rest.strip(), validate=True).decode().partition(":")[2]
        except (binascii.Error, ValueError):
            return ""
    return ""


def key_in(path: str) -> str | None:
    """Return the key in a path; None if the path has no place for one."""
    return path.removeprefix(_KEYED).partition("/")[0] if path.startswith(_KEYED) else None
