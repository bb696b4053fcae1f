"""Small spaces made by hand: groups around corners of a sphere, with languages and names."""

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray
from jobmatch_core.maps.items import CATEGORY, FAMILY, LANGUAGE, ItemKind, Items
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.projection import Method, ProjectionSetting, project
from jobmatch_core.vectors import normalised

GROUPS = ("nurse", "driver", "cook")
PER_GROUP = 20


def made_vectors(count: int, dimension: int = 8, seed: int = 0) -> FloatArray:
    """Return random unit vectors."""
    drawn = np.random.default_rng(seed).normal(size=(count, dimension))
    return normalised(drawn.astype(np.float32))


@pytest.fixture
def latent() -> LatentMap:
    """Sixty items in three tight groups, two languages, each concept named in both."""
    corners = np.repeat(np.eye(8, dtype=np.float32)[:3], PER_GROUP, axis=0)
    vectors = normalised(corners + 0.2 * made_vectors(3 * PER_GROUP))
    rows = range(3 * PER_GROUP)
    items = Items(
        ItemKind.OCCUPATIONS,
        "made",
        tuple(f"id{row}" for row in rows),
        tuple(f"{GROUPS[row // PER_GROUP]} of kind {row % PER_GROUP // 2}" for row in rows),
        {
            FAMILY: tuple("care" if row < PER_GROUP else "work" for row in rows),
            CATEGORY: tuple(GROUPS[row // PER_GROUP] for row in rows),
            LANGUAGE: tuple(("English", "German")[row % 2] for row in rows),
        },
        concepts=tuple(f"concept{row // 2}" for row in rows),
    )
    setting = ProjectionSetting(Method.PCA)
    return LatentMap(items, "made", vectors, setting, project(vectors, setting).positions, len(items))
