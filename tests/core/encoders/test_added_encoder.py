"""Encoders of a user's own: copied under a name, checked before; listed and removed."""

import json
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.encoders.added_encoder import (
    COPYING,
    LOADING,
    add_encoder,
    added_encoders,
    remove_encoder,
    word_encoders,
)
from jobmatch_core.encoders.loading import load_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.model_store.model_spec import ModelKind, Source, find_model
from jobmatch_core.settings import Settings
from tests.tiny_transformer import save_transformer

TEXTS = ["cook", "nurse", "baker"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A transformer with a file of code and a pickle beside its weights."""
    folder = save_transformer(tmp_path / "ours")
    (folder / "modeling_ours.py").write_text("print('run')")
    (folder / "pytorch_model.bin").write_bytes(b"no pickle")
    return folder


def test_an_added_encoder_works_by_its_name(folder: Path, tmp_path: Path) -> None:
    """With the vectors of the folder, also after that is gone."""
    settings = Settings(tmp_path / "home")
    vectors = load_encoder(str(folder)).encode(TEXTS)
    assert add_encoder("ours-1.0", folder, settings).place == str(settings.models / "ours-1.0")
    folder.rename(tmp_path / "elsewhere")
    assert find_model("ours-1.0", settings, ModelKind.ENCODER).source is Source.HOME
    np.testing.assert_array_equal(load_encoder("ours-1.0", settings).encode(TEXTS), vectors)


def test_no_code_and_no_pickle_is_copied(folder: Path, tmp_path: Path) -> None:
    """Only what describes a model, and its weights as safetensors."""
    settings = Settings(tmp_path / "home")
    add_encoder("ours", folder, settings)
    copied = {path.suffix for path in (settings.models / "ours").rglob("*") if path.is_file()}
    assert ".safetensors" in copied
    assert copied <= {".json", ".txt", ".safetensors", ".md"}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "no name"),
        ("../ours", "no name"),
        ("a b", "no name"),
        (".ours", "no name"),
        ("titles", "a model of jobmatch"),
    ],
)
def test_names_that_cannot_be_used(folder: Path, tmp_path: Path, name: str, problem: str) -> None:
    """Paths, hidden folders and the names of shipped models are refused before anything is written."""
    settings = Settings(tmp_path / "home")
    with pytest.raises(ModelError, match=problem):
        add_encoder(name, folder, settings)
    assert not settings.models.exists()


def test_a_name_is_given_once(folder: Path, tmp_path: Path) -> None:
    """The first model stays."""
    settings = Settings(tmp_path / "home")
    add_encoder("ours", folder, settings)
    with pytest.raises(ModelError, match="already"):
        add_encoder("ours", folder, settings)
    assert find_model("ours", settings, ModelKind.ENCODER).folder == settings.models / "ours"


def test_a_folder_without_a_usable_encoder(folder: Path, tmp_path: Path) -> None:
    """One without a model's files, and one with damaged weights; the home stays empty."""
    settings = Settings(tmp_path / "home")
    with pytest.raises(ModelError, match=r"no folder with an encoder"):
        add_encoder("ours", tmp_path, settings)
    next(folder.rglob("*.safetensors")).write_bytes(b"damaged")
    with pytest.raises(ModelError, match=r"cannot be used"):
        add_encoder("ours", folder, settings)
    assert not (settings.models / "ours").exists()


def test_a_pickle_alone_is_refused_with_the_way_out(folder: Path, tmp_path: Path) -> None:
    """The message says how the weights become safetensors."""
    next(folder.rglob("*.safetensors")).unlink()
    with pytest.raises(ModelError, match="save_pretrained"):
        add_encoder("ours", folder, Settings(tmp_path / "home"))


def test_stages_and_bytes_are_reported(folder: Path, tmp_path: Path) -> None:
    """Up to the size of what is copied."""
    stages: list[str] = []
    reports: list[tuple[int, int]] = []
    settings = Settings(tmp_path / "home")
    add_encoder("ours", folder, settings, stage=stages.append, progress=lambda *report: reports.append(report))
    assert stages == [COPYING, LOADING]
    size = added_encoders(settings)[0].size
    assert reports[-1] == (size, size)


def test_an_encoder_is_listed_with_the_models_over_it(folder: Path, tmp_path: Path) -> None:
    """By its name or by the path of its folder, alone or beside another."""
    settings = Settings(tmp_path / "home")
    add_encoder("ours", folder, settings)
    backbones = {"a": "ours", "b": f"titles+{settings.models / 'ours'}", "c": "titles"}
    for name, backbone in backbones.items():
        (settings.models / name).mkdir()
        (settings.models / name / "config.json").write_text(json.dumps({"tower": {}, "backbone": backbone}))
    encoder = added_encoders(settings)[0]
    assert (encoder.name, encoder.reads_words, encoder.needed_by) == ("ours", True, ("a", "b"))
    assert word_encoders(settings) == ["ours"]


def test_only_an_encoder_is_removed(folder: Path, tmp_path: Path) -> None:
    """No model of another kind, no folder elsewhere, and nothing twice."""
    settings = Settings(tmp_path / "home")
    add_encoder("ours", folder, settings)
    (settings.models / "towers").mkdir()
    (settings.models / "towers" / "config.json").write_text('{"tower": {}}')
    for name in ("towers", "../home/models/ours", "", "."):
        with pytest.raises(ModelError, match="no encoder"):
            remove_encoder(name, settings)
    remove_encoder("ours", settings)
    assert added_encoders(settings) == []
    with pytest.raises(ModelError, match="no encoder"):
        remove_encoder("ours", settings)
