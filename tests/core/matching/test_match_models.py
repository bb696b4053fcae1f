"""Models by a user's word: the untrained one, and towers under the home or in a folder."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.encoders import TITLES, shipped_encoder
from jobmatch_core.entities import Freelancer, NamedSkill
from jobmatch_core.errors import ModelError
from jobmatch_core.matching.match_models import UNTRAINED, installed_models, load_match_model
from jobmatch_core.matching.tower import TowerConfig
from jobmatch_core.matching.two_towers import TwoTowers
from jobmatch_core.settings import Settings

FREELANCER = Freelancer(
    id="f", language="en", title="baker", description="bread and cake", experience="", family="", family_name="",
    category="", category_name="", skills=(NamedSkill("k", "baking"),),
)  # fmt: skip


@pytest.fixture
def settings(jobmatch_home: Path) -> Settings:
    """Give the test's home."""
    return Settings(jobmatch_home)


def save(settings: Settings, name: str, when: float) -> Path:
    """Store untrained towers, as if at some time."""
    folder = settings.home / "models" / name
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(folder, {})
    os.utime(folder, (when, when))
    return folder


def test_without_any_model_the_untrained_one_is_taken(settings: Settings) -> None:
    """The word vectors of the title encoder, whose mean each section has as its own."""
    model = load_match_model("", settings)
    assert model.name == f"{UNTRAINED}-{shipped_encoder().name}" == load_match_model(UNTRAINED, settings).name
    [vector] = model.encode_freelancers([FREELANCER])
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_the_latest_towers_are_taken(settings: Settings) -> None:
    """Whatever their names; other models in the same folder are none."""
    save(settings, "a-new", 2000)
    save(settings, "z-old", 1000)
    other = settings.home / "models" / "titles"
    other.mkdir()
    (other / "config.json").write_text(json.dumps({"width": 1}), "utf-8")
    assert installed_models(settings) == ["a-new", "z-old"]
    assert load_match_model("", settings).name.startswith("a-new-")
    assert load_match_model("z-old", settings).name.startswith("z-old-")


def test_towers_in_any_folder(settings: Settings, tmp_path: Path) -> None:
    """By its path."""
    folder = save(settings, "here", 1000).rename(tmp_path / "elsewhere")
    assert load_match_model(str(folder), settings).name.startswith("elsewhere-")
    assert installed_models(settings) == []


def test_what_is_no_model(settings: Settings, tmp_path: Path) -> None:
    """A name that nobody has, or a folder with something else."""
    save(settings, "here", 1000)
    with pytest.raises(ModelError, match="no model 'there' for matching; there are here, untrained"):
        load_match_model("there", settings)
    (tmp_path / "config.json").write_text("{}", "utf-8")
    with pytest.raises(ModelError, match="holds no towers that can be used"):
        load_match_model(str(tmp_path), settings)
