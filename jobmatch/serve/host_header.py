"""The header `Host`."""

from urllib.parse import urlsplit


def host_of(header: str) -> str:
    """Return the name or address in a header `Host`, without the port; '' if there is none."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:  # brackets that do not match
        return ""
