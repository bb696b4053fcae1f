"""Quality of a map: preservation of neighbourhoods, silhouettes, and mixing of languages.

Sources: Venna & Kaski (2001), Neighborhood preservation in nonlinear projection methods (trustworthiness, continuity);
Rousseeuw (1987), Silhouettes. Figures of large maps are means over points drawn at random, with neighbours among all.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.errors import MapError
from jobmatch_core.maps.neighbours import Distances, Rows, distance_blocks, nearest_of, some_rows

NEIGHBOURS = 15
MEASURED = 2000
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Mixing:
    """Share of neighbours of another language."""

    share: float  # mean share of such neighbours
    chance: float  # expected share if languages made no difference

    @property
    def ratio(self) -> float:
        """The share against chance: 1 if languages make no difference, 0 if each forms its own cluster."""
        return self.share / self.chance if self.chance else 0.0


@dataclass(frozen=True, slots=True)
class MapQuality:
    """Quality of a map of a space."""

    # points, measured: numbers of points, and of measured points
    points: int
    measured: int
    neighbours: int  # number of neighbours of each
    trustworthiness: float  # 0 to 1, 1 if neighbours in the map are neighbours in the space
    continuity: float  # 0 to 1, 1 if neighbours in the space are neighbours in the map
    overlap: float  # share of the neighbours in the space that are neighbours in the map
    field: str = ""  # name of the field that defines the groups
    silhouette: float | None = None  # silhouette of the groups in the map, -1 to 1; None with fewer than two groups
    space_silhouette: float | None = None  # silhouette of the groups in the space
    by_group: tuple[tuple[str, float], ...] = ()  # each group's mean silhouette in the map
    mixing: Mixing | None = None  # mixing of languages in the map; None with fewer than two languages
    space_mixing: Mixing | None = None  # mixing of languages in the space: a figure of the model, not of the picture


def map_quality(
    vectors: FloatArray,
    positions: FloatArray,
    *,
    groups: Sequence[str] = (),
    languages: Sequence[str] = (),
    neighbours: int = NEIGHBOURS,
    measured: int = MEASURED,
    progress: Progress = no_progress,
) -> MapQuality:
    """Measure a map.

    Args:
        vectors: (point, dimension) vectors of the space, L2-normalised.
        positions: (point, 2) positions on the map.
        groups: (point,) groups for the silhouette, or ''. Ignored if empty.
        languages: (point,) language codes. Ignored if empty.
        neighbours: number of neighbours; fewer for a small map.
        measured: maximum number of points to measure.

    Raises MapError if there are fewer than four points.
    """
    count = len(vectors)
    if count < 4:
        raise MapError(f"A map of {count} points has no neighbourhoods to measure; choose at least 4 points.")
    k = max(1, min(neighbours, (count - 1) // 2))
    rows = some_rows(count, measured, 0)
    sums = _Sums(k, _coded(groups), _coded(languages))
    pairs = zip(distance_blocks(vectors, rows), distance_blocks(positions, rows), strict=True)
    for done, ((block, space), (_, plane)) in enumerate(pairs, start=1):
        sums.add(block, space, plane)
        progress(min(done * len(block), len(rows)), len(rows))
    return sums.quality(count)


def silhouettes(distances: Distances, rows: Rows, codes: Codes) -> NDArray[np.float64]:
    """Return the silhouettes of points; 0 for the only point of a group (Rousseeuw 1987, section 2).

    Args:
        distances: (row, point) squared distances, infinite to themselves.
        codes: (point,) code of each point's group, -1 for none; such points are ignored.
    """
    members = np.flatnonzero(codes >= 0)
    one_hot = np.zeros((len(members), int(codes.max()) + 1))
    one_hot[np.arange(len(members)), codes[members]] = 1
    lengths = np.sqrt(np.where(np.isinf(distances), 0, distances))[:, members].astype(np.float64)
    own = codes[rows]
    counts = np.tile(one_hot.sum(axis=0), (len(rows), 1))
    counts[np.arange(len(rows)), own] -= 1
    means = (lengths @ one_hot) / np.maximum(counts, 1)
    inside = means[np.arange(len(rows)), own].copy()
    means[np.arange(len(rows)), own] = np.inf
    outside = means.min(axis=1)
    silhouettes = (outside - inside) / np.maximum(np.maximum(outside, inside), 1e-12)
    return np.where(counts[np.arange(len(rows)), own] > 0, silhouettes, 0.0)


@dataclass(frozen=True, slots=True)
class _Coded:
    names: list[str]
    codes: Codes


def _coded(values: Sequence[str]) -> _Coded:
    names = sorted({value for value in values if value})
    numbers = {name: number for number, name in enumerate(names)}
    return _Coded(names, np.array([numbers.get(value, -1) for value in values], dtype=np.int64))


class _Sums:
    def __init__(self, k: int, groups: _Coded, languages: _Coded) -> None:
        self._k, self._groups, self._languages = k, groups, languages
        self._rows: list[Rows] = []
        self._intruders, self._missing, self._shared = 0.0, 0.0, 0.0
        self._silhouettes: list[NDArray[np.float64]] = []
        self._space_silhouettes: list[NDArray[np.float64]] = []
        self._silhouette_codes: list[Codes] = []
        self._other: list[NDArray[np.float64]] = []
        self._space_other: list[NDArray[np.float64]] = []

    def add(self, rows: Rows, space: Distances, plane: Distances) -> None:
        in_space, in_plane = nearest_of(space, self._k), nearest_of(plane, self._k)
        self._rows.append(rows)
        self._intruders += float(np.maximum(_ranks(space, in_plane) - self._k, 0).sum())
        self._missing += float(np.maximum(_ranks(plane, in_space) - self._k, 0).sum())
        self._shared += float((in_space[:, :, None] == in_plane[:, None, :]).sum())
        if len(self._groups.names) > 1:
            self._add_silhouettes(rows, space, plane)
        if len(self._languages.names) > 1:
            self._other.append(_other_share(self._languages.codes, rows, in_plane))
            self._space_other.append(_other_share(self._languages.codes, rows, in_space))

    def _add_silhouettes(self, rows: Rows, space: Distances, plane: Distances) -> None:
        codes = self._groups.codes
        grouped = codes[rows] >= 0
        if grouped.any():
            self._silhouettes.append(silhouettes(plane[grouped], rows[grouped], codes))
            self._space_silhouettes.append(silhouettes(space[grouped], rows[grouped], codes))
            self._silhouette_codes.append(codes[rows[grouped]])

    def quality(self, count: int) -> MapQuality:
        rows, k = np.concatenate(self._rows), self._k
        # the maximum sum, Venna & Kaski's normaliser for k < n / 2
        worst = len(rows) * k * (2 * count - 3 * k - 1) / 2
        mixed = len(self._languages.names) > 1
        chance = _chance(self._languages, rows) if mixed else 0.0
        return MapQuality(
            points=count,
            measured=len(rows),
            neighbours=k,
            trustworthiness=1 - self._intruders / worst,
            continuity=1 - self._missing / worst,
            overlap=self._shared / (len(rows) * k),
            silhouette=_mean(self._silhouettes),
            space_silhouette=_mean(self._space_silhouettes),
            by_group=self._by_group(),
            mixing=Mixing(float(np.mean(np.concatenate(self._other))), chance) if mixed else None,
            space_mixing=Mixing(float(np.mean(np.concatenate(self._space_other))), chance) if mixed else None,
        )

    def _by_group(self) -> tuple[tuple[str, float], ...]:
        if not self._silhouettes:
            return ()
        values, codes = np.concatenate(self._silhouettes), np.concatenate(self._silhouette_codes)
        return tuple(
            (name, float(values[codes == code].mean()))
            for code, name in enumerate(self._groups.names)
            if (codes == code).any()
        )


# rank of some columns in each row, from 1; ties share the better rank
def _ranks(distances: Distances, columns: Rows) -> Rows:
    chosen = np.take_along_axis(distances, columns, axis=1)
    return np.stack([(distances < chosen[:, [number]]).sum(axis=1) for number in range(columns.shape[1])], axis=1) + 1


def _other_share(codes: Codes, rows: Rows, neighbours: Rows) -> NDArray[np.float64]:
    return np.asarray((codes[neighbours] != codes[rows, None]).mean(axis=1))


# mean share of all other points that have another code
def _chance(coded: _Coded, rows: Rows) -> float:
    counts = np.bincount(coded.codes + 1, minlength=len(coded.names) + 1)
    others = len(coded.codes) - counts[coded.codes[rows] + 1]
    return float(np.mean(others / (len(coded.codes) - 1)))


def _mean(blocks: list[NDArray[np.float64]]) -> float | None:
    return float(np.mean(np.concatenate(blocks))) if blocks else None
