"""Recipe of towers: a TOML file with the backbone, the architecture and the settings of the training.

    backbone = "titles"   # or a folder, or `hub:` and a model hub's name
    [tower]
    layers = 1
    [sampling]
    weak_negatives = 16
    [training]
    epochs = 8

Every key is a field of the classes below, of `TowerConfig` and of `Sampling`; keys without a default are required.
"""

from dataclasses import dataclass, field
from pathlib import Path

from jobmatch_core.encoders.loading import TITLES
from jobmatch_core.titles.recipe_files import (
    ABOVE,
    LEAST,
    SHARE,
    check_limits,
    check_name,
    check_seed,
    read_recipe_file,
)
from jobmatch_core.towers.dual_losses import LOSSES
from jobmatch_core.towers.sampling import Sampling
from jobmatch_core.towers.tower_config import TowerConfig

_LIMITS = {
    "tower": dict.fromkeys(("layers", "heads", "feedforward", "max_tokens"), ABOVE)
    | {"width": LEAST, "dropout": SHARE},
    "sampling": dict.fromkeys(("projects", "positives"), ABOVE) | dict.fromkeys(("negatives", "weak_negatives"), LEAST),
    "training": dict.fromkeys(("epochs", "learning_rate", "section_pace", "temperature"), ABOVE)
    | dict.fromkeys(("margin", "weight_decay"), LEAST)
    | dict.fromkeys(("warmup", "validation"), SHARE),
}


@dataclass(frozen=True, slots=True)
class TowerTraining:
    """Settings of a tower training.

    Attributes:
        loss: a key of `dual_losses.LOSSES`: dual A-InfoNCE (equation 14) or dual A-triplet (11).
        temperature: temperature of InfoNCE.
        margin: margin of the triplets.
        epochs: passes over all projects.
        learning_rate: highest learning rate of AdamW; it rises linearly, and decays linearly to zero.
        section_pace: learning-rate multiplier of the section embeddings, which are few numbers shared by all documents,
            against the matrices, which can memorise documents.
        warmup: share of the steps in which the learning rate rises.
        weight_decay: weight decay of AdamW.
        validation: share of projects that are held out to measure the loss on (section 4.2 has 0.2).
    """

    loss: str = "infonce"
    temperature: float = 0.1
    margin: float = 1.0
    epochs: int = 5
    learning_rate: float = 2e-4
    section_pace: float = 1000.0
    warmup: float = 0.1
    weight_decay: float = 0.01
    validation: float = 0.1


@dataclass(frozen=True, slots=True)
class TowerRecipe:
    """Everything that determines the towers, besides the marketplace.

    Attributes:
        name: name of the model; the file's name by default.
        backbone: `titles` for the shipped title encoder's word vectors, a folder with a Hugging Face encoder or a title
            encoder, or `hub:` and a hub's name of a model.
        seed: seed of all random generators.
        start: the start model, as for `load_match_model`; its backbone and architecture replace the recipe's. Random
            weights where empty, or where the start model is untrained.
        share_test: share of the latest projects that are held out for a test and not trained on.
        tower, sampling, training: sections of the file.
    """

    name: str
    backbone: str = TITLES
    seed: int = 1
    start: str = ""
    share_test: float = 0.2
    tower: TowerConfig = field(default_factory=TowerConfig)
    sampling: Sampling = field(default_factory=Sampling)
    training: TowerTraining = field(default_factory=TowerTraining)


def read_tower_recipe(path: Path) -> TowerRecipe:
    """Read a recipe.

    Raises:
        DataFileError: it is missing or no TOML; a key is unknown, missing, or has a value that cannot be used.
    """
    return read_recipe_file(path, TowerRecipe, _check)


def _check(recipe: TowerRecipe) -> None:
    """Raise ValueError for a recipe of the right types that would fail after minutes or train nothing."""
    check_name(recipe.name)
    check_seed(recipe.seed)
    if not 0 <= recipe.share_test < 1:
        raise ValueError(f"share_test is {recipe.share_test}; {SHARE}")
    check_limits(recipe, _LIMITS)
    if recipe.training.loss not in LOSSES:
        raise ValueError(f"loss is {recipe.training.loss!r}; expected one of {', '.join(LOSSES)}")
