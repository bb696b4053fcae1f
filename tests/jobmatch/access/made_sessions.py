"""Sessions of people who signed in, as the browser sends them, and the access that recognises them."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from db.label_store import LabelStore
from jobmatch.access.access import Access
from jobmatch.access.access_config import AccessConfig
from jobmatch.access.bearer_tokens import TokenVerifier
from tests.jobmatch.access.made_tokens import SIGN_IN, Provider, claims

SECRET = "s" * 32


def made(store: LabelStore, config: AccessConfig, clock: Callable[[], datetime] | None = None) -> Access:
    """Return the access of a configuration."""
    verifier = TokenVerifier(SIGN_IN, Provider().transport()) if config.sign_in else None
    return Access(config, lambda: store.access, verifier=verifier, clock=clock or (lambda: datetime.now(UTC)))


def cookie(secret: str = SECRET, **changed: Any) -> str:
    """Return the header `Cookie` of a person who has signed in."""
    value = create_signed_value(secret, "_streamlit_user", json.dumps(claims(**changed))).decode()
    return f'theme=dark; _streamlit_user="{value}"; _streamlit_user_tokens=abc; other=1'
