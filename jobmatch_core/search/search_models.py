"""Search encoders by a word of `model_spec`, and the one in use.

`search` is the encoder that comes with jobmatch, over its title encoder; one that was trained over another title
encoder is opened with that. The word of any other encoder names one that
encodes queries as it does documents.
"""

from importlib.resources import files
from pathlib import Path

import numpy as np

from jobmatch_core.encoders.loading import kept_on_disk, load_title_encoder, opened_encoder
from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import ModelError
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.model_spec import ModelKind, find_model, stored_word
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

SHIPPED = "jobmatch-search"  # the folder of the model that comes with jobmatch
_TRIED = "nurse"  # encoded to see whether a model can


def load_search_encoder(word: str = "", settings: Settings | None = None, *, cached: bool = False) -> SearchEncoder:
    """Load a search encoder, or any other encoder as one.

    Args:
        word: a word of `model_spec` for a search encoder or an encoder; by default the one in use.
        settings: where named models are; from the environment by default.
        cached: cache the vectors of another encoder on disk, so that an interrupted training need not make them again.

    Raises:
        ModelError: there is no such model, it is damaged, or the title encoder below it is gone or has changed.
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


def _in_use(settings: Settings) -> SearchEncoder:
    """Load the encoder in use; no other takes its place, since its answers would be taken for those of this one."""
    name = search_model_in_use(settings)
    try:
        return open_search_encoder(_folder(name, settings), settings)
    except ModelError as error:
        raise ModelError(
            f"The search model in use, {name}, cannot be used: {error} Until then, put another one into use: "
            f"`jobmatch models promote {BUILT_IN[ModelKind.SEARCH]} --kind search`, or on the page 'Train models'."
        ) from error


def open_search_encoder(folder: Path, settings: Settings | None = None) -> SearchEncoder:
    """Load the search encoder of a folder; torch is imported for a transformer alone.

    Args:
        folder: the folder.
        settings: where the title encoder below it may be; from the environment by default.

    Raises:
        ModelError: the folder holds no search encoder, a damaged one, or one over a title encoder that is gone or has
            changed.
    """
    with as_model_error(f"{folder} holds no search encoder that can be used", REMEDY):
        kind = read_json(folder / CONFIG_FILE)["search"]
    if kind == TRANSFORMER:
        from jobmatch_core.search.transformer_encoder import TransformerSearchEncoder

        return TransformerSearchEncoder.load(folder)
    return NgramSearchEncoder.load(folder, lambda word: load_title_encoder(stored_word(word, settings), settings))


def search_model_in_use(settings: Settings) -> str:
    """Return the name of the promoted search encoder, whether or not it can be used; the shipped one's without one."""
    return Registry(settings).promoted(ModelKind.SEARCH) or BUILT_IN[ModelKind.SEARCH]


def search_fault(folder: Path, settings: Settings) -> str:
    """Return why a search encoder cannot be opened or cannot encode; '' where it can."""
    try:
        encoder = open_search_encoder(folder, settings)
        with as_model_error(f"{folder} holds a search encoder that cannot encode", REMEDY):
            for encode in (encoder.encode, encoder.encode_queries):
                _check_vectors(encode([_TRIED]), encoder.dimension)
    except ModelError as error:
        return f"it is damaged, or what it was trained over is gone or has changed ({error.__cause__})"
    return ""


def _check_vectors(vectors: FloatArray, dimension: int) -> None:
    if vectors.shape != (1, dimension) or not np.isfinite(vectors).all():
        raise ValueError(f"it gives no vector of {dimension} finite numbers")


def _folder(name: str, settings: Settings) -> Path:
    return shipped_folder() if name == BUILT_IN[ModelKind.SEARCH] else Registry(settings).folder(name)


def shipped_folder() -> Path:
    """Return the folder of the model that comes with jobmatch."""
    return Path(str(files("jobmatch_core.search") / SHIPPED))
