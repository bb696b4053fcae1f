"""Loading of encoders by a word of `model_spec`, with a cache of embeddings on disk.

Sentence encoders implement `Encoder`; encoders with one vector per token implement `TokenEncoder`.
"""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from jobmatch_core.encoders.token_encoders import HuggingFaceTokens, TokenCache
from jobmatch_core.encoders.universal_encoder import UniversalEncoder
from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.errors import LinkingError, ModelError, SettingsError
from jobmatch_core.io.vector_file import VectorFile, text_key
from jobmatch_core.model_store.model_spec import TITLES, ModelKind, ModelSpec, Source, find_model, joint_words
from jobmatch_core.model_store.transformer_models import load_sentence_transformer
from jobmatch_core.settings import Settings
from jobmatch_core.titles.encoder import TitleEncoder, is_title_encoder, shipped_encoder
from jobmatch_core.token_vectors import TokenEncoder
from jobmatch_core.vectors import normalised

_log = logging.getLogger(__name__)
_BLOCK = 512  # texts read, encoded and written at a time, the most that a killed process loses


class EmbeddingCache:
    """An encoder with a disk cache (`VectorFile`, single precision): only texts not in the file are encoded."""

    def __init__(self, encoder: Encoder, folder: Path, *, needed: bool = True) -> None:
        """Wrap an encoder; the folder is created on first use.

        Args:
            encoder: the encoder; its name identifies its vectors in the folder.
            folder: may be shared by several encoders and processes.
            needed: raise an error if the file cannot be read or written; else log one warning and do without it.
        """
        self._encoder = encoder
        self._file = VectorFile(folder, encoder.name)
        self._needed = needed
        self._given_up = False

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self._encoder.name

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(texts), dimension).

        Raises SettingsError if the cache is needed, but damaged or not readable or writable.
        """
        blocks = [self._encode_block(texts[start : start + _BLOCK]) for start in range(0, len(texts), _BLOCK)]
        return np.concatenate(blocks) if blocks else self._encoder.encode([])

    def _encode_block(self, texts: Sequence[str]) -> FloatArray:
        keys = [text_key(text) for text in texts]
        rows = self._read(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in rows}
        if missing:
            vectors = self._encoder.encode(list(missing.values())).astype("<f4")
            fresh = {key: vector.tobytes() for key, vector in zip(missing, vectors, strict=True)}
            self._write(fresh)
            rows |= fresh
        return np.stack([np.frombuffer(rows[key], dtype="<f4") for key in keys])

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        if self._given_up:
            return {}
        try:
            return self._file.read(keys)
        except SettingsError as error:
            self._give_up(error)
            return {}

    def _write(self, rows: Mapping[bytes, bytes]) -> None:
        if self._given_up:
            return
        try:
            self._file.write(rows)
        except SettingsError as error:
            self._give_up(error)

    def _give_up(self, error: SettingsError) -> None:
        if self._needed:
            raise error
        _log.warning("The vectors of %s are not stored: %s", self.name, error)
        self._given_up = True


__all__ = [
    "TITLES",
    "JointEncoder",
    "SentenceEncoder",
    "joint_words",
    "kept_on_disk",
    "load_encoder",
    "load_title_encoder",
    "load_token_encoder",
    "opened_encoder",
    "shipped_encoder",
]


def load_encoder(word: str, settings: Settings | None = None) -> Encoder:
    """Load the encoder of a word of `model_spec`.

    Raises:
        ModelError: there is no such encoder, or the folder of a title encoder is damaged.
        LinkingError: it cannot be loaded from this machine.
    """
    return opened_encoder(find_model(word, settings, ModelKind.ENCODER))


def load_title_encoder(word: str, settings: Settings | None = None) -> TitleEncoder:
    """Load a title encoder of ours; arguments as for `load_encoder`.

    Raises ModelError if there is no such encoder, it is of another kind, or its folder is damaged.
    """
    titles = _title_encoder(find_model(word, settings, ModelKind.ENCODER))
    if titles is None:
        raise ModelError(f"{word!r} is no title encoder; name one written by `jobmatch train title-encoder`.")
    return titles


def opened_encoder(model: ModelSpec) -> Encoder:
    """Load the encoder of a spec; raises as `load_encoder` does."""
    if model.parts:
        return JointEncoder([opened_encoder(part) for part in model.parts])
    if model.source is Source.PACKAGE:
        return UniversalEncoder()
    return _title_encoder(model) or SentenceEncoder(model)


def _title_encoder(model: ModelSpec) -> TitleEncoder | None:
    if model.source is Source.SHIPPED:
        return shipped_encoder()
    is_ours = model.folder is not None and is_title_encoder(model.folder)
    return TitleEncoder.load(model.folder) if model.folder and is_ours else None


def kept_on_disk(encoder: Encoder, settings: Settings) -> Encoder:
    """Return the encoder with a cache of its vectors under `JOBMATCH_HOME/caches/embeddings`, if that is writable.

    A title encoder of ours is returned unchanged: it is faster than a file. Joint encoders have a cache each.
    """
    if isinstance(encoder, JointEncoder):
        return JointEncoder([kept_on_disk(part, settings) for part in encoder.encoders])
    if isinstance(encoder, TitleEncoder):
        return encoder
    return EmbeddingCache(encoder, settings.caches / "embeddings", needed=False)


def load_token_encoder(word: str, settings: Settings | None = None) -> TokenEncoder:
    """Load a token encoder, the backbone of the towers, by the word of a single encoder.

    Of a title encoder of ours, the word vectors are used; those of a Hugging Face encoder are cached under
    `JOBMATCH_HOME/caches/tokens`.

    Raises ModelError if there is no such encoder, or it cannot be loaded from this machine.
    """
    settings = settings or Settings.from_environment()
    model = find_model(word, settings, ModelKind.ENCODER)
    if model.parts:
        raise ModelError(f"The towers need a single encoder, but {word!r} names several; name one of them.")
    if model.source is Source.PACKAGE:
        raise ModelError(f"The towers need a vector of each word; {word!r} has vectors of whole texts only.")
    return _title_encoder(model) or TokenCache(HuggingFaceTokens(model.place), settings.caches / "tokens")


class JointEncoder:
    """Several encoders whose vectors are concatenated with the same weight.

    The cosine of two texts is the mean of the encoders' cosines, if all encoders know both texts.
    """

    def __init__(self, encoders: Sequence[Encoder]) -> None:
        self.encoders = tuple(encoders)  # the encoders, in the order of their vectors

    @property
    def name(self) -> str:
        """The encoders' names, joined."""
        return "+".join(encoder.name for encoder in self.encoders)

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(texts), sum of the dimensions)."""
        return normalised(np.hstack([encoder.encode(texts) for encoder in self.encoders]))


class SentenceEncoder:
    """A sentence-transformers model that returns L2-normalised vectors."""

    def __init__(self, model: ModelSpec) -> None:
        try:
            self._model = load_sentence_transformer(model.place)
        except ModelError as error:
            raise LinkingError(
                f"The encoder {model.place!r} could not be loaded: {error}. Expected a folder with a title encoder "
                "of ours or a sentence-transformers model, whole and undamaged."
            ) from error
        self._name = model.content_name

    @property
    def name(self) -> str:
        """The model's name; for a folder, its name and a digest of its files."""
        return self._name

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(texts), dimension)."""
        if not texts:
            return np.empty((0, self._model.get_embedding_dimension() or 0), dtype=np.float32)
        vectors = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)
