"""Models of postings by name.

`jdan` is the aggregation network that comes with jobmatch, over its title encoder; `mean` is the mean of the sentences,
`max` their maxima and `document` the whole text as one, all untrained; any other is the name of a model that was
trained here, under `JOBMATCH_HOME/models`, or a folder. A folder with an encoder, or several with + between them, one
of which may be the title encoder (`titles+FOLDER`), is the mean of the sentences by these.
"""

import logging
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from jobmatch_core.descriptions.aggregators import VARIANTS
from jobmatch_core.encoders.loading import TITLES, encoder_folder, joint_words, load_encoder, shipped_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.transformer_models import HUB
from jobmatch_core.settings import Settings

if TYPE_CHECKING:
    from jobmatch_core.descriptions.description_model import DescriptionModel

_log = logging.getLogger(__name__)
JDAN, MEAN = "jdan", "mean"
UNTRAINED = {MEAN: "sentence-mean", "max": "sentence-max", "document": "document"}  # by the word for them
_CONFIG_FILE, _WEIGHTS_FILE = "config.json", "model.safetensors"  # as `description_model` has them
SHIPPED = "jobmatch-jdan"  # the folder of the model that comes with jobmatch


@dataclass(frozen=True, slots=True)
class PostingModelChoice:
    """A model to choose from.

    Attributes:
        word: name of the model, for `load_posting_model`.
        stamp: number that changes when a model of the same name is trained again.
    """

    word: str
    stamp: int = 0


def posting_models(settings: Settings | None = None) -> list[PostingModelChoice]:
    """Return the shipped model, those trained here, the latest first, and the untrained ones.

    A trained one is listed for what its configuration says; whether it can be used shows when it is loaded. The
    shipped one is left out where its backbone is another than it was trained over.
    """
    folder = (settings or Settings.from_environment()).models
    trained = [
        PostingModelChoice(path.parent.name, path.stat().st_mtime_ns)
        for path in folder.glob(f"*/{_WEIGHTS_FILE}")
        if _variant(path.with_name(_CONFIG_FILE)) in VARIANTS and not path.parent.name.startswith(".")
    ]
    trained.sort(key=lambda choice: -choice.stamp)
    first = [PostingModelChoice(JDAN)] if shipped_fits() else []
    return [*first, *trained, *map(PostingModelChoice, UNTRAINED)]


def load_posting_model(word: str = "", settings: Settings | None = None) -> "DescriptionModel":
    """Load a model; torch is imported only now, because it takes seconds.

    Args:
        word: name as in the module's docstring; by default the model that comes with jobmatch, or the mean of the
            sentences if that does not match the installed title encoder.
        settings: location of trained models; from the environment by default.

    Raises:
        ModelError: no model has that name, it is damaged, or its backbone cannot be loaded from this machine.
        LinkingError: an encoder cannot be loaded from this machine.
    """
    from jobmatch_core.descriptions.description_model import DescriptionModel

    if not word:
        word = JDAN if shipped_fits() else MEAN
        if word == MEAN:
            _log.warning("The model %s was trained over another title encoder; sentences are averaged.", SHIPPED)
    if word == JDAN:
        return DescriptionModel.load(shipped_folder(), shipped_encoder())
    if word in UNTRAINED:
        return DescriptionModel(shipped_encoder(), TITLES, UNTRAINED[word])
    settings = settings or Settings.from_environment()
    for folder in (settings.models / word, Path(word)):
        if _variant(folder / _CONFIG_FILE) in VARIANTS:
            return DescriptionModel.load(folder)
    if all(_is_encoder(each, settings) for each in joint_words(word)):
        return DescriptionModel(load_encoder(word, settings), word, UNTRAINED[MEAN])
    known = ", ".join(choice.word for choice in posting_models(settings))
    raise ModelError(
        f"There is no model {word!r} of descriptions; there are {known}, and folders with others or with encoders."
    )


def _is_encoder(word: str, settings: Settings) -> bool:
    return word == TITLES or word.startswith(HUB) or encoder_folder(word, settings) is not None


def shipped_folder() -> Path:
    """Return the folder of the model that comes with jobmatch."""
    return Path(str(files("jobmatch_core.descriptions") / SHIPPED))


def shipped_fits() -> bool:
    """Return whether the shipped model exists and matches the shipped title encoder."""
    try:
        config = read_json(shipped_folder() / _CONFIG_FILE)
    except (OSError, ValueError):
        return False
    return bool(config.get("backbone_name") == shipped_encoder().name)


def _variant(path: Path) -> str:
    """Return the variant of a model of descriptions; '' where the configuration is that of something else."""
    try:
        config = read_json(path)
    except (OSError, ValueError):
        return ""
    return str(config.get("variant", "")) if isinstance(config, dict) else ""
