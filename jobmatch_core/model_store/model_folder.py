"""Checks of a transformer's or sentence-transformers model's folder before a library reads it.

Weights must be safetensors, since a pickle (`.bin`, `.pt`) can run code. The JSON files may describe the model, but not
how it is loaded: no loader arguments, no foreign classes or files, no sizes beyond those of the weights.
"""

import hashlib
import re
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

from safetensors import safe_open

from jobmatch_core.io.text_files import check_regular, read_json

_WEIGHTS, _INDEX = "model.safetensors", "model.safetensors.index.json"
_KINDS = ("Transformer", "Pooling", "Normalize", "Dense", "StaticEmbedding", "LayerNorm", "Dropout")
_MODULE = re.compile(rf"sentence_transformers(?:\.[a-z_]+)*\.({'|'.join(_KINDS)})")
_ACTIVATION = re.compile(r"torch\.nn\.modules\.(activation|linear)\.[A-Za-z]+")
# allowed keys of a Transformer's sentence_bert_config.json; others are loader arguments or name other files
_SETTINGS = {
    "max_seq_length",
    "do_lower_case",
    "transformer_task",
    "modality_config",
    "module_output_name",
    "unpad_inputs",
    "query_length",
    "document_length",
    "query_expansion",
}
_CONFIGS = ("config.json", "tokenizer_config.json", "processor_config.json", "preprocessor_config.json")
_ELSEWHERE = ("auto_map", "custom_pipelines", "quantization_config", "compression_config", "base_model_name_or_path")
_ATTENTION = re.compile(r"_?attn_implementation(_internal)?")
_BUILT_IN_ATTENTION = (None, "eager", "sdpa")  # another name may be a repository with compiled code
_COUNT = re.compile("layer|depth|stage|expert|label")
_MOST_LAYERS = 256  # twice those of the deepest model in use; layers are built before their weights are read
_LARGEST = 2**20  # limit of numbers that are no size of the weights, such as the maximum length

Shapes = dict[str, tuple[int, ...]]


def check_model_folder(folder: Path) -> None:
    """Refuse a model's folder that could run code, ask for files from elsewhere or fill the memory.

    Raises:
        ValueError: the folder is refused; the text gives the problem and a remedy.
        OSError: one of its files cannot be read.
        SafetensorError: the weights are damaged.
    """
    if (folder / "adapter_config.json").exists():
        raise ValueError("it holds an adapter of another model; merge the two and save the complete model")
    settings = _json(folder / "config_sentence_transformers.json")
    if settings.get("model_type", "SentenceTransformer") != "SentenceTransformer":
        raise ValueError(f"it holds a {settings['model_type']}, not a SentenceTransformer")
    for kind, place in _modules(folder):
        if kind == "Transformer":
            _check_transformer(place)
        elif kind == "StaticEmbedding":
            weight_shapes(place)
        elif kind == "Dense":
            _check_dense(place)
        elif kind == "LayerNorm":
            _check_room(place, _json(place / "config.json")["dimension"])


def transformer_folder(folder: Path) -> Path:
    """Return the transformer's folder in a checked folder; the folder itself without `modules.json`."""
    return next((place for kind, place in _modules(folder) if kind == "Transformer"), folder)


def has_transformer(folder: Path) -> bool:
    """Return whether a transformer is among a folder's modules."""
    return any(kind == "Transformer" for kind, _ in _modules(folder))


def weight_shapes(folder: Path) -> Shapes:
    """Return the shapes of a folder's weights by name, without reading the weights.

    Raises:
        ValueError: there are no safetensors.
        OSError: a file cannot be read.
        SafetensorError: they are damaged.
    """
    names = sorted(set(_json(folder / _INDEX).get("weight_map", {}).values())) or [_WEIGHTS]
    if not all(isinstance(name, str) and re.fullmatch(r"[\w.-]+\.safetensors", name) for name in names):
        raise ValueError(f"{_INDEX} names files other than safetensors in the same folder")
    if not all((folder / name).exists() for name in names):
        raise ValueError(_no_safetensors(folder))
    return {name: shape for file in names for name, shape in _shapes_in(folder / file).items()}


