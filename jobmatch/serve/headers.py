"""HTTP headers: the host and the origin of a request, the name of a download."""

from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers

from jobmatch_core.io.download_names import ascii_name, download_name

_OTHER_ORIGINS = ("cross-site", "same-site")  # an origin includes the port: 'same-site' may be another program's
_PAGE = "document"  # opened by a link, whose own page cannot read it


def host_name(host: str) -> str:
    """Return the name or address in a header `Host`, without the port; '' if it has none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:  # brackets that do not match
        return ""


def is_foreign(headers: Headers) -> bool:
    """Return whether a page of another origin sends a request or shows its answer.

    Programs send neither `Origin` nor `Sec-Fetch-Site`. Scripts and frames of pages have no `Origin`.
    """
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2].lower() != headers.get("host", "").lower():
        return True  # also for `null`
    return headers.get("sec-fetch-site") in _OTHER_ORIGINS and headers.get("sec-fetch-dest") != _PAGE


def content_disposition(stem: str, ending: str) -> str:
    """Return the header `Content-Disposition` (RFC 6266) of a download.

    `filename*` holds the name; `filename` holds it in ASCII for clients such as `curl -OJ`, which read only that.
    """
    name = download_name(stem, ending)
    return f"attachment; filename=\"{ascii_name(name)}\"; filename*=UTF-8''{quote(name, safe='')}"
