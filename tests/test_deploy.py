"""What `deploy` holds: it is parsed, and says nothing that the program does not understand."""

import os
import re
import shlex
import shutil
import subprocess
from configparser import ConfigParser, SectionProxy
from pathlib import Path
from typing import Any

import pytest
import yaml
from starlette.testclient import TestClient
from typer.testing import CliRunner

from jobmatch.access.permissions import ROUTES
from jobmatch.cli.main import app
from jobmatch.serve.credentials import KEYED_PATH
from jobmatch.serve.serve_config import Limits, ServeConfig, read_config
from jobmatch.serve.server import build_api
from jobmatch.services.linking import LinkingService
from jobmatch_core import __version__
from jobmatch_core.settings import Settings
from tests.documented_commands import blocks, commands, write_program

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
SETUP, ADMINISTRATION = ((ROOT / "docs" / name).read_text("utf-8") for name in ("setup.md", "administration.md"))


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


def test_logs_do_not_grow_without_end(services: dict[str, dict[str, Any]]) -> None:
    """Docker rotates none by default."""
    assert [name for name, service in services.items() if "max-size" not in service["logging"]["options"]] == []


@pytest.fixture(name="unit")
def service_of_the_unit() -> SectionProxy:
    """The unit's part `[Service]`."""
    unit = ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # names of settings keep their case
    unit.read(DEPLOY / "jobmatch.service", "utf-8")
    return unit["Service"]


def test_the_unit(unit: SectionProxy) -> None:
    """It starts the same server, not as root, and others can read nothing that it writes."""
    understood(shlex.split(unit["ExecStart"]))
    assert (unit["StateDirectoryMode"], unit["UMask"]) == ("0700", "0077")
    assert unit["User"] not in ("", "root")


def test_the_steps_make_what_the_unit_needs(unit: SectionProxy) -> None:
    """Its user, its program, its configuration and its secrets; and each file that they copy is there."""
    steps = [shlex.split(command) for command in commands(blocks("administration.md", "Set up with systemd")[0])]
    program, *options = shlex.split(unit["ExecStart"])
    made = {words[-1] for words in steps}
    assert ["useradd", unit["User"]] in [[words[0], words[-1]] for words in steps]
    assert str(Path(program).parents[1]) in made
    assert {options[options.index("--config") + 1], unit["EnvironmentFile"].removeprefix("-")} <= made
    assert "/etc/systemd/system/jobmatch.service" in made
    copied = [word for words in steps for word in words[1:] if word.startswith("deploy/")]
    assert len(copied) >= 3
    assert all((ROOT / name).is_file() for name in copied)


def test_admin_commands_run_as_the_service_does(unit: SectionProxy, tmp_path: Path) -> None:
    """With its user, its environment and its program; words reach the command whole, also those with `$`."""
    write_program(tmp_path, "systemd-run", 'printf "%s\\n" "$@"')
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    words = ["models", "promote", "m", "--why", "costs $5, 'two  words'"]
    done = subprocess.run([DEPLOY / "jobmatch-admin", *words], env=env, capture_output=True, text=True, check=True)
    given = done.stdout.splitlines()
    assert given[-6:] == [unit["ExecStart"].split()[0], *words[:-1], "costs $$5, 'two  words'"]
    assert f"--uid={unit['User']}" in given
    assert f"--property=EnvironmentFile={unit['EnvironmentFile']}" in given
    environment = {word.removeprefix("--setenv=") for word in given if word.startswith("--setenv=")}
    assert environment == set(unit["Environment"].split())


def test_the_steps_for_containers_fill_in_what_is_needed(tmp_path: Path) -> None:
    """All steps but Docker's: afterwards the configuration is there, and no password is empty."""
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    [block, *_] = blocks("administration.md", "Set up with containers")
    steps = [command for command in commands(block) if not command.startswith("docker ")]
    subprocess.run(["bash", "-e", "-c", "\n".join(steps)], cwd=tmp_path, check=True, timeout=60)
    assert read_config(tmp_path / "deploy" / "serve.toml").access.required
    lines = (tmp_path / "deploy" / ".env").read_text("utf-8").splitlines()
    filled = dict(line.split("=") for line in lines if line and not line.startswith("#"))
    required = set(re.findall(r"\$\{([A-Z_]+):\?", (DEPLOY / "compose.yaml").read_text("utf-8")))
    assert required
    assert {name for name in required if len(filled[name]) < 48} == set()


