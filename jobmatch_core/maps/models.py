"""Vectors of items by a word of `model_spec`: that of an encoder, or of towers for freelancers and projects.

Slowly computed arrays are cached under `JOBMATCH_HOME/caches/maps`, one folder each, which may be deleted at any time.
"""

import hashlib
import logging
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

from jobmatch_core.encoders.loading import TITLES, kept_on_disk, opened_encoder
from jobmatch_core.entities import FloatArray, PairKind, Progress, no_progress
from jobmatch_core.errors import MapError
from jobmatch_core.io.folders import atomic_folder
from jobmatch_core.maps.items import ItemKind, Items
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.model_spec import ModelKind, find_model, home_models
from jobmatch_core.retrieval.match_models import load_match_model
from jobmatch_core.settings import Settings
from jobmatch_core.text.folding import fold
from jobmatch_core.vectors import in_blocks, normalised

if TYPE_CHECKING:
    from jobmatch_core.towers.two_towers import TwoTowers

_log = logging.getLogger(__name__)
_MOST = 200  # cached folders; the least recently used one is removed first

Arrays = Mapping[str, FloatArray]


TF_IDF = "tf-idf"
_TOWERS = f"{ModelKind.TOWERS}:"
DIMENSION = 256  # of TF-IDF, that of the shipped encoder
_NGRAMS = (1, 3)  # MELO's baseline over characters, see `benchmarks.systems.lexical`
_MOST_NGRAMS = 50_000
_SVD_TEXTS = 50_000  # that the SVD is fitted on
_BLOCK = 2048  # records encoded between two progress reports
_PEOPLE = (ItemKind.FREELANCERS, ItemKind.PROJECTS, ItemKind.LABELS)


