"""Ids that nobody can guess, for what is opened by its address alone."""

import re
import secrets

_BYTES = 16
_PATTERN = re.compile(r"[A-Za-z0-9_-]{22}")  # 16 bytes in URL-safe base64


def new_id() -> str:
    """Return a new id of 22 URL-safe characters."""
    return secrets.token_urlsafe(_BYTES)


def is_id(text: str) -> bool:
    """Return whether a text has the form of an id, so that it can be part of a path."""
    return _PATTERN.fullmatch(text) is not None