def _shapes_in(path: Path) -> Shapes:
    check_regular(path)
    with safe_open(path, "numpy") as file:
        return {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118  # it is no dict


def _no_safetensors(folder: Path) -> str:
    others = [path.name for path in sorted(folder.glob("*")) if path.suffix in (".bin", ".pt", ".pth", ".pkl", ".ckpt")]
    if not others:
        return f"{_WEIGHTS} is missing in {folder.name}"
    return (
        f"it has weights only as {others[0]}, which can run code when it is read. If you trust its source, convert it "
        "to safetensors: load it in Python with SentenceTransformer(FOLDER), write it with "
        ".save_pretrained(NEW_FOLDER), and give the new folder"
    )


def _modules(folder: Path) -> Iterator[tuple[str, Path]]:
    if not (folder / "modules.json").exists():
        yield "Transformer", folder
        return
    modules = read_json(folder / "modules.json")
    if not modules:
        raise ValueError("modules.json names no modules")
    for module in modules:
        module_name = _MODULE.fullmatch(module["type"])
        if module_name is None:
            raise ValueError(
                f"modules.json asks for {module['type']!r}, which is not allowed; expected sentence-transformers' own "
                f"{', '.join(_KINDS)}"
            )
        place = Path(module["path"])
        if place.is_absolute() or ".." in place.parts:
            raise ValueError("modules.json names a path outside the folder")
        yield module_name[1], folder / place


def _json(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    content = read_json(path)
    if not isinstance(content, dict):
        raise ValueError(f"{path.name} holds no object")
    return content


def _check_transformer(folder: Path) -> None:
    for path in sorted(folder.glob("sentence_*_config.json")):
        unsupported = [name for name, value in _json(path).items() if value and name not in _SETTINGS]
        if unsupported:
            raise ValueError(f"{path.name} says how the model is loaded ({', '.join(unsupported)}); remove that")
    for name in _CONFIGS:
        _check_nothing_from_elsewhere(name, _json(folder / name))
    shapes = weight_shapes(folder)
    most = max((size for shape in shapes.values() for size in shape), default=0)
    _check_sizes(read_json(folder / "config.json"), max(most, _LARGEST))


# keys at any depth that name code, files or compiled parts from elsewhere
def _check_nothing_from_elsewhere(file: str, config: object) -> None:
    for name, value in _entries(config):
        foreign = name in _ELSEWHERE and value
        if foreign or (_ATTENTION.fullmatch(name) and value not in _BUILT_IN_ATTENTION):
            raise ValueError(f"{file} asks for code or files from elsewhere ({name}); remove that")


def _check_sizes(config: object, largest: int) -> None:
    for name, value in _entries(config):
        limit = _MOST_LAYERS if _COUNT.search(name) else largest
        if isinstance(value, int) and abs(value) > limit:
            raise ValueError(f"config.json says {name} = {value:.3g}, at most {limit:,} fits its weights")


# names and values at any depth; the items of a list have its name
def _entries(config: object) -> Iterator[tuple[str, Any]]:
    values = [("", config)]
    while values:
        name, value = values.pop()
        if isinstance(value, dict):
            values.extend(value.items())
        elif isinstance(value, list):
            values.extend((name, item) for item in value)
        yield name, value


def _check_dense(folder: Path) -> None:
    config = _json(folder / "config.json")
    if not _ACTIVATION.fullmatch(config.get("activation_function", "torch.nn.modules.linear.Identity")):
        raise ValueError(f"{folder.name}/config.json asks for code ({config['activation_function']!r}); remove that")
    _check_room(folder, prod((config["in_features"], config["out_features"])))


def _check_room(folder: Path, needed: int) -> None:
    if needed > max((prod(shape) for shape in weight_shapes(folder).values()), default=0):
        raise ValueError(f"{folder.name}/config.json describes more numbers than its weights have")


def folder_digest(folder: Path) -> str:
    """Return eight hexadecimal digits of the SHA-256 of all files of a model's folder."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(str(path.relative_to(folder)).encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:8]