def digest(*parts: object) -> str:
    """Return a hash of some parts: arrays by their bytes, all others by their text."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        if isinstance(part, np.ndarray):
            digest.update(f"{part.shape} {part.dtype}".encode())
            digest.update(np.ascontiguousarray(part).data)
        else:
            digest.update(repr(part).encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()


def cached_arrays(key: str, make: Callable[[], Arrays], settings: Settings) -> dict[str, FloatArray]:
    """Return arrays by name; *make* computes them unless they are cached by *key*, a `digest` of all they depend on.

    Raises MapError if they cannot be written.
    """
    home = settings.caches / "maps"
    folder = home / key
    arrays = _read(folder)
    if arrays is not None:
        return arrays
    made = {name: np.asarray(array, dtype=np.float32) for name, array in make().items()}
    try:
        with atomic_folder(folder) as temporary:
            for name, array in made.items():
                np.save(temporary / f"{name}.npy", array)
        _forget_oldest(home)
    except OSError as error:
        raise MapError(
            f"The map could not be stored in {home} ({error.strerror or error}). Set JOBMATCH_HOME to a writable "
            "folder on a disk with free space."
        ) from error
    return made


def _read(folder: Path) -> dict[str, NDArray[np.float32]] | None:
    if not folder.is_dir():
        return None
    try:
        arrays = {path.stem: np.load(path) for path in sorted(folder.glob("*.npy"))}
        folder.touch()
    except (OSError, ValueError, EOFError) as error:
        _log.warning("The arrays in %s are damaged (%s) and are computed again.", folder, error)
        return None
    return arrays or None


def _forget_oldest(home: Path) -> None:
    folders = [path for path in home.iterdir() if path.is_dir() and not path.name.startswith(".")]
    for folder in sorted(folders, key=lambda path: path.stat().st_mtime)[:-_MOST]:
        shutil.rmtree(folder, ignore_errors=True)


def model_words(kind: ItemKind, towers: Sequence[str]) -> list[str]:
    """Return the models that can map a kind of items, default first; *towers* are the names of the installed towers."""
    named = [f"{_TOWERS}{name}" if name in (TITLES, TF_IDF) else name for name in towers]
    return [*(named if kind in _PEOPLE else ()), TITLES, TF_IDF]


def own_encoders(settings: Settings) -> list[str]:
    """Return the names of the encoders under `JOBMATCH_HOME/models`."""
    return sorted(model.word for model in home_models(settings, ModelKind.ENCODER) if model.word != TF_IDF)


def item_vectors(items: Items, word: str, settings: Settings, *, progress: Progress = no_progress) -> FloatArray:
    """Return L2-normalised vectors, shape (item, dimension); those of towers and of transformers are cached on disk.

    Raises:
        MapError: no text has a letter, or the model does not read such items.
        ModelError: there is no such model, or it is damaged.
        LinkingError: the encoder cannot be loaded from this machine.
        MarketplaceError: the marketplace is no longer stored here.
    """
    if word == TF_IDF:
        return _by_texts(items, lambda texts: tf_idf_vectors(texts, progress=progress))
    kinds = (ModelKind.TOWERS, ModelKind.ENCODER)
    model = find_model(word, settings, *(kinds if items.kind in _PEOPLE else reversed(kinds)))
    if model.kind is ModelKind.TOWERS:
        return _by_towers(items, model.word, settings, progress)
    encoder = kept_on_disk(opened_encoder(model), settings)
    return _by_texts(items, lambda texts: in_blocks(encoder.encode, texts, progress))


def tf_idf_vectors(texts: Sequence[str], *, progress: Progress = no_progress) -> FloatArray:
    """Return L2-normalised TF-IDF vectors of character n-grams (1 to 3), shape (text, at most 256).

    Fitted on the texts themselves; the truncated SVD on 50,000 of them.

    Raises MapError if no text has a letter.
    """
    folded = [fold(text) for text in texts]
    if not any(folded):
        raise MapError("No item has a text with a letter, so there is nothing to compare; choose other items.")
    weights = TfidfVectorizer(analyzer="char", ngram_range=_NGRAMS, max_features=_MOST_NGRAMS, dtype=np.float32)
    sparse = weights.fit_transform(folded)
    progress(1, 3)
    width = min(DIMENSION, min(sparse.shape) - 1)
    if width < 2:
        return normalised(np.asarray(sparse.toarray(), dtype=np.float32))
    step = -(-len(texts) // _SVD_TEXTS)
    reduced = TruncatedSVD(width, random_state=0).fit(sparse[::step])
    progress(2, 3)
    vectors = normalised(np.asarray(reduced.transform(sparse), dtype=np.float32))
    progress(3, 3)
    return vectors


def _by_texts(items: Items, encode: Callable[[Sequence[str]], FloatArray]) -> FloatArray:
    if not items.contents:
        return encode(items.texts)
    lengths = [len(content) for content in items.contents]
    vectors = encode(list(chain.from_iterable(items.contents)))
    if set(lengths) == {1}:
        return vectors
    starts = np.cumsum([0, *lengths[:-1]])
    return normalised(np.add.reduceat(vectors, starts, axis=0))


def _by_towers(items: Items, word: str, settings: Settings, progress: Progress) -> FloatArray:
    if items.kind not in _PEOPLE:
        raise MapError(f"The model {word} reads projects and freelancers, not {items.kind}; try {TITLES} or {TF_IDF}.")
    if any(pair.kind is not PairKind.PROJECT_FREELANCER for pair in items.pairs):
        raise MapError(f"The model {word} reads projects and freelancers, not titles; try {TITLES} or {TF_IDF}.")
    towers = load_match_model(word, settings)
    hashes = MarketplaceStore.open(settings).manifest(items.source).hashes
    key = digest("towers", towers.name, sorted(hashes.items()), str(items.kind), items.ids)
    return cached_arrays(key, lambda: {"vectors": _tower_vectors(items, towers, settings, progress)}, settings)[
        "vectors"
    ]


def _tower_vectors(items: Items, towers: "TwoTowers", settings: Settings, progress: Progress) -> FloatArray:
    market = MarketplaceStore.open(settings).load(items.source)
    projects = [pair.left for pair in items.pairs] or (items.ids if items.kind is ItemKind.PROJECTS else ())
    freelancers = [pair.right for pair in items.pairs] or (items.ids if items.kind is ItemKind.FREELANCERS else ())
    total = len(projects) + len(freelancers)
    sides: list[FloatArray] = []
    if projects:
        rows = [market.project_rows[id_] for id_ in projects]
        blocks = [
            towers.encode_projects([market.projects[row] for row in block])
            for block in _blocks(rows, 0, total, progress)
        ]
        sides.append(np.concatenate(blocks))
    if freelancers:
        rows = [market.freelancer_rows[id_] for id_ in freelancers]
        blocks = [
            towers.encode_freelancers([market.freelancers[row] for row in block])
            for block in _blocks(rows, len(projects), total, progress)
        ]
        sides.append(np.concatenate(blocks))
    return normalised(np.sum(sides, axis=0))


def _blocks(rows: Sequence[int], before: int, total: int, progress: Progress) -> Iterator[Sequence[int]]:
    for start in range(0, len(rows), _BLOCK):
        yield rows[start : start + _BLOCK]
        progress(before + min(start + _BLOCK, len(rows)), total)
