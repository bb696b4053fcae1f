"""Content of a map's picture: groups with their colours, densities and labels, lines, and the displayed part."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from sklearn.cluster import HDBSCAN

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import MapError
from jobmatch_core.maps.density import Density, Frame, MapLabel, kernel_density, placed
from jobmatch_core.maps.items import CLUSTER, FINER, LANGUAGE
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.neighbours import Rows, some_rows
from jobmatch_core.maps.palette import MOST, OTHERS, colours
from jobmatch_core.text.folding import fold

_SMALLEST, _SHARE = 8, 0.004  # minimum size of a map's cluster: points, or share of all
_WORDS, _LETTERS = 3, 3  # words of a name, minimum letters of a word
_MOST = 1000  # points that place a label, so that all labels take well under a second
_GROUP_SMALLEST, _GROUP_SHARE, _SEED = 5, 0.05, 0  # minimum size of a group's cluster: points, or share of the group
_NEAR, _OWN = 10, 0.5  # neighbours of a point, and the share of them that makes a cluster a group's own
EVERYTHING, NOT_SAID, THE_REST = "all", "not said", "others"
SHARES = (0.85, 0.5)  # of a group's points within its outer and its inner contour
_LABEL_LETTERS = 34
_FEWEST = 5  # points of a group with a label or a density
_MOST_LINES = 150  # concepts whose names are joined, unless one is selected
_CLOSE = 0.12  # share of the map's extent that is shown around a selected item
_UNIT = (0.0125, 0.024)  # font size of the labels as a share of a picture's width and height

Theme = Literal["light", "dark"]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A dense region."""

    name: str  # its most specific words
    rows: tuple[int, ...]  # rows of its points, ascending
    # x, y: median position
    x: float
    y: float


def find_clusters(positions: FloatArray, texts: Sequence[str]) -> list[Cluster]:
    """Return the HDBSCAN clusters of (point, 2) positions, largest first, named by their texts."""
    smallest = max(_SMALLEST, int(_SHARE * len(positions)))
    if len(positions) <= smallest:
        return []
    codes: NDArray[np.int64] = HDBSCAN(min_cluster_size=smallest, min_samples=5, copy=True).fit_predict(positions)
    members = [np.flatnonzero(codes == code) for code in range(int(codes.max()) + 1)]
    names = specific_words([[texts[row] for row in rows.tolist()] for rows in members])
    clusters = [
        Cluster(name, tuple(rows.tolist()), *map(float, np.median(positions[rows], axis=0)))
        for name, rows in zip(names, members, strict=True)
    ]
    return sorted(clusters, key=lambda cluster: (-len(cluster.rows), cluster.name))


def specific_words(groups: Sequence[Sequence[str]]) -> list[str]:
    """Return for each group of texts its most specific words, most specific first."""
    counts = [
        Counter(
            word for text in texts for word in set(fold(text).split()) if len(word) >= _LETTERS and not word.isdecimal()
        )
        for texts in groups
    ]
    total: Counter[str] = sum(counts, Counter())
    mean = total.total() / max(len(groups), 1)
    names = []
    for counted in counts:
        weights = {word: count * math.log(1 + mean / total[word]) for word, count in counted.items()}
        best = sorted(weights, key=lambda word: (-weights[word], word))[:_WORDS]
        names.append(", ".join(best))
    return names


def with_clusters(latent: LatentMap) -> LatentMap:
    """Return the map with each item's cluster name as its `CLUSTER`, '' for items outside clusters."""
    names = [""] * len(latent.items)
    seen: set[str] = set()
    for number, cluster in enumerate(find_clusters(latent.positions, latent.items.texts), start=1):
        name = cluster.name or f"cluster {number}"
        name = f"{name} ({number})" if name in seen else name
        seen.add(name)
        for row in cluster.rows:
            names[row] = name
    fields = {**latent.items.fields, CLUSTER: tuple(names)}
    return replace(latent, items=replace(latent.items, fields=fields))


def label_position(positions: FloatArray, shares: "NDArray[np.float64]") -> tuple[float, float] | None:
    """Return the medoid of a group's largest cluster of its own, or None without one.

    A label never stands between clusters (HDBSCAN, Campello et al. 2013), nor in one where most neighbours of the
    group's points belong to other groups.

    Args:
        positions: (point, 2) positions of the group's points, at least one; without clusters, all are one.
        shares: (point,) share of each point's neighbours on the map that belong to the group.
    """
    own = (rows for rows in _clusters_of_group(positions) if shares[rows].mean() > _OWN)
    cluster = positions[next(own, np.empty(0, np.int64))]
    if not len(cluster):
        return None
    distances = np.sqrt(sum((axis[:, None] - axis[None, :]) ** 2 for axis in cluster.T))
    x, y = cluster[int(distances.sum(axis=1).argmin())]
    return float(x), float(y)


def _clusters_of_group(positions: FloatArray) -> list[Rows]:
    smallest = max(_GROUP_SMALLEST, int(_GROUP_SHARE * len(positions)))
    everything = [np.arange(len(positions))]
    if len(positions) <= smallest:
        return everything
    codes = HDBSCAN(min_cluster_size=smallest, allow_single_cluster=True, copy=True).fit_predict(positions)
    clusters = [np.flatnonzero(codes == code) for code in range(int(codes.max()) + 1)]
    return sorted(clusters, key=len, reverse=True) or everything


