"""The header that names a file which a client downloads."""

from urllib.parse import quote

from jobmatch_core.io.download_names import ascii_name, download_name


def content_disposition(stem: str, ending: str) -> str:
    """Return the header `Content-Disposition` of a file called by its stem and ending, as RFC 6266 describes it.

    `filename*` holds the name; `filename` has it in ASCII for clients such as `curl -OJ`, which read nothing else.
    """
    name = download_name(stem, ending)
    return f"attachment; filename=\"{ascii_name(name)}\"; filename*=UTF-8''{quote(name, safe='')}"
