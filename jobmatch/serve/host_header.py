"""The header `Host`."""

from urllib.parse import urlsplit


def host_name(header: str) -> str:
    """Return the name or address in a header `Host`, without the port; '' if the header has none."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:  # brackets that do not match
        return ""
