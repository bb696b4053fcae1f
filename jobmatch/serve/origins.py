"""Origins of requests: whether a browser sends one for a page of another site."""

from starlette.datastructures import Headers

_OTHER_ORIGINS = ("cross-site", "same-site")  # an origin is also a port: 'same-site' may be another program's
_PAGE = "document"  # opened by a link, whose own page cannot read it


def is_foreign(headers: Headers) -> bool:
    """Return whether a page of another origin sends a request, or shows its answer.

    Programs send neither `Origin` nor `Sec-Fetch-Site`. Scripts and frames of pages have no `Origin`.
    """
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2].lower() != headers.get("host", "").lower():
        return True  # `null`, too
    return headers.get("sec-fetch-site") in _OTHER_ORIGINS and headers.get("sec-fetch-dest") != _PAGE
