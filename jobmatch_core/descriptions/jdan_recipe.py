"""Recipe of a model of titles and descriptions (TOML), and the report of its training (`report.json`).

    backbone = "titles"        # or a folder, `hub:` and a model hub's name, or several of these joined by +
    train_backbone = true
    variant = "jdan"           # or another of `descriptions.aggregators.VARIANTS`
    [data]
    postings = ["postings.jsonl.gz"]

Every key is a field of the classes below or of `NetworkConfig`; keys without a default are required.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from jobmatch_core.descriptions.aggregators import VARIANTS, NetworkConfig
from jobmatch_core.encoders.loading import TITLES, joint_words
from jobmatch_core.training.recipe_files import ABOVE, LEAST, SHARE, TRAINING_LIMITS, check_recipe, read_recipe_file
from jobmatch_core.training.reports import LoopReport

WordPooling = Literal["mean", "cls"]
Gradients = Literal["all", "titles"]
_LIMITS = {
    "data": {"advertised": SHARE},
    "network": dict.fromkeys(("layers", "heads", "feedforward"), ABOVE) | {"dropout": SHARE},
    "training": TRAINING_LIMITS
    | dict.fromkeys(("batch_size", "temperature"), ABOVE)
    | dict.fromkeys(("backbone_learning_rate", "name_weight"), LEAST)
    | {"feature_dropout": SHARE},
    "doc2vec": dict.fromkeys(("dimensions", "epochs"), ABOVE),
}


@dataclass(frozen=True, slots=True)
class JdanData:
    """Training data; at least one source."""

    postings: tuple[str, ...] = ()  # tables with the columns title and description, plain or gzip-compressed
    most: int = 0  # maximum number of postings of each table, from its start; 0 for all
    onet: str = ""  # a folder of O*NET's text files, whose titles have their tasks as descriptions
    onet_alternates: bool = False  # also use all other titles of an O*NET occupation
    taxonomy: str = ""  # id of a taxonomy whose English occupation names have description and skills as descriptions
    made_most: int = 0  # maximum number of postings of O*NET and of the taxonomy, drawn at random from each; 0 for all
    # share of these with a synthetic advert title (grade, place or contract added), held-out ones included, so that
    # figures of recipes with different shares are not comparable
    advertised: float = 0.0
    skills: str = ""  # id of the taxonomy whose skills the skill-based variants recognise


@dataclass(frozen=True, slots=True)
class JdanTraining:
    """Training settings: AdamW; linear warm-up and linear decay of the learning rate to zero (appendix B)."""

    epochs: int = 5  # 5 in the paper
    batch_size: int = 64  # postings per step, 16 in the paper; all others of a batch are negatives
    # peak learning rate of randomly initialised weights; in the paper 3e-5 for everything, with BERT
    learning_rate: float = 3e-4
    backbone_learning_rate: float = 0.0  # peak learning rate of the backbone; 0 for the same
    warmup: float = 0.1  # share of the steps with a rising rate
    temperature: float = 0.05  # temperature of equation 2
    weight_decay: float = 0.01  # weight decay of AdamW
    validation: float = 0.05  # share of the postings that are held out
    # dropout rate of the features of our own title encoder, so that it does not memorise words
    feature_dropout: float = 0.0
    # texts with gradients in a trained backbone: all, as in the paper, or only titles (and names). Parts of postings
    # then have their vectors of the start of the epoch, so that a transformer encodes a title per posting instead of
    # all of its sentences.
    gradients: Gradients = "all"
    # weight of equation 2 between titles and the preferred names of their occupations, against 1 between titles and
    # descriptions; 0 in the paper. For a trained backbone.
    name_weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Doc2VecRecipe:
    """Targets of the variant `doc2vec-skill`, as in appendix D.3."""

    dimensions: int = 768
    epochs: int = 100


@dataclass(frozen=True, slots=True)
class JdanRecipe:
    """Everything that determines the model except the data."""

    name: str  # name of the model; the file's name by default
    # `titles`, a folder with a title encoder of ours or another sentence-transformers model, or `hub:` and the hub's
    # name of one; several, joined by +, are concatenated and cannot be trained
    backbone: str = TITLES
    train_backbone: bool = True  # train it with the rest; a frozen one encodes each sentence once
    word_pooling: WordPooling = "mean"  # pooling of the tokens of a trained transformer (table 9)
    max_tokens: int = 128  # maximum number of tokens for a trained transformer; its own limit if that is lower
    variant: str = "jdan"  # name of the variant: the texts that are read, and their pooling
    most_parts: int = 128  # maximum number of sentences or skills of a posting
    seed: int = 1  # seed of all random generators
    # data, network, training, doc2vec: sections of the file
    data: JdanData = field(default_factory=JdanData)
    network: NetworkConfig = field(default_factory=NetworkConfig)
    training: JdanTraining = field(default_factory=JdanTraining)
    doc2vec: Doc2VecRecipe = field(default_factory=Doc2VecRecipe)


def read_jdan_recipe(path: Path) -> JdanRecipe:
    """Read a TOML recipe.

    Raises DataFileError if the file is missing or not TOML, or a key is unknown, missing or has an invalid value.
    """
    return read_recipe_file(path, JdanRecipe, check_jdan_recipe)


def check_jdan_recipe(recipe: JdanRecipe) -> None:
    """Raise ValueError for a recipe of the right types that would fail after minutes or train nothing."""
    check_recipe(recipe, _LIMITS)
    if recipe.variant not in VARIANTS:
        raise ValueError(f"variant is {recipe.variant!r}; expected one of {', '.join(VARIANTS)}")
    _check_parts(recipe)
    for name, value in (("most_parts", recipe.most_parts), ("max_tokens", recipe.max_tokens)):
        if value <= 0:
            raise ValueError(f"{name} is {value}; {ABOVE}")


def _check_frozen(recipe: JdanRecipe) -> None:
    if VARIANTS[recipe.variant].summary != "network":
        raise ValueError(f"the variant {recipe.variant} trains only the backbone; set train_backbone")
    for name, given in (
        ("word_pooling", recipe.word_pooling != "mean"),
        ("gradients", recipe.training.gradients != "all"),
        ("name_weight", recipe.training.name_weight > 0),
    ):
        if given:
            raise ValueError(f"{name} is for a trained backbone; set train_backbone")


def _check_parts(recipe: JdanRecipe) -> None:
    variant = VARIANTS[recipe.variant]
    if not all(joint_words(recipe.backbone)):
        raise ValueError(f"backbone is {recipe.backbone!r}; expected a word, or several joined by +")
    if not recipe.train_backbone:
        _check_frozen(recipe)
    elif len(joint_words(recipe.backbone)) > 1:
        raise ValueError(f"backbone is {recipe.backbone!r}: only a single encoder can be trained; train each alone")
    if not recipe.data.postings and not recipe.data.onet and not recipe.data.taxonomy:
        raise ValueError("[data] has no source; give at least one of postings, onet and taxonomy")
    if variant.objective != "contrastive" and recipe.training.gradients != "all":
        raise ValueError(f"gradients is {recipe.training.gradients!r}, but {recipe.variant} trains on titles alone")
    if variant.objective != "contrastive" and recipe.training.name_weight:
        raise ValueError(f"name_weight is {recipe.training.name_weight}, but {recipe.variant} trains on skills alone")
    for name, value in (("name_weight", recipe.training.name_weight), ("advertised", recipe.data.advertised)):
        if value and not recipe.data.onet and not recipe.data.taxonomy:
            raise ValueError(f"{name} is {value}, but postings of tables have no occupation; give onet or a taxonomy")
    if variant.parts in ("skills", "skill-list") and not recipe.data.skills:
        raise ValueError(f"the variant {recipe.variant} needs skills in [data]: a taxonomy with skills")


@dataclass(frozen=True, slots=True)
class TitleRetrieval:
    """Retrieval of the titles of held-out descriptions among all held-out titles."""

    postings: int  # number of queries
    titles: int  # number of candidate titles
    # recall_at_1, recall_at_10, mrr: figures of the right title, higher is better
    recall_at_1: float
    recall_at_10: float
    mrr: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JdanReport(LoopReport[JdanRecipe]):
    """Training report."""

    postings: tuple[int, int]  # numbers of training postings and of held-out postings, without empty ones
    texts: int  # number of distinct titles and parts
    before: float | None  # loss on the held-out postings before the first step, or None
    untrained: TitleRetrieval | None  # retrieval by the mean of the sentences with the initial encoder, or None
    trained: TitleRetrieval | None  # retrieval by the saved model, or None
