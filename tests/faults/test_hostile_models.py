"""A pickle that is reached by every word for a model: none runs it, and each says why, in one line."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from jobmatch_core.descriptions.aggregators import NetworkConfig
from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.descriptions.network import AggregationNetwork
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.errors import LinkingError, ModelError
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.posting_linker import PostingWeights
from jobmatch_core.titles.encoder import TitleEncoder, shipped_folder
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers
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


def test_more_layers_than_weights(tmp_path: Path) -> None:
    """Models of ours whose settings would fill the memory are refused before they are made."""
    network = AggregationNetwork(NetworkConfig(layers=1, heads=2), 256)
    DescriptionModel(shipped_encoder(), "titles", "jdan", network=network).save(tmp_path / "jdan", {})
    TwoTowers(shipped_encoder(), "titles", TowerConfig(width=16), name="towers").save(tmp_path / "towers", {})
    for name, section, load in (("jdan", "network", DescriptionModel.load), ("towers", "tower", TwoTowers.load)):
        path = tmp_path / name / "config.json"
        whole = json.loads(path.read_text("utf-8"))
        load(tmp_path / name)
        for key, value in (("layers", 1_000_000), ("feedforward", 10**9)):
            change(path, **{section: whole[section] | {key: value}})
            with pytest.raises(ModelError, match="its weights do not match"):
                load(tmp_path / name)


def test_models_of_ours_with_numbers_that_are_none(tmp_path: Path) -> None:
    """Towers, a jdan and a title encoder with one NaN are damaged."""
    network = AggregationNetwork(NetworkConfig(layers=1, heads=2), 256)
    DescriptionModel(shipped_encoder(), "titles", "jdan", network=network).save(tmp_path / "jdan", {})
    TwoTowers(shipped_encoder(), "titles", TowerConfig(width=16), name="towers").save(tmp_path / "towers", {})
    shutil.copytree(shipped_folder(), tmp_path / "titles")
    for name, load in (("jdan", DescriptionModel.load), ("towers", TwoTowers.load), ("titles", TitleEncoder.load)):
        path = tmp_path / name / "model.safetensors"
        weights = load_file(path)
        next(each for each in weights.values() if each.dtype.kind == "f").flat[0] = np.nan
        save_file(weights, path)
        with pytest.raises(ModelError, match="numbers that are not finite"):
            load(tmp_path / name)


def test_weights_of_linking_that_are_no_numbers(tmp_path: Path) -> None:
    """Neither read nor made."""
    for number in (np.nan, np.inf):
        with pytest.raises(ValueError, match="not finite"):
            Calibration(features=("a",), weights=(number,), none=0.0, threshold=0.5, held_out={})
        with pytest.raises(ValueError, match="not finite"):
            PostingWeights((1.0,), number, 0.5, {})
    Calibration(features=("a",), weights=(1.0,), none=0.0, threshold=0.5, held_out={}).save(tmp_path)
    path = tmp_path / "calibration.json"
    assert Calibration.load(path).weights == (1.0,)
    path.write_text(path.read_text("utf-8").replace("0.5", "NaN"), "utf-8")
    with pytest.raises(LinkingError):
        Calibration.load(path)
