"""The signed cookie in which Streamlit stores the provider's claims about a person."""

import json
from typing import Any

from starlette.requests import cookie_parser
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import TOKENS_COOKIE_NAME, USER_COOKIE_NAME


def claims_in(cookie_header: str) -> dict[str, Any] | None:
    """Return the claims in a header `Cookie`, None without claims that this server has signed."""
    cookies = cookie_parser(cookie_header)

    def single(name: str) -> bytes | None:
        value = cookies.get(name)
        return None if value is None else decode_signed_value(get_cookie_secret(), name, value.encode("latin-1"))

    try:
        kept = get_cookie_with_chunks(single, USER_COOKIE_NAME)
        claims = json.loads(kept) if kept else None
    except ValueError:
        return None
    return claims if isinstance(claims, dict) else None


def without_session(cookie_header: str) -> str:
    """Return a header `Cookie` without the session's cookies."""
    kept = (each for each in cookie_header.split(";") if not each.strip().startswith(_NAMES))
    return ";".join(kept).strip()


_NAMES = (USER_COOKIE_NAME, TOKENS_COOKIE_NAME)
