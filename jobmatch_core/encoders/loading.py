"""Loading of encoders by name or folder: our own, and any other.

Sentence encoders implement `Encoder`; encoders that return one vector per token implement `TokenEncoder`.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from jobmatch_core.encoders.embedding_cache import EmbeddingCache
from jobmatch_core.encoders.token_encoders import HuggingFaceTokens, TokenCache
from jobmatch_core.entities import Encoder, FloatArray, TokenEncoder
from jobmatch_core.errors import LinkingError, ModelError
from jobmatch_core.model_store.model_folder import folder_digest
from jobmatch_core.model_store.transformer_models import hub_name, load_sentence_transformer
from jobmatch_core.settings import Settings
from jobmatch_core.titles.encoder import TITLES, TitleEncoder, is_title_encoder, shipped_encoder
from jobmatch_core.vectors import normalised

_MODULES_FILE = "modules.json"  # of every sentence-transformers model
__all__ = [
    "TITLES",
    "JointEncoder",
    "SentenceEncoder",
    "encoder_folder",
    "is_encoder",
    "joint_words",
    "kept_on_disk",
    "load_encoder",
    "load_token_encoder",
    "shipped_encoder",
]


def load_encoder(spec: str, settings: Settings | None = None) -> Encoder:
    """Load an encoder, by the words that every option, recipe and page shares.

    Args:
        spec: `titles` for the title encoder that comes with jobmatch; a folder with a title encoder of ours or another
            sentence-transformers model, or its name where it lies under `JOBMATCH_HOME/models`; `hub:` and a model
            hub's name for one (downloaded once); or several of these with + between them, whose vectors stand side by
            side.
        settings: where named models are; from the environment where not given.

    Raises:
        LinkingError: it cannot be loaded from this machine.
        ModelError: the folder of a title encoder is damaged.
    """
    specs = joint_words(spec)
    if len(specs) > 1:
        return JointEncoder([load_encoder(each, settings) for each in specs])
    if spec == TITLES:
        return shipped_encoder()
    folder = encoder_folder(spec, settings or Settings.from_environment())
    if folder is None:
        return SentenceEncoder(spec)
    return TitleEncoder.load(folder) if is_title_encoder(folder) else SentenceEncoder(str(folder))


def encoder_folder(spec: str, settings: Settings) -> Path | None:
    """Return the folder of an encoder by its name under `JOBMATCH_HOME/models`, or by its path; None where none is."""
    return next(filter(is_encoder, (settings.models / spec, Path(spec))), None) if spec else None


def is_encoder(folder: Path) -> bool:
    """Return whether a folder has a title encoder of ours or another sentence-transformers model."""
    return (folder / _MODULES_FILE).is_file() or is_title_encoder(folder)


def kept_on_disk(encoder: Encoder, settings: Settings) -> Encoder:
    """Return the encoder with a cache of its vectors under `JOBMATCH_HOME/caches/embeddings`, where that is writable.

    A title encoder of ours is returned unchanged: it is faster than a file. Each of several joint encoders has a cache
    of its own.
    """
    if isinstance(encoder, JointEncoder):
        return JointEncoder([kept_on_disk(each, settings) for each in encoder.encoders])
    if isinstance(encoder, TitleEncoder):
        return encoder
    return EmbeddingCache(encoder, settings.caches / "embeddings", needed=False)


def joint_words(word: str) -> list[str]:
    """Return the names of the encoders joined by + in a word; an existing path may contain a +."""
    parts, words = word.split("+"), []
    while parts:
        whole = (n for n in range(len(parts), 1, -1) if Path("+".join(parts[:n])).exists())
        n = next(whole, 1)
        words.append("+".join(parts[:n]))
        parts = parts[n:]
    return words


def load_token_encoder(word: str, settings: Settings | None = None) -> TokenEncoder:
    """Load a token encoder, the backbone of the towers.

    Args:
        word: `titles` for the word vectors of the title encoder that comes with jobmatch; a folder with a title encoder
            of ours or a Hugging Face encoder, or `hub:` and the hub's name of one. The vectors of a Hugging Face
            encoder are cached under `JOBMATCH_HOME/caches/tokens`.
        settings: locations; from the environment by default.

    Raises:
        ModelError: it cannot be loaded from this machine.
    """
    if word == TITLES:
        return shipped_encoder()
    if is_title_encoder(Path(word)):
        return TitleEncoder.load(Path(word))
    settings = settings or Settings.from_environment()
    return TokenCache(HuggingFaceTokens(word), settings.caches / "tokens")


class JointEncoder:
    """Several encoders with their vectors side by side, all with the same weight.

    The cosine of two texts is the mean of the encoders' cosines, if all of these know both texts.

    Attributes:
        encoders: the encoders, in the order of their vectors.
    """

    def __init__(self, encoders: Sequence[Encoder]) -> None:
        """Join encoders, at least one."""
        self.encoders = tuple(encoders)

    @property
    def name(self) -> str:
        """The encoders' names, joined."""
        return "+".join(each.name for each in self.encoders)

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(texts), sum of the dimensions)."""
        return normalised(np.hstack([each.encode(texts) for each in self.encoders]))


class SentenceEncoder:
    """A sentence-transformers model that returns L2-normalised vectors."""

    def __init__(self, name_or_folder: str) -> None:
        """Load the model; torch is imported only now, because it takes seconds."""
        try:
            self._model = load_sentence_transformer(name_or_folder)
        except ModelError as error:
            raise LinkingError(
                f"The encoder {name_or_folder!r} could not be loaded: {error}. Expected a folder with a title encoder "
                "of ours or a sentence-transformers model, whole and undamaged."
            ) from error
        folder = Path(name_or_folder)
        self._name = f"{folder.name}-{folder_digest(folder)}" if folder.is_dir() else hub_name(name_or_folder)

    @property
    def name(self) -> str:
        """The model's name; for a folder its name and a digest of its files, since many are called `model`."""
        return self._name

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(texts), dimension)."""
        if not texts:
            return np.empty((0, self._model.get_embedding_dimension() or 0), dtype=np.float32)
        vectors = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)
