"""Words for models: one way to name a model in every option, recipe and page, looked up in this order.

titles, jdan, search ...      a shipped model
NAME                          a model under `JOBMATCH_HOME/models`
FOLDER                        a model in any other folder
hub:NAME                      an encoder of the Hugging Face hub, downloaded once
use-multilingual              the Universal Sentence Encoder in 16 languages, of a package
A+B                           several encoders whose vectors are concatenated
KIND:WORD                     any of these, if models of several kinds share a name: `towers:titles`
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any
from zlib import crc32

from jobmatch_core.errors import ModelError
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.model_folder import folder_digest
from jobmatch_core.model_store.saved_model import CONFIG_FILE, WEIGHTS_FILE
from jobmatch_core.model_store.transformer_models import HUB, download_of, hub_name, is_hub_name
from jobmatch_core.settings import Settings

MODULES_FILE = "modules.json"  # in every sentence-transformers model
TITLES, JDAN, MEAN, UNTRAINED, SHIPPED_CALIBRATION, SEARCH = "titles", "jdan", "mean", "untrained", "shipped", "search"
UNIVERSAL = "use-multilingual"


class ModelKind(StrEnum):
    """Task of a model."""

    TOWERS = "towers"  # finds freelancers
    LINKING = "linking"  # turns the scores of names into probabilities of occupations
    DESCRIPTIONS = "descriptions"  # reads postings
    ENCODER = "encoder"  # reads short texts
    SEARCH = "search"  # reads queries and documents


class Source(StrEnum):
    """Place where a model was found."""

    SHIPPED = "jobmatch"
    HOME = "home"
    FOLDER = "folder"
    HUB = "hub"
    PACKAGE = "package"
    JOINT = "side by side"


SHIPPED = {
    ModelKind.TOWERS: (UNTRAINED,),
    ModelKind.LINKING: (SHIPPED_CALIBRATION,),
    ModelKind.DESCRIPTIONS: (JDAN, MEAN, "max", "document"),
    ModelKind.ENCODER: (TITLES,),
    ModelKind.SEARCH: (SEARCH,),
}
_MARKERS = {
    ModelKind.TOWERS: "tower",
    ModelKind.LINKING: "features",
    ModelKind.DESCRIPTIONS: "variant",
    ModelKind.SEARCH: "search",
    ModelKind.ENCODER: "model_type",
}  # a key of config.json unique to the kind; of an encoder, that of a transformer without modules.json


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model that a word names."""

    word: str  # its word, without the kind
    kind: ModelKind
    source: Source  # place where it was found
    folder: Path | None = None  # its folder; None for a shipped model, one of a hub or a package, or a joint one
    parts: tuple["ModelSpec", ...] = ()  # the encoders of a joint one; otherwise empty

    @property
    def place(self) -> str:
        """The folder, or the word of a hub's model, for the libraries that read it."""
        return str(self.folder or self.word)

    @property
    def stamp(self) -> int:
        """A number that changes when a model of the same word is stored again; 0 for a model without a folder."""
        folders = [part.folder for part in (self, *self.parts) if part.folder]
        try:
            files = [(path.name, path.stat().st_mtime_ns) for folder in folders for path in sorted(folder.iterdir())]
        except OSError:  # the model says what is wrong when it is loaded
            return 0
        return crc32(repr(files).encode()) if files else 0

    @property
    def content_name(self) -> str:
        """A folder's name with a digest of its files, or the hub's name."""
        return f"{self.folder.name}-{folder_digest(self.folder)}" if self.folder else hub_name(self.word)


def find_model(word: str, settings: Settings | None, *kinds: ModelKind) -> ModelSpec:
    """Find the model that a word names, without loading it.

    Args:
        word: any of the words in the module's docstring.
        kinds: accepted kinds, the first one preferred if several models share the word.

    Raises ModelError if there is no such model of these kinds; the message lists the valid words.
    """
    settings = settings or Settings.from_environment()
    given, colon, rest = word.partition(":")
    if colon and given in kinds:
        word, kinds = rest, (ModelKind(given),)
    model = next(_found(word, settings, kinds), None)
    if model is None:
        raise ModelError(_unknown(word, settings, kinds))
    return model


def model_stamp(word: str, settings: Settings, *kinds: ModelKind) -> int:
    """Return the stamp of the model that a word names, as part of the key of a cache; 0 without such a model."""
    try:
        return find_model(word, settings, *kinds).stamp if word else 0
    except ModelError:  # raised when the model is loaded
        return 0


def named_models(settings: Settings, *kinds: ModelKind) -> list[ModelSpec]:
    """Return the shipped models, then those under `JOBMATCH_HOME/models`, latest first."""
    shipped = [ModelSpec(word, kind, Source.SHIPPED) for kind in kinds for word in SHIPPED[kind]]
    return [*shipped, *home_models(settings, *kinds)]


