"""Matching models by name."""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jobmatch_core.encoders.loading import TITLES, load_token_encoder
from jobmatch_core.encoders.token_encoders import hugging_face_name
from jobmatch_core.errors import ModelError
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.model_spec import UNTRAINED, ModelKind, find_model, home_models
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.model_store.saved_model import CONFIG_FILE
from jobmatch_core.ranking.ranker import RANKER_FILE, Ranker, shipped_ranker
from jobmatch_core.settings import Settings
from jobmatch_core.towers.documents import SECTIONS
from jobmatch_core.towers.tower_recipe import TowerConfig

if TYPE_CHECKING:
    from jobmatch_core.towers.two_towers import TwoTowers

_log = logging.getLogger(__name__)
_TRANSFORMER = re.compile(r"@[0-9]+$")  # the end of the names of `token_encoders.HuggingFaceTokens`


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model."""

    word: str  # name for `load_match_model`
    fault: str = ""  # reason why it cannot be used; '' if none is known before it is loaded

    @property
    def trained(self) -> bool:
        """True if it was trained on a marketplace."""
        return self.word != UNTRAINED


def model_choices(settings: Settings | None = None) -> list[ModelChoice]:
    """Return the promoted model, the other usable ones, latest first, the untrained one, and the unusable ones.

    Raises ModelError if the history of promotions is damaged.
    """
    settings = settings or Settings.from_environment()
    promoted = Registry(settings).promoted(ModelKind.TOWERS)
    choices = [*all_installed_models(settings), ModelChoice(UNTRAINED)]
    return sorted(choices, key=lambda choice: (bool(choice.fault), choice.word != promoted))


def all_installed_models(settings: Settings | None = None) -> list[ModelChoice]:
    """Return all towers under `JOBMATCH_HOME/models`, latest first; reads `config.json` and `ranker.json` only."""
    settings = settings or Settings.from_environment()
    return [
        ModelChoice(model.word, _fault(model.folder, settings))
        for model in home_models(settings, ModelKind.TOWERS)
        if model.folder
    ]


def load_match_model(word: str = "", settings: Settings | None = None) -> "TwoTowers":
    """Load a model.

    Args:
        word: name of the towers (see `model_spec`), or `untrained` for mean word vectors of the shipped title encoder;
            by default the model in use, see `model_in_use`.

    Raises:
        ModelError: the model or its backbone is missing or damaged.
    """
    from jobmatch_core.towers.two_towers import TwoTowers

    settings = settings or Settings.from_environment()
    model = find_model(word or model_in_use(settings), settings, ModelKind.TOWERS)
    if model.folder:
        return TwoTowers.load(model.folder, settings=settings)
    encoder = load_token_encoder(TITLES, settings)
    config = TowerConfig(section_embeddings=False, head=False)
    return TwoTowers(encoder, TITLES, config, name=f"{UNTRAINED}-{encoder.name}")


def load_ranker(word: str = "", settings: Settings | None = None) -> Ranker:
    """Return the second stage of towers: the ranker in their folder, or else the one that comes with jobmatch.

    The name is as for `load_match_model`. Raises ModelError if there is no such model, or its ranker is damaged.
    """
    settings = settings or Settings.from_environment()
    folder = find_model(word or model_in_use(settings), settings, ModelKind.TOWERS).folder
    return _stored_ranker(folder) if folder else shipped_ranker()


def _stored_ranker(folder: Path) -> Ranker:
    file = folder / RANKER_FILE
    return Ranker.load(file) if file.exists() else shipped_ranker()  # older folders have none


def model_in_use(settings: Settings | None = None) -> str:
    """Return the name of the promoted model or, if that is missing or unusable, of the latest usable one.

    Raises ModelError if the history of promotions is damaged.
    """
    settings = settings or Settings.from_environment()
    promoted = Registry(settings).promoted(ModelKind.TOWERS)
    installed = all_installed_models(settings)
    if promoted == UNTRAINED or any(model.word == promoted and not model.fault for model in installed):
        return promoted
    if promoted:
        _log.warning(
            "The promoted model %s cannot be used; another one is used instead. Promote a model again.", promoted
        )
    for model in installed:
        if not model.fault:
            return model.word
        _log.warning("The model %s is skipped: %s; train it again.", model.word, model.fault)
    return UNTRAINED


def _fault(folder: Path, settings: Settings) -> str:
    try:
        _stored_ranker(folder)
    except ModelError:
        return f"its {RANKER_FILE} is damaged"
    try:
        config = read_json(folder / CONFIG_FILE)
        then = _backbone_then(config)
        now = _backbone_now(config["backbone"], then, settings) if then else ""
    except (ModelError, OSError, ValueError) as error:
        return str(error)
    if not then:
        return "it is of another release"
    return "" if now == then else f"it was trained over {then}, and now there is {now or 'none'}"


def _backbone_then(config: Mapping[str, Any]) -> str:
    """Return the name of the backbone that towers were trained over; '' if they are of another release."""
    try:
        record_of(TowerConfig, config["tower"], "[tower]")
        fits = config["sections"] == {kind: list(names) for kind, names in SECTIONS.items()}
        named = isinstance(config["backbone_name"], str) and isinstance(config["backbone"], str)
        return config["backbone_name"] if fits and named else ""
    except (LookupError, TypeError, ValueError):
        return ""


def _backbone_now(word: str, then: str, settings: Settings) -> str:
    """Return the present name of a backbone, without loading a transformer; '' if it is missing."""
    try:
        place = find_model(word, settings, ModelKind.ENCODER).place
    except ModelError:
        place = ""
    if _TRANSFORMER.search(then):
        return hugging_face_name(place or word)
    return load_token_encoder(word, settings).name if place else ""
