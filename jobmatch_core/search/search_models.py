"""Search encoders by a word of `model_spec`, and the one in use.

`search` is the encoder that comes with jobmatch, over its title encoder. The word of any other encoder names one that
encodes queries as it does documents.
"""

from importlib.resources import files
from pathlib import Path

from jobmatch_core.encoders.loading import kept_on_disk, opened_encoder, shipped_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.model_spec import ModelKind, find_model, kind_of
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


def load_search_encoder(word: str = "", settings: Settings | None = None, *, kept: bool = False) -> SearchEncoder:
    """Load a search encoder, or any other encoder as one.

    Args:
        word: a word of `model_spec` for a search encoder or an encoder; by default the one in use.
        settings: where named models are; from the environment by default.
        kept: cache the vectors of another encoder on disk, so that an interrupted training need not make them again.

    Raises:
        ModelError: there is no such model, it is damaged, or it was trained over another title encoder.
        LinkingError: an encoder cannot be loaded from this machine.
    """
    settings = settings or Settings.from_environment()
    found = find_model(word or search_model_in_use(settings), settings, ModelKind.SEARCH, ModelKind.ENCODER)
    if found.kind is ModelKind.ENCODER:
        encoder = opened_encoder(found)
        return PlainSearchEncoder(kept_on_disk(encoder, settings) if kept else encoder)
    return open_search_encoder(found.folder or shipped_folder())


def open_search_encoder(folder: Path) -> SearchEncoder:
    """Load the search encoder of a folder; torch is imported for a transformer alone.

    Raises:
        ModelError: the folder holds no search encoder, a damaged one, or one over another title encoder.
    """
    with as_model_error(f"{folder} holds no search encoder that can be used", REMEDY):
        kind = read_json(folder / CONFIG_FILE)["search"]
    if kind == TRANSFORMER:
        from jobmatch_core.search.transformer_encoder import TransformerSearchEncoder

        return TransformerSearchEncoder.load(folder)
    return NgramSearchEncoder.load(folder, shipped_encoder())


def search_model_in_use(settings: Settings) -> str:
    """Return the word of the promoted search encoder; the shipped one's where none is promoted, or it is gone."""
    registry = Registry(settings)
    name = registry.promoted(ModelKind.SEARCH)
    there = name and kind_of(registry.folder(name)) is ModelKind.SEARCH
    return name if there else BUILT_IN[ModelKind.SEARCH]


def search_fault(folder: Path) -> str:
    """Return why a search encoder cannot be used; '' where it can."""
    try:
        open_search_encoder(folder)
    except ModelError as error:
        return f"it is damaged, or does not go with this release ({error.__cause__})"
    return ""


def shipped_folder() -> Path:
    """Return the folder of the model that comes with jobmatch."""
    return Path(str(files("jobmatch_core.search") / SHIPPED))
