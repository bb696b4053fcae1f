"""A pickle that is reached by every word for a model: none runs it, and each says why, in one line."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.encoders import shipped_encoder
from jobmatch_core.matching.tower import TowerConfig
from jobmatch_core.matching.two_towers import TwoTowers
from tests.tiny_transformer import change, save_transformer, trap

TOLD = "says how the model is loaded"


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """Return the file that the pickle writes where it is run."""
    return tmp_path / "marker"


@pytest.fixture
def trapped(tmp_path: Path, marker: Path) -> Path:
    """Return the folder of an encoder that would run code."""
    return trap(save_transformer(tmp_path / "encoder"), marker)


@pytest.fixture
def trapped_models(tmp_path: Path, trapped: Path) -> dict[str, Path]:
    """Return a jdan and towers whose backbone is that encoder."""
    DescriptionModel(shipped_encoder(), "titles", "sentence-mean").save(tmp_path / "jdan", {})
    config = TowerConfig(section_embeddings=False, head=False)
    TwoTowers(shipped_encoder(), "titles", config, name="towers").save(tmp_path / "towers", {})
    for name in ("jdan", "towers"):
        change(tmp_path / name / "config.json", backbone=str(trapped))
    return {name: tmp_path / name for name in ("jdan", "towers")}


@pytest.fixture
def titles(tmp_path: Path) -> Path:
    """Return a file of titles, which is also a posting."""
    path = tmp_path / "titles.csv"
    path.write_text("title\ncook\nnurse\nbaker\nteacher\ndriver\nwaiter\n", "utf-8")
    return path


@pytest.mark.usefixtures("use_linker_home")
def test_no_command_runs_it(
    run_main: Callable[..., Any], trapped: Path, trapped_models: dict[str, Path], titles: Path, marker: Path
) -> None:
    """As an encoder, as a model of postings or of a map, as the backbone of other models."""
    out = titles.with_name("out")
    commands: list[tuple[str | Path, ...]] = [
        ("link", "cook", "--encoder", trapped),
        ("describe", titles, "--model", trapped),
        ("describe", titles, "--model", f"titles+{trapped}"),
        ("describe", titles, "--model", trapped_models["jdan"]),
        ("map", titles, "--model", trapped, "--out", f"{out}.html", "--method", "pca", "--column", "title"),
    ]
    for command in commands:
        ended = run_main(*command)
        assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1), ended.err
        assert TOLD in ended.err, command
        assert not marker.exists()


def test_towers_do_not_run_it(trapped_models: dict[str, Path], marker: Path) -> None:
    """They read their backbone when they are loaded."""
    with pytest.raises(Exception, match=TOLD):
        TwoTowers.load(trapped_models["towers"])
    assert not marker.exists()


def test_a_models_own_encoder_does_not_run_it(trapped_models: dict[str, Path], trapped: Path, marker: Path) -> None:
    """One that was trained with a jdan lies in its folder."""
    folder = trapped_models["jdan"]
    change(folder / "config.json", backbone="", backbone_name="")
    shutil.copytree(trapped, folder / "encoder")
    with pytest.raises(Exception, match=TOLD):
        DescriptionModel.load(folder)
    assert not marker.exists()
    assert json.loads((folder / "config.json").read_text("utf-8"))["backbone"] == ""
