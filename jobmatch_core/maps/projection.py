"""Projection of vectors to two dimensions by PCA, UMAP (McInnes et al. 2018) or t-SNE (van der Maaten & Hinton 2008).

UMAP and t-SNE start at the two first principal components, which preserves the global structure (Kobak & Linderman
2021), or at another map of the same items.
"""

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from sklearn.metrics.pairwise import euclidean_distances

from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.errors import MapError

FEWEST = 4  # points of a map
_START_WIDTH = 10.0  # of UMAP's initial positions, that of UMAP's own start
_TSNE_START = 1e-4  # standard deviation of t-SNE's initial positions (Kobak & Berens 2019)
_SAME = 1e-6  # range of equal coordinates
_PCA_SAMPLE = 50_000  # points that PCA is fitted on
SEARCHED = 4096  # points from which UMAP searches for neighbours; for fewer it would call Python for every pair
_ONE_AT_A_TIME = threading.Lock()  # two concurrent calls in numba's threads end the process


class Method(StrEnum):
    """Method of the projection."""

    PCA = "pca"
    UMAP = "umap"
    TSNE = "tsne"

    @property
    def spelling(self) -> str:
        """The usual spelling: PCA, UMAP, t-SNE."""
        return "t-SNE" if self is Method.TSNE else self.upper()


@dataclass(frozen=True, slots=True)
class ProjectionSetting:
    """A method and its parameters; those of other methods are ignored."""

    method: Method = Method.UMAP
    neighbours: int = 15  # UMAP's number of neighbours: few show detail, many the whole
    min_dist: float = 0.1  # UMAP's minimum distance of points
    perplexity: float = 30.0  # t-SNE's perplexity, similar to *neighbours*
    seed: int = 0  # seed of the random generators

    def __post_init__(self) -> None:
        if self.neighbours < 2 or not 0 <= self.min_dist <= 1 or not 0 < self.perplexity < np.inf:
            raise MapError(
                f"A map needs 2 or more neighbours, a minimum distance of 0 to 1 and a perplexity above 0, not "
                f"{self.neighbours}, {self.min_dist:g} and {self.perplexity:g}."
            )

    @property
    def key(self) -> tuple[object, ...]:
        """The parameters that change the map."""
        if self.method is Method.PCA:
            return (str(self.method),)
        own = (self.neighbours, self.min_dist) if self.method is Method.UMAP else (self.perplexity,)
        return (str(self.method), *own, self.seed)


@dataclass(frozen=True, slots=True)
class Projection:
    """Positions of a map."""

    positions: FloatArray  # (point, 2) positions
    # mean, axes: PCA's (dimension,) mean and (2, dimension) axes; empty for other methods
    mean: FloatArray
    axes: FloatArray


def project(
    vectors: FloatArray,
    setting: ProjectionSetting,
    *,
    start: FloatArray | None = None,
    progress: Progress = no_progress,
) -> Projection:
    """Project vectors.

    Args:
        vectors: (point, dimension), L2-normalised, so that Euclidean distance ranks like the cosine.
        start: (point, 2) initial positions: those of another model's map of the same items. PCA ignores them.

    Raises MapError if there are too few points, or too few different ones.
    """
    if len(vectors) < FEWEST:
        raise MapError(f"A map needs at least {FEWEST} points, not {len(vectors)}; choose more.")
    if not float(np.ptp(vectors, axis=0).max()) > _SAME:
        raise MapError("This model cannot tell the points apart, so there is no map of them; choose other items.")
    fitted = _pca(vectors)
    if setting.method is Method.PCA:
        progress(1, 1)
        return fitted
    begin = fitted.positions if start is None else start
    make = _umap if setting.method is Method.UMAP else _tsne
    nothing = np.empty((0, 0), dtype=np.float32)
    return Projection(make(vectors, setting, begin, progress), nothing.reshape(0), nothing)


# the sign of an axis makes its largest component positive
def _pca(vectors: FloatArray) -> Projection:
    step = -(-len(vectors) // _PCA_SAMPLE)
    model = PCA(
        n_components=2, svd_solver="covariance_eigh" if vectors.shape[1] <= 2048 else "randomized", random_state=0
    ).fit(vectors[::step])
    axes = model.components_ * np.sign(model.components_[[0, 1], np.abs(model.components_).argmax(axis=1)])[:, None]
    mean, axes = model.mean_.astype(np.float32), axes.astype(np.float32)
    return Projection(np.asarray((vectors - mean) @ axes.T, dtype=np.float32), mean, axes)


def _umap(vectors: FloatArray, setting: ProjectionSetting, begin: FloatArray, progress: Progress) -> FloatArray:
    with _ONE_AT_A_TIME, _numba_quiet():
        from umap import UMAP  # type: ignore[import-untyped]  # takes seconds because of numba

        few = len(vectors) < SEARCHED
        model = UMAP(
            metric="precomputed" if few else "euclidean",
            n_neighbors=min(setting.neighbours, len(vectors) - 1),
            min_dist=setting.min_dist,
            init=_scaled(begin, setting.seed),
            random_state=setting.seed,
            n_jobs=1,  # required by a seed
            tqdm_kwds={
                "disable": False,
                "file": _ProgressFile(progress),
                "bar_format": "{n} {total}",
                "mininterval": 0.5,
            },
        )
        return np.asarray(model.fit_transform(euclidean_distances(vectors) if few else vectors), dtype=np.float32)


def _tsne(vectors: FloatArray, setting: ProjectionSetting, begin: FloatArray, progress: Progress) -> FloatArray:
    perplexity = min(setting.perplexity, (len(vectors) - 1) / 3)
    scaled = (begin / float(begin[:, 0].std() or begin.std()) * _TSNE_START).astype(np.float32)
    model = TSNE(init=scaled, perplexity=perplexity, random_state=setting.seed, n_jobs=-1)
    positions = np.asarray(model.fit_transform(vectors), dtype=np.float32)
    progress(1, 1)
    return positions


# UMAP's own start: from 0 to 10, with noise that separates equal points
def _scaled(begin: FloatArray, seed: int) -> FloatArray:
    low, high = begin.min(axis=0), begin.max(axis=0)
    scaled = _START_WIDTH * (begin - low) / max(float((high - low).max()), 1e-12)
    noise = np.random.default_rng(seed).normal(scale=1e-4, size=scaled.shape)
    return np.asarray(scaled + noise, dtype=np.float32)


# the file that UMAP writes its progress bar to, as "done total"
class _ProgressFile:
    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def write(self, text: str) -> None:
        words = text.split()
        if len(words) == 2 and all(word.isdecimal() for word in words):
            self._progress(int(words[0]), int(words[1]))

    def flush(self) -> None: ...


@contextmanager
def _numba_quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=ImportWarning, module="umap")  # no TensorFlow
        warnings.filterwarnings("ignore", message="using precomputed metric; inverse_transform will be unavailable")
        yield
