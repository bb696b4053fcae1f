"""Search encoders by their `model_spec` word, and the one in use.

`search` is the shipped encoder over the shipped title encoder. The word of another encoder names one that encodes
queries like documents.
"""

from importlib.resources import files
from pathlib import Path

import numpy as np

from jobmatch_core.encoders.loading import kept_on_disk, load_encoder, load_title_encoder, opened_encoder
from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.errors import ModelError
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.model_spec import ModelKind, find_model, model_stamp, stored_word
from jobmatch_core.model_store.registry import BUILT_IN, Registry
from jobmatch_core.model_store.saved_model import CONFIG_FILE, as_model_error
from jobmatch_core.search.search_encoder import (
    REMEDY,
    TRANSFORMER,
    NgramSearchEncoder,
    PlainSearchEncoder,
    SearchEncoder,
)
from jobmatch_core.settings import Settings

SHIPPED = "jobmatch-search"  # folder of the shipped model
_TEST_TEXT = "nurse"


def load_search_encoder(word: str = "", settings: Settings | None = None, *, cached: bool = False) -> SearchEncoder:
    """Load a search encoder, or any other encoder as one, by its `model_spec` word; the one in use by default.

    *cached* stores the vectors of another encoder on disk, so that an interrupted training can reuse them.

    Raises:
        ModelError: no such model, a damaged one, or its title encoder is missing or has changed.
        LinkingError: an encoder cannot be loaded from this machine.
    """
    settings = settings or Settings.from_environment()
    if not word:
        return _in_use(settings)
    model = find_model(word, settings, ModelKind.SEARCH, ModelKind.ENCODER)
    if model.kind is ModelKind.ENCODER:
        encoder = opened_encoder(model)
        return PlainSearchEncoder(kept_on_disk(encoder, settings) if cached else encoder)
    return open_search_encoder(model.folder or shipped_folder(), settings)


def load_beside(settings: Settings) -> Encoder | None:
    """Load the encoder that ranks occupations beside the search encoder; None without one, raises as `load_encoder`."""
    return load_encoder(settings.search_beside, settings) if settings.search_beside else None


# no other encoder replaces a broken one, because its answers would be taken for those of the one in use
def _in_use(settings: Settings) -> SearchEncoder:
    name = search_model_in_use(settings)
    try:
        return open_search_encoder(_folder(name, settings), settings)
    except ModelError as error:
        raise ModelError(
            f"The search model in use, {name}, cannot be used: {error} Until then, promote another one: "
            f"`jobmatch models promote {BUILT_IN[ModelKind.SEARCH]} --kind search`, or on the page 'Train models'."
        ) from error


def open_search_encoder(folder: Path, settings: Settings | None = None) -> SearchEncoder:
    """Load the search encoder of a folder; torch is imported only for a transformer.

    Raises ModelError if it holds none or a damaged one, or the title encoder is missing or has changed.
    """
    with as_model_error(f"{folder} holds no search encoder that can be used", REMEDY):
        kind = read_json(folder / CONFIG_FILE)["search"]
    if kind == TRANSFORMER:
        from jobmatch_core.search.transformer_encoder import TransformerSearchEncoder

        return TransformerSearchEncoder.load(folder)
    return NgramSearchEncoder.load(folder, lambda word: load_title_encoder(stored_word(word, settings), settings))


def search_model_in_use(settings: Settings) -> str:
    """Return the name of the promoted search encoder, usable or not; the shipped one's by default."""
    return Registry(settings).promoted(ModelKind.SEARCH) or BUILT_IN[ModelKind.SEARCH]


def search_model_state(settings: Settings) -> tuple[str, int]:
    """Return the name of the encoder in use, and a number that changes when it is stored again."""
    name = search_model_in_use(settings)
    return name, model_stamp(name, settings, ModelKind.SEARCH)


def search_fault(folder: Path, settings: Settings) -> str:
    """Return why a search encoder cannot be opened or cannot encode, or ''."""
    try:
        encoder = open_search_encoder(folder, settings)
        with as_model_error(f"{folder} holds a search encoder that cannot encode", REMEDY):
            for encode in (encoder.encode, encoder.encode_queries):
                _check_vectors(encode([_TEST_TEXT]), encoder.dimension)
    except ModelError as error:
        return f"it is damaged, or its backbone is missing or has changed ({error.__cause__})"
    return ""


def _check_vectors(vectors: FloatArray, dimension: int) -> None:
    if vectors.shape != (1, dimension) or not np.isfinite(vectors).all():
        raise ValueError(f"it returns no vector of {dimension} finite numbers")


def _folder(name: str, settings: Settings) -> Path:
    return shipped_folder() if name == BUILT_IN[ModelKind.SEARCH] else Registry(settings).folder(name)


def shipped_folder() -> Path:
    """Return the folder of the shipped model."""
    return Path(str(files("jobmatch_core.search") / SHIPPED))
