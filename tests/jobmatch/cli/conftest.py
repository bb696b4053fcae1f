"""Ways to run the command line, and a tiny taxonomy for it."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import typer
from rich.console import Console
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import StaticEmbedding
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from typer.testing import CliRunner, Result

from jobmatch.cli.main import app, main
from jobmatch_core.linking import open_linker
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore

TINY = """concept_id,language,preferred,alternatives,parent,description
doctor,en,medical doctor,surgeon|general practitioner,2211,Treats people.
doctor,de,Arzt/Ärztin,Chirurg/Chirurgin,2211,
doctor,fr,médecin,chirurgien,2211,
baker,en,baker,pastry cook,7512,Bakes bread.
baker,de,Bäcker/Bäckerin,,7512,
baker,fr,boulanger/boulangère,pâtissier,7512,
driver,en,truck driver,lorry driver,8332,
driver,de,Lkw-Fahrer/Lkw-Fahrerin,,8332,
"""


PLACES = ("Label store: ", "A new label store was made at ", "Home: ", "Auditing twins ")  # notes on standard error


class Ended(NamedTuple):
    """How a run of `main` ended."""

    code: int
    out: str
    err: str


class Program(NamedTuple):
    """A command line and its entry point."""

    name: str
    app: typer.Typer
    main: Callable[[], None]


@pytest.fixture(autouse=True)
def _wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the terminal wide, so that no cell is wrapped."""
    monkeypatch.setattr("jobmatch.cli.output._out", Console(width=250))


@pytest.fixture
def program() -> Program:
    """Return the command line under test."""
    return Program("jobmatch", app, main)


@pytest.fixture
def cli(program: Program) -> Callable[..., Result]:
    """Run a command that must succeed, within this process."""

    def invoke(*words: str | Path) -> Result:
        result = CliRunner().invoke(program.app, [str(word) for word in words], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        assert [line for line in result.stderr.splitlines() if not line.startswith(PLACES)] == []
        return result

    return invoke


@pytest.fixture
def run_main(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ended]:
    """Run `main` with its error handling, within this process."""

    def run(*words: str | Path) -> Ended:
        monkeypatch.setattr(sys, "argv", [program.name, *map(str, words)])
        capsys.readouterr()  # what came before is not the command's
        with pytest.raises(SystemExit) as caught:
            program.main()
        return Ended(int(caught.value.code or 0), *capsys.readouterr())

    return run


@pytest.fixture
def backbone(tmp_path: Path) -> Path:
    """A folder with a tiny model."""
    words = {word: number for number, word in enumerate(["?", "nurse", "doctor", "baker", "mason", "maker", "hand"])}
    tokenizer = Tokenizer(WordLevel(words, unk_token="?"))
    tokenizer.pre_tokenizer = Whitespace()
    weights = np.random.default_rng(1).normal(size=(len(words), 4)).astype(np.float32)
    model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=weights)], device="cpu")
    model.save_pretrained(str(tmp_path / "tiny"), create_model_card=False)
    return tmp_path / "tiny"


@pytest.fixture
def tiny_csv(tmp_path: Path) -> Path:
    """Write the tiny taxonomy's CSV: three occupations in three languages."""
    path = tmp_path / "tiny.csv"
    path.write_text(TINY, "utf-8")
    return path


@pytest.fixture(scope="session")
def tiny_home(linker_home: Path, lexical_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with the tiny taxonomy and the bundled one, with and without the encoder, only to be copied."""
    home = tmp_path_factory.mktemp("tiny") / "home"
    shutil.copytree(linker_home, home, copy_function=os.link)
    shutil.copytree(lexical_home / "indexes", home / "indexes", copy_function=os.link, dirs_exist_ok=True)
    source = home.with_name("tiny.csv")
    source.write_text(TINY, "utf-8")
    settings = Settings(home)
    open_linker(TaxonomyStore.open(settings).import_from(source).id, settings=settings)
    return home


@pytest.fixture
def tiny_id(own_linker_home: Path, tiny_home: Path) -> str:
    """Install the tiny taxonomy in the test's own home."""
    shutil.copytree(tiny_home, own_linker_home, copy_function=_link_where_missing, dirs_exist_ok=True)
    return "tiny-1"


def _link_where_missing(source: str, target: str) -> None:
    if not Path(target).exists():
        os.link(source, target)
