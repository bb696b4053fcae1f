"""The recipes of `recipes/papers`: the papers' own numbers, and a start, a stop, a resumption and an end on tiny data.

Only the length of a training is changed, and the backbone for a tiny one.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.descriptions.jdan_recipe import read_jdan_recipe
from jobmatch_core.descriptions.jdan_training import train_jdan
from jobmatch_core.search.search_models import open_search_encoder
from jobmatch_core.search.search_recipe import read_search_recipe
from jobmatch_core.search.search_training import train_search_encoder
from jobmatch_core.search.transformer_encoder import TransformerSearchEncoder
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.titles.title_recipe import Recipe, Stage1Recipe, Stage2Recipe, read_recipe
from jobmatch_core.titles.title_training import train_title_encoder
from jobmatch_core.towers.sampling import PAPER_INFO_NCE
from jobmatch_core.towers.tower_recipe import read_tower_recipe
from jobmatch_core.towers.tower_training import train_towers
from jobmatch_core.towers.two_towers import TwoTowers
from tests.core.descriptions.made_recipe import POSTINGS
from tests.core.search.made_pairs import PAIRS, POSITIVES
from tests.core.towers.made_towers import MARKETPLACE, Words
from tests.core.training.stopping import Stopped, stop_at
from tests.tiny_transformer import save_transformer

PAPERS = Path(__file__).parents[3] / "recipes" / "papers"
# Deniz et al. (2024), tables 4 and 5: batch size, steps and rate of each stage; negatives and temperature of the second
DENIZ = {
    "deniz-muse-cnn": ((150, 3_200_000, 1e-4), (128, 28_000, 1e-6, 64, 0.25)),
    "deniz-mpnet": ((64, 500_000, 3e-5), (16, 28_000, 5e-7, 16, 0.20)),
    "deniz-xlm-roberta": ((64, 1_700_000, 3e-5), (4, 112_000, 5e-7, 16, 0.10)),
}
# Laosaengpha et al. (2024), appendix B: epochs and learning rate of the method with job descriptions
LAOSAENGPHA = {"jdan-synonyms": (10, 1e-5), "jdan-normalization": (5, 3e-5)}


@pytest.fixture(scope="module")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny transformer of twelve layers."""
    return save_transformer(tmp_path_factory.mktemp("backbone") / "tiny", layers=12)


def stages(recipe: Recipe) -> tuple[Stage1Recipe, Stage2Recipe]:
    """Return both stages of a recipe that has both."""
    assert recipe.stage1 is not None
    assert recipe.stage2 is not None
    return recipe.stage1, recipe.stage2


def test_every_recipe_is_tested() -> None:
    """Those of this folder are the ones below."""
    others = {"malt-e5", "search-6-layers", "search-student"}
    assert {path.stem for path in PAPERS.glob("*.toml")} == {*DENIZ, *LAOSAENGPHA, *others}


@pytest.mark.first_case
@pytest.mark.parametrize("name", DENIZ)
def test_both_stages_of_deniz(name: str, backbone: Path, store: TaxonomyStore, tmp_path: Path) -> None:
    """Tables 4 and 5; four steps of each stage, stopped in the second."""
    recipe = read_recipe(PAPERS / f"{name}.toml")
    first, second = stages(recipe)
    assert (first.batch_size, first.steps, first.learning_rate) == DENIZ[name][0]
    settings = (second.batch_size, second.steps, second.learning_rate, second.negatives, *second.temperature)
    assert settings == DENIZ[name][1]
    assert first.warmup == second.warmup == 0
    data = replace(recipe.data, names="esco-1.0", relations="")
    short = replace(recipe, backbone=str(backbone), data=data, held_out=replace(recipe.held_out, titles=6))
    # the tiny taxonomy has fewer than 16 dissimilar titles of a title
    stage2 = replace(second, steps=4, checkpoint_every=2, negatives=min(second.negatives, 4))
    short = replace(short, stage1=replace(first, steps=4, checkpoint_every=2), stage2=stage2)
    with pytest.raises(Stopped):
        train_title_encoder(short, tmp_path / "m", store=store, progress=stop_at(7))
    report = train_title_encoder(short, tmp_path / "m", store=store)
    assert [stage.stage for stage in report.stages] == ["stage1", "stage2"]
    assert report.stages[1].outcome.resumed_at == 2


