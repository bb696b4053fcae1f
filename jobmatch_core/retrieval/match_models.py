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
from jobmatch_core.model_store.registry import ModelKind, Registry
from jobmatch_core.settings import Settings
from jobmatch_core.towers.documents import SECTIONS
from jobmatch_core.towers.tower_config import TowerConfig

if TYPE_CHECKING:
    from jobmatch_core.towers.two_towers import TwoTowers

_log = logging.getLogger(__name__)
_TRANSFORMER = re.compile(r"@[0-9]+$")  # the end of the names of `token_encoders.HuggingFaceTokens`
UNTRAINED = "untrained"  # name of the sections' mean word vectors of the title encoder that comes with jobmatch


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """Towers under `JOBMATCH_HOME/models`.

    Attributes:
        word: name of the towers.
        fault: reason why they cannot be used; '' if none is known before they are loaded.
    """

    word: str
    fault: str


def installed_models(settings: Settings | None = None) -> list[str]:
    """Return the names of the towers under `JOBMATCH_HOME/models` that can be used, the latest first."""
    return [model.word for model in all_installed_models(settings) if not model.fault]


def all_installed_models(settings: Settings | None = None) -> list[InstalledModel]:
    """Return all towers under `JOBMATCH_HOME/models`, the latest first.

    Faults are found in `config.json`, without torch and without the weights.
    """
    folder = (settings or Settings.from_environment()).models
    paths = folder.glob("[!.]*/config.json")  # a hidden folder is one on its way
    configs = [(path, config) for path in paths if (config := _towers_config(path)) is not None]
    configs.sort(key=lambda found: found[0].parent.stat().st_mtime, reverse=True)
    return [InstalledModel(path.parent.name, _fault(config)) for path, config in configs]


def load_match_model(word: str = "", settings: Settings | None = None) -> "TwoTowers":
    """Load a model; torch is imported only now, because it takes seconds.

    Args:
        word: a folder with towers, the name of one under `JOBMATCH_HOME/models`, or `UNTRAINED`; by default the model
            in use, see `model_in_use`.
        settings: location of the models; from the environment by default.

    Raises:
        ModelError: no model has that name, it is damaged, or its backbone cannot be loaded from this machine.
    """
    from jobmatch_core.towers.two_towers import TwoTowers

    settings = settings or Settings.from_environment()
    word = word or model_in_use(settings)
    if word == UNTRAINED:
        encoder = load_token_encoder(TITLES, settings)
        config = TowerConfig(section_embeddings=False, head=False)
        return TwoTowers(encoder, TITLES, config, name=f"{UNTRAINED}-{encoder.name}")
    for folder in (settings.models / word, Path(word)):
        if (folder / "config.json").is_file():
            return TwoTowers.load(folder)
    known = ", ".join((*installed_models(settings), UNTRAINED))
    raise ModelError(f"There is no model {word!r} for matching; there are {known}, and folders with others.")


def model_in_use(settings: Settings | None = None) -> str:
    """Return the name of the promoted model; if none was promoted or it cannot be used, of the latest that can.

    Raises:
        ModelError: the history of promotions is damaged.
    """
    settings = settings or Settings.from_environment()
    promoted = Registry(settings).promoted(ModelKind.TOWERS)
    installed = all_installed_models(settings)
    if promoted == UNTRAINED or any(model.word == promoted and not model.fault for model in installed):
        return promoted
    if promoted:
        _log.warning("The promoted model %s cannot be used; another one is taken. Promote one anew.", promoted)
    for model in installed:
        if not model.fault:
            return model.word
        _log.warning("The model %s is passed over: %s; train it anew.", model.word, model.fault)
    return UNTRAINED


def _towers_config(path: Path) -> dict[str, Any] | None:
    """Return the configuration of towers; None for another model's."""
    try:
        config = read_json(path)
    except (OSError, ValueError):
        return None
    return config if isinstance(config, dict) and "tower" in config else None


def _fault(config: Mapping[str, Any]) -> str:
    """Return the reason why towers cannot be used; '' if none is known."""
    try:
        record_of(TowerConfig, config["tower"], "[tower]")
        if config["sections"] != {kind: list(names) for kind, names in SECTIONS.items()}:
            return "it is of another release"
        then, now = config["backbone_name"], _backbone_now(config["backbone"], config["backbone_name"])
    except (LookupError, TypeError, ValueError):
        return "it is of another release"
    except (ModelError, OSError) as error:
        return str(error)
    return "" if now == then else f"it was trained over {then}, and now there is {now or 'none'}"


def _backbone_now(word: str, then: str) -> str:
    """Return the present name of a backbone, '' if it is missing; a transformer, with `@`, is not loaded for it."""
    if _TRANSFORMER.search(then):
        return hugging_face_name(word)
    is_there = word == TITLES or Path(word, "modules.json").is_file()
    return load_token_encoder(word).name if is_there else ""
