"""Start of the server: the address, and what Streamlit must know before it runs."""

import logging
import os
import resource
import socket
import sys
from dataclasses import replace

from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.server.starlette import starlette_server

from jobmatch.access.access_config import is_loopback
from jobmatch.serve.http_protocol import options_of_uvicorn
from jobmatch.serve.json_log import log_json
from jobmatch.serve.limits import ANY_HOST
from jobmatch.serve.request_log import log_event
from jobmatch.serve.serve_config import ServeConfig
from jobmatch.serve.server import build_app
from jobmatch.services.shipped_files import app_folder
from jobmatch_core.errors import SettingsError

_SIGNED_BY = "STREAMLIT_SERVER_COOKIE_SECRET"
_log = logging.getLogger(__name__)


def check_address(host: str, *, guarded: bool, insecure: bool) -> None:
    """Refuse an address that others can reach while everybody may do everything.

    Args:
        host: address to listen on.
        guarded: true if keys or sign-in are needed.
        insecure: true if it was said that this does not matter.

    Raises:
        SettingsError: the server would be open to everybody.
    """
    if not (guarded or insecure or is_loopback(host)):
        raise SettingsError(
            f"{host} can be reached from other machines, and the server asks nobody for a key or a sign-in: everybody "
            "could read and write everything. Configure keys or sign-in (docs/serve.md), listen on 127.0.0.1, or say "
            "--insecure if the network itself keeps others out."
        )


def serve(config: ServeConfig, host: str, port: int) -> None:
    """Run the server until it is stopped.

    Args:
        config: the server's configuration.
        host: address to listen on; where others can reach it, the server has any name unless some are configured.
        port: port to listen on.
    """
    if not is_loopback(host) and config.hosts == ServeConfig().hosts:
        config = replace(config, hosts=(ANY_HOST,))
    # Streamlit would take the folder `pages/` for its older kind of pages until `st.navigation` has run once
    PagesManager.uses_pages_directory = False
    _answer_at_once()
    _limit_connections()
    # it looks for its configuration beside the program that was started
    sys.argv = [str(app_folder() / "app.py")]
    log_json()
    names = [] if ANY_HOST in config.hosts else list(config.hosts)
    options = {
        "server.address": host,
        "server.port": port,
        "server.headless": True,
        "server.allowedHosts": names,
        # whatever this machine's own configuration of Streamlit says: the first would let programs drive pages without
        # a WebSocket, whose session is what is checked; the second would move the paths that are
        "server.enableAgentApi": False,
        "server.baseUrlPath": "",
        "logger.enableRich": False,  # which would draw errors of pages in colours
        "logger.hideWelcomeMessage": True,  # for which Streamlit asks a foreign server for this machine's address
    }
    if config.access.sign_in is not None:
        # signs the session in which a sign-in is under way: Streamlit makes that before it reads the secrets, and takes
        # the key from the environment alone, else a random one, which the other servers do not know
        os.environ[_SIGNED_BY] = config.access.sign_in.cookie_secret
    log_event(_log, "serving", address=f"http://{f'[{host}]' if ':' in host else host}:{port}")
    build_app(config=config).run(config=options)


def _limit_connections() -> None:
    """Have Streamlit's server use our protocol, limits and log, and as many files as this process may open."""
    options = starlette_server._get_uvicorn_config_kwargs
    starlette_server._get_uvicorn_config_kwargs = lambda: {**options(), **options_of_uvicorn(), "log_config": None}
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _answer_at_once() -> None:
    """Have Streamlit's server send what it writes without waiting for more, which takes 40 ms an answer.

    asyncio sees to that only for sockets that are made with the number of the protocol (streamlit 1.67 makes them
    without); accepted connections inherit it from the socket that listens.
    """
    bind = starlette_server._bind_socket

    def bound(address: str, port: int, backlog: int) -> socket.socket:
        listening = bind(address, port, backlog)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening

    starlette_server._bind_socket = bound
