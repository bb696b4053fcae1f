"""Check of the address that a server is to listen on."""

import socket

import typer

from jobmatch_core.errors import SettingsError


def check_free(host: str, port: int) -> None:
    """Refuse an address that nobody can listen on.

    Raises:
        SettingsError: another program listens there, or the address is not this machine's.
    """
    if not host:
        raise typer.BadParameter("--host is empty, which would mean every address of this machine; give one.")
    try:
        with socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
            pass
    except (OSError, UnicodeError) as error:
        raise SettingsError(
            f"The app cannot listen on port {port} of {host} ({error}); give another --port or --host."
        ) from error
