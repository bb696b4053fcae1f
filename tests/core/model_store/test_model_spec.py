"""Words for models: the model of each, the order of the look-up, and the error for an unknown word."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.descriptions.posting_models import load_posting_model, posting_models
from jobmatch_core.encoders.loading import load_encoder, load_token_encoder, shipped_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.model_store.model_spec import (
    SHIPPED,
    ModelKind,
    Source,
    find_model,
    home_models,
    kind_of,
    model_stamp,
    named_models,
)
from jobmatch_core.retrieval.match_models import all_installed_models, load_match_model
from jobmatch_core.settings import Settings
from jobmatch_core.titles.encoder import shipped_folder
from jobmatch_core.titles.subword import find_backbone, load_backbone
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers

TOWERS, DESCRIPTIONS, ENCODER = ModelKind.TOWERS, ModelKind.DESCRIPTIONS, ModelKind.ENCODER
CONFIGS = {
    "tower": TOWERS,
    "features": ModelKind.LINKING,
    "variant": DESCRIPTIONS,
    "search": ModelKind.SEARCH,
    "model_type": ENCODER,
}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return a home that differs from the environment's."""
    return Settings(tmp_path / "home")


def made(folder: Path, key: str = "", *, when: int = 0) -> Path:
    """Write a folder of the kind that a key of config.json stands for; with none, of an encoder."""
    folder.mkdir(parents=True)
    if key:
        (folder / "config.json").write_text(json.dumps({key: {}}), "utf-8")
    else:
        (folder / "modules.json").write_text("[]", "utf-8")
    os.utime(folder, (when, when))
    return folder


@pytest.mark.parametrize(("key", "kind"), [*CONFIGS.items(), ("", ENCODER), ("width", None)])
def test_the_kind_of_a_folder(tmp_path: Path, key: str, kind: ModelKind | None) -> None:
    """One key of its configuration tells the kind."""
    assert kind_of(made(tmp_path / "model", key)) is kind


@pytest.mark.parametrize("content", ["", "[", "[1]", "3"])
def test_a_damaged_configuration_has_no_kind(tmp_path: Path, content: str) -> None:
    """A missing folder has no kind either."""
    (tmp_path / "config.json").write_text(content, "utf-8")
    assert (kind_of(tmp_path), kind_of(tmp_path / "gone")) == (None, None)


