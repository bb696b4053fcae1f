"""Start of the server: its address, and settings of Streamlit."""

import logging
import os
import resource
import socket
import sys
from dataclasses import replace

from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.server.starlette import starlette_server

from jobmatch.access.access_config import is_loopback
from jobmatch.serve.http_protocol import uvicorn_options
from jobmatch.serve.json_log import log_json
from jobmatch.serve.limits import ANY_HOST
from jobmatch.serve.request_log import log_event
from jobmatch.serve.serve_config import ServeConfig
from jobmatch.serve.server import build_app
from jobmatch.services.shipped_files import app_folder
from jobmatch_core.errors import SettingsError

_COOKIE_VARIABLE = "STREAMLIT_SERVER_COOKIE_SECRET"
_log = logging.getLogger(__name__)


def check_address(host: str, *, guarded: bool, insecure: bool) -> None:
    """Refuse an address that other machines can reach without keys or sign-in, unless *insecure* is true.

    Raises SettingsError if the server would be open to everybody.
    """
    if not (guarded or insecure or is_loopback(host)):
        raise SettingsError(
            f"Other machines can reach {host}, and the server requires neither keys nor sign-in: everybody could read "
            "and write everything. Configure keys or sign-in (docs/serve.md), listen on 127.0.0.1, or add --insecure "
            "if the network itself keeps others out."
        )


def serve(config: ServeConfig, host: str, port: int) -> None:
    """Run the server until it is stopped; any host name is allowed by default unless *host* is this machine's own."""
    if not is_loopback(host) and config.hosts == ServeConfig().hosts:
        config = replace(config, hosts=(ANY_HOST,))
    # until `st.navigation` has run once, Streamlit would show the files of the folder `pages/`
    PagesManager.uses_pages_directory = False
    _set_no_delay()
    _limit_connections()
    # Streamlit looks for its configuration beside this file
    sys.argv = [str(app_folder() / "app.py")]
    log_json()
    names = [] if ANY_HOST in config.hosts else list(config.hosts)
    options = {
        "server.address": host,
        "server.port": port,
        "server.headless": True,
        "server.allowedHosts": names,
        # despite this machine's configuration of Streamlit: the agent API would bypass the WebSocket, whose session is
        # checked, and a base path would move the paths that are checked
        "server.enableAgentApi": False,
        "server.baseUrlPath": "",
        "logger.enableRich": False,  # it would colour errors of pages
        "logger.hideWelcomeMessage": True,  # for it, Streamlit asks a foreign server for this machine's address
    }
    if config.access.sign_in is not None:
        # Streamlit signs the session of a sign-in in progress before it reads the secrets, with a key from the
        # environment; otherwise with a random one, which other servers do not have
        os.environ[_COOKIE_VARIABLE] = config.access.sign_in.cookie_secret
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    if sys.stderr.isatty():
        words = f"Open {address} in a browser" if is_loopback(host) else f"Listening on {address}"
        sys.stderr.write(f"{words}; Ctrl+C stops the server.\n")
    log_event(_log, "serving", address=address)
    build_app(config=config).run(config=options)


def _limit_connections() -> None:
    """Give Streamlit's server our protocol, limits and log, and as many open files as this process may have."""
    options = starlette_server._get_uvicorn_config_kwargs
    starlette_server._get_uvicorn_config_kwargs = lambda: {**options(), **uvicorn_options(), "log_config": None}
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _set_no_delay() -> None:
    """Set TCP_NODELAY on Streamlit's server; Nagle's algorithm delays each answer by 40 ms."""
    # asyncio sets it only for sockets that are made with the number of the protocol (streamlit 1.67 makes them
    # without); accepted connections inherit it from the listening socket
    bind = starlette_server._bind_socket

    def bound(address: str, port: int, backlog: int) -> socket.socket:
        listening = bind(address, port, backlog)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening

    starlette_server._bind_socket = bound