@dataclass(frozen=True, slots=True)
class View:
    """Settings of the display."""

    colour: str = ""  # field to colour by; one colour if empty
    within: str = ""  # value of that field to show in detail, by the next finer field if there is one
    contours: bool = False  # draw densities
    lines: bool = False  # join the names of one concept
    centre: int | None = None  # row of the central point, if any


@dataclass(frozen=True, slots=True)
class Group:
    """Points of one colour; *density* is None if they are too few or it is not requested."""

    name: str
    colour: str
    rows: Rows
    density: Density | None


@dataclass(frozen=True, slots=True)
class Picture:
    """Content of a drawing."""

    latent: LatentMap
    view: View  # settings of the display
    field: str  # field of the colours, or ''
    groups: tuple[Group, ...]  # largest first, the rest last
    outside: Rows  # rows shown in grey, because another value is shown in detail
    labels: tuple[MapLabel, ...]  # labels at the medoids of the groups' largest clusters, without overlaps
    lines: tuple[tuple[int, ...], ...]  # rows of the names of each joined concept
    frame: Frame  # displayed part of the plane


def picture_of(latent: LatentMap, view: View) -> Picture:
    """Compute the picture of a map.

    Raises MapError if there is no such field, or no item has the value to show in detail.
    """
    items = latent.items
    if view.colour == CLUSTER and CLUSTER not in items.fields:
        return picture_of(with_clusters(latent), view)
    if view.colour and view.colour not in items.fields:
        raise MapError(f"These items have no {view.colour}; they have {', '.join(items.colours) or 'no colours'}.")
    inside = np.array([not view.within or value == view.within for value in items.values(view.colour)])
    rows = np.flatnonzero(inside)
    if not len(rows):
        raise MapError(f"No item has the {view.colour} {view.within!r}.")
    field = FINER.get(view.colour, "") if view.within else view.colour
    frame = _frame(latent, view, rows)
    groups = _groups(latent, field, rows, frame, view)
    near = cKDTree(latent.positions[rows])
    labels = [label for group in groups if (label := _label(latent, group, rows, near, frame))]
    apart = placed(labels, frame, _UNIT[0] * frame.width, _UNIT[1] * frame.height)
    outside = np.flatnonzero(~inside)
    return Picture(latent, view, field, groups, outside, tuple(apart), _lines(latent, view), frame)


def _frame(latent: LatentMap, view: View, rows: Rows) -> Frame:
    if view.centre is None:
        return Frame.around(latent.positions[rows])
    whole = Frame.around(latent.positions)
    x, y = (float(value) for value in latent.positions[view.centre])
    across, up = whole.width * _CLOSE, whole.height * _CLOSE
    return Frame(x - across, x + across, y - up, y + up)


def _groups(latent: LatentMap, field: str, rows: Rows, frame: Frame, view: View) -> tuple[Group, ...]:
    values = latent.items.values(field) if field else (EVERYTHING,) * len(latent.items)
    counts = Counter(values[row] for row in rows.tolist())
    unsaid = counts.pop("", 0)
    ordered = sorted(counts, key=lambda value: (-counts[value], value))
    room = MOST if len(ordered) <= MOST else MOST - 1
    coloured = colours(field, ordered[:room])
    names = {value: value for value in ordered[:room]}
    names |= dict.fromkeys(ordered[room:], THE_REST) | ({"": NOT_SAID} if unsaid else {})
    members: dict[str, list[int]] = {}
    for row in rows.tolist():
        members.setdefault(names[values[row]], []).append(row)
    shown = [*ordered[:room], THE_REST, NOT_SAID]
    return tuple(
        Group(name, coloured.get(name, OTHERS), np.array(own), _density(latent, name, own, frame, view))
        for name in shown
        if (own := members.get(name))
    )


def _density(latent: LatentMap, name: str, rows: list[int], frame: Frame, view: View) -> Density | None:
    if not view.contours or len(rows) < _FEWEST or name in (THE_REST, NOT_SAID):
        return None
    return kernel_density(latent.positions[rows], frame)


def _label(latent: LatentMap, group: Group, shown: Rows, near: cKDTree, frame: Frame) -> MapLabel | None:
    inside = group.rows[frame.holds(latent.positions[group.rows])]
    if len(inside) < _FEWEST or group.name in (EVERYTHING, THE_REST, NOT_SAID):
        return None
    positions = latent.positions[inside[some_rows(len(inside), _MOST, _SEED)]]
    neighbours = shown[near.query(positions, k=min(_NEAR + 1, len(shown)))[1]]  # and the point itself
    place = label_position(positions, np.isin(neighbours, group.rows).mean(axis=1))
    name = group.name if len(group.name) <= _LABEL_LETTERS else f"{group.name[: _LABEL_LETTERS - 1]}…"
    return MapLabel(name, *place, len(group.rows)) if place else None


def _lines(latent: LatentMap, view: View) -> tuple[tuple[int, ...], ...]:
    items = latent.items
    if not view.lines or not items.concepts:
        return ()
    names: dict[str, dict[str, int]] = {}
    languages = items.values(LANGUAGE)
    for row, (concept, language) in enumerate(zip(items.concepts, languages, strict=True)):
        if concept:
            names.setdefault(concept, {}).setdefault(language, row)
    if view.centre is not None:
        chosen = [items.concepts[view.centre]]
    else:
        several = sorted(concept for concept, rows in names.items() if len(rows) > 1)
        chosen = several[:: -(-len(several) // _MOST_LINES) or 1]
    return tuple(tuple(names[concept].values()) for concept in chosen if concept in names)
