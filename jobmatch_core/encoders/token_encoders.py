"""Frozen backbones with one vector per token: any Hugging Face encoder, and a cache of its vectors.

Paper: Jouanneau et al. (2024), section 3.1.1: the last hidden states, without pooling or projection. Texts have no
E5 prefixes, because an empty section must stay empty.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import ModelError
from jobmatch_core.io.vector_file import VectorFile, text_key
from jobmatch_core.model_store.model_folder import folder_digest
from jobmatch_core.model_store.transformer_models import hub_name, load_transformer
from jobmatch_core.token_vectors import TokenBatch, TokenEncoder

DEFAULT_BACKBONE = "hub:intfloat/multilingual-e5-small"  # section 4.1, footnote 3
MAX_TOKENS = 128  # of a section, including the special tokens
_BATCH = 32
_BLOCK = 256  # texts read, encoded and written at a time, the most that a killed process loses


class HuggingFaceTokens:
    """The last hidden states of a frozen transformer."""

    def __init__(self, name_or_folder: str = DEFAULT_BACKBONE, *, max_tokens: int = MAX_TOKENS) -> None:
        """Load the model; torch is imported only now, because it takes seconds.

        Args:
            name_or_folder: a folder with a model and its tokenizer, or `hub:` and its hub name (downloaded once).
            max_tokens: maximum number of tokens of a text.

        Raises:
            ModelError: it cannot be loaded from this machine.
        """
        import torch

        try:
            self._tokenizer, model = load_transformer(name_or_folder)
        except ModelError as error:
            raise ModelError(
                f"The backbone {name_or_folder!r} could not be loaded: {error}. Expected a folder with a Hugging Face "
                "encoder and its tokenizer, whole and undamaged."
            ) from error
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._model = model.eval().requires_grad_(False).to(self._device)
        self._max_tokens = max_tokens
        self._name = hugging_face_name(name_or_folder, max_tokens)

    @property
    def name(self) -> str:
        """The model's name and maximum number of tokens; for a folder, with a digest of its files."""
        return self._name

    @property
    def dimension(self) -> int:
        """The length of a token's vector."""
        return int(self._model.config.hidden_size)

    def encode_tokens(self, texts: Sequence[str]) -> TokenBatch:
        """Return each text's token vectors; an empty text has only the special tokens."""
        # in batches of similar length, since padding costs as much as tokens
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        rows: list[FloatArray] = [np.empty((0, self.dimension), np.float32)] * len(texts)
        for start in range(0, len(order), _BATCH):
            numbers = order[start : start + _BATCH]
            for number, vectors in zip(numbers, self._encode([texts[place] for place in numbers]), strict=True):
                rows[number] = vectors
        return padded(rows, self.dimension)

    def _encode(self, texts: list[str]) -> Iterator[FloatArray]:
        import torch

        inputs = self._tokenizer(
            texts, padding=True, truncation=True, max_length=self._max_tokens, return_tensors="pt"
        ).to(self._device)
        with torch.inference_mode():
            states = self._model(**inputs).last_hidden_state.float().cpu().numpy()
        masks = inputs["attention_mask"].cpu().numpy() > 0
        for vectors, mask in zip(states, masks, strict=True):
            yield vectors[mask]


class TokenCache:
    """A backbone with a disk cache: only texts that are not in the file are encoded.

    Vectors are stored in half precision; new ones are rounded too, so that cached and new vectors are equal.
    """

    def __init__(self, encoder: TokenEncoder, folder: Path) -> None:
        """Wrap a backbone; the folder, created on first use, may be shared by several backbones and processes."""
        self._encoder = encoder
        self._file = VectorFile(folder, encoder.name)

    @property
    def name(self) -> str:
        """The backbone's name."""
        return self._encoder.name

    @property
    def dimension(self) -> int:
        """The length of a token's vector."""
        return self._encoder.dimension

    def encode_tokens(self, texts: Sequence[str]) -> TokenBatch:
        """Return each text's token vectors.

        Raises SettingsError if the file cannot be read or written, or is damaged.
        """
        keys = [text_key(text) for text in texts]
        distinct = list(dict(zip(keys, texts, strict=True)).items())
        vectors: dict[bytes, FloatArray] = {}
        for start in range(0, len(distinct), _BLOCK):
            vectors |= self._block(dict(distinct[start : start + _BLOCK]))
        return padded([vectors[key] for key in keys], self.dimension)

    def _block(self, texts: Mapping[bytes, str]) -> dict[bytes, FloatArray]:
        rows = self._file.read(list(texts))
        missing = [key for key in texts if key not in rows]
        if missing:
            batch = self._encoder.encode_tokens([texts[key] for key in missing])
            encoded = (tokens[mask].astype("<f2") for tokens, mask in zip(batch.vectors, batch.mask, strict=True))
            fresh = {key: vectors.tobytes() for key, vectors in zip(missing, encoded, strict=True)}
            self._file.write(fresh)
            rows |= fresh
        return {
            key: np.frombuffer(row, dtype="<f2").astype(np.float32).reshape(-1, self.dimension)
            for key, row in rows.items()
        }


def hugging_face_name(name_or_folder: str, max_tokens: int = MAX_TOKENS) -> str:
    """Return a transformer's name as a backbone without loading it; arguments as for `HuggingFaceTokens`.

    Raises OSError if a file of the folder cannot be read.
    """
    folder = Path(name_or_folder)
    base = f"{folder.name}-{_digest(folder, _stamps(folder))}" if folder.is_dir() else hub_name(name_or_folder)
    return f"{base}@{max_tokens}"


def padded(rows: Sequence[FloatArray], dimension: int) -> TokenBatch:
    """Return the token vectors of texts, each (token, dimension), as one padded batch."""
    lengths = np.array([len(row) for row in rows], dtype=np.intp)
    mask = np.arange(max(lengths, default=0)) < lengths[:, None]
    vectors = np.zeros((*mask.shape, dimension), dtype=np.float32)
    if rows:
        vectors[mask] = np.concatenate(rows)
    return TokenBatch(vectors, mask)


# sizes and modification times of a folder's files change with them
def _stamps(folder: Path) -> tuple[tuple[int, int], ...]:
    stats = [path.stat() for path in sorted(folder.rglob("*"))]
    return tuple((stat.st_size, stat.st_mtime_ns) for stat in stats)


@lru_cache(maxsize=16)  # a gigabyte takes a second, and pages ask often
def _digest(folder: Path, stamps: tuple[tuple[int, int], ...]) -> str:
    return folder_digest(folder)
