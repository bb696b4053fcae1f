"""The models that freelancers are found with, by a user's word."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from jobmatch_core.encoders import TITLES, load_token_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.settings import Settings

if TYPE_CHECKING:
    from jobmatch_core.matching.two_towers import TwoTowers

UNTRAINED = "untrained"  # the word for the sections' mean word vectors of the title encoder that comes with jobmatch


def installed_models(settings: Settings | None = None) -> list[str]:
    """Return the names of the towers under `JOBMATCH_HOME/models`, the latest first."""
    folder = _models(settings or Settings.from_environment())
    found = [path.parent for path in folder.glob("*/config.json") if _is_towers(path)]
    return [path.name for path in sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)]


def load_match_model(word: str = "", settings: Settings | None = None) -> "TwoTowers":
    """Load a model; torch is imported only now, because it takes seconds.

    Args:
        word: a folder with towers, the name of one under `JOBMATCH_HOME/models`, or `UNTRAINED`; where not given, the
            latest of those, or the untrained one where there is none.
        settings: where that is; from the environment where not given.

    Raises:
        ModelError: there is no such model, or it is damaged, or its backbone cannot be loaded from here.
    """
    from jobmatch_core.matching.tower import TowerConfig
    from jobmatch_core.matching.two_towers import TwoTowers

    settings = settings or Settings.from_environment()
    word = word or next(iter(installed_models(settings)), UNTRAINED)
    if word == UNTRAINED:
        encoder = load_token_encoder(TITLES, settings)
        config = TowerConfig(section_embeddings=False, head=False)
        return TwoTowers(encoder, TITLES, config, name=f"{UNTRAINED}-{encoder.name}")
    for folder in (_models(settings) / word, Path(word)):
        if (folder / "config.json").is_file():
            return TwoTowers.load(folder)
    known = ", ".join((*installed_models(settings), UNTRAINED))
    raise ModelError(f"There is no model {word!r} for matching; there are {known}, and folders with others.")


def _models(settings: Settings) -> Path:
    return settings.home / "models"


def _is_towers(config: Path) -> bool:
    try:
        return "tower" in json.loads(config.read_text("utf-8"))
    except (OSError, ValueError):
        return False