def test_the_example_of_a_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is read as it is, without any secret, and asks programs for keys; with the rest of it people sign in."""
    config = read_config(DEPLOY / "serve.example.toml")
    assert (config.access.keys, config.access.sign_in) == (True, None)
    assert "127.0.0.1" in config.hosts  # under which the health check and Prometheus ask
    beginning, heading, rest = (DEPLOY / "serve.example.toml").read_text("utf-8").partition("# [access.sign_in]")
    whole = tmp_path / "serve.toml"
    whole.write_text(beginning + re.sub(r"^# ?", "", heading + rest, flags=re.MULTILINE), "utf-8")
    monkeypatch.setenv("JOBMATCH_CLIENT_SECRET", "from the provider")
    monkeypatch.setenv("JOBMATCH_COOKIE_SECRET", "c" * 40)
    access = read_config(whole).access
    assert access.sign_in is not None
    assert access.roles.groups["jobmatch-admins"] == "admin"


def test_prometheus_reads_with_a_key() -> None:
    """As a bearer, which is the default; the page shows what the file has."""
    config = yaml.safe_load((DEPLOY / "prometheus.yaml").read_text("utf-8"))
    [shown] = re.findall(r"^```yaml\n(.*?)^```", ADMINISTRATION, re.DOTALL | re.MULTILINE)
    assert yaml.safe_load(shown)["scrape_configs"] == config["scrape_configs"]
    [job] = config["scrape_configs"]
    assert job["authorization"] == {"credentials_file": "/etc/prometheus/jobmatch.key"}
    assert job.get("metrics_path", "/metrics") == "/metrics"


def test_alerts_and_page_know_the_metrics(tmp_path: Path) -> None:
    """Those that a server really has, with its labels and routes."""
    config = ServeConfig(limits=Limits(requests_a_minute=0))
    client = TestClient(build_api(LinkingService(Settings(tmp_path)), config), base_url="http://localhost")
    client.get("/healthz")
    client.get("/healthz")
    text = client.get("/metrics").text
    samples = {re.split(r"[{ ]", line)[0] for line in text.splitlines() if not line.startswith("#")}
    labels = set(re.findall(r'[{,](\w+)="', text)) | {"job"}  # which Prometheus adds
    routes = {route.split(" ")[1] for route in ROUTES}
    [group] = yaml.safe_load((DEPLOY / "alerts.yaml").read_text("utf-8"))["groups"]
    assert len(group["rules"]) >= 5
    for rule in group["rules"]:
        assert set(re.findall(r"jobmatch_\w+", rule["expr"])) <= samples, rule["alert"]
        assert set(re.findall(r'(\w+)=~?"', rule["expr"])) <= labels, rule["alert"]
        assert set(re.findall(r'route="([^"]+)"', rule["expr"])) <= routes, rule["alert"]
        assert rule["annotations"]["summary"]
    listed = set(re.findall(r"^\| `(jobmatch_\w+)` \|", ADMINISTRATION, re.MULTILINE))
    assert listed == {re.sub(r"_(bucket|count|sum)$", "", name) for name in samples if not name.endswith("_created")}


def test_the_proxy_passes_on_what_the_server_needs() -> None:
    """The host, WebSockets and callers' addresses; it limits the rest, and logs no keys."""
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    for setting in (
        "proxy_set_header Host $host;",
        "proxy_set_header Upgrade $http_upgrade;",
        "client_header_timeout 10s;",
        "proxy_set_header X-Forwarded-For $remote_addr;",
        "limit_req zone=",
        "limit_conn jobmatch_connections",
    ):
        assert setting in text
    [most] = re.findall(r"client_max_body_size (\d+)m;", text)
    assert int(most) == Limits().file_mb + 1
    [unlogged] = re.findall(r"~(\S+) +0;", text)
    assert re.match(unlogged, f"{KEYED_PATH}/isco-08")
    assert not re.match(unlogged, "/reconcile/isco-08")


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_prometheus_itself_reads_the_alerts() -> None:
    """Prometheus reads the alerts and reports them as valid."""
    subprocess.run(["promtool", "check", "rules", DEPLOY / "alerts.yaml"], check=True, timeout=60)


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_nginx_itself_reads_the_proxys_configuration(tmp_path: Path) -> None:
    """With a certificate made for that, and ports that need no rights."""
    request = "openssl req -x509 -newkey rsa:2048 -nodes -keyout jobmatch.key -out jobmatch.pem -subj /CN=jobmatch"
    subprocess.run(request.split(), cwd=tmp_path, check=True, capture_output=True, timeout=60)
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    for folder in ("/etc/ssl/certs", "/etc/ssl/private", "/var/log/nginx"):
        text = text.replace(folder, str(tmp_path))
    (tmp_path / "jobmatch.conf").write_text(re.sub(r"listen (\d+)", r"listen 18\1", text), "utf-8")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{kind}_temp_path {tmp_path / kind};" for kind in kinds)
    whole = f"pid {tmp_path / 'pid'}; events {{}} http {{ {temporary} include {tmp_path / 'jobmatch.conf'}; }}"
    (tmp_path / "nginx.conf").write_text(whole, "utf-8")
    words = ["nginx", "-t", "-e", "stderr", "-p", tmp_path, "-c", tmp_path / "nginx.conf"]
    subprocess.run(words, check=True, timeout=60)


@pytest.mark.parametrize("page", ["README.md", "docs/setup.md", "docs/administration.md"])
def test_the_wheel_has_its_version(page: str) -> None:
    """Whose name the steps give."""
    named = set(re.findall(r"jobmatch-[\w.]+-py3-none-any\.whl", (ROOT / page).read_text("utf-8")))
    assert named == {f"jobmatch-{__version__}-py3-none-any.whl"}
