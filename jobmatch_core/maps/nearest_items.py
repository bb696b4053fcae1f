"""The items nearest to one of a map, by the model and not by the picture."""

from dataclasses import dataclass

import numpy as np

from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.neighbours import distance_blocks, nearest_of


@dataclass(frozen=True, slots=True)
class NearItem:
    """An item's row and its cosine distance in the model's space, from 0 (the same direction) to 2."""

    row: int
    distance: float


def nearest_items(latent: LatentMap, row: int, k: int = 10) -> list[NearItem]:
    """Return the *k* items nearest to that of a row, nearest first, without itself."""
    _, squared = next(distance_blocks(latent.vectors, np.array([row])))
    rows = nearest_of(squared, min(k, len(latent.items) - 1))[0]
    return [NearItem(int(near), float(squared[0, near]) / 2) for near in rows]  # vectors are L2-normalised
