"""`jobmatch serve`: the app for people, and the API for programs."""

import os
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.listening import check_free


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8501,
    config: Annotated[Path | None, typer.Option(help="The server's configuration; see docs/serve.md.")] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Let everybody who reaches this address do everything.")
    ] = False,
) -> None:
    """Serve the app and the API until Ctrl+C.

    Example: jobmatch serve --port 8502

    Example: jobmatch serve --host 0.0.0.0 --config serve.toml
    """
    # many small products at once: threads inside each would wait for each other longer than they compute
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    from jobmatch.serve import serve_config, start  # Streamlit and the databases' libraries take seconds

    settings = serve_config.read_config(config) if config else serve_config.ServeConfig()
    start.check_address(host, guarded=settings.access.required, insecure=insecure)
    check_free(host, port)
    start.serve(settings, host, port)
