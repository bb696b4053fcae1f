"""Nothing leaves the machine: commands do their work without asking for a host, let alone connecting to one."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
from huggingface_hub import constants
from typer.testing import Result

from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore

COMMANDS = [
    "--version",
    "taxonomy list",
    "taxonomy show isco-08",
    "taxonomy import jobs.csv --name jobs",
    "link cook Krankenschwester",
    "link --file titles.csv --column title --out linked.csv",
    "describe posting.txt",
    "marketplace list",
    "marketplace import --name ours --projects people.csv --freelancers people.csv",
    "match cook --marketplace small --model untrained",
    "map titles.csv --out map.html --method pca --column title",
    "labels stats",
    "labels export labels.jsonl",
    "models list --history",
]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Block the network, and collect the requested hosts, also of handled failures."""
    asked: list[object] = []

    def refused(*words: object, **_: object) -> NoReturn:
        asked.append(words[-1])
        raise OSError(f"a host is asked for: {words}")

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)  # read from the environment once, as conftest sets it
    for name in ("getaddrinfo", "gethostbyname", "create_connection"):
        monkeypatch.setattr(socket, name, refused)
    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refused)
    return asked


@pytest.fixture
def own_files(own_linker_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with input for all commands, with a home with a small marketplace."""
    settings = Settings(own_linker_home)
    blocks = demo_blocks(TaxonomyStore.open(settings).load(), DemoSpec(projects=3, freelancers=20))
    MarketplaceStore.open(settings).save("small", blocks, origin={}, generated=True)
    monkeypatch.chdir(tmp_path)
    contents = {
        "titles.csv": "title\ncook\nnurse\nbaker\nteacher\ndriver\nwaiter\n",
        "people.csv": "id,language,title\n1,en,cook\n",
        "jobs.csv": "concept_id,language,preferred,alternatives,parent,description\nc,en,cook,chef,5120,Cooks.\n",
        "posting.txt": "Cook\n\nYou cook. You clean the kitchen.\n",
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content, "utf-8")


@pytest.mark.usefixtures("own_files")
def test_no_command_asks_for_a_host(cli: Callable[..., Result], asked: list[object]) -> None:
    """Without settings for offline use; each command succeeds."""
    for command in COMMANDS:
        cli(*command.split())
        assert asked == [], command


@pytest.mark.usefixtures("own_files")
def test_a_hub_is_asked_only_for_a_model_of_its_own(
    run_main: Callable[..., Any], asked: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `hub:`; without a network the error is one line. Other names are folders."""
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda _: None)  # it tries five times more
    with pytest.raises(OSError, match="a host is asked for"):
        socket.create_connection(("localhost", 9))
    asked.clear()
    ended = run_main("link", "cook", "--encoder", "nobody/no-such-model")
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1), ended.err
    assert "There is no model 'nobody/no-such-model' here" in ended.err
    assert "hub:nobody/no-such-model" in ended.err
    assert asked == []
    ended = run_main("link", "cook", "--encoder", "hub:nobody/no-such-model")
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1), ended.err
    assert asked
