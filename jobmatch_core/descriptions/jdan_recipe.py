"""Recipe of a model of titles and descriptions, a TOML file with data, architecture and training; and its report.

    backbone = "titles"        # or a folder, `hub:` and a model hub's name, or several of these with + between them
    train_backbone = true
    variant = "jdan"           # or another of `descriptions.aggregators.VARIANTS`
    [data]
    postings = ["postings.jsonl.gz"]
    [network]
    layers = 4
    [training]
    epochs = 5

Every key is a field of the classes below or of `NetworkConfig`; keys without a default are required. The report of a
training is `report.json` in the model's folder.
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
    """Training data; at least one source.

    Attributes:
        postings: tables with the columns title and description, also packed with gzip.
        most: postings of each table that are taken, the first ones; 0 for all.
        onet: a folder of O*NET's text files, whose titles have their tasks for descriptions.
        onet_alternates: also all other titles of an occupation.
        taxonomy: one whose occupations' English names have their description and skills for a description.
        made_most: postings of O*NET and of the taxonomy that are taken, drawn at random from each; 0 for all.
        advertised: the share of these whose title is written as adverts write it, with a grade, a place or a contract;
            those that are left out to validate with, too, so that figures of recipes with other shares do not compare.
        skills: the taxonomy whose skills the skill-based variants look for.
    """

    postings: tuple[str, ...] = ()
    most: int = 0
    onet: str = ""
    onet_alternates: bool = False
    taxonomy: str = ""
    made_most: int = 0
    advertised: float = 0.0
    skills: str = ""


@dataclass(frozen=True, slots=True)
class JdanTraining:
    """Training settings: AdamW; linear warmup and linear decay of the learning rate to zero (appendix B).

    Attributes:
        epochs: 5 in the paper.
        batch_size: postings a step, 16 in the paper; all others of a batch are negatives.
        learning_rate: highest learning rate, of randomly initialised weights; 3e-5 in the paper, with BERT, for
            everything.
        backbone_learning_rate: highest learning rate of the backbone; 0 for the same.
        warmup: share of the steps in which it rises.
        temperature: temperature of equation 2.
        weight_decay: weight decay of AdamW.
        validation: share of postings that are held out to measure with.
        feature_dropout: share of a text's features that a title encoder of ours drops in training, so that it does not
            memorise words.
        gradients: texts with gradients in a trained backbone: all, as in the paper, or only titles (and names). Then
            the parts of postings have the vectors of the backbone at the start of the epoch, so that a transformer
            encodes a title's few words per posting instead of all of its sentences.
        name_weight: weight of equation 2 between titles and the preferred names of their occupations, where known,
            beside that between titles and descriptions, which weighs 1; 0 in the paper. For a trained backbone.
    """

    epochs: int = 5
    batch_size: int = 64
    learning_rate: float = 3e-4
    backbone_learning_rate: float = 0.0
    warmup: float = 0.1
    temperature: float = 0.05
    weight_decay: float = 0.01
    validation: float = 0.05
    feature_dropout: float = 0.0
    gradients: Gradients = "all"
    name_weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Doc2VecRecipe:
    """The targets of the variant `doc2vec-skill`; as in appendix D.3."""

    dimensions: int = 768
    epochs: int = 100


@dataclass(frozen=True, slots=True)
class JdanRecipe:
    """Everything that determines the model, besides the data itself.

    Attributes:
        name: name of the model; the file's name by default.
        backbone: `titles` for the shipped title encoder, a folder with a title encoder of ours or another
            sentence-transformers model, or `hub:` and the hub's name of one; several, joined by +, are concatenated and
            cannot be trained.
        train_backbone: train it with the rest; if false, each sentence is encoded once for all epochs.
        word_pooling: pooling of the tokens of a trained transformer (table 9).
        max_tokens: maximum number of tokens for a trained transformer; its own limit if that is lower.
        variant: name of the variant: the texts that are read, and their pooling.
        most_parts: maximum number of sentences or skills of a posting.
        seed: seed of all random generators.
        data, network, training, doc2vec: sections of the file.
    """

    name: str
    backbone: str = TITLES
    train_backbone: bool = True
    word_pooling: WordPooling = "mean"
    max_tokens: int = 128
    variant: str = "jdan"
    most_parts: int = 128
    seed: int = 1
    data: JdanData = field(default_factory=JdanData)
    network: NetworkConfig = field(default_factory=NetworkConfig)
    training: JdanTraining = field(default_factory=JdanTraining)
    doc2vec: Doc2VecRecipe = field(default_factory=Doc2VecRecipe)


def read_jdan_recipe(path: Path) -> JdanRecipe:
    """Read a recipe.

    Raises:
        DataFileError: it is missing or no TOML; a key is unknown, missing, or has a value that cannot be used.
    """
    return read_recipe_file(path, JdanRecipe, check_jdan_recipe)


def check_jdan_recipe(recipe: JdanRecipe) -> None:
    """Refuse a recipe of the right types that would fail after minutes or train nothing.

    Raises:
        ValueError: the recipe is refused.
    """
    check_recipe(recipe, _LIMITS)
    if recipe.variant not in VARIANTS:
        raise ValueError(f"variant is {recipe.variant!r}; expected one of {', '.join(VARIANTS)}")
    _check_parts(recipe)
    for name, value in (("most_parts", recipe.most_parts), ("max_tokens", recipe.max_tokens)):
        if value <= 0:
            raise ValueError(f"{name} is {value}; {ABOVE}")


def _check_frozen(recipe: JdanRecipe) -> None:
    """Refuse what only a trained backbone can have."""
    if VARIANTS[recipe.variant].summary != "network":
        raise ValueError(f"the variant {recipe.variant} has nothing to train but the backbone; set train_backbone")
    for name, given in (
        ("word_pooling", recipe.word_pooling != "mean"),
        ("gradients", recipe.training.gradients != "all"),
        ("name_weight", recipe.training.name_weight > 0),
    ):
        if given:
            raise ValueError(f"{name} is for a backbone that is trained; set train_backbone")


def _check_parts(recipe: JdanRecipe) -> None:
    """Refuse parts that do not go together."""
    variant = VARIANTS[recipe.variant]
    if not all(joint_words(recipe.backbone)):
        raise ValueError(f"backbone is {recipe.backbone!r}; expected a word, or several with + between them")
    if not recipe.train_backbone:
        _check_frozen(recipe)
    elif len(joint_words(recipe.backbone)) > 1:
        raise ValueError(f"backbone is {recipe.backbone!r}: one encoder can be trained, not several; train each alone")
    if not recipe.data.postings and not recipe.data.onet and not recipe.data.taxonomy:
        raise ValueError("[data] names neither postings nor onet nor a taxonomy; give one of them at least")
    if variant.objective != "contrastive" and recipe.training.gradients != "all":
        raise ValueError(f"gradients is {recipe.training.gradients!r}, but {recipe.variant} learns titles alone anyway")
    if variant.objective != "contrastive" and recipe.training.name_weight:
        raise ValueError(f"name_weight is {recipe.training.name_weight}, but {recipe.variant} learns by skills alone")
    for name, value in (("name_weight", recipe.training.name_weight), ("advertised", recipe.data.advertised)):
        if value and not recipe.data.onet and not recipe.data.taxonomy:
            raise ValueError(f"{name} is {value}, but a table's postings name no occupation; give onet or a taxonomy")
    if variant.parts in ("skills", "skill-list") and not recipe.data.skills:
        raise ValueError(f"the variant {recipe.variant} needs skills in [data]: a taxonomy that has them")


@dataclass(frozen=True, slots=True)
class TitleRetrieval:
    """Retrieval of the titles of held-out descriptions among all held-out titles.

    Attributes:
        postings: number of postings searched for.
        titles: number of titles to choose from.
        recall_at_1, recall_at_10, mrr: figures of the right title, higher is better.
    """

    postings: int
    titles: int
    recall_at_1: float
    recall_at_10: float
    mrr: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JdanReport(LoopReport[JdanRecipe]):
    """Report of a whole training.

    Attributes:
        postings: numbers of training postings and of held-out postings, without empty ones.
        texts: number of distinct titles and parts.
        before: loss on the held-out postings before the first step; None without any.
        untrained: retrieval by the mean of the descriptions' sentences with the initial encoder; None without held-out
            postings.
        trained: retrieval by the saved model.
    """

    postings: tuple[int, int]
    texts: int
    before: float | None
    untrained: TitleRetrieval | None
    trained: TitleRetrieval | None
