"""Models by a user's word: the untrained one, and towers under the home or in a folder."""

import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jobmatch_core.encoders.loading import TITLES, shipped_encoder
from jobmatch_core.encoders.token_encoders import hugging_face_name
from jobmatch_core.entities import Freelancer, NamedSkill
from jobmatch_core.errors import ModelError
from jobmatch_core.model_store.model_spec import UNTRAINED
from jobmatch_core.retrieval.match_models import all_installed_models, load_match_model
from jobmatch_core.settings import Settings
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers

ROOT = Path(__file__).parents[3]
FREELANCER = Freelancer(
    id="f",
    language="en",
    title="baker",
    description="bread and cake",
    experience="",
    family="",
    family_name="",
    category="",
    category_name="",
    skills=(NamedSkill("k", "baking"),),
)


def installed_models(settings: Settings) -> list[str]:
    """Return the names of the towers that can be used."""
    return [model.word for model in all_installed_models(settings) if not model.fault]


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


def reconfigure(folder: Path, **values: Any) -> None:
    """Change what towers say of themselves."""
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | values), "utf-8")


OLDER = {"backbone_name": "jobmatch-titles-00000000"}


def test_towers_over_an_older_backbone_are_passed_over(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    """The latest that can be used are taken, and it is told why the others are not."""
    reconfigure(save(settings, "newest", 3000), **OLDER)
    save(settings, "older", 2000)
    why = f"it was trained over jobmatch-titles-00000000, and now there is {shipped_encoder().name}"
    found = [(model.word, model.fault) for model in all_installed_models(settings)]
    assert found == [("newest", why), ("older", "")]
    assert installed_models(settings) == ["older"]
    with caplog.at_level(logging.WARNING):
        assert load_match_model("", settings).name.startswith("older-")
    assert caplog.messages == [f"The model newest is skipped: {why}; train it again."]


def test_the_untrained_one_is_left_where_no_towers_can_be_used(settings: Settings) -> None:
    """Whoever names the others is told what is wrong with them."""
    reconfigure(save(settings, "only", 3000), **OLDER)
    assert load_match_model("", settings).name.startswith(UNTRAINED)
    with pytest.raises(ModelError, match="they were trained over jobmatch-titles-00000000, and jobmatch-titles-"):
        load_match_model("only", settings)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"backbone": "/no/such/encoder"}, r"trained over jobmatch-titles-\w+, and now there is none"),
        ({"sections": {}}, "of another release"),
        ({"tower": {"depth": 3}}, "of another release"),
        ({"backbone_name": 3}, "of another release"),
        ({"backbone_name": "e5@64", "backbone": "e5"}, "trained over e5@64, and now there is e5@128"),
        ({"backbone_name": "e5@128", "backbone": "e5"}, "^$"),
    ],
)
def test_what_is_wrong_with_towers(settings: Settings, values: dict[str, Any], told: str) -> None:
    """Is told off their configuration; a transformer that might be downloaded gets the benefit of the doubt."""
    reconfigure(save(settings, "here", 1000), **values)
    [model] = all_installed_models(settings)
    assert re.search(told, model.fault)


def test_a_transformers_folder_is_known_by_its_files(settings: Settings, tmp_path: Path) -> None:
    """A file that has changed makes another backbone of it."""
    folder = tmp_path / "bert"
    folder.mkdir()
    (folder / "config.json").write_text("{}", "utf-8")
    reconfigure(save(settings, "here", 1000), backbone=str(folder), backbone_name=hugging_face_name(str(folder)))
    assert installed_models(settings) == ["here"]
    (folder / "config.json").write_text("{ }", "utf-8")
    assert installed_models(settings) == []


@pytest.mark.thorough
def test_looking_for_models_loads_no_torch(settings: Settings) -> None:
    """Which takes seconds."""
    save(settings, "here", 1000)
    script = (
        "import sys\nfrom jobmatch_core.retrieval.match_models import model_choices\n"
        "print([each.word for each in model_choices()], 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "['here', 'untrained'] False\n"


def test_towers_in_any_folder(settings: Settings, tmp_path: Path) -> None:
    """By its path."""
    folder = save(settings, "here", 1000).rename(tmp_path / "elsewhere")
    assert load_match_model(str(folder), settings).name.startswith("elsewhere-")
    assert installed_models(settings) == []


def test_what_is_no_model(settings: Settings, tmp_path: Path) -> None:
    """A name that nobody has, or a folder with something else."""
    save(settings, "here", 1000)
    with pytest.raises(ModelError, match=r"no model 'there' here\. Models: untrained, here, a folder"):
        load_match_model("there", settings)
    (tmp_path / "config.json").write_text("{}", "utf-8")
    with pytest.raises(ModelError, match="holds no towers that can be used"):
        load_match_model(str(tmp_path), settings)
