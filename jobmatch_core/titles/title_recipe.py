"""Recipe of a title encoder: a TOML file with its training data and settings.

    backbone = "hub:sentence-transformers/all-MiniLM-L6-v2"   # a folder, or `hub:` and a model hub's name
    [data]
    names = "esco-1.0.3"
    [stage1]
    steps = 2000

A stage runs if its section is there. Every key is a field of the classes below; keys without a default are required.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from jobmatch_core.titles.similarity_pairs import POOL
from jobmatch_core.training.recipe_files import ABOVE, SHARE, check_recipe, read_recipe_file

Precision = Literal["float32", "bf16", "fp16"]
_STAGE = dict.fromkeys(("steps", "batch_size", "learning_rate", "checkpoint_every"), ABOVE) | {"warmup": SHARE}
_LIMITS = {
    "held_out": {"titles": ABOVE},
    "stage1": _STAGE | {"dimensions": ABOVE, "epochs": ABOVE},
    "stage2": _STAGE | {"negatives": ABOVE, "pool": ABOVE},
}


@dataclass(frozen=True, slots=True)
class DataRecipe:
    """Data of a training."""

    names: str  # id of the taxonomy with the names that are the titles
    relations: str = ""  # id of the taxonomy with skills and narrower occupations; *names* where empty
    languages: tuple[str, ...] = ()  # languages of the names; all where empty
    # onet, postings, skills_table, translations: further files and folders, see `titles.skill_bags`
    onet: str = ""
    postings: str = ""
    skills_table: str = ""
    translations: str = ""


@dataclass(frozen=True, slots=True)
class HeldOutRecipe:
    """Number of names, in all languages together, that are held out for measuring."""

    titles: int = 2000


@dataclass(frozen=True, slots=True)
class Schedule:
    """Steps of a stage."""

    steps: int  # steps of the optimiser (AdamW; the learning rate decays linearly to zero, Appendix A)
    batch_size: int  # titles of stage 1, or tuples of stage 2, per step and device
    learning_rate: float  # highest learning rate
    warmup: float = 0.0  # share of the steps in which the learning rate rises
    checkpoint_every: int = 500  # steps between two checkpoints


@dataclass(frozen=True, slots=True)
class Stage1Recipe(Schedule):
    """Titles to skill vectors; *dimensions* and *epochs* are doc2vec's."""

    dimensions: int = 512
    epochs: int = 20


@dataclass(frozen=True, slots=True)
class Stage2Recipe(Schedule):
    """Contrast of similar and dissimilar titles."""

    temperature: tuple[float, ...] = (0.2,)  # one, or several, of which the best on the held-out titles is chosen
    grid_steps: int = 0  # steps of the trial training with each temperature if there are several, else 0
    negatives: int = 16  # number of negatives of an anchor in a tuple
    pool: int = POOL  # number of negatives of a title, from which those of a tuple are drawn
    max_pairs: int = 0  # maximum number of own pairs of an occupation per language, and across languages; 0 for all
    across_languages: bool = True  # also pair names of different languages


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that determines a model, besides the data itself."""

    name: str  # name of the model; the file's name by default
    # a folder with a sentence-transformers model, `hub:` and the hub's name of one, or `own`: our own encoder
    # (embedding bag over hashed n-grams) with random weights
    backbone: str
    # data, and held_out, stage1 and stage2 below: sections of the file
    data: DataRecipe
    seed: int = 1  # seed of all random generators
    precision: Precision = "float32"  # arithmetic of the training; bf16 and fp16 need a device that supports them
    report_to: tuple[str, ...] = ()  # further trackers of the training, such as mlflow or wandb, where installed
    held_out: HeldOutRecipe = field(default_factory=HeldOutRecipe)
    stage1: Stage1Recipe | None = None
    stage2: Stage2Recipe | None = None


def read_recipe(path: Path) -> Recipe:
    """Read a recipe.

    Raises DataFileError if the file is missing or not TOML, or a key is unknown, missing or has an invalid value.
    """
    return read_recipe_file(path, Recipe, _check)


def _check(recipe: Recipe) -> None:
    """Raise ValueError for a recipe whose values have the right types, but fail after hours or train nothing."""
    if recipe.stage1 is None and recipe.stage2 is None:
        raise ValueError("there is neither [stage1] nor [stage2]; give one or both")
    check_recipe(recipe, _LIMITS)
    if recipe.stage2 is not None:
        _check_contrast(recipe.stage2)


def _check_contrast(stage: Stage2Recipe) -> None:
    if (lowest := min(stage.temperature, default=0)) <= 0:
        raise ValueError(f"temperature in [stage2] is {lowest}; {ABOVE}")
    if stage.pool < stage.negatives:
        raise ValueError(f"pool is {stage.pool}; expected at least as many as negatives, {stage.negatives}")
    if stage.max_pairs < 0:
        raise ValueError(f"max_pairs is {stage.max_pairs}; expected 0 for all, or more")
    if (len(stage.temperature) > 1) != (stage.grid_steps > 0):
        raise ValueError("several temperatures need grid_steps, the steps of each one's trial, and one has none")
