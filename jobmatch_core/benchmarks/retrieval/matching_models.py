"""The models of the matching experiment: the paper's (section 4.1), lexical ones, and towers by recipe."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from jobmatch_core.encoders.loading import load_token_encoder
from jobmatch_core.entities import Encoder, Progress
from jobmatch_core.errors import SettingsError
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.ranking.ranker import shipped_ranker
from jobmatch_core.ranking.second_stage import SecondStage, fit_ranker
from jobmatch_core.towers.document_pairs import DocumentPairs, temporal_split
from jobmatch_core.towers.matcher import (
    BM25Matcher,
    ConcatenatedText,
    CosineMatcher,
    DocumentEncoder,
    Matcher,
    SectionSBert,
    SkillOverlap,
)

if TYPE_CHECKING:
    from jobmatch_core.towers.tower_recipe import TowerRecipe

Fit = Callable[[Marketplace, int, Progress], Matcher | SecondStage]
TOWERS, SBERT = "towers", "sbert-triplet"
_RANKER = "+ranker"
_SHARE_RANKED = 0.3  # of the past projects, the latest, on which the ranker is fitted
DEFAULT_MODELS = (
    "bm25",
    "skill-overlap",
    "section-sbert",
    "section-sbert+projection-triplet",
    "section-sbert+projection-infonce",
    TOWERS,
)
_RECIPE = ".toml"
LEXICAL: dict[str, Matcher] = {"bm25": BM25Matcher(), "skill-overlap": SkillOverlap()}
ZERO_SHOT: dict[str, Callable[[Encoder], DocumentEncoder]] = {
    "section-sbert": SectionSBert,
    "concatenated-text": ConcatenatedText,
}


@dataclass(frozen=True, slots=True)
class MatchingModel:
    """A model that can be trained and measured."""

    name: str  # in tables
    setting: str  # everything that determines it besides data and seed
    seeded: bool  # whether it depends on the seed
    fit: Fit  # trains it on a marketplace with a seed


@dataclass(frozen=True, slots=True)
class ModelChoices:
    """Settings of the named models."""

    encoder: Encoder  # encoder of the zero-shot models and the projections
    sbert: str = ""  # name of the encoder that `sbert-triplet` retrains; '' for none
    sbert_steps: int = 200  # steps of S-BERT's training


def open_model(name: str, choices: ModelChoices) -> MatchingModel:
    """Return a model.

    Args:
        name: one of `LEXICAL`, `ZERO_SHOT` or `TRAINED`, or the path of a towers' recipe, which ends in .toml.

    Raises:
        SettingsError: there is no model of that name, or it lacks a backbone.
        DataFileError: the recipe cannot be read.
        ModelError: the recipe's backbone cannot be loaded.
    """
    if name.endswith(_RECIPE):
        return _towers_by_recipe(Path(name))
    if name in TRAINED:
        return TRAINED[name](choices)
    matcher = untrained_matcher(name, choices.encoder)
    if matcher is None:
        names = ", ".join((*LEXICAL, *ZERO_SHOT, *TRAINED))
        raise SettingsError(
            f"There is no model '{name}'; choose one of {names}, or a towers' recipe, which ends in .toml."
        )
    setting = choices.encoder.name if name in ZERO_SHOT else ""
    return MatchingModel(name, setting, seeded=False, fit=lambda train, seed, progress: matcher)


def untrained_matcher(name: str, encoder: Encoder) -> Matcher | None:
    """Return a model of `LEXICAL` or `ZERO_SHOT`, which need no training; None if the name is unknown."""
    return LEXICAL.get(name) or (CosineMatcher(ZERO_SHOT[name](encoder)) if name in ZERO_SHOT else None)


def _projection(choices: ModelChoices, *, infonce: bool) -> MatchingModel:
    from jobmatch_core.towers.section_projection import INFO_NCE, TRIPLET, train_projection

    setting = INFO_NCE if infonce else TRIPLET

    def fit(train: Marketplace, seed: int, progress: Progress) -> Matcher:
        pairs = DocumentPairs.of(train)
        return CosineMatcher(train_projection(choices.encoder, pairs, setting, seed=seed, progress=progress))

    return MatchingModel(f"section-sbert+projection-{setting.loss}", _told(setting, choices.encoder.name), True, fit)


def _retrained(choices: ModelChoices) -> MatchingModel:
    if not choices.sbert:
        raise SettingsError(f"{SBERT} needs a model to retrain; name a sentence-transformers model with --sbert.")
    from jobmatch_core.titles.subword import find_backbone, load_backbone
    from jobmatch_core.towers.sentence_bert import RetrainingSetting, retrain_sentence_bert

    setting = RetrainingSetting(steps=choices.sbert_steps)

    def fit(train: Marketplace, seed: int, progress: Progress) -> Matcher:
        backbone = load_backbone(choices.sbert)  # anew for each seed: its weights are changed
        return CosineMatcher(
            retrain_sentence_bert(backbone, DocumentPairs.of(train), setting, seed=seed, progress=progress)
        )

    model = find_backbone(choices.sbert)
    return MatchingModel(SBERT, _told(setting, model.content_name if model.folder else choices.sbert), True, fit)


def _towers_by_recipe(path: Path) -> MatchingModel:
    from jobmatch_core.towers.tower_recipe import read_tower_recipe

    return _towers(read_tower_recipe(path))


def _default_towers() -> MatchingModel:
    from jobmatch_core.towers.tower_recipe import TowerRecipe

    return _towers(TowerRecipe(TOWERS))


def _towers(recipe: "TowerRecipe") -> MatchingModel:
    from jobmatch_core.towers.tower_training import train_towers
    from jobmatch_core.towers.two_towers import TwoTowers

    encoder = load_token_encoder(recipe.backbone)

    def fit(train: Marketplace, seed: int, progress: Progress) -> Matcher:
        with TemporaryDirectory() as folder:
            out = Path(folder) / recipe.name
            train_towers(replace(recipe, seed=seed), train, out, encoder=encoder, progress=progress)
            return CosineMatcher(TwoTowers.load(out, encoder))

    return MatchingModel(recipe.name, _told(replace(recipe, seed=0), encoder.name), True, fit)


def _untrained_ranked(choices: ModelChoices) -> MatchingModel:
    stage = SecondStage(SectionSBert(choices.encoder), shipped_ranker().scores)
    setting = f"{choices.encoder.name} {shipped_ranker().weights}"
    return MatchingModel(f"untrained{_RANKER}", setting, seeded=False, fit=lambda train, seed, progress: stage)


def _towers_ranked(_choices: ModelChoices) -> MatchingModel:
    """Return towers with a ranker.

    The towers are trained twice: without the latest of the past projects, on which the ranker is fitted, so that it
    sees similarities as those of new projects; and on all of them, for use.
    """
    towers = _default_towers()

    def fit(train: Marketplace, seed: int, progress: Progress) -> SecondStage:
        early, latest = temporal_split(train, _SHARE_RANKED)
        ranker = fit_ranker(_encoder(towers.fit(early, seed, progress)), latest, train.name)
        return SecondStage(_encoder(towers.fit(train, seed, progress)), ranker.scores)

    return MatchingModel(f"{TOWERS}{_RANKER}", f"{towers.setting} {_SHARE_RANKED}", seeded=True, fit=fit)


def _encoder(matcher: Matcher | SecondStage) -> DocumentEncoder:
    if not isinstance(matcher, CosineMatcher):
        raise TypeError(f"{matcher.name} has no vectors")
    return matcher.encoder


def _told(setting: object, backbone: str) -> str:
    return json.dumps(asdict(setting) | {"backbone": backbone}, sort_keys=True)  # type: ignore[call-overload]


TRAINED: dict[str, Callable[[ModelChoices], MatchingModel]] = {
    "section-sbert+projection-triplet": lambda choices: _projection(choices, infonce=False),
    "section-sbert+projection-infonce": lambda choices: _projection(choices, infonce=True),
    SBERT: _retrained,
    TOWERS: lambda choices: _default_towers(),
    f"untrained{_RANKER}": _untrained_ranked,
    f"{TOWERS}{_RANKER}": _towers_ranked,
}
