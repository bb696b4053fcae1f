"""What holds for the training of every kind of model: what it refuses, how it resumes, and what it leaves behind."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch

from jobmatch_core.descriptions.jdan_training import train_jdan
from jobmatch_core.errors import ModelError, SettingsError
from jobmatch_core.search.search_training import train_search_encoder
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.titles.title_recipe import read_recipe
from jobmatch_core.titles.title_training import train_title_encoder
from jobmatch_core.towers.tower_training import train_towers
from jobmatch_core.training.reports import BaseReport, LoopReport
from tests.core.conftest import RECIPE as TITLE_RECIPE
from tests.core.descriptions import made_recipe
from tests.core.descriptions.made_postings import WordEncoder
from tests.core.search import made_pairs
from tests.core.towers import made_towers
from tests.core.training.stopping import Stopped, stop_at


@dataclass(frozen=True)
class Kind:
    """A kind of model: how one is trained, and by which recipe.

    Attributes:
        name: name of the kind.
        train: trains by a recipe to a folder.
        recipe: a short recipe.
        others: trainings that are not the same one, by another recipe or another backbone.
        files: the files of a model.
        too_high: a learning rate by which a loss or a weight becomes infinite.
    """

    name: str
    train: Callable[..., BaseReport[Any]]
    recipe: Any
    others: tuple[Callable[..., BaseReport[Any]], ...] = ()
    files: tuple[str, ...] = ("config.json", "model.safetensors", "report.json")
    too_high: float = 1e30

    def run(self, out: Path, **options: Any) -> BaseReport[Any]:
        """Train by the recipe."""
        return self.train(self.recipe, out, **options)

    def weights(self, folder: Path) -> bytes:
        """Return the weights of a model."""
        return (folder / "model.safetensors").read_bytes()


def towers(recipe: Any, out: Path, *, backbone: str = "words", **options: Any) -> BaseReport[Any]:
    """Train towers."""
    return train_towers(recipe, made_towers.MARKETPLACE, out, encoder=made_towers.Words(backbone), **options)


def descriptions(recipe: Any, out: Path, *, backbone: str = "words", **options: Any) -> BaseReport[Any]:
    """Train titles and descriptions."""
    return train_jdan(recipe, made_recipe.POSTINGS, out, encoder=WordEncoder(name=backbone), **options)


def search(recipe: Any, out: Path, **options: Any) -> BaseReport[Any]:
    """Train a search encoder over the title encoder."""
    return train_search_encoder(recipe, made_pairs.PAIRS, out, **options)


LOOPS = [
    Kind("towers", towers, made_towers.RECIPE, (partial(towers, backbone="others"),)),
    Kind("descriptions", descriptions, made_recipe.RECIPE, (partial(descriptions, backbone="others"),)),
    Kind("search", search, made_pairs.RECIPE, too_high=1e38),
]


@pytest.fixture(params=["towers", "descriptions", "search", "titles"])
def kind(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Kind:
    """Each kind of model."""
    found = next((each for each in LOOPS if each.name == request.param), None)
    if found:
        return found
    path = tmp_path_factory.mktemp("recipe") / "toy.toml"
    path.write_text(TITLE_RECIPE.format(backbone=request.getfixturevalue("backbone")), "utf-8")
    store = TaxonomyStore.open(Settings(request.getfixturevalue("taxonomy_home")))
    files = ("config_sentence_transformers.json", "model.safetensors", "modules.json", "report.json", "tokenizer.json")
    return Kind("titles", partial(train_title_encoder, store=store), read_recipe(path), files=files)


@pytest.fixture(params=LOOPS, ids=lambda kind: kind.name)
def looped(request: pytest.FixtureRequest) -> Kind:
    """Each kind that `training.loop` trains."""
    found: Kind = request.param
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Kind], Path]:
    """Return the model of a kind, trained once without a stop."""
    folder = tmp_path_factory.mktemp("models")

    def train(kind: Kind) -> Path:
        out = folder / kind.name / "tiny"
        if not out.exists():
            out.parent.mkdir()
            kind.run(out)
        return out

    return train


def test_a_model_folder_with_report(whole: Callable[[Kind], Path], kind: Kind) -> None:
    """Nothing unfinished remains; the report has the fields of all reports, and the recipe in its own order."""
    out = whole(kind)
    assert [path.name for path in out.parent.iterdir()] == ["tiny"]
    assert sorted(path.name for path in out.iterdir()) == list(kind.files)
    report = json.loads((out / "report.json").read_text("utf-8"))
    base = BaseReport if kind.name == "titles" else LoopReport
    assert list(report)[: len(fields(base))] == [each.name for each in fields(base)]
    assert report["recipe"] == json.loads(json.dumps(asdict(kind.recipe)))
    assert list(report["recipe"]) == [each.name for each in fields(kind.recipe)]
    assert len(report["data_hash"]) == 64
    if kind.name != "titles":
        assert len(report["epochs"]) == kind.recipe.training.epochs
        assert report["seconds"] == sum(each["seconds"] for each in report["epochs"])


def test_an_existing_folder_is_not_touched(kind: Kind, tmp_path: Path) -> None:
    """It may be an older model."""
    (tmp_path / "model").mkdir()
    with pytest.raises(SettingsError, match="exists already"):
        kind.run(tmp_path / "model")
    assert list(tmp_path.iterdir()) == [tmp_path / "model"]


def test_a_stopped_training_equals_one_that_never_stopped(
    whole: Callable[[Kind], Path], looped: Kind, tmp_path: Path
) -> None:
    """From its last whole epoch, to the last bit; the report says the same."""
    out = tmp_path / "tiny"
    with pytest.raises(Stopped):
        looped.run(out, progress=stop_at(17))
    assert not out.exists()
    steps: list[tuple[int, int]] = []
    looped.run(out, progress=lambda *step: steps.append(step))
    first, n_steps = steps[0]
    assert 1 < first <= 17
    assert steps == [(step, n_steps) for step in range(first, n_steps + 1)]
    assert looped.weights(out) == looped.weights(whole(looped))
    assert [path.name for path in tmp_path.iterdir()] == ["tiny"]
    reports = [json.loads((folder / "report.json").read_text("utf-8")) for folder in (out, whole(looped))]
    for each in reports:
        for epoch_figures in each.pop("epochs"):
            del epoch_figures["seconds"]
        for of_this_run in ("created", "seconds", "peak_memory_mb"):
            each.pop(of_this_run, None)
    assert reports[0] == reports[1]


def test_another_recipe_or_backbone_does_not_resume(kind: Kind, tmp_path: Path) -> None:
    """Half of one and half of the other would be neither: it is refused, and starts again where that is said."""
    out = tmp_path / "tiny"
    with pytest.raises(Stopped):
        kind.run(out, progress=stop_at(10))
    others = [
        partial(kind.train, replace(kind.recipe, seed=4)),
        *(partial(other, kind.recipe) for other in kind.others),
    ]
    for other in others:
        with pytest.raises(SettingsError, match="start over with --no-resume"):
            other(out)
    steps: list[int] = []
    others[-1](out, resume=False, progress=lambda done, n_steps: steps.append(done))
    assert steps == list(range(1, len(steps) + 1))


def test_the_seed_decides(whole: Callable[[Kind], Path], looped: Kind, tmp_path: Path) -> None:
    """Torch's global random numbers go on as they were before the training."""
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    looped.run(tmp_path / "again")
    assert torch.equal(torch.rand(1), expected)
    assert looped.weights(tmp_path / "again") == looped.weights(whole(looped))
    looped.train(replace(looped.recipe, seed=4), tmp_path / "other")
    assert looped.weights(tmp_path / "other") != looped.weights(whole(looped))


def test_a_learning_rate_that_is_too_high(looped: Kind, tmp_path: Path) -> None:
    """The training ends with what to do, and no model is written."""
    steep = replace(looped.recipe, training=replace(looped.recipe.training, learning_rate=looped.too_high))
    with pytest.raises(ModelError, match=r"(?i)no model was written.* lower learning rate"):
        looped.train(steep, tmp_path / "tiny")
    assert not (tmp_path / "tiny").exists()
