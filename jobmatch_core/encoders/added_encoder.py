"""An encoder of a user's own, copied under `JOBMATCH_HOME/models`: its name then works wherever encoders are named."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from jobmatch_core.encoders.loading import load_encoder
from jobmatch_core.errors import JobMatchError, ModelError
from jobmatch_core.io.folders import atomic_folder
from jobmatch_core.model_store.model_spec import SHIPPED, UNIVERSAL, ModelKind, ModelSpec, Source, kind_of
from jobmatch_core.settings import Settings

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_SUFFIXES = frozenset({".json", ".txt", ".model", ".safetensors", ".md", ".toml"})  # no pickles, no code
_TRIED = ["nurse", "Krankenschwester"]


def add_encoder(name: str, folder: Path, settings: Settings) -> ModelSpec:
    """Copy an encoder's folder under a name; the copy is loaded once, so that a damaged one is refused.

    Args:
        name: letters, digits, dots, dashes and underscores, at most 64.
        folder: a sentence-transformers model, a transformer with safetensors, or a title encoder of jobmatch.
        settings: where named models are.

    Raises:
        ModelError: the name cannot be used or is taken, the folder holds no encoder that can be loaded, or the disk
            refuses.
    """
    _check_name(name, settings)
    if kind_of(folder) is not ModelKind.ENCODER:
        raise ModelError(
            f"{str(folder)!r} is no folder with an encoder: it needs modules.json, or the config.json of a transformer."
        )
    try:
        with atomic_folder(settings.models / name, replace=False) as copy:
            for path in _files(folder):
                target = copy / path.relative_to(folder)
                target.parent.mkdir(exist_ok=True, parents=True)
                shutil.copyfile(path, target)
            _check_vectors(copy, folder)
    except OSError as error:
        raise ModelError(
            f"The encoder could not be copied to {settings.models / name} ({error.strerror or error}). Free some disk "
            "space, or correct the folder's permissions, and try again."
        ) from error
    return ModelSpec(name, ModelKind.ENCODER, Source.HOME, settings.models / name)


def _check_name(name: str, settings: Settings) -> None:
    shipped = {word for words in SHIPPED.values() for word in words}
    if not _NAME.fullmatch(name):
        raise ModelError(f"{name!r} is no name for a model; use letters, digits, '.', '-' and '_', at most 64.")
    if name in shipped | {UNIVERSAL}:
        raise ModelError(f"{name!r} is a model of jobmatch; choose another name.")
    if (settings.models / name).exists():
        raise ModelError(f"There is a model {name!r} already; choose another name, or delete {settings.models / name}.")


def _check_vectors(copy: Path, folder: Path) -> None:
    try:
        vectors = load_encoder(str(copy)).encode(_TRIED)
    except JobMatchError as error:
        raise ModelError(f"The encoder in {str(folder)!r} cannot be used: {error}") from error
    if vectors.shape[0] != len(_TRIED) or not vectors.any() or not np.isfinite(vectors).all():
        raise ModelError(f"The encoder in {str(folder)!r} has no vectors for {' and '.join(_TRIED)}.")


def _files(folder: Path) -> Iterator[Path]:
    # links inside the folder, as a download of a hub has them, are followed
    return (path for path in sorted(folder.rglob("*")) if path.suffix in _SUFFIXES and path.is_file())
