"""The header `Authorization`."""

import base64
import binascii


def credential_in(authorization: str) -> str:
    """Return the key or token in a header, '' if there is none.

    A key may also be the password of the scheme `Basic`, for clients that know no other.
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
