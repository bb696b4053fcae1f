"""Neighbours by the model."""

import numpy as np
import pytest

from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.nearest_items import nearest_items


def test_neighbours_are_those_of_the_space(latent: LatentMap) -> None:
    """By the cosine distance of the vectors, whatever the picture says, nearest first, without the item itself."""
    distances = 1 - latent.vectors @ latent.vectors[7]
    expected = [row for row in np.argsort(distances) if row != 7][:10]
    found = nearest_items(latent, 7)
    assert [each.row for each in found] == expected
    assert [each.distance for each in found] == pytest.approx(distances[expected], abs=1e-5)


def test_no_more_than_there_are(latent: LatentMap) -> None:
    """All others."""
    assert len(nearest_items(latent, 0, k=99)) == len(latent.items) - 1
