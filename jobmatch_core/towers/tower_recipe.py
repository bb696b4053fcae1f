"""A recipe for towers: the TOML file that says which backbone, which architecture, and how they are trained.

    backbone = "titles"   # or a folder, or `hub:` and a model hub's name
    [tower]
    layers = 1
    [sampling]
    weak_negatives = 16
    [training]
    epochs = 8

Every key is a field of the classes below, of `TowerConfig` and of `Sampling`; what has no default must be given.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

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
from jobmatch_core.towers.sampling import Sampling
from jobmatch_core.towers.tower_config import TowerConfig

Loss = Literal["infonce", "triplet"]
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
    """How the towers are trained.

    Attributes:
        loss: dual A-InfoNCE (equation 14) or dual A-triplet (11).
        temperature: of InfoNCE.
        margin: of the triplets.
        epochs: each draws every project once.
        learning_rate: the highest of AdamW; it rises in a line, and falls to zero in one.
        section_pace: how many times faster the section embeddings learn, few numbers that all documents share, than the
            matrices, which learn documents by heart.
        warmup: the share of the steps in which it rises.
        weight_decay: of AdamW.
        validation: the share of projects that are left out to measure the loss on (section 4.2 has 0.2).
    """

    loss: Loss = "infonce"
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
    """All that determines the towers, besides the marketplace.

    Attributes:
        name: of the model; the file's name where not given.
        backbone: `titles` for the shipped title encoder's word vectors, a folder with a Hugging Face encoder or a title
            encoder, or `hub:` and a model hub's name.
        seed: of everything random.
        start: the model that the training goes on from, as `load_match_model` takes it; its backbone and architecture
            then take the place of the recipe's. From random weights where not given, or where it is untrained.
        share_test: the share of projects, the latest, that are kept for a test and not trained on.
        tower, sampling, training: see there.
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
    """Refuse what has the right type, but would fail after minutes or train nothing."""
    check_name(recipe.name)
    check_seed(recipe.seed)
    if not 0 <= recipe.share_test < 1:
        raise ValueError(f"share_test is {recipe.share_test}; {SHARE}")
    check_limits(recipe, _LIMITS)