def home_models(settings: Settings, *kinds: ModelKind) -> list[ModelSpec]:
    """Return the models under `JOBMATCH_HOME/models`, latest first.

    Unfinished ones are omitted, and those named like a shipped model of their kind.
    """
    folders = [folder for folder in settings.models.glob("[!.]*/") if folder.is_dir()]
    folders.sort(key=lambda folder: (-folder.stat().st_mtime_ns, folder.name))
    return [
        ModelSpec(folder.name, kind, Source.HOME, folder)
        for folder in folders
        if (kind := kind_of(folder)) in kinds and folder.name not in SHIPPED[kind]
    ]


def kind_of(folder: Path) -> ModelKind | None:
    """Return the kind of a folder's model, even with damaged weights, or None if it is unknown."""
    if (folder / MODULES_FILE).is_file():
        return ModelKind.ENCODER
    config = _config(folder)
    return next((kind for kind, key in _MARKERS.items() if key in config), None)


def joint_words(word: str) -> list[str]:
    """Return the names of the encoders joined by + in a word; an existing path may contain a +."""
    parts, words = word.split("+"), []
    while parts:
        whole = (n for n in range(len(parts), 1, -1) if Path("+".join(parts[:n])).exists())
        n = next(whole, 1)
        words.append("+".join(parts[:n]))
        parts = parts[n:]
    return words


def lasting_word(word: str) -> str:
    """Return the word of an encoder as a model's folder stores it: with absolute paths."""
    return "+".join(_whole_path(part) for part in joint_words(word))


def stored_word(word: str, settings: Settings | None = None) -> str:
    """Return the word of an encoder in its current form; older model folders store a hub's name without `hub:`.

    A hub's model named in a folder must already be downloaded; loading a folder never starts a download.

    Raises ModelError if the encoder is a hub's model that is not on this machine.
    """
    name = hub_name(word)
    here = word in (TITLES, UNIVERSAL) or Path(word).exists() or _folders(word, settings or Settings.from_environment())
    if word == name and (here or not is_hub_name(word)):
        return word
    if download_of(name) is None:
        raise ModelError(
            f"The backbone {word!r} is neither a folder here nor a downloaded model of the hub. Restore the folder, or "
            f"run `hf download {name}` once for the hub's model."
        )
    return f"{HUB}{name}"


def _whole_path(word: str) -> str:
    is_folder = word not in ("", TITLES) and Path(word).is_dir()
    return str(Path(word).resolve()) if is_folder else word


# most likely first; a folder of unknown kind comes last
def _found(word: str, settings: Settings, kinds: tuple[ModelKind, ...]) -> Iterator[ModelSpec]:
    yield from (ModelSpec(word, kind, Source.SHIPPED) for kind in kinds if word in SHIPPED[kind])
    folders = _folders(word, settings)
    for kind in kinds:
        yield from (ModelSpec(word, kind, source, folder) for source, folder in folders if kind_of(folder) is kind)
    if ModelKind.ENCODER in kinds:
        yield from _encoders(word, settings)
    yield from (ModelSpec(word, kinds[0], source, folder) for source, folder in folders if kind_of(folder) is None)


# the folders that a word names and that contain a model's file
def _folders(word: str, settings: Settings) -> list[tuple[Source, Path]]:
    places = ((Source.HOME, settings.models / word), (Source.FOLDER, Path(word))) if word else ()
    files = (MODULES_FILE, CONFIG_FILE, WEIGHTS_FILE)
    return [(source, folder) for source, folder in places if any((folder / file).is_file() for file in files)]


def _encoders(word: str, settings: Settings) -> Iterator[ModelSpec]:
    words = joint_words(word)
    if len(words) > 1:
        parts = tuple(find_model(part, settings, ModelKind.ENCODER) for part in words)
        yield ModelSpec(word, ModelKind.ENCODER, Source.JOINT, parts=parts)
    elif word.startswith(HUB):
        yield ModelSpec(word, ModelKind.ENCODER, Source.HUB)
    elif word == UNIVERSAL:
        yield ModelSpec(word, ModelKind.ENCODER, Source.PACKAGE)


def _unknown(word: str, settings: Settings, kinds: tuple[ModelKind, ...]) -> str:
    held = next((kind for _, folder in _folders(word, settings) if (kind := kind_of(folder))), None)
    problem = f"{word!r} is a model of kind {held}, not {' or '.join(kinds)}" if held else f"There is no model {word!r}"
    names = ", ".join(model.word for model in named_models(settings, *kinds))
    hub = (
        f", {UNIVERSAL}, {HUB}{word if is_hub_name(word) and not held else 'NAME'} for a model of the Hugging Face hub"
    )
    return f"{problem} here. Models: {names}, a folder with one{hub if ModelKind.ENCODER in kinds else ''}."


def _config(folder: Path) -> dict[str, Any]:
    try:
        config = read_json(folder / CONFIG_FILE)
    except (OSError, ValueError):
        return {}
    return config if isinstance(config, dict) else {}
