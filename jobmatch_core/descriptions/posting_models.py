"""Models of postings by a word of `model_spec`.

`jdan` is the shipped aggregation network over the shipped title encoder. `mean` and `max` pool the sentences and
`document` encodes the whole text, untrained. The word of an encoder, or of several joined by +, pools by the mean.
"""

import logging
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from jobmatch_core.encoders.loading import TITLES, opened_encoder, shipped_encoder
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.model_spec import JDAN, MEAN, ModelKind, find_model, home_models
from jobmatch_core.model_store.saved_model import CONFIG_FILE
from jobmatch_core.settings import Settings

if TYPE_CHECKING:
    from jobmatch_core.descriptions.description_model import DescriptionModel

_log = logging.getLogger(__name__)
UNTRAINED = {MEAN: "sentence-mean", "max": "sentence-max", "document": "document"}  # word -> variant
SHIPPED = "jobmatch-jdan"  # folder of the shipped model


def posting_models(settings: Settings | None = None) -> list[str]:
    """Return the words of the shipped model, the trained ones (latest first), the untrained ones, and the encoders.

    A trained one is listed by its configuration and checked only when it is loaded. The shipped one is omitted if its
    backbone has changed.
    """
    settings = settings or Settings.from_environment()
    trained, encoders = (
        [model.word for model in home_models(settings, kind)] for kind in (ModelKind.DESCRIPTIONS, ModelKind.ENCODER)
    )
    words = [*([JDAN] if shipped_fits() else []), *trained, *UNTRAINED, *encoders]
    return list(dict.fromkeys(words))  # an encoder may have the word of an untrained one


def load_posting_model(word: str = "", settings: Settings | None = None) -> "DescriptionModel":
    """Load a model of descriptions or an encoder by its `model_spec` word; torch is imported only now (seconds).

    The default is the shipped model, or the mean of the sentences if it does not fit the installed title encoder.

    Raises:
        ModelError: no such model, a damaged one, or its backbone cannot be loaded from this machine.
        LinkingError: an encoder cannot be loaded from this machine.
    """
    from jobmatch_core.descriptions.description_model import DescriptionModel

    if not word:
        word = JDAN if shipped_fits() else MEAN
        if word == MEAN:
            _log.warning("The model %s was trained over another title encoder; sentences are averaged.", SHIPPED)
    settings = settings or Settings.from_environment()
    model = find_model(word, settings, ModelKind.DESCRIPTIONS, ModelKind.ENCODER)
    if model.kind is ModelKind.ENCODER:
        return DescriptionModel(opened_encoder(model), model.word, UNTRAINED[MEAN])
    if model.folder:
        return DescriptionModel.load(model.folder, settings=settings)
    if model.word == JDAN:
        return DescriptionModel.load(shipped_folder(), shipped_encoder())
    return DescriptionModel(shipped_encoder(), TITLES, UNTRAINED[model.word])


def shipped_folder() -> Path:
    """Return the folder of the shipped model."""
    return Path(str(files("jobmatch_core.descriptions") / SHIPPED))


def shipped_fits() -> bool:
    """Return whether the shipped model exists and matches the shipped title encoder."""
    try:
        config = read_json(shipped_folder() / CONFIG_FILE)
    except (OSError, ValueError):
        return False
    return bool(config.get("backbone_name") == shipped_encoder().name)
