"""`jobmatch serve`: which addresses are refused, and what Streamlit is told."""

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit import config as streamlit_config
from streamlit.web.server.starlette import starlette_server

from jobmatch.access.access_config import AccessConfig, SignIn, is_loopback
from jobmatch.serve import start
from jobmatch.serve.serve_config import ServeConfig


class Started:
    """Stands in for the server; records its start."""

    config: ServeConfig
    options: dict[str, Any]

    def build(self, config: ServeConfig) -> "Started":
        """Record the configuration."""
        self.config = config
        return self

    def run(self, config: dict[str, Any]) -> None:
        """Record Streamlit's options."""
        self.options = config


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    """Replace the server."""
    noting = Started()
    monkeypatch.setattr(start, "build_app", noting.build)
    monkeypatch.setattr(start, "log_json", lambda: None)
    monkeypatch.setattr("jobmatch.cli.serve.check_free", lambda host, port: None)
    monkeypatch.setattr(start.PagesManager, "uses_pages_directory", None)
    monkeypatch.setattr(starlette_server, "_bind_socket", starlette_server._bind_socket)
    monkeypatch.setattr(sys, "argv", ["jobmatch"])
    return noting


def test_this_machine_only(cli: Callable[..., Any], started: Started) -> None:
    """By default only this machine can reach it; Streamlit finds its configuration beside the app."""
    cli("serve", "--port", "8599")
    assert started.config == ServeConfig()
    assert set(started.options) <= set(streamlit_config._config_options_template)
    assert (started.options["server.address"], started.options["server.port"]) == ("127.0.0.1", 8599)
    assert started.options["server.allowedHosts"] == ["localhost", "127.0.0.1", "::1"]
    assert Path(sys.argv[0]).name == "app.py"
    assert start.PagesManager.uses_pages_directory is False


@pytest.mark.usefixtures("started")
@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_terminal_is_told_what_to_open(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, is_terminal: bool
) -> None:
    """In one plain line; a log for programs has lines of JSON alone."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    start.serve(ServeConfig(), "127.0.0.1", 8599)
    assert ("Open http://127.0.0.1:8599 in a browser" in capsys.readouterr().err) == is_terminal


def test_answers_are_sent_at_once(cli: Callable[..., Any], started: Started) -> None:
    """TCP_NODELAY is set on the listening socket and inherited by accepted ones."""
    cli("serve")
    with (
        starlette_server._bind_socket("127.0.0.1", 0, 5) as listening,
        socket.create_connection(listening.getsockname()),
    ):
        listening.setblocking(True)
        accepted, _ = listening.accept()
        with accepted:
            for each in (listening, accepted):
                assert each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_servers_sign_alike_what_is_under_way(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit gets the configured secret from the environment, so that a sign-in may end at another server."""
    variable = streamlit_config._config_options_template["server.cookieSecret"].env_var
    monkeypatch.setenv(variable, "")
    sign_in = SignIn("https://id.example.org", "jobmatch", "https://jobs.example.org", cookie_secret="s" * 32)
    start.serve(ServeConfig(access=AccessConfig(sign_in=sign_in)), "127.0.0.1", 8599)
    assert os.environ[variable] == "s" * 32


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "jobs.example.org"])
def test_an_open_address_is_refused(run_main: Callable[..., Any], started: Started, host: str) -> None:
    """Without keys and sign-in."""
    ended = run_main("serve", "--host", host)
    assert ended.code == 2
    assert "--insecure" in ended.err
    assert not hasattr(started, "options")


@pytest.mark.parametrize(
    ("options", "content", "hosts"),
    [
        (["--insecure"], "", ("*",)),
        ([], "[access]\nkeys = true\n", ("*",)),
        ([], 'hosts = ["jobs.example"]\n[access]\nkeys = true\n', ("jobs.example",)),
    ],
)
def test_an_address_that_is_guarded(
    cli: Callable[..., Any], started: Started, tmp_path: Path, options: list[str], content: str, hosts: tuple[str, ...]
) -> None:
    """An address is accepted with keys, sign-in or --insecure; by default any host name is allowed."""
    config = tmp_path / "serve.toml"
    config.write_text(content, "utf-8")
    cli("serve", "--host", "0.0.0.0", "--config", config, *options)
    assert started.config.hosts == hosts
    assert started.options["server.allowedHosts"] == [host for host in hosts if host != "*"]
    assert started.options["server.enableAgentApi"] is False  # which would let anybody drive the pages


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.0.1", "::1", "localhost"])
def test_addresses_of_this_machine(host: str) -> None:
    """All of them are allowed."""
    assert is_loopback(host)
    start.check_address(host, guarded=False, insecure=False)


def test_a_configuration_that_cannot_be_used(run_main: Callable[..., Any], started: Started, tmp_path: Path) -> None:
    """The server does not start."""
    ended = run_main("serve", "--config", tmp_path / "none.toml")
    assert ended.code == 2
    assert "is not a valid server configuration" in ended.err


def test_a_port_in_use(run_main: Callable[..., Any]) -> None:
    """The error says so, without the numbers of the system."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = run_main("app", "--port", taken.getsockname()[1])
    assert ended.code == 2
    assert "(another program uses it, perhaps an app that is still open)" in ended.err
