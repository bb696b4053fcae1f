"""The server of `jobmatch serve`: Streamlit's app for people, with the faces of the API beside it."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.middleware import Middleware
from starlette.routing import BaseRoute
from streamlit.starlette import App

from jobmatch.serve.v1 import routes as v1
from jobmatch.services.linking import LinkingService, linking_service
from jobmatch.services.shipped_files import app_folder

_log = logging.getLogger(__name__)


def build_app(service: LinkingService | None = None) -> App:
    """Return the server's ASGI application: the pages, and beside them what programs call.

    Args:
        service: what links; the one that the pages of this process use by default.
    """
    service = service or linking_service()
    return App(
        app_folder() / "app.py",
        routes=_routes(service),
        middleware=_middleware(),
        lifespan=_lifespan,
    )


def _routes(service: LinkingService) -> list[BaseRoute]:
    """Return the faces of the API; each room under `jobmatch.serve` adds its own here."""
    return [*v1.routes(service)]


def _middleware() -> list[Middleware]:
    """Return what every request goes through, outermost first, pages included.

    `jobmatch.serve.access` adds `AccessMiddleware` here, which sets `request.state.principal`.
    """
    return []


@asynccontextmanager
async def _lifespan(_app: App) -> AsyncIterator[dict[str, Any]]:
    """Run what lives as long as the server."""
    yield {}
