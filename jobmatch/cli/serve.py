"""`jobmatch app`: the app in the browser. `jobmatch serve`: the app and the API."""

import errno
import os
import runpy
import socket
import sys
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.services.shipped_files import app_folder
from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings


def check_free(host: str, port: int) -> None:
    """Check that the server can listen on an address.

    Raises:
        BadParameter: the host is empty.
        SettingsError: the address is invalid, or another program uses it.
    """
    if not host:
        raise typer.BadParameter("--host is empty and would mean all addresses of this machine; give one.")
    try:
        with socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
            pass
    except (OSError, UnicodeError) as error:
        used = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        why = "another program uses it, perhaps an app that is still open" if used else error
        raise SettingsError(
            f"The app cannot listen on port {port} of {host} ({why}); give another --port or --host."
        ) from error


def open_app(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8501,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    headless: Annotated[bool, typer.Option("--headless", help="Do not open a browser.")] = False,
) -> None:
    """Open the app in the browser; Ctrl+C stops it.

    Example: jobmatch app --port 8502
    """
    check_free(host, port)
    from jobmatch.services.retention import Retention  # the databases' libraries take a second

    Retention(Settings.from_environment()).start()
    # Streamlit reads the other settings from `.streamlit/config.toml` beside the app
    options = [f"--server.port={port}", f"--server.address={host}", f"--server.headless={str(headless).lower()}"]
    from streamlit.runtime.pages_manager import PagesManager  # takes a second

    # until `st.navigation` has run once, Streamlit would show the files of the folder `pages/`
    PagesManager.uses_pages_directory = False
    sys.argv = ["streamlit", "run", str(app_folder() / "app.py"), *options]
    runpy.run_module("streamlit", run_name="__main__")


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8501,
    config: Annotated[Path | None, typer.Option(help="Configuration of the server; see docs/serve.md.")] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Allow everybody who reaches this address everything.")
    ] = False,
) -> None:
    """Serve the app and the API until Ctrl+C.

    Example: jobmatch serve --port 8502

    Example: jobmatch serve --host 0.0.0.0 --config serve.toml
    """
    # the server computes many small matrix products at once; several threads per product would mostly wait
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    from jobmatch.serve import serve_config, start  # Streamlit and the databases' libraries take seconds

    settings = serve_config.read_config(config) if config else serve_config.ServeConfig()
    start.check_address(host, guarded=settings.access.required, insecure=insecure)
    check_free(host, port)
    start.serve(settings, host, port)
