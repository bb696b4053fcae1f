"""Encoders of a user's own, copied or unpacked under `JOBMATCH_HOME/models`; options and pages take their names."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import numpy as np

from jobmatch_core.encoders.loading import load_encoder
from jobmatch_core.encoders.packed_model import unpack_model
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import JobMatchError, ModelError
from jobmatch_core.io.folders import atomic_folder, remove_whole
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.model_folder import has_transformer
from jobmatch_core.model_store.model_spec import (
    SHIPPED,
    UNIVERSAL,
    ModelKind,
    ModelSpec,
    Source,
    home_models,
    joint_words,
    kind_of,
)
from jobmatch_core.model_store.saved_model import CONFIG_FILE
from jobmatch_core.settings import Settings
from jobmatch_core.titles.encoder import is_title_encoder

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_SUFFIXES = frozenset({".json", ".txt", ".model", ".safetensors", ".md", ".toml"})  # no pickles, no code
_WEIGHTS, _PICKLES = ".safetensors", frozenset({".bin", ".pt", ".pth", ".pkl", ".ckpt"})
_TRIED = ["nurse", "Krankenschwester"]
_BLOCK = 2**20  # bytes copied between two progress reports
UNPACKING, COPYING, LOADING = "Unpacking", "Copying", "Loading"  # stages

Stage = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class AddedEncoder:
    """An encoder under `JOBMATCH_HOME/models`."""

    name: str
    size: int  # bytes of its files
    added: datetime  # when its folder was written
    reads_words: bool  # whether it has a vector of each word, which towers need
    needed_by: tuple[str, ...]  # models under `JOBMATCH_HOME/models` that cannot be used without it


def added_encoders(settings: Settings) -> list[AddedEncoder]:
    """Return the encoders under `JOBMATCH_HOME/models`, latest first; those trained here are among them."""
    backbones = _backbones(settings)
    return [
        AddedEncoder(
            model.word,
            sum(path.stat().st_size for path in model.folder.rglob("*") if path.is_file()),
            datetime.fromtimestamp(model.folder.stat().st_mtime, UTC),
            _reads_words(model.folder),
            tuple(name for name, words in backbones.items() if {model.word, str(model.folder)} & words),
        )
        for model in home_models(settings, ModelKind.ENCODER)
        if model.folder
    ]


def word_encoders(settings: Settings) -> list[str]:
    """Return the names of the encoders under `JOBMATCH_HOME/models` with a vector of each word, latest first."""
    encoders = home_models(settings, ModelKind.ENCODER)
    return [model.word for model in encoders if model.folder and _reads_words(model.folder)]


def remove_encoder(name: str, settings: Settings) -> None:
    """Delete an encoder under `JOBMATCH_HOME/models`.

    Raises ModelError if there is no encoder of this name, or the disk refuses.
    """
    folder = next((model.folder for model in home_models(settings, ModelKind.ENCODER) if model.word == name), None)
    if folder is None:
        raise ModelError(f"There is no encoder {name!r} under {settings.models}; it may have been removed already.")
    try:
        remove_whole(folder)
    except OSError as error:
        raise ModelError(f"{folder} could not be deleted ({error.strerror or error}); delete it by hand.") from error


def add_encoder(
    name: str, folder: Path, settings: Settings, *, stage: Stage = lambda stage: None, progress: Progress = no_progress
) -> ModelSpec:
    """Copy an encoder's folder under a name; the copy is loaded once, so that a damaged one is refused.

    Args:
        name: letters, digits, dots, dashes and underscores, at most 64.
        folder: a sentence-transformers model, a transformer with safetensors, or a title encoder of jobmatch.

    Raises:
        ModelError: the name cannot be used or is taken, the folder holds no encoder that can be loaded, or the disk
            refuses.
    """
    check_name(name, settings)
    if kind_of(folder) is not ModelKind.ENCODER:
        raise ModelError(
            f"{str(folder)!r} is no folder with an encoder: it needs modules.json, or the config.json of a transformer."
        )
    with _checked_copy(name, str(folder), settings, stage) as copy:
        stage(COPYING)
        # links inside the folder, as a download of a hub has them, are followed
        files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        _check_weights(path.name for path in files)
        _copy([path.relative_to(folder) for path in files if path.suffix in _SUFFIXES], folder, copy, progress)
    return ModelSpec(name, ModelKind.ENCODER, Source.HOME, settings.models / name)


def add_packed_encoder(
    name: str,
    file: BinaryIO,
    file_name: str,
    settings: Settings,
    *,
    stage: Stage = lambda stage: None,
    progress: Progress = no_progress,
) -> ModelSpec:
    """Unpack a ZIP file with an encoder's folder under a name; *file_name* is for messages.

    Raises ModelError as `add_encoder` and `unpack_model`.
    """
    check_name(name, settings)
    with _checked_copy(name, file_name, settings, stage) as copy:
        stage(UNPACKING)
        _check_weights(unpack_model(file, copy, _SUFFIXES, progress=progress))
        if kind_of(copy) is not ModelKind.ENCODER:
            raise ModelError(f"{file_name!r} holds a model, but no encoder: its config.json has no 'model_type'.")
    return ModelSpec(name, ModelKind.ENCODER, Source.HOME, settings.models / name)


def check_name(name: str, settings: Settings) -> None:
    """Raise ModelError unless an encoder can be added under a name."""
    shipped = {word for words in SHIPPED.values() for word in words}
    if not _NAME.fullmatch(name):
        raise ModelError(f"{name!r} is no name for a model; use letters, digits, '.', '-' and '_', at most 64.")
    if name in shipped | {UNIVERSAL}:
        raise ModelError(f"{name!r} is a model of jobmatch; choose another name.")
    if (settings.models / name).exists():
        raise ModelError(f"There is a model {name!r} already; choose another name, or delete {settings.models / name}.")


@contextmanager
def _checked_copy(name: str, source: str, settings: Settings, stage: Stage) -> Iterator[Path]:
    try:
        with atomic_folder(settings.models / name, replace=False) as copy:
            yield copy
            stage(LOADING)
            _check_vectors(copy, source)
    except OSError as error:
        raise ModelError(
            f"The encoder could not be copied to {settings.models / name} ({error.strerror or error}). Free some disk "
            "space, or correct the folder's permissions, and try again."
        ) from error


def _copy(names: list[Path], folder: Path, copy: Path, progress: Progress) -> None:
    total, done = sum((folder / name).stat().st_size for name in names), 0
    for name in names:
        target = copy / name
        target.parent.mkdir(exist_ok=True, parents=True)
        with (folder / name).open("rb") as source, target.open("wb") as copied:
            while block := source.read(_BLOCK):
                copied.write(block)
                done += len(block)
                progress(min(done, total), total)


def _check_weights(names: Iterable[str]) -> None:
    suffixes = {Path(name).suffix: name for name in names}
    pickle = next((name for suffix, name in suffixes.items() if suffix in _PICKLES), None)
    if pickle and _WEIGHTS not in suffixes:
        raise ModelError(
            f"The model has weights only as {pickle}, which can run code when it is read. If you trust its source, "
            "load it in Python with SentenceTransformer(FOLDER), write it with .save_pretrained(NEW_FOLDER), and add "
            "the new folder."
        )


def _check_vectors(copy: Path, source: str) -> None:
    try:
        vectors = load_encoder(str(copy)).encode(_TRIED)
    except JobMatchError as error:
        problem = str(error).replace(str(copy), source).replace(copy.name, Path(source).name)
        raise ModelError(f"The encoder in {source!r} cannot be used: {problem}") from error
    if vectors.shape[0] != len(_TRIED) or not vectors.any() or not np.isfinite(vectors).all():
        raise ModelError(f"The encoder in {source!r} has no vectors for {' and '.join(_TRIED)}.")


def _reads_words(folder: Path) -> bool:
    try:
        return is_title_encoder(folder) or has_transformer(folder)
    except (OSError, ValueError, KeyError, TypeError):
        return False


# model -> the words of the encoders that it was trained over
def _backbones(settings: Settings) -> dict[str, set[str]]:
    backbones = {}
    for path in sorted(settings.models.glob(f"[!.]*/{CONFIG_FILE}")):
        try:
            config = read_json(path)
        except (OSError, ValueError):
            continue
        word = config.get("backbone") if isinstance(config, dict) else None
        if isinstance(word, str):
            backbones[path.parent.name] = set(joint_words(word))
    return backbones
