"""`jobmatch app`: the app in the browser."""

import runpy
import sys
from typing import Annotated

import typer

from jobmatch.cli.listening import check_free
from jobmatch.services.shipped_files import app_folder


def open_app(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port that the app listens on.")] = 8501,
    host: Annotated[str, typer.Option(help="The address that the app listens on.")] = "127.0.0.1",
    headless: Annotated[bool, typer.Option("--headless", help="Do not open a browser.")] = False,
) -> None:
    """Open the app in the browser; Ctrl+C stops it.

    Example: jobmatch app --port 8502
    """
    check_free(host, port)
    # Streamlit reads the other settings from `.streamlit/config.toml` beside the app
    options = [f"--server.port={port}", f"--server.address={host}", f"--server.headless={str(headless).lower()}"]
    _leave_the_navigation_to_the_app()
    sys.argv = ["streamlit", "run", str(app_folder() / "app.py"), *options]
    runpy.run_module("streamlit", run_name="__main__")


def _leave_the_navigation_to_the_app() -> None:
    """Keep Streamlit from taking the folder `pages/` for its older kind of pages, among which it finds no address.

    It would do so until `st.navigation` has run once in a server; there is no option against that (streamlit 1.67).
    """
    from streamlit.runtime.pages_manager import PagesManager  # takes a second

    PagesManager.uses_pages_directory = False
