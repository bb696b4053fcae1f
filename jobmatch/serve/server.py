"""The server of `jobmatch serve`: Streamlit's app for people, with the faces of the API beside it."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.middleware import Middleware
from starlette.routing import BaseRoute
from streamlit import config as streamlit_config
from streamlit.starlette import App

from jobmatch.serve.access.access import Access
from jobmatch.serve.access.access_config import AccessConfig
from jobmatch.serve.access.in_force import put_in_force
from jobmatch.serve.access.middleware import AccessMiddleware
from jobmatch.serve.v1 import routes as v1
from jobmatch.services.linking import LinkingService, linking_service
from jobmatch.services.shipped_files import app_folder

_log = logging.getLogger(__name__)


def build_app(service: LinkingService | None = None, access: AccessConfig | None = None) -> App:
    """Return the server's ASGI application: the pages, and beside them what programs call.

    Args:
        service: what links; the one that the pages of this process use by default.
        access: who may do what, as `access_config.checked` returns it; everybody everything by default.
    """
    service = service or linking_service()
    granted = Access(access or AccessConfig(), lambda: service.labels().access)
    put_in_force(granted)
    routes = api_routes(service)
    return App(
        app_folder() / "app.py",
        secrets=_secrets(granted.config),
        routes=routes,
        middleware=_middleware(granted, routes),
        lifespan=_lifespan,
    )


def _secrets(access: AccessConfig) -> dict[str, Any] | None:
    """Return what `st.login` reads; None without sign-in."""
    if access.sign_in is None:
        return None
    secrets = access.sign_in.streamlit_secrets()
    # the session in which a sign-in is under way is signed before Streamlit reads the secrets
    streamlit_config.set_option("server.cookieSecret", secrets["cookie_secret"])
    return {"auth": secrets}


def api_routes(service: LinkingService) -> list[BaseRoute]:
    """Return the faces of the API; each room under `jobmatch.serve` adds its own here, and to `access.permissions`."""
    return [*v1.routes(service)]


def _middleware(access: Access, routes: list[BaseRoute]) -> list[Middleware]:
    """Return what every request goes through, outermost first, pages included."""
    return [Middleware(AccessMiddleware, access=access, routes=routes)]


@asynccontextmanager
async def _lifespan(_app: App) -> AsyncIterator[dict[str, Any]]:
    """Run what lives as long as the server."""
    yield {}
