"""Recipe of towers, a TOML file with the backbone, the architecture and the settings of the training; and their report.

    backbone = "titles"   # or a folder, or `hub:` and a model hub's name
    [tower]
    layers = 1
    [sampling]
    weak_negatives = 16
    [training]
    epochs = 8

Every key is a field of the classes below or of `Sampling`; keys without a default are required. The report is
`report.json` in the model's folder. Torch is not imported, so that recipes load fast.
"""

from dataclasses import dataclass, field
from pathlib import Path

from jobmatch_core.encoders.loading import TITLES
from jobmatch_core.metrics.comparisons import BeforeAfter
from jobmatch_core.towers.dual_losses import LOSSES
from jobmatch_core.towers.sampling import Sampling
from jobmatch_core.training.figures import LabelCounts
from jobmatch_core.training.ranker_report import RankerReport
from jobmatch_core.training.recipe_files import ABOVE, LEAST, SHARE, TRAINING_LIMITS, check_recipe, read_recipe_file
from jobmatch_core.training.reports import LoopReport

_LIMITS = {
    "tower": dict.fromkeys(("layers", "heads", "feedforward", "max_tokens"), ABOVE)
    | {"width": LEAST, "dropout": SHARE},
    "sampling": dict.fromkeys(("projects", "positives"), ABOVE) | dict.fromkeys(("negatives", "weak_negatives"), LEAST),
    "training": TRAINING_LIMITS | {"section_pace": ABOVE, "temperature": ABOVE, "margin": LEAST},
}


@dataclass(frozen=True, slots=True)
class TowerConfig:
    """Architecture of a tower, part by part."""

    section_embeddings: bool = True  # add a learned vector of its section to each token (equation 2)
    head: bool = True  # a transformer over all tokens of the document (equation 3)
    skip: bool = True  # add the backbone's vectors to the head's output (equation 4)
    weighted_pooling: bool = True  # weight tokens inversely to their section's length (equation 4), else equally
    # layers, heads: numbers of layers and heads of the transformer
    layers: int = 1
    heads: int = 4
    width: int = 0  # width of the transformer; 0 for that of the tokens, else they are projected
    feedforward: int = 2  # inner width of the transformer, as a multiple of its width
    dropout: float = 0.1  # dropout rate of the transformer
    max_tokens: int = 48  # maximum number of tokens of a section; the rest is truncated


@dataclass(frozen=True, slots=True)
class TowerTraining:
    """Settings of a tower training."""

    loss: str = "infonce"  # a key of `dual_losses.LOSSES`: dual A-InfoNCE (equation 14) or dual A-triplet (11)
    temperature: float = 0.1  # InfoNCE temperature
    margin: float = 1.0  # triplet margin
    epochs: int = 5  # passes over all projects
    learning_rate: float = 2e-4  # peak learning rate of AdamW, with linear warm-up and linear decay to zero
    # learning-rate multiplier of the section embeddings, which all documents share, relative to the matrices, which can
    # memorise documents
    section_pace: float = 1000.0
    warmup: float = 0.1  # share of warm-up steps
    weight_decay: float = 0.01  # weight decay of AdamW
    validation: float = 0.1  # share of validation projects (section 4.2 has 0.2)


@dataclass(frozen=True, slots=True)
class TowerRecipe:
    """Recipe of towers."""

    name: str  # name of the model; the file's name by default
    # `titles` for the built-in title encoder's word vectors, a folder with a Hugging Face encoder or a title encoder,
    # or `hub:` and a model hub's name
    backbone: str = TITLES
    seed: int = 1  # random seed
    # start model for `load_match_model`, whose backbone and architecture replace the recipe's; random weights if it is
    # empty or untrained
    start: str = ""
    share_test: float = 0.2  # share of the latest projects to hold out for a test
    # tower, sampling, training: sections of the file
    tower: TowerConfig = field(default_factory=TowerConfig)
    sampling: Sampling = field(default_factory=Sampling)
    training: TowerTraining = field(default_factory=TowerTraining)


def read_tower_recipe(path: Path) -> TowerRecipe:
    """Read a recipe.

    Raises DataFileError if the file is missing or not TOML, or a key is unknown, missing, or has an invalid value.
    """
    return read_recipe_file(path, TowerRecipe, _check)


def _check(recipe: TowerRecipe) -> None:
    check_recipe(recipe, _LIMITS)
    if not 0 <= recipe.share_test < 1:
        raise ValueError(f"share_test is {recipe.share_test}; {SHARE}")
    if recipe.training.loss not in LOSSES:
        raise ValueError(f"loss is {recipe.training.loss!r}; expected one of {', '.join(LOSSES)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TowerReport(LoopReport[TowerRecipe]):
    """Report of a training."""

    created: str  # UTC time of its end, ISO 8601
    start: str  # name of the start model; '' for random weights
    marketplace: str
    generated: bool  # true for a synthetic marketplace
    projects: tuple[int, int]  # numbers of training and of validation projects with a positive
    # freelancers, interactions: numbers of records
    freelancers: int
    interactions: int
    before: float | None  # validation loss before training
    labels: LabelCounts | None = None  # numbers of labels by use; None without a snapshot
    comparison: BeforeAfter | None = None  # comparison with the model in use; None if not requested
    ranker: RankerReport | None = None  # report of the second stage; None in reports of releases before it was fitted
