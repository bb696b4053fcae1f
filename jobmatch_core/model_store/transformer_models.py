"""Loading of transformers and sentence-transformers models: checked, offline, without running their code.

A model is an existing folder, or `hub:NAME` of the Hugging Face hub, downloaded once. Other names are never looked up,
so that the name of a mistyped folder does not leave the machine.
"""

import logging
import re
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from jobmatch_core.errors import ModelError
from jobmatch_core.model_store.model_folder import (
    check_model_folder,
    has_transformer,
    transformer_folder,
    weight_shapes,
)

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from torch import nn
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

_Loaded = TypeVar("_Loaded")
HUB = "hub:"  # before a model hub's name
_FILES = ["*.json", "*.txt", "*.model", "*.safetensors"]  # of a hub's model: no pickles, no code
_SPARE = 2**20  # numbers that a model may have besides its weights, such as position ids


def hub_name(word: str) -> str:
    """Return the hub's name of a model, without the prefix."""
    return word.removeprefix(HUB)


def load_sentence_transformer(word: str | Path) -> "SentenceTransformer":
    """Load a sentence-transformers model, or a transformer with mean pooling, of a folder or `hub:NAME`.

    Raises ModelError if the model cannot be loaded from this machine, would run code, or is damaged.
    """
    return _loaded(word, _sentence_transformer)


def load_transformer(word: str | Path) -> "tuple[PreTrainedTokenizerBase, PreTrainedModel]":
    """Load a transformer and its tokenizer; arguments and errors as of `load_sentence_transformer`."""
    return _loaded(word, _transformer)


def _loaded(word: str | Path, load: Callable[[Path], _Loaded]) -> _Loaded:
    _be_quiet()
    try:
        return load(_folder(str(word)))
    except Exception as error:  # the libraries raise any error for a damaged folder
        raise ModelError(" ".join(str(error).split())[:600] or repr(error)) from error


def _be_quiet() -> None:
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    for library in ("sentence_transformers", "transformers", "huggingface_hub"):
        logging.getLogger(library).setLevel(logging.ERROR)


def _sentence_transformer(folder: Path) -> "SentenceTransformer":
    from sentence_transformers import SentenceTransformer

    check_model_folder(folder)
    if has_transformer(folder):
        _check_memory(transformer_folder(folder))
    model = SentenceTransformer(
        str(folder), trust_remote_code=False, local_files_only=True, model_kwargs={"use_safetensors": True}
    )
    _check_finite(model)
    return model


def _transformer(folder: Path) -> "tuple[PreTrainedTokenizerBase, PreTrainedModel]":
    from transformers import AutoModel, AutoTokenizer

    check_model_folder(folder)
    folder = transformer_folder(folder)
    _check_memory(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False, local_files_only=True)
    model = AutoModel.from_pretrained(folder, trust_remote_code=False, local_files_only=True, use_safetensors=True)
    _check_finite(model)
    return tokenizer, model


# on the meta device, so that nothing is allocated
def _check_memory(folder: Path) -> None:
    import torch
    from transformers import AutoConfig, AutoModel

    config = AutoConfig.from_pretrained(folder, trust_remote_code=False, local_files_only=True)
    with torch.device("meta"):
        model = AutoModel.from_config(config, trust_remote_code=False)
    needed = sum(tensor.numel() for tensor in chain(model.parameters(), model.buffers()))
    held = sum(torch.Size(shape).numel() for shape in weight_shapes(folder).values())
    if needed > 2 * held + _SPARE:
        raise ValueError(f"config.json describes a model of {needed:,} numbers, but its weights have {held:,}")


def _check_finite(model: "nn.Module") -> None:
    if not all(bool(parameter.isfinite().all()) for parameter in model.parameters()):
        raise ValueError("its weights are damaged: some are not finite numbers")


def _folder(word: str) -> Path:
    if word.startswith(HUB):
        return _downloaded(hub_name(word))
    if Path(word).is_dir():
        return Path(word)
    hint = f"; a model of the Hugging Face hub is written {HUB}{word}" if is_hub_name(word) else ""
    raise FileNotFoundError(f"there is no such folder{hint}")


def _downloaded(name: str) -> Path:
    from huggingface_hub import snapshot_download

    folder = download_of(name)
    if folder is not None and _is_whole(folder):
        return folder
    return Path(snapshot_download(name, allow_patterns=_FILES))


def _is_whole(folder: Path) -> bool:
    try:
        check_model_folder(folder)
    except Exception:  # as in `_loaded`; the file is downloaded again
        return False
    return True


def download_of(name: str) -> Path | None:
    """Return the folder that a hub's model was downloaded to, or None."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError):
        return None


def is_hub_name(word: str) -> bool:
    """Return whether a word has the form of a hub's model name."""
    return re.fullmatch(r"\w[\w.-]*(/\w[\w.-]*)?", word) is not None
