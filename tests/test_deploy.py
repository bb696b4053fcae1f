"""What `deploy` holds: it is parsed, and says nothing that the program does not understand."""

import re
import shlex
import tomllib
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from jobmatch.cli.main import app
from jobmatch.serve.serve_config import read_config

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
SETUP = (ROOT / "docs" / "setup.md").read_text("utf-8")


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile with their arguments."""
    lines = re.sub(r"\\\n\s*", "", (DEPLOY / "Dockerfile").read_text("utf-8")).splitlines()
    parted = [line.partition(" ") for line in lines if line and not line.startswith("#")]
    return [(name, arguments) for name, _, arguments in parted if name.isupper()]


@pytest.fixture(name="services")
def compose_services() -> dict[str, dict[str, Any]]:
    """The services of the compose file."""
    services: dict[str, dict[str, Any]] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    return services


def understood(command: list[str]) -> None:
    """Assert that `jobmatch serve` has every option of a command."""
    program, serve, *options = command
    assert (Path(program).name, serve) == ("jobmatch", "serve")
    shown = CliRunner().invoke(app, ["serve", "--help"], env={"COLUMNS": "200"}).output
    assert all(option in shown for option in options if option.startswith("--"))


def test_the_image() -> None:
    """It runs without root the server that the health check asks, and installs by the lock."""
    found = dict(instructions())  # the last of each name
    assert found["USER"].isdecimal()
    assert int(found["USER"]) > 0
    assert "/readyz" in found["HEALTHCHECK"]
    understood(yaml.safe_load(found["CMD"]))
    copied = [
        name for key, words in instructions() if key == "COPY" and "--from" not in words for name in words.split()[:-1]
    ]
    assert all((ROOT / name).exists() for name in copied)
    assert any("--require-hashes" in arguments for key, arguments in instructions() if key == "RUN")


def test_the_services(services: dict[str, dict[str, Any]]) -> None:
    """Every variable is one that docs/setup.md explains, each image has a version, no secret has a default."""
    ours = services["jobmatch"]
    assert all(f"`{name}`" in SETUP for name in ours["environment"])
    assert (DEPLOY / ours["build"]["context"] / ours["build"]["dockerfile"]).is_file()
    assert ours["read_only"]
    assert set(ours["depends_on"]) == services.keys() - {"jobmatch"}
    images = [service["image"] for service in services.values() if "image" in service]
    assert all(re.search(r":v?\d", image) for image in images)
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    assert not re.findall(r"\$\{[A-Z_]*(?:PASSWORD|KEY|SECRET):-[^}]+\}", text)
    named = set(re.findall(r"\$\{([A-Z_]+)", text))
    given = {line.partition("=")[0] for line in (DEPLOY / "environment.example").read_text("utf-8").splitlines()}
    assert named <= given


def test_the_unit() -> None:
    """It starts the same server, and not as root."""
    unit = ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # names of settings keep their case
    unit.read(DEPLOY / "jobmatch.service", "utf-8")
    service = unit["Service"]
    understood(shlex.split(service["ExecStart"]))
    assert service["User"] not in ("", "root")


def test_the_example_of_a_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read, and asks everybody who they are."""
    monkeypatch.setenv("JOBMATCH_CLIENT_SECRET", "from the provider")
    monkeypatch.setenv("JOBMATCH_COOKIE_SECRET", "c" * 40)
    config = read_config(DEPLOY / "serve.example.toml")
    assert config.access.required
    assert "127.0.0.1" in config.hosts  # under which the health check asks
    assert tomllib.loads((DEPLOY / "serve.example.toml").read_text("utf-8"))["access"]["keys"]