def test_where_a_word_is_looked_up(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shipped models, then the home, then any folder; the preferred kind first."""
    monkeypatch.chdir(tmp_path)
    home = made(settings.models / "both", "tower")
    made(Path("both"))
    made(settings.models / "titles")
    assert find_model("titles", settings, ENCODER).source is Source.SHIPPED
    assert find_model("both", settings, TOWERS).folder == home
    assert find_model("both", settings, ENCODER).folder == Path("both")
    assert find_model("both", settings, ENCODER, TOWERS).kind is ENCODER
    assert find_model("towers:both", settings, ENCODER, TOWERS).folder == home


def test_several_side_by_side(settings: Settings) -> None:
    """Each part is looked up by itself; an existing name may contain a +."""
    mine = made(settings.models / "mine")
    joint = find_model("titles+mine+hub:people/tiny", settings, ENCODER)
    assert [each.source for each in joint.parts] == [Source.SHIPPED, Source.HOME, Source.HUB]
    assert (joint.source, joint.folder, joint.parts[1].folder) == (Source.JOINT, None, mine)
    whole = made(settings.models / "c++")
    assert find_model("c++", settings, ENCODER).folder == whole
    with pytest.raises(ModelError, match="There is no model 'gone'"):
        find_model("titles+gone", settings, ENCODER)


def test_a_word_that_finds_nothing(settings: Settings, tmp_path: Path) -> None:
    """The error lists the valid words of the accepted kinds, and the kind of the given model."""
    made(settings.models / "theirs", "tower", when=1)
    made(settings.models / "newer", "tower", when=2)
    made(settings.models / ".on-its-way", "tower")
    (tmp_path / "empty").mkdir()
    for word in ("gone", "", "towers:gone", str(tmp_path / "empty"), "titles", "hub:people/tiny"):
        with pytest.raises(
            ModelError, match=r"no model '.*' here\. Models: untrained, newer, theirs, a folder with one\.$"
        ):
            find_model(word, settings, TOWERS)
    with pytest.raises(
        ModelError, match=r"'newer' is a model of kind towers, not encoder here\. Models: titles, a folder"
    ):
        find_model("newer", settings, ENCODER)


def test_the_list_holds_what_its_words_find(settings: Settings) -> None:
    """Every listed word finds its model; hidden ones are not listed."""
    for key in CONFIGS:
        made(settings.models / f"a-{key}", key)
    made(settings.models / "untrained", "tower")
    made(settings.models / "titles", "tower")
    found = named_models(settings, *ModelKind)
    assert {each.word for each in found if each.source is Source.SHIPPED} == {w for ws in SHIPPED.values() for w in ws}
    assert [each.word for each in home_models(settings, TOWERS)] == ["a-tower", "titles"]
    for each in found:
        assert find_model(each.word, settings, each.kind) == each


@pytest.fixture
def trained(settings: Settings) -> Settings:
    """Store an encoder by the name `mine`, towers over it, and a model of descriptions over it."""
    shutil.copytree(shipped_folder(), settings.models / "mine")
    mine = load_token_encoder("mine", settings)
    TwoTowers(mine, "mine", TowerConfig(head=False)).save(settings.models / "people", {})
    encoder = load_encoder("titles+mine", settings)
    DescriptionModel(encoder, "titles+mine", "sentence-mean").save(settings.models / "adverts", {})
    return settings


def test_the_same_words_for_every_loader(trained: Settings) -> None:
    """A name in the home works as a training backbone, a token encoder, a sentence encoder and a posting model."""
    expected = shipped_encoder().encode(["nurse"])
    assert np.array_equal(load_encoder("mine", trained).encode(["nurse"]), expected)
    assert np.array_equal(load_posting_model("mine", trained).encode_titles(["nurse"]), expected)
    assert load_backbone("mine", trained).encode(["nurse"]) == pytest.approx(expected, abs=1e-2)
    assert find_backbone("titles").folder == shipped_folder()
    assert load_token_encoder("mine", trained).name.startswith("mine-")
    assert "mine" in posting_models(trained)


def test_a_model_over_a_named_backbone(trained: Settings) -> None:
    """The backbone is searched in the given home; a missing one is an error."""
    assert load_match_model("people", trained).backbone == "mine"
    assert load_posting_model("adverts", trained).backbone == "titles+mine"
    assert [model.fault for model in all_installed_models(trained)] == [""]
    shutil.rmtree(trained.models / "mine")
    assert "now there is none" in all_installed_models(trained)[0].fault
    for load, word in ((load_match_model, "people"), (load_posting_model, "adverts")):
        with pytest.raises(ModelError, match="'mine' is neither a folder here nor"):
            load(word, trained)


def test_one_encoder_where_several_make_no_sense(settings: Settings) -> None:
    """Towers and trainings refuse joint encoders."""
    with pytest.raises(ModelError, match="names several; name one"):
        load_token_encoder("titles+titles", settings)
    with pytest.raises(ModelError, match="several encoders side by side, which are not trained"):
        find_backbone("titles+titles", settings)


def test_a_model_that_is_stored_again_has_another_stamp(settings: Settings) -> None:
    """Whether its folder is replaced or a file in it is; shipped models have no folder."""
    folder = made(settings.models / "mine", "tower", when=1)
    first = find_model("mine", settings, TOWERS).stamp
    assert find_model("mine", settings, TOWERS).stamp == first
    config = folder / "config.json"
    os.utime(config, ns=(0, 7))
    assert find_model("mine", settings, TOWERS).stamp != first
    assert find_model("titles", settings, ENCODER).stamp == 0


def test_a_folder_that_cannot_be_read_has_no_stamp(settings: Settings) -> None:
    """A link in it that leads nowhere does not keep other models from being used."""
    folder = made(settings.models / "mine", "tower", when=1)
    (folder / "lost").symlink_to(folder / "nowhere")
    assert find_model("mine", settings, TOWERS).stamp == 0


def test_a_stamp_by_a_word(settings: Settings) -> None:
    """That of the model of the wanted kind; 0 if there is none."""
    made(settings.models / "mine", "tower", when=1)
    assert model_stamp("mine", settings, TOWERS) == find_model("mine", settings, TOWERS).stamp != 0
    assert (model_stamp("mine", settings, ENCODER), model_stamp("gone", settings, TOWERS)) == (0, 0)
    assert model_stamp("", settings, TOWERS) == 0
