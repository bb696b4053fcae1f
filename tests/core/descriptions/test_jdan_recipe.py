"""Recipes of models of titles and descriptions: shipped ones are valid, and invalid ones are refused."""

from pathlib import Path

import pytest

from jobmatch_core.descriptions.aggregators import VARIANTS, NetworkConfig
from jobmatch_core.descriptions.jdan_recipe import JdanRecipe, JdanTraining, read_jdan_recipe
from jobmatch_core.errors import DataFileError

SHIPPED = sorted((Path(__file__).parents[3] / "recipes" / "jdan").glob("*.toml"))


def recipe_of(folder: Path, text: str) -> JdanRecipe:
    """Read a recipe with these lines."""
    path = folder / "mine.toml"
    path.write_text(text, "utf-8")
    return read_jdan_recipe(path)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_recipes_that_ship(path: Path) -> None:
    """The name of each is that of its file."""
    assert read_jdan_recipe(path).name == path.stem


def test_every_variant_ships() -> None:
    """The paper's tables can be reproduced."""
    assert {read_jdan_recipe(path).variant for path in SHIPPED} == set(VARIANTS)


def test_defaults_and_what_is_said(tmp_path: Path) -> None:
    """Defaults are the paper's 4 layers, temperature and warm-up."""
    recipe = recipe_of(tmp_path, '[data]\npostings = "a.csv"\n[training]\nepochs = 2\n[network]\nlayers = 1')
    assert (recipe.name, recipe.backbone, recipe.variant, recipe.train_backbone) == ("mine", "titles", "jdan", True)
    assert recipe.data.postings == ("a.csv",)
    assert recipe.network == NetworkConfig(layers=1)
    assert recipe.training == JdanTraining(epochs=2)
    assert (NetworkConfig().layers, recipe.training.temperature, recipe.training.warmup) == (4, 0.05, 0.1)


DATA = '[data]\npostings = ["a.csv"]'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "has no source"),
        (f"variant = 'median'\n{DATA}", "expected one of jdan"),
        (f"variant = 'skill-mean'\n{DATA}", "needs skills"),
        (f"variant = 'document'\ntrain_backbone = false\n{DATA}", "trains only the backbone"),
        (f"word_pooling = 'cls'\ntrain_backbone = false\n{DATA}", "word_pooling is for a trained backbone"),
        (
            f"train_backbone = false\n{DATA}\n[training]\ngradients = 'titles'",
            "gradients is for a trained backbone",
        ),
        (f"backbone = 'titles+other'\n{DATA}", "only a single encoder can be trained"),
        (f"backbone = 'titles+'\ntrain_backbone = false\n{DATA}", "expected a word, or several"),
        (f"variant = 'jobbert'\n{DATA}\nskills = 'x'\n[training]\ngradients = 'titles'", "trains on titles alone"),
        (f"variant = 'jobbert'\n{DATA}\nskills = 'x'\n[training]\nname_weight = 1.0", "trains on skills alone"),
        (f"{DATA}\n[training]\nname_weight = 1.0", "have no occupation"),
        (f"{DATA}\nadvertised = 0.5", "have no occupation"),
        ("[data]\ntaxonomy = 'x'\nadvertised = 1", "advertised in .data. is 1"),
        (
            "train_backbone = false\n[data]\ntaxonomy = 'x'\n[training]\nname_weight = 1.0",
            "name_weight is for a trained backbone",
        ),
        (f"word_pooling = 'max'\n{DATA}", "expected one of cls, mean"),
        (f"most_parts = 0\n{DATA}", "most_parts is 0"),
        (f"{DATA}\n[network]\nheads = 0", "heads in .network. is 0"),
        (f"{DATA}\n[network]\nwidth = 3", "'width' is unknown"),
        (f"{DATA}\n[training]\ntemperature = 0", "temperature in .training. is 0"),
        (f"{DATA}\n[training]\nvalidation = 1", "expected a share"),
        (f"{DATA}\n[training]\nweight_decay = -1", "expected 0 or more"),
        (f"{DATA}\n[doc2vec]\nepochs = 0", "epochs in .doc2vec. is 0"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    """The error names the file, before anything is read or trained."""
    with pytest.raises(DataFileError, match=rf"mine\.toml.*{problem}"):
        recipe_of(tmp_path, text)