@pytest.mark.first_case
@pytest.mark.parametrize("name", LAOSAENGPHA)
def test_jdan(name: str, backbone: Path, tmp_path: Path) -> None:
    """Appendix B; one epoch less than the paper's stopped in it, the same comes out as without the stop."""
    recipe = read_jdan_recipe(PAPERS / f"{name}.toml")
    training = recipe.training
    assert (training.epochs, training.learning_rate) == LAOSAENGPHA[name]
    assert (training.batch_size, training.warmup, training.temperature) == (16, 0.1, 0.05)
    assert (recipe.network.layers, recipe.word_pooling, recipe.train_backbone) == (4, "mean", True)
    short = replace(recipe, backbone=str(backbone), training=replace(training, epochs=2))
    train_jdan(short, POSTINGS, tmp_path / "whole")
    with pytest.raises(Stopped):
        train_jdan(short, POSTINGS, tmp_path / "stopped", progress=stop_at(8))
    train_jdan(short, POSTINGS, tmp_path / "stopped")
    models = [DescriptionModel.load(tmp_path / folder) for folder in ("whole", "stopped")]
    one, other = (model.encode_postings(POSTINGS) for model in models)
    assert np.array_equal(one, other)


def test_towers_of_malt(tmp_path: Path) -> None:
    """Section 4.3, whole: two epochs, stopped and resumed."""
    recipe = read_tower_recipe(PAPERS / "malt-e5.toml")
    assert recipe.sampling == PAPER_INFO_NCE
    assert (recipe.training.loss, recipe.training.epochs, recipe.training.validation) == ("infonce", 2, 0.2)
    with pytest.raises(Stopped):
        train_towers(recipe, MARKETPLACE, tmp_path / "m", encoder=Words(), progress=stop_at(12))
    report = train_towers(recipe, MARKETPLACE, tmp_path / "m", encoder=Words())
    assert [np.isfinite(epoch.loss) for epoch in report.epochs] == [True, True]
    assert np.isfinite(TwoTowers.load(tmp_path / "m", Words()).encode_projects(MARKETPLACE.projects)).all()


@pytest.mark.thorough
def test_search_of_hajiaghayi_and_its_student(transformer: Path, tmp_path: Path) -> None:
    """Sections V-A and VI-A: twelve layers cut to six, 32 numbers; a student of the first three of these."""
    recipe = read_search_recipe(PAPERS / "search-6-layers.toml")
    assert (recipe.layers, recipe.dimension, recipe.query_tokens, recipe.document_tokens) == (6, 32, 16, 75)
    clicks = recipe.tasks[0]
    assert (clicks.kind, clicks.negatives, clicks.distance) == ("positives", "semi-hard", "l1")
    short = replace(recipe, backbone=str(transformer), training=replace(recipe.training, epochs=2, batch_size=6))
    with pytest.raises(Stopped):
        train_search_encoder(short, PAIRS, tmp_path / "six", progress=stop_at(14))
    train_search_encoder(short, PAIRS, tmp_path / "six")
    teacher = open_search_encoder(tmp_path / "six")
    student = read_search_recipe(PAPERS / "search-student.toml")
    assert (student.layers, student.teacher, student.start) == (3, "search-6-layers", "search-6-layers")
    short = replace(student, backbone=str(transformer), training=replace(student.training, epochs=1, batch_size=6))
    taught = {"clicks": POSITIVES, "translations": PAIRS["translations"]}
    train_search_encoder(short, taught, tmp_path / "three", teacher=teacher, start=teacher)
    three = open_search_encoder(tmp_path / "three")
    assert isinstance(three, TransformerSearchEncoder)
    assert three.towers["document"].model.config.num_hidden_layers == 3
    assert three.encode(["baker"]).shape == (1, 32)
